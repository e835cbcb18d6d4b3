/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intervals.h: a trace in intervals of time, from tick to tick. Exact counters are known only at
 * ticks, and in the file a sample may come before or after the ticks around it. So a first pass
 * finds the ticks, and the intervals are filled while the model is read. Each interval is split like a trace of that
 * time, CPU by CPU.
 */
#ifndef NETCOST_REPORT_INTERVALS_H
#define NETCOST_REPORT_INTERVALS_H

#include "report/base/render.h"
#include "report/model/model.h"
#include "report/store/store.h"
#include "split.h"
#include "summary.h"

#define INTERVALS_MAX 50000
#define INTERVALS_CELLS_MAX 300000 /* intervals times CPUs */

/* Counters of a CPU: from the beginning to some tick, or in an interval. NaN: unknown. */
struct interval_times {
	/* Numbers of type double, which are subtracted; then own. */
	double wall_ns, lost, exact_ns[NETCOST_EV_COUNT];
	double gone_ns;			    /* see summary_gone_ns() */
	struct summary_stat_idle stat_idle; /* since the first reading */
	double calls[NETCOST_EV_COUNT],
		bytes[NETCOST_EV_COUNT]; /* or runs; while exact counting is not paused */
	double polled; /* packets by NAPI, before GRO, in all events of the leaf RX softirq */
	struct split_own own; /* the recorder's part of these times */
};

/* What was measured on one CPU in an interval. */
struct interval_cpu {
	struct interval_times times;
	uint64_t samples[LEAF_COUNT], paused[LEAF_COUNT]; /* in all, and in pauses */
	/* Samples below own programs, as in struct split_own_samples. */
	uint32_t own[LEAF_COUNT], own_others[LEAF_COUNT], own_paused[LEAF_COUNT];
	struct split_rest rest;
};

/*
 * Counters of the host: from the beginning to some tick, or in an interval. Only numbers of type
 * double.
 */
struct interval_host {
	double packets, bytes, rx_bytes, tx_bytes; /* of all interfaces */
	double joules, energy_ns;
	double part_ns[NETCOST_PART_COUNT]; /* exact times of the RX softirq's parts, on all CPUs */
	double processed; /* packets by softnet_stat, after GRO, where summary_softnet() says that they count */
};

struct interval {
	uint64_t begin_ns, end_ns;
	uint64_t samples;
	struct interval_host host;
	struct countmap stacks; /* samples by stack id, if wanted */
};

/* A sample in an interval. */
struct intervals_sample {
	size_t cell, slot; /* slot: of the CPU, from 0 */
	uint64_t time_ns;
	unsigned int class;
	bool selected;
};

struct intervals;

/* Called while the intervals are filled, for consumers that need more than the leaves. */
struct intervals_watch {
	void *ctx;
	/* Optional, of the second watch only: each record of the first pass. False: no memory. */
	bool (*first)(void *ctx, const struct trace_record *rec);
	/*
	 * Called when the intervals are known, if there are any. Returns false if out of memory. Optional for the
	 * second watch.
	 */
	bool (*begin)(void *ctx, const struct intervals *iv);
	/* Called when all counters of the tick at that edge have been read. Optional for the second watch. */
	void (*edge)(void *ctx, const struct model *m, size_t edge);
	/*
	 * Optional, of the second watch only: interval i is complete. That is at the first TICK in a later
	 * frame than its last one, because a recorder writes samples before the next frame with ticks; or
	 * at the end of the trace. Samples that come later are not seen here. -ENOMEM.
	 */
	int (*closed)(void *ctx, const struct model *m, size_t i);
	void (*sample)(void *ctx, const struct model *m, const struct intervals_sample *s);
	/* Called for the second watch in place of sample(): a record, before the model takes it. -ENOMEM. */
	int (*record)(void *ctx, const struct model *m, const struct trace_record *rec);
	const struct intervals_watch
		*more; /* the next watch after `second`; NULL: it is the last one */
};

