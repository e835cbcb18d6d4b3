/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * context.h: reads the host's settings that affect the cost of its network, when a recording begins and again when it
 * ends. The settings include interfaces of the recorder's own network namespace, but neither addresses nor host names.
 */
#ifndef NETCOST_CONTEXT_H
#define NETCOST_CONTEXT_H

struct admin;
struct context;
struct trace_writer;

int context_new(struct context **cp, struct admin *admin); /* returns 0 or -ENOMEM */
void context_free(struct context *c);			   /* NULL is allowed */

/*
 * Reads all settings, and writes those that the trace does not have yet: SOURCE and CONTEXT. Returns negative if out of
 * memory, or the writer's error.
 */
int context_write(struct context *c, struct trace_writer *w);
/* Writes all settings again as of the last write, because another file begins. */
int context_again(const struct context *c, struct trace_writer *w);

#endif
