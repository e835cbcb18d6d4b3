/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outside.h: whose the messages were that passed outside of every probe: by process and address family, as long as
 * there is room; the trace has how many there were in all.
 */
#ifndef NETCOST_OUTSIDE_RECORD_H
#define NETCOST_OUTSIDE_RECORD_H

#include <stdbool.h>

struct outside;
struct trace_writer;

/* map_fd: the programs' map. pids: their process ids are those that this process sees. */
int outside_new(struct outside **op, int map_fd, bool pids);
void outside_free(struct outside *o); /* takes NULL */

/*
 * Reads what there is. Before the counters of all messages are read, so that there are no more of them here;
 * when the recording begins after that: what was before is not in it.
 */
void outside_begin(struct outside *o);
void outside_look(struct outside *o);
/* What came between the last look and the one written before; nothing: no record. */
int outside_write(struct outside *o, struct trace_writer *w);

#endif
