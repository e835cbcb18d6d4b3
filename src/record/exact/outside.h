/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outside.h: who sent and received the messages that passed outside of every probe: by process and address family, as
 * long as there is room; the total is elsewhere in the trace.
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
 * outside_look() reads what there is, before the counters of all messages are read: so there are never more of them
 * here. outside_begin() does so when the recording begins: what was before is not in it.
 */
void outside_begin(struct outside *o);
void outside_look(struct outside *o);
/* What came between the last look and the one that was written before. If nothing did, there is no record. */
int outside_write(struct outside *o, struct trace_writer *w);

#endif
