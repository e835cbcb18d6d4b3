/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * context.h: the host's settings that affect the cost of its network. Read when a recording begins, and again when it
 * ends. Covers interfaces of the recorder's own network namespace. Contains neither addresses nor host names.
 */
#ifndef NETCOST_CONTEXT_H
#define NETCOST_CONTEXT_H

struct context;
struct trace_writer;

int context_new(struct context **cp); /* -ENOMEM */
void context_free(struct context *c); /* NULL is allowed */

/*
 * Reads all settings, and writes what the trace does not have yet: SOURCE and CONTEXT. Negative:
 * out of memory, or the writer's error.
 */
int context_write(struct context *c, struct trace_writer *w);
/* Another file begins: writes all settings as of the last write. */
int context_again(const struct context *c, struct trace_writer *w);

#endif
