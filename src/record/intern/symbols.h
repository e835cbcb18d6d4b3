/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h: maps kernel addresses to symbol ids; an address is resolved when it is first seen.
 *
 * The trace has a function's start relative to _stext, or to the lowest symbol of its module: it
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
 * path: /proc/kallsyms, except in tests. lazy: resolves each name through the kernel instead, and
 * then belongs to the symbols; NULL: the table is read.
 */
int symbols_new(struct symbols **sp, const char *path, struct ksyms *lazy);
void symbols_free(struct symbols *s);

/*
 * Sets the start addresses of functions of the recorder's own BPF programs, before the first
 * symbol: they are in the module TRACE_OWN_MODULE. Copied. -ENOMEM.
 */
int symbols_set_own(struct symbols *s, const uint64_t *start, size_t n);
/* The source of the names. */
const char *symbols_via(const struct symbols *s);
/*
 * Returns whether addresses are hidden from this process (kptr_restrict, no CAP_SYSLOG). Then every symbol is unnamed.
 */
bool symbols_hidden(const struct symbols *s);

/*
 * Returns the symbol id of the function that contains `ip`; for a return address pass ip - 1. Never
 * fails: an unknown address gets an unnamed symbol; 0 only if out of memory.
 */
uint32_t symbols_id(struct symbols *s, uint64_t ip);
/* Prefetches what the next lookup of this address needs. */
void symbols_prefetch(const struct symbols *s, uint64_t ip);

/*
 * Call it occasionally: addresses that were not found may be found now (modules, BPF programs).
 * Reads the table again if a new address was not found since. That takes tens of milliseconds, so
 * an address that stays unknown causes it only once.
 */
int symbols_refresh(struct symbols *s);
/* Changes when the table was read again, or ids restart: an address may have another symbol then. */
uint32_t symbols_generation(const struct symbols *s);

/* Defines in the trace the symbols seen since the last call. */
int symbols_write(struct symbols *s, struct trace_writer *w);
uint32_t symbols_count(const struct symbols *s);
/* Another file begins: ids restart. Everything that was seen has been written. */
void symbols_again(struct symbols *s);

#endif