struct intervals {
	const struct intervals_watch *watch, *second; /* NULL: none */
	struct intervals *also; /* filled along with these, but freed by its owner; NULL: none */
	uint64_t every_ns;	/* least length; 0: from each tick to the next */
	/*
	 * The largest number of intervals, an even number; there are at least half as many if
	 * there are enough ticks, and all but the last one have the same number of ticks. 0:
	 * every_ns decides.
	 */
	size_t most;
	size_t ticks_each,
		ticks_since; /* with most: ticks in an interval, and in the current one */
	uint64_t *edge;	     /* times of the ticks that separate intervals, rising */
	size_t nedges, cap;
	bool too_many;
	uint64_t last_ns; /* the last tick that may be an edge */
	/*
	 * Only exact times are read at the ticks that begin and end a window, so no interval
	 * begins or ends there. window_ticks: they are edges like any other.
	 */
	bool window_ticks;
	bool has_windows;  /* the recording has a budget */
	uint64_t least_ns; /* length of the shortest interval */
	uint64_t tick_ns; /* with windows: the last tick, until a record shows that it is a full one; otherwise 0 */
	uint64_t any_first_ns, any_last_ns; /* with windows: of all ticks */
	uint16_t slot[TRACE_MAX_CPU];	    /* index of a CPU, from 1; 0: no tick names it */
	uint32_t number[TRACE_MAX_CPU];	    /* of the CPU in slot i + 1 */
	size_t ncpus;

	bool own_at_least; /* known after the last record: cost_at_least() */
	struct interval *row;
	size_t n; /* rows: nedges - 1, or none; `grows`: one more, which has not ended */
	struct interval_cpu *cell; /* row by row: ncpus each */
	size_t next;		   /* the edge that comes next */
	size_t closed;		   /* intervals that are complete; see struct intervals_watch */
	bool framed;		   /* a frame has begun since the last TICK */
	/* There is no first pass: a row is added with each edge. Set it before intervals_begin(). */
	bool grows;
	size_t row_cap, cell_cap;
	struct interval_times *before; /* of each CPU */
	struct interval_host host_before;
	bool wants_stacks, wants_rx;
	/*
	 * Row by row: samples of the RX softirq by category; deeper ones count for the one right
	 * below the leaf.
	 */
	uint32_t *rx;
	size_t ncategories;
	uint64_t outside; /* samples in no interval */
};

void intervals_init(struct intervals *iv, uint64_t every_ns);
void intervals_free(struct intervals *iv);

/* The first pass over a part. False: no memory. */
bool intervals_find(struct intervals *iv, struct trace_reader *r);
/* The same, record by record. */
void intervals_begin(struct intervals *iv);
bool intervals_tick(struct intervals *iv, const struct trace_record *rec);
bool intervals_end(struct intervals *iv);
/* The second: a model_see_fn. */
int intervals_see(struct intervals *iv, const struct model *m, const struct trace_record *rec);

/* For intervals that grow: removes those that are complete, so that the others are numbered from 0 on. */
void intervals_forget(struct intervals *iv);

/* A cell as input of the split; meaningless unless its wall_ns or paused_ns is above 0. */
struct split_input interval_input(const struct intervals *iv, size_t cell, const struct model *m);

/* Returns the split of interval i over all CPUs. -ENOMEM. */
int interval_split(const struct intervals *iv, size_t i, const struct model *m,
		   struct split_cpu *all);
/*
 * Returns the split of interval i for each CPU that was measured in it; must be freed. -ENOMEM: there is nothing to
 * free.
 */
int interval_split_cpus(const struct intervals *iv, size_t i, const struct model *m,
			struct split *split);
/* Returns the interval that contains a time, or NULL. *at: a guess of its number; set to it. */
struct interval *interval_at(const struct intervals *iv, size_t *at, uint64_t time_ns);
/* Returns the number of units, calls or packets, that a unit cost is divided by; NaN: unknown. */
double interval_units(const struct intervals *iv, size_t i, enum unit_cost_id unit);
/* Returns the number of intervals with counters read at both ends. */

size_t intervals_closed(const struct intervals *iv);

/* ---- a store for each interval ----------------------------------------------------------- */

/*
 * Watches the intervals while they are filled. When an interval ends it passes the counts of this interval to take(),
 * and clears the store, which keeps its rows. It can be used again after pieces_free().
 */
struct store_pieces {
	struct intervals_watch watch; /* the second one of the intervals */
	const struct store_query *query;
	void *ctx;
	/* Called when the intervals are known, if there are any. */
	void (*begin)(void *ctx, const struct intervals *iv);
	/* Called with the rows that were counted in the interval touched (store.h). */
	void (*take)(void *ctx, uint32_t piece, const struct store *s);
	const struct model *m; /* while take() is called */
	struct store *now;
	size_t n;
};

/* Sets watch; the caller sets ctx and the functions. */
void pieces_init(struct store_pieces *p, const struct store_query *q);
void pieces_free(struct store_pieces *p);

#endif
