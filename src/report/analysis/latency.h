/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency.h: packet latency (record --latency): the names of checkpoints, and the latency by interface, cgroup or
 * process, either as rows of a table or as histograms. Both the table and the histograms watch the intervals while the
 * intervals are filled. Each can be used again after it was freed. The last part explains what the slowest packets
 * waited for (record --tail).
 */
#ifndef NETCOST_REPORT_LATENCY_H
#define NETCOST_REPORT_LATENCY_H

#include "intervals.h"
#include "report/base/stats.h"
#include "report/model/model.h"

extern const char *const latency_keys[], *const latency_from[], *const latency_to[];
extern const char *const latency_by_keys[], *const latency_which_keys[];
extern const char *const latency_loss_keys[], *const latency_loss_titles[]; /* NULL-terminated */

#define LATENCY_ALL NETCOST_LATENCY_BY_COUNT /* rows are distinguished only by checkpoint */

/* ---- rows of a table --------------------------------------------------------------------- */

#define LATENCY_TIMES_MOST 300000 /* if a file has more rows than this, none are kept */
#define LATENCY_READ "read" /* stands for all checkpoints of socket reads, over all protocols */

struct latency_times_row {
	/* piece: number of the interval; which: enum netcost_latency_which, or 0 without keys */
	uint32_t piece, hook, which;
	uint32_t key; /* index of the row in the store of the intervals */
	struct dist_summary r;
};

struct latency_times {
	struct store_pieces pieces;
	enum netcost_latency_by by; /* kind of key, or LATENCY_ALL */
	const char *
		/*
		 * name of a checkpoint: each interval has a single row, which merges the rows of that checkpoint.
		 * LATENCY_READ: each interval has a single row, which merges the rows of all reads. NULL: each
		 * checkpoint has its own rows.
		 */
		merged;
	struct latency_times_row
		*row; /* sorted by interval, by checkpoint, and by descending number of packets */
	size_t n, cap;
	bool no_memory, too_many;
};

void latency_times_init(struct latency_times *t, enum netcost_latency_by by);
/* Initialises the table for one checkpoint, `hook`. NULL means LATENCY_READ. */
void latency_times_init_merged(struct latency_times *t, const char *hook);
void latency_times_free(struct latency_times *t);
/* Returns the merged checkpoints of an interval. All members are NaN if the interval has no packets. */
struct dist_summary latency_times_merged(const struct latency_times *t, size_t piece);
/* Returns true if any of the merged checkpoints is measured. */
bool latency_is_measured(const struct latency_times *t, const struct model *m);

/*
 * Summarizes and sorts the rows of a store of LATENCY_BY that have the kind of key `by`. `to` must have room for all
 * rows of the store. Returns the number of rows in `to`.
 */
size_t latency_by_sorted(struct latency_times_row *to, const struct store *s,
			 enum netcost_latency_by by);

/* ---- histograms by interval, for each row of one of the model's stores ---- */

#define LATENCY_HISTORY_ROWS 64 /* number of rows with a histogram; later rows have none */
/* limit of columns; if there are more intervals, consecutive intervals share a column */
#define LATENCY_HISTORY_COLUMNS 150
/* Number of histogram buckets per count of a heat map, which has four counts per octave. */
#define LATENCY_MAP_EACH (NETCOST_LATENCY_EACH / 4)
#define LATENCY_MAP_ROWS (NETCOST_LATENCY_BUCKETS / LATENCY_MAP_EACH)

struct latency_history {
	struct intervals_watch watch; /* may be the first or second watch of the intervals */
	enum model_store of;
	unsigned int each; /* number of buckets per count */
	size_t pieces, ncolumns;
	/* Start of each column, and the end of the last column. */
	uint64_t begin_ns[LATENCY_HISTORY_COLUMNS + 1];
	/* Counts of each row, column by column. NULL: the row has no values. */
	uint64_t *count[LATENCY_HISTORY_ROWS];
	uint64_t *before[LATENCY_HISTORY_ROWS]; /* counts up to the last edge, by bucket */
	bool no_memory;
};

void latency_history_init(struct latency_history *h, enum model_store of, unsigned int each);
void latency_history_free(struct latency_history *h);
/*
 * Returns a row's counts, column by column. Each count covers `each` buckets. Returns NULL if the counts are unknown,
 * or if the row is -1.
 */
const uint64_t *latency_history_row(const struct latency_history *h, ptrdiff_t row);

