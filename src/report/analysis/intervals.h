/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intervals.h: divides a trace into intervals of time that begin and end at ticks. Exact counters are known only at
 * ticks, and a sample may come before or after the surrounding ticks in the file. So a first pass finds the ticks, and
 * a second pass reads the model and fills the intervals. Each interval is split, CPU by CPU, as if it were a trace of
 * its own.
 */
#ifndef NETCOST_REPORT_INTERVALS_H
#define NETCOST_REPORT_INTERVALS_H

#include "report/base/render.h"
#include "report/model/model.h"
#include "report/store/store.h"
#include "cost.h"
#include "split.h"
#include "summary.h"

#define INTERVALS_MAX 50000
#define INTERVALS_CELLS_MAX 300000 /* limit of intervals times CPUs */

/* Counters of a CPU, either from the beginning to a tick, or in an interval. NaN means unknown. */
struct interval_times {
	/* Numbers of type double come first, because they are subtracted in a loop; `own` follows. */
	double wall_ns, lost, exact_ns[NETCOST_EV_COUNT];
	double counted_ns; /* time in which exact counters ran; the rest of the interval is pauses */
	double gone_ns;	   /* see summary_gone_ns() */
	struct summary_stat_idle stat_idle; /* idle time since the first reading */
	double calls[NETCOST_EV_COUNT],
		/* calls (or runs of a softirq) and their bytes, while exact counting is not paused */
		bytes[NETCOST_EV_COUNT];
	/* number of packets that NAPI polled, before GRO, in all events of the leaf RX softirq */
	double polled;
	struct split_own own; /* the recorder's part of these times */
};

/* Counters of one CPU at an edge. The field `own` of the times is not used. */
struct interval_edge {
	struct interval_times times;
	struct cost_runs runs;
};

/* Measurements of one CPU in an interval. */
struct interval_cpu {
	struct interval_times times;
	uint64_t samples[LEAF_COUNT], paused[LEAF_COUNT]; /* all samples; samples in pauses */
	/* Samples below the recorder's own programs, as in struct split_own_samples. */
	uint32_t own[LEAF_COUNT], own_others[LEAF_COUNT], own_paused[LEAF_COUNT];
	struct split_rest rest;
};

/* Sums over interfaces. packets and bytes are rx + tx, and NaN if interfaces were not read at both edges. */
struct interval_traffic {
	double rx_packets, tx_packets, rx_bytes, tx_bytes, packets, bytes;
};

/* Counters of the host, either from the beginning to a tick, or in an interval. All fields are of type double. */
struct interval_host {
	struct interval_traffic traffic[INTERFACES_BASES];
	double joules, energy_ns;
	double part_ns[NETCOST_PART_COUNT]; /* exact times of the RX softirq's parts, on all CPUs */
	/*
	 * number of packets in softnet_stat, after GRO; NaN if softnet_stat does not count all packets
	 * (summary_softnet())
	 */
	double processed;
};

struct interval {
	uint64_t begin_ns, end_ns;
	uint64_t samples;
	struct interval_host host;
	struct countmap stacks; /* samples by stack id, if requested */
};

/* A sample in an interval. */
struct intervals_sample {
	size_t cell, slot; /* slot: index of the CPU, from 0 */
	uint64_t time_ns;
	unsigned int class;
	bool selected;
};

struct intervals;

/* Functions that are called while the intervals are filled, for consumers that need more than the leaves. */
struct intervals_watch {
	void *ctx;
	/*
	 * Called for each record of the first pass. Optional, and used in the second watch only. Returns false if out
	 * of memory.
	 */
	bool (*first)(void *ctx, const struct trace_record *rec);
	/*
	 * Called when the intervals are known, if there are any. Returns false if out of memory. Optional for the
	 * second watch.
	 */
	bool (*begin)(void *ctx, const struct intervals *iv);
	/* Called when all counters of the tick at this edge have been read. Optional for the second watch. */
	void (*edge)(void *ctx, const struct model *m, size_t edge);
	/*
	 * Called when interval i is complete. Optional, and used in the second watch only. An interval is complete at
	 * the end of the trace, or at the first TICK in a later frame than the interval's last TICK. The reason is that
	 * a recorder writes samples before the next frame with ticks. Later samples are not included. Returns 0 or
	 * -ENOMEM.
	 */
	int (*closed)(void *ctx, const struct model *m, size_t i);
	void (*sample)(void *ctx, const struct model *m, const struct intervals_sample *s);
	/*
	 * Called for the second watch instead of sample(), with each record before the model reads it. Returns 0 or
	 * -ENOMEM.
	 */
	int (*record)(void *ctx, const struct model *m, const struct trace_record *rec);
	/* the next watch after `second`; NULL: no more watches */
	const struct intervals_watch *more;
};

