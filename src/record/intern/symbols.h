/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h: maps kernel addresses to symbol ids. An address is resolved when it is first seen.
 *
 * The trace holds a function's start relative to _stext, or relative to the lowest symbol of its module. So the trace
 * does not reveal where KASLR put the kernel.
 */
#ifndef NETCOST_SYMBOLS_H
#define NETCOST_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;
struct trace_writer;

struct ksyms;

/*
 * path is /proc/kallsyms, except in tests. If lazy is not NULL, each name is resolved through the kernel, and *sp owns
 * lazy. If lazy is NULL, the table is read.
 */
int symbols_new(struct symbols **sp, const char *path, struct ksyms *lazy);
void symbols_free(struct symbols *s);

/*
 * Sets the start addresses of functions of the recorder's own BPF programs, which are in the module TRACE_OWN_MODULE.
 * Copies the addresses. Call it before the first lookup. Returns 0 or -ENOMEM.
 */
int symbols_set_own(struct symbols *s, const uint64_t *start, size_t n);
/* Returns the source of the names. */
const char *symbols_via(const struct symbols *s);
/*
 * Returns true if addresses are hidden from this process (kptr_restrict, no CAP_SYSLOG). Then every symbol is unnamed.
 */
bool symbols_hidden(const struct symbols *s);

/*
 * Returns the symbol id of the function that contains `ip`. For a return address pass ip - 1. An unknown address gets
 * an unnamed symbol. Returns 0 only if out of memory.
 */
uint32_t symbols_id(struct symbols *s, uint64_t ip);

/* Size of the text of a build-id, which has at most 20 bytes. */
#define SYMBOLS_BUILD_ID 41
/*
 * Return the module of a user-space file, and the symbol of the code at an offset in the file. If there are too many
 * files or symbols, these functions return the module for code in no file, or the symbol of offset 0. Both return 0 if
 * out of memory.
 */
uint32_t symbols_user_module(struct symbols *s, const char *file, const char *build_id);
uint32_t symbols_user_id(struct symbols *s, uint32_t module, uint64_t offset);
/*
 * Returns the address that stands for a user-space symbol in a stack, for symbols_id(). No kernel has code there. The
 * address minus 1 stands for the same symbol.
 */
uint64_t symbols_user_address(uint32_t id);

/* Prefetches the memory that the next lookup of this address needs. */
void symbols_prefetch(const struct symbols *s, uint64_t ip);

/*
 * Makes new addresses known (modules, BPF programs); call it occasionally. Reads the table again if some new address
 * was not found since the last reading. Reading takes tens of milliseconds, so an address that stays unknown causes
 * only one such reading.
 */
int symbols_refresh(struct symbols *s);
/*
 * Returns a number that changes when the table is read again, or when the ids restart. After such a change, an address
 * may have another symbol.
 */
uint32_t symbols_generation(const struct symbols *s);

/* Writes the symbols seen since the last call to the trace. */
int symbols_write(struct symbols *s, struct trace_writer *w);
uint32_t symbols_count(const struct symbols *s);
/* Restarts the ids, because another file begins. Call it after everything that was seen has been written. */
void symbols_again(struct symbols *s);

#endif
