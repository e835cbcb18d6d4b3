/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outside.h: records messages that no probe saw, by process and address family, until the table is full. The total of
 * all such messages is in another record of the trace.
 */
#ifndef NETCOST_OUTSIDE_RECORD_H
#define NETCOST_OUTSIDE_RECORD_H

#include <stdbool.h>

struct outside;
struct trace_writer;

/* map_fd is the programs' map. pids: the map's process ids are valid in the recorder's pid namespace. */
int outside_new(struct outside **op, int map_fd, bool pids);
void outside_free(struct outside *o); /* NULL is allowed */

/*
 * outside_look() reads the map. Call it before the counters of all messages are read, so that the rows never sum to
 * more than these counters. outside_begin() also discards the counts from before the recording.
 */
void outside_begin(struct outside *o);
void outside_look(struct outside *o);
/* Writes how much the counts rose between the last two calls of outside_look(). Writes no record if no count rose. */
int outside_write(struct outside *o, struct trace_writer *w);

#endif
