/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intervals.h: a trace in pieces of time, from tick to tick. Exact counters are known only at
 * ticks, and a sample may come before or after the ticks around it in the file. So a first pass
 * finds the ticks, and the pieces are filled while the model is made.
 *
 * A piece is split as a trace of that time would be, CPU by CPU.
 */
#ifndef NETCOST_REPORT_INTERVALS_H
#define NETCOST_REPORT_INTERVALS_H

#include "report/base/render.h"
#include "report/model/model.h"
#include "split.h"
#include "summary.h"
#include "work.h"

#define INTERVALS_MAX 50000
#define INTERVALS_CELLS_MAX 300000 /* pieces times CPUs */

/* Counters of a CPU: all of the time before some tick, or of a piece. */
struct interval_times {
	double wall_ns, lost, exact_ns[NETCOST_EV_COUNT]; /* NaN: not known */
	double gone_ns;					  /* see summary_gone_ns() */
	struct summary_stat_idle stat_idle;		  /* since the first reading */
	struct split_own own; /* what of these times is the recorder's */
	struct work_cpu work; /* what was done in them */
};

/* What was measured on one CPU in a piece of time. */
struct interval_cpu {
	struct interval_times times;
	uint64_t samples[LEAF_COUNT], paused[LEAF_COUNT]; /* in all, and in pauses */
	/* Below own programs, by the leaf that these ran in, as split_own_samples has them. */
	uint32_t own[LEAF_COUNT], own_others[LEAF_COUNT], own_paused[LEAF_COUNT];
	struct split_rest rest;
};

/* Likewise, of the host. */
struct interval_host {
	double packets, bytes, joules, energy_ns;
	double part_ns[NETCOST_PART_COUNT]; /* exact times of the RX softirq's parts, on all CPUs */
	struct work_host work;
};

struct interval {
	uint64_t begin_ns, end_ns;
	uint64_t samples;
	struct interval_host host;
	struct countmap stacks; /* samples by stack id, if wanted */
};

/* A sample in a piece. */
struct intervals_sample {
	size_t cell, slot; /* slot: of the CPU, from 0 on */
	uint64_t time_ns;
	unsigned int class;
	bool selected;
};

struct intervals;

/* Called while the pieces are filled, for those who need more than the leaves. */
struct intervals_watch {
	void *ctx;
	/* Of the second one, if it has it: each record of the first pass. False: no memory. */
	bool (*first)(void *ctx, const struct trace_record *rec);
	/* The pieces are known, if there are any. False: no memory. The second one may have none. */
	bool (*begin)(void *ctx, const struct intervals *iv);
	/* All counters of the tick at that edge have been read. The second one may have none. */
	void (*edge)(void *ctx, const struct model *m, size_t edge);
	void (*sample)(void *ctx, const struct model *m, const struct intervals_sample *s);
	/* Of the second one, in place of sample(): a record, before the model takes it. -ENOMEM. */
	int (*record)(void *ctx, const struct model *m, const struct trace_record *rec);
};

struct intervals {
	const struct intervals_watch *watch;  /* NULL: nobody */
	const struct intervals_watch *second; /* likewise */
	struct intervals *also; /* filled along with these; NULL: none. To be freed by itself */
	uint64_t every_ns;	/* at least this long; 0: from each tick to the next */
	/*
	 * At most so many rows, and at least half as many if there are enough ticks; all but the last are of the
	 * same number of ticks. Even; 0: every_ns decides.
	 */
	size_t most;
	size_t ticks_each, ticks_since; /* of these */
	uint64_t *edge;			/* the ticks between them, rising */
	size_t nedges, cap;
	bool too_many;	  /* than are kept */
	uint64_t last_ns; /* the last tick that may be an edge */
	/*
	 * Ticks that begin and end a window of exact counting read nothing else: no row begins or ends with them, as
	 * nothing else would be known of it. window_ticks: they are edges like any other.
	 */
	bool window_ticks;
	bool has_windows;  /* the recording has a budget */
	uint64_t least_ns; /* a shorter piece is none */
	uint64_t tick_ns; /* with windows: the last tick, as long as nothing shows that it is a full one; or 0 */
	uint64_t any_first_ns, any_last_ns; /* with windows: of all ticks */
	uint16_t slot[TRACE_MAX_CPU];	    /* of a CPU, from 1 on; 0: no tick names it */
	uint32_t number[TRACE_MAX_CPU];	    /* of the CPU in a slot, slot - 1 */
	size_t ncpus;

	struct interval *row;
	size_t n;		       /* rows: nedges - 1, or none */
	struct interval_cpu *cell;     /* row by row: ncpus each */
	size_t next;		       /* the edge that comes next */
	struct interval_times *before; /* of each CPU */
	struct interval_host host_before;
	bool wants_stacks;  /* each piece its stacks */
	bool wants_rx;	    /* rx is to be filled */
	uint32_t *rx;	    /* row by row: samples of the RX softirq by category, as wide as */
	size_t ncategories; /* there are; deeper ones count for the one right below the RX softirq */
	uint64_t outside;   /* samples in no piece */
};

void intervals_init(struct intervals *iv, uint64_t every_ns);
void intervals_free(struct intervals *iv);

/* The first pass over a part. False: no memory. */
bool intervals_find(struct intervals *iv, struct trace_reader *r);
/* The same, record by record; all but HEADER and TICK make no difference. */
void intervals_begin(struct intervals *iv);
bool intervals_tick(struct intervals *iv, const struct trace_record *rec);
bool intervals_end(struct intervals *iv);
/* The second: a model_see_fn. */
int intervals_see(struct intervals *iv, const struct model *m, const struct trace_record *rec);

/* What was measured in a cell, as input of the split; meaningless unless its wall_ns or paused_ns is above 0. */
struct split_input interval_input(const struct intervals *iv, size_t cell, const struct model *m);

/* The split of piece i, all CPUs. -ENOMEM. */
int interval_split(const struct intervals *iv, size_t i, const struct model *m,
		   struct split_cpu *all);
/* Likewise, with each CPU that was measured in it; to be freed. -ENOMEM: there is nothing to free. */
int interval_split_cpus(const struct intervals *iv, size_t i, const struct model *m,
			struct split *split);
/* The piece that a time lies in, or NULL. at: where the last one was; becomes its number. */
struct interval *interval_at(const struct intervals *iv, size_t *at, uint64_t time_ns);
/* How many pieces have had their counters read at both ends. */
size_t intervals_closed(const struct intervals *iv);

#endif
