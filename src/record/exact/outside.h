/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outside.h: messages that passed outside of all probes, by process and address family, as far as
 * there is room. The total is elsewhere in the trace.
 */
#ifndef NETCOST_OUTSIDE_RECORD_H
#define NETCOST_OUTSIDE_RECORD_H

#include <stdbool.h>

struct outside;
struct trace_writer;

/* map_fd: the programs' map. pids: the map's process ids are valid in our pid namespace. */
int outside_new(struct outside **op, int map_fd, bool pids);
void outside_free(struct outside *o); /* NULL is allowed */

/*
 * outside_look() reads the map. Call it before the counters of all messages are read, so that the
 * sum here never exceeds them. outside_begin() also discards what was counted before the recording.
 */
void outside_begin(struct outside *o);
void outside_look(struct outside *o);
/* Writes the increase between the last two calls of outside_look(). No increase, no record. */
int outside_write(struct outside *o, struct trace_writer *w);

#endif
