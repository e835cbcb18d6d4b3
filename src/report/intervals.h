/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intervals.h: a trace in pieces of time, from tick to tick. Exact counters are known at ticks only,
 * and a sample may stand in the file before or behind the ticks around it: so the ticks are found in a
 * pass of their own, and the pieces filled while the model is made.
 *
 * A piece is split as a trace of that time would be, CPU by CPU.
 */
#ifndef NETCOST_REPORT_INTERVALS_H
#define NETCOST_REPORT_INTERVALS_H

#include "json.h"
#include "model.h"
#include "split.h"

#define INTERVALS_MAX 50000
#define INTERVALS_CELLS_MAX 300000 /* pieces times CPUs */

/* Counters of a CPU: all of the time before some tick, or of a piece. */
struct interval_times {
	double wall_ns, lost, exact_ns[NETCOST_EV_COUNT]; /* NaN: not known */
};

/* What was measured on one CPU in a piece of time. */
struct interval_cpu {
	struct interval_times times;
	uint64_t samples[LEAF_COUNT];
	uint64_t rest, rest_idle; /* of tasks that are not wanted; of these, idle ones */
};

/* Of the host. NaN: not known. */
struct interval_traffic {
	double packets, bytes, joules, energy_ns;
};

struct interval {
	uint64_t begin_ns, end_ns;
	uint64_t samples;
	struct interval_traffic traffic;
	double part_ns[NETCOST_PART_COUNT]; /* of the RX softirq, on all CPUs; NaN: not known */
	struct countmap stacks;		    /* samples by stack id, in few pieces */
};

struct intervals {
	uint64_t every_ns; /* at least so long; 0: from each tick to the next */
	size_t few; /* at most so many, all but the last of as many ticks; 0: as every_ns says */
	size_t ticks_each, ticks_since; /* of few */
	uint64_t *edge;			/* the ticks between them, rising */
	size_t nedges, cap;
	bool too_many;			/* than are kept */
	uint64_t last_ns;		/* the last tick */
	uint16_t slot[TRACE_MAX_CPU];	/* of a CPU, from 1 on; 0: no tick names it */
	uint32_t number[TRACE_MAX_CPU]; /* of the CPU in a slot, slot - 1 */
	size_t ncpus;

	struct interval *row;
	size_t n;		       /* rows: nedges - 1, or none */
	struct interval_cpu *cell;     /* row by row: ncpus each */
	size_t next;		       /* the edge that is waited for */
	struct interval_times *before; /* of each CPU */
	struct interval_traffic traffic_before;
	double part_before[NETCOST_PART_COUNT];
	uint64_t outside; /* samples in no piece */
};

void intervals_init(struct intervals *iv, uint64_t every_ns);
/* Of a trace of any length at most n pieces, and at least half of that if there are ticks enough. n: even. */
void intervals_init_few(struct intervals *iv, size_t n);
void intervals_free(struct intervals *iv);

/* The first pass over a part. False: no memory. */
bool intervals_find(struct intervals *iv, struct trace_reader *r);
/* The second: a model_see_fn. */
int intervals_see(struct intervals *iv, const struct model *m, const struct trace_record *rec);

/* The split of piece i, all CPUs. -ENOMEM. */
int interval_split(const struct intervals *iv, size_t i, const struct model *m,
		   struct split_cpu *all);
/* So many samples does that split rest on, whatever their weight. */
double interval_counted(const struct intervals *iv, size_t i, const struct model *m);
/* Pieces whose counters have been read, at their end, too. */
size_t intervals_closed(const struct intervals *iv);

#endif
