/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_write.h: writes events of packets (--stages) as records. */
#ifndef NETCOST_STAGES_WRITE_H
#define NETCOST_STAGES_WRITE_H

#include <stddef.h>
#include <stdint.h>

struct drop_reasons;
struct netcost_stage_event;
struct netcost_stage_flow;
struct stages_writer;
struct trace_writer;

/* Creates a writer. reasons must outlive it. Returns 0 or -ENOMEM. */
int stages_writer_new(struct stages_writer **sp, const struct drop_reasons *reasons);
void stages_writer_free(struct stages_writer *s); /* NULL is allowed */

/* Returns the number of a netfilter table, from 1. Returns 0 if there are too many tables. */
uint32_t stages_writer_table(struct stages_writer *s, const char *name);

/*
 * Stores the addresses of a flow, for events that are written with the next tick or the one after it. Returns 0 or
 * -ENOMEM.
 */
int stages_writer_flow(struct stages_writer *s, uint32_t flow,
		       const struct netcost_stage_flow *whose);

struct stages_counts {
	/* values of the keys of the same names in the record STAGES */
	uint64_t every, packets, full, evicted;
};

/*
 * Sorts the *n events, and writes the counts and the events up to until_ns. On return *n is the number of remaining
 * events, which are at the front.
 */
int stages_writer_write(struct stages_writer *s, struct netcost_stage_event *event, size_t *n,
			uint64_t until_ns, const struct stages_counts *counts,
			struct trace_writer *w);

#endif
