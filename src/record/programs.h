/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h: what the recorder's own BPF programs cost, by the kernel's BPF statistics. Those take two
 * clock readings a run themselves, so they are turned on in one tick of PROGRAMS_PERIOD only, unless
 * kernel.bpf_stats_enabled has them on anyway. Misses by recursion are counted always.
 */
#ifndef NETCOST_PROGRAMS_H
#define NETCOST_PROGRAMS_H

#include <stddef.h>

struct bpf_object;
struct programs;
struct trace_writer;

#define PROGRAMS_PERIOD 20 /* ticks; the statistics are on in the first of them */

/* Those of obj that are loaded. obj stays the caller's and must live as long. */
int programs_new(struct programs **pp, const struct bpf_object *obj);
void programs_free(struct programs *p); /* takes NULL; turns the statistics off */

/* Writes the PROGRAMS record of a tick. Negative: the writer's error, or no memory. */
int programs_tick(struct programs *p, struct trace_writer *w);

#endif
