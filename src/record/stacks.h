/* SPDX-License-Identifier: BSD-2-Clause */
/* stacks.h: kernel stacks to dense ids, as a tree of functions. */
#ifndef NETCOST_STACKS_H
#define NETCOST_STACKS_H

#include <stddef.h>
#include <stdint.h>

struct stacks;
struct symbols;
struct trace_writer;

int stacks_new(struct stacks **sp, struct symbols *symbols); /* symbols stays the caller's */
void stacks_free(struct stacks *s);

/* What a stack is known by: all of it, and all but the innermost address. */
struct stack_look {
	struct stack_hash {
		uint64_t a, b;
	} whole, callers;
};

/*
 * A stack of n addresses, innermost first, as perf gives them. n is at least 1. Look at several before the first one's
 * id is asked for: what memory has of them is on its way meanwhile.
 */
struct stack_look stacks_look(const struct stacks *s, const uint64_t *ips, size_t n);
/* Its id. 0: no memory. */
uint32_t stacks_id(struct stacks *s, const struct stack_look *look, const uint64_t *ips, size_t n);

int stacks_write(struct stacks *s, struct trace_writer *w);
uint32_t stacks_count(const struct stacks *s);

#endif