/* ---- what the slowest packets waited for -------------------------------------------------- */

/* The shares of one checkpoint, sorted in descending order. */
struct tail {
	struct model_culprit row[MODEL_CULPRITS];
	size_t n;
	double packets, mean_ns; /* number of packets; their mean time; NaN: no packets */
	double p99_9_ns; /* 99.9 % quantile of all packets of the checkpoint; NaN: unknown */
	/* number of all packets, and number of packets that waited for less than mean_ns */
	double all, shorter;
	double ns; /* the total of the shares */
	/*
	 * Mean and maximum of the number of packets that were ahead of a packet in its queue. NaN: unknown for all
	 * packets.
	 */
	double before_mean, before_most;
};

/* A step between two consecutive known checkpoints. */
struct tail_step {
	enum netcost_latency hook;
	unsigned int from, to; /* enum netcost_latency; `from` may also be MODEL_ENTRY */
	double packets, ns, share_percent;
	unsigned int next; /* state, only for tail_next_step() */
};

extern const char *const tail_keys[]; /* keys by enum netcost_culprit; NULL-terminated */

/* Finds the shares of a checkpoint. The model needs MODEL_LATENCY. */
void tail_of(struct tail *t, const struct model *m, enum netcost_latency hook);
/*
 * Returns the next step of a checkpoint's packets, in the order of the path. The caller initialises s with zeros.
 * Returns false after the last step.
 */
bool tail_next_step(struct tail_step *s, const struct model *m, enum netcost_latency hook);
/* Writes a culprit as text. sampled: samples were taken during the culprit's time. Returns buf. */
char *tail_text(char *buf, size_t size, const struct model_culprit *c, bool sampled);

/* Causes that group the culprits of a packet. */
enum tail_cause {
	TAIL_READER_WAITED, /* the reader waited for a CPU */
	TAIL_READER_AWAY,   /* the reader slept or did something else */
	TAIL_QUEUED,
	TAIL_ON_ITS_WAY,
	TAIL_UNKNOWN,
	TAIL_CAUSES,
};
extern const char *const tail_causes[TAIL_CAUSES], *const tail_cause_keys[]; /* NULL-terminated */
enum tail_cause tail_cause_of(const struct model_culprit *c, bool sampled);
#define TAIL_TEXT_SIZE 160

/*
 * The functions that samples found on the CPU during a delay. The first pass finds the times of the delays, because
 * samples may precede or follow the delays in the file. Memory is bounded for any trace.
 */
/* maximum number of delays that are examined; later delays are ignored */
#define TAIL_SEEN_SPANS (1u << 20)
#define TAIL_SEEN_STACKS                                                                           \
	(1u << 18) /* limit of distinct stacks; samples of further stacks have no function */

struct tail_seen_row {
	bool spans; /* the times of the culprit's delays are known */
	uint64_t samples;
	struct countmap stacks;
};

struct tail_span {
	/* start and end of the delay; latest end of the CPU's delays up to this one */
	uint64_t begin_ns, end_ns, latest_ns;
	uint32_t cpu, row;
};

struct tail_seen {
	struct intervals_watch watch; /* the second watch of the intervals */
	struct store *culprits; /* a store like MODEL_STORE_CULPRITS of the model; NULL: none */
	struct tail_seen_row row[MODEL_CULPRITS];
	struct tail_span *span; /* sorted by CPU, then time */
	size_t nspans, cap;
	bool too_many; /* there were more spans than TAIL_SEEN_SPANS */
	size_t nstacks;
	bool sampled; /* the trace has samples */
};

void tail_seen_init(struct tail_seen *t);
void tail_seen_free(struct tail_seen *t);

/* Returns the row of a culprit. t may be NULL. The result is NULL if nothing is known about the culprit. */
const struct tail_seen_row *tail_seen_row(const struct tail_seen *t, const struct model *m,
					  const struct model_culprit *c);

struct tail_function {
	const char *name; /* name of the innermost function, or FUNCTION_USER; "": unknown */
	const char *category;
	uint64_t samples;
	bool own; /* a BPF program of the recorder */
};

/*
 * Returns the functions of a culprit, in descending order of samples. The caller frees them. Returns -ENOMEM if out of
 * memory.
 */
int tail_seen_functions(const struct tail_seen_row *r, const struct model *m,
			struct tail_function **function, size_t *n);

#endif
