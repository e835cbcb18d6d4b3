/* SPDX-License-Identifier: BSD-2-Clause */
/* stacks.h: maps kernel stacks to dense ids, as a tree of functions. */
#ifndef NETCOST_STACKS_H
#define NETCOST_STACKS_H

#include <stddef.h>
#include <stdint.h>

struct stacks;
struct symbols;
struct trace_writer;

int stacks_new(struct stacks **sp, struct symbols *symbols); /* symbols belongs to the caller */
void stacks_free(struct stacks *s);

#define STACKS_AT_ONCE 64

/* The n addresses of a stack, innermost first, as in perf's records; 1 <= n <= TRACE_MAX_STACK. */
struct chain {
	const uint64_t *ips;
	size_t n;
};

/* Finds the ids of n stacks, n <= STACKS_AT_ONCE. An id is 0 if out of memory. */
void stacks_ids(struct stacks *s, const struct chain *chain, size_t n, uint32_t *id);

int stacks_write(struct stacks *s, struct trace_writer *w);
uint32_t stacks_count(const struct stacks *s);
/* Restarts the ids, because another file begins. Call it after symbols_again(). */
void stacks_again(struct stacks *s);

#endif
