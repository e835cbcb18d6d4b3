/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * context.h: how the host is set: what of its settings matters to the cost of its network. Read when a recording begins,
 * and again when it ends. Interfaces are those of the recorder's own network namespace. Neither addresses nor host names.
 */
#ifndef NETCOST_CONTEXT_H
#define NETCOST_CONTEXT_H

struct context;
struct trace_writer;

int context_new(struct context **cp); /* -ENOMEM */
void context_free(struct context *c); /* takes NULL */

/* Reads all, and writes what the trace does not have yet: SOURCE and CONTEXT. Negative: no memory, or the writer's. */
int context_write(struct context *c, struct trace_writer *w);
/* Another file begins: all of what was written last, as it was then. */
int context_again(const struct context *c, struct trace_writer *w);

#endif
