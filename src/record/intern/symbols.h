/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h: kernel addresses to symbol ids, resolved when first seen.
 *
 * The trace holds a function's start relative to _stext, or to the lowest symbol of its module: it does
 * not give away where KASLR put the kernel.
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
 * path: /proc/kallsyms, except in tests. lazy: asks the kernel for each name instead, and then belongs to the
 * symbols; NULL: the table is read.
 */
int symbols_new(struct symbols **sp, const char *path, struct ksyms *lazy);
void symbols_free(struct symbols *s);

/*
 * Where functions of the recorder's own BPF programs begin, before the first symbol: these are in the module
 * TRACE_OWN_MODULE. Copied. -ENOMEM.
 */
int symbols_set_own(struct symbols *s, const uint64_t *start, size_t n);
/* Where the names come from. */
const char *symbols_via(const struct symbols *s);
/* Are addresses hidden from this process (kptr_restrict, no CAP_SYSLOG)? Then every symbol is unnamed. */
bool symbols_hidden(const struct symbols *s);

/*
 * The symbol id of the function that address `ip` is in; for a return address give ip - 1. Never fails:
 * what is not known gets an unnamed symbol; 0 only without memory.
 */
uint32_t symbols_id(struct symbols *s, uint64_t ip);
/* It will be asked for soon: prefetches what is needed. */
void symbols_prefetch(const struct symbols *s, uint64_t ip);

/*
 * Call it now and then: addresses that were not found may be found again (modules, BPF programs). Reads
 * the table again if a new address was not found since: that takes tens of milliseconds, so an address
 * that stays unknown does not cause it twice.
 */
int symbols_refresh(struct symbols *s);
/* Changes when the table was read again, or ids begin anew: an address may have another symbol now. */
uint32_t symbols_generation(const struct symbols *s);

/* Defines in the trace what was seen since the last call. */
int symbols_write(struct symbols *s, struct trace_writer *w);
uint32_t symbols_count(const struct symbols *s);
/* Another file begins: ids begin anew. All that was seen has been written. */
void symbols_again(struct symbols *s);

#endif
