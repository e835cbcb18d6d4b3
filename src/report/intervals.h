/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intervals.h: a trace in pieces of time, from tick to tick. Exact counters are known at ticks only,
 * and a sample may stand in the file before or behind the ticks around it: so the ticks are found in a
 * pass of their own, and the pieces filled while the model is made.
 *
 * All CPUs of a piece are one: their times and samples are added up.
 */
#ifndef NETCOST_REPORT_INTERVALS_H
#define NETCOST_REPORT_INTERVALS_H

#include "json.h"
#include "model.h"
#include "split.h"

#define INTERVALS_MAX 50000

/* Counters, summed over the CPUs and interfaces that are wanted: up to a tick, or of a piece. */
struct interval_sums {
	double wall_ns, exact_ns[NETCOST_EV_COUNT], lost;
	double packets, bytes, joules, energy_ns;
};

struct interval {
	uint64_t begin_ns, end_ns;
	uint64_t samples[LEAF_COUNT], rest;
	uint64_t rest_idle;	   /* of rest: of the idle task */
	struct interval_sums sums; /* of this piece; NaN: not known */
};

struct intervals {
	uint64_t every_ns; /* at least so long; 0: from each tick to the next */
	uint64_t *edge;	   /* the ticks between them, rising */
	size_t nedges, cap;
	bool too_many;	  /* INTERVALS_MAX is not enough */
	uint64_t last_ns; /* the last tick */

	struct interval *row;
	size_t n;    /* rows: nedges - 1, or none */
	size_t next; /* the edge that is waited for */
	struct interval_sums before;
	uint64_t outside; /* samples in no piece */
};

void intervals_init(struct intervals *iv, uint64_t every_ns);
void intervals_free(struct intervals *iv);

/* The first pass over a part. False: no memory. */
bool intervals_find(struct intervals *iv, struct trace_reader *r);
/* The second: a model_see_fn. */
int intervals_see(struct intervals *iv, const struct model *m, const struct trace_record *rec);

/* The split of a piece. -ENOMEM. */
int interval_split(const struct interval *i, const struct model *m, struct split_cpu *c);

#endif
