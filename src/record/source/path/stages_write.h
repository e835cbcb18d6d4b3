/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_write.h: what happened to packets (--stages), as records. */
#ifndef NETCOST_STAGES_WRITE_H
#define NETCOST_STAGES_WRITE_H

#include <stddef.h>
#include <stdint.h>

struct drop_reasons;
struct netcost_stage_event;
struct netcost_stage_flow;
struct stages_writer;
struct trace_writer;

/* The reasons must live as long. -ENOMEM */
int stages_writer_new(struct stages_writer **sp, const struct drop_reasons *reasons);
void stages_writer_free(struct stages_writer *s); /* takes NULL */

/* The number of a table of netfilter, from 1; 0: there are too many. */
uint32_t stages_writer_table(struct stages_writer *s, const char *name);

/* Whose packets of that flow are: of events that are written with the next tick, or the one after it. -ENOMEM */
int stages_writer_flow(struct stages_writer *s, uint32_t flow,
		       const struct netcost_stage_flow *whose);

struct stages_counts {
	uint64_t every, packets, full, evicted; /* as the keys of STAGES */
};

/*
 * Puts *n of them in order, and writes those up to until_ns, and the counts. The others, *n of them, are at the front
 * then.
 */
int stages_writer_write(struct stages_writer *s, struct netcost_stage_event *event, size_t *n,
			uint64_t until_ns, const struct stages_counts *counts,
			struct trace_writer *w);

#endif