struct intervals {
	const struct intervals_watch *watch, *second; /* NULL: no watch */
	/* other intervals that are filled at the same time, but freed by their owner; NULL: none */
	struct intervals *also;
	uint64_t every_ns; /* minimum length; 0: each interval extends from one tick to the next */
	/*
	 * The largest number of intervals, an even number. There are at least half as many intervals if there are
	 * enough ticks, and all intervals but the last have the same number of ticks. 0: every_ns decides the length
	 * instead.
	 */
	size_t most;
	size_t ticks_each,
		/* if `most` is set: number of ticks per interval, and in the current interval */
		ticks_since;
	uint64_t *edge; /* times of the ticks that separate intervals, in ascending order */
	size_t nedges, cap;
	bool too_many;
	uint64_t last_ns; /* time of the last tick that may be an edge */
	/*
	 * True if intervals may begin and end at the ticks of windows. Normally they may not, because only exact times
	 * are read at the ticks that begin and end a window.
	 */
	bool window_ticks;
	bool has_windows;  /* the recording has a budget */
	uint64_t least_ns; /* length of the shortest interval */
	/*
	 * time of the last TICK until a later record shows whether it is a full tick, otherwise 0; used only with
	 * windows
	 */
	uint64_t tick_ns;
	uint64_t any_first_ns,
		/* times of the first and the last tick of any kind; used only with windows */
		any_last_ns;
	uint16_t slot[TRACE_MAX_CPU];	/* index of a CPU, from 1; 0: no tick contains the CPU */
	uint32_t number[TRACE_MAX_CPU]; /* number of the CPU in slot i + 1 */
	size_t ncpus;

	struct model_probe_cost
		cost[NETCOST_PROBE_COUNT]; /* the last cost of each probe in the trace */
	/*
	 * An interval uses the costs that were known when it ended, instead of the last costs, so that a complete
	 * interval never changes. If `grows` is set, this is always the case.
	 */
	bool costs_of_then;
	bool own_at_least; /* the result of cost_at_least(), known after the last record */
	struct interval *row;
	/* number of rows: nedges - 1, or 0; if `grows` is set, one more row, which has not ended */
	size_t n;
	struct interval_cpu *cell; /* row by row, ncpus cells in each row */
	size_t next;		   /* index of the next edge */
	size_t closed;		   /* number of complete intervals; see struct intervals_watch */
	bool framed;		   /* a frame has begun since the last TICK */
	/* There is no first pass, so each edge adds a row. The field must be set before intervals_begin(). */
	bool grows;
	size_t row_cap, cell_cap;
	struct interval_edge *before; /* counters of each CPU at the previous edge */
	struct interval_host host_before;
	/* Basis of traffic as of the last edge, or of the whole trace after its last record. */
	enum interfaces_basis basis;
	bool wants_stacks, wants_rx;
	/*
	 * Samples of the RX softirq by category, row by row. A sample in a nested category counts for the category
	 * right below the leaf.
	 */
	uint32_t *rx;
	size_t ncategories;
	uint64_t outside; /* number of samples outside of all intervals */
};

void intervals_init(struct intervals *iv, uint64_t every_ns);
void intervals_free(struct intervals *iv);

/* Runs the first pass over a part of the trace. Returns false if out of memory. */
bool intervals_find(struct intervals *iv, struct trace_reader *r);
/* Run the first pass record by record. */
void intervals_begin(struct intervals *iv);
bool intervals_tick(struct intervals *iv, const struct trace_record *rec);
bool intervals_end(struct intervals *iv);
/* Takes a record in the second pass. This is a model_see_fn. */
int intervals_see(struct intervals *iv, const struct model *m, const struct trace_record *rec);

/* Removes the complete intervals if `grows` is set. The remaining intervals are then numbered from 0 on. */
void intervals_forget(struct intervals *iv);

/* Returns a cell as input of the split. The input is meaningful only if its wall_ns or paused_ns is above 0. */
struct split_input interval_input(const struct intervals *iv, size_t cell, const struct model *m);

/* Makes the split of interval i over all CPUs. Returns 0 or -ENOMEM. */
int interval_split(const struct intervals *iv, size_t i, const struct model *m,
		   struct split_cpu *all);
/*
 * Makes the split of interval i for each CPU that was measured in it. The caller frees the split. Returns 0, or -ENOMEM
 * if out of memory, in which case there is nothing to free.
 */
int interval_split_cpus(const struct intervals *iv, size_t i, const struct model *m,
			struct split *split);
/*
 * Returns the interval that contains a time, or NULL. *at is a guess of the interval's number; the function sets *at to
 * the actual number.
 */
struct interval *interval_at(const struct intervals *iv, size_t *at, uint64_t time_ns);
/* Returns the traffic of interval i on the interfaces of the basis. */
const struct interval_traffic *interval_traffic(const struct intervals *iv, size_t i);
/* Returns the number of units (calls or packets) by which a unit cost is divided. NaN: unknown. */
double interval_units(const struct intervals *iv, size_t i, enum unit_cost_id unit);
/* Returns the number of intervals whose counters were read at both ends. */

size_t intervals_closed(const struct intervals *iv);

/* ---- a store for each interval ----------------------------------------------------------- */

/*
 * Watches the intervals while they are filled. At the end of an interval, the watch passes the counts of the interval
 * to take() and clears the store. The store keeps its rows. The struct can be used again after pieces_free().
 */
struct store_pieces {
	struct intervals_watch watch; /* the second watch of the intervals */
	const struct store_query *query;
	void *ctx;
	/* Called when the intervals are known, if there are any. */
	void (*begin)(void *ctx, const struct intervals *iv);
	/* Called with a store. The touched rows of the store (store.h) were counted in the interval. */
	void (*take)(void *ctx, uint32_t piece, const struct store *s);
	const struct model *m; /* valid while take() is called */
	struct store *now;
	size_t n;
};

/* Sets `watch`. The caller sets ctx and the functions. */
void pieces_init(struct store_pieces *p, const struct store_query *q);
void pieces_free(struct store_pieces *p);

#endif
