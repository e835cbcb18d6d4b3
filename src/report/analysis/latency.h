/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency.h: packet latency (record --latency): the names of checkpoints; and the latency by interface, cgroup or
 * process, either as rows of a table or as histograms. Both watch the intervals while these are filled; each can be
 * used again after it was freed. It also explains what the slowest packets waited for (record --tail).
 */
#ifndef NETCOST_REPORT_LATENCY_H
#define NETCOST_REPORT_LATENCY_H

#include "intervals.h"
#include "report/base/stats.h"
#include "report/model/model.h"

extern const char *const latency_keys[], *const latency_from[], *const latency_to[];
extern const char *const latency_by_keys[], *const latency_which_keys[];
extern const char *const latency_loss_keys[], *const latency_loss_titles[]; /* NULL-terminated */

#define LATENCY_ALL NETCOST_LATENCY_BY_COUNT /* distinguished only by checkpoint */

/* ---- rows of a table --------------------------------------------------------------------- */

#define LATENCY_TIMES_MOST 300000 /* rows: if a file has more, none are kept */
#define LATENCY_READ "read"	  /* the checkpoints of reads from sockets, of all protocols */

struct latency_times_row {
	/* piece: the interval; which: row by interface or another key; otherwise 0 */
	uint32_t piece, hook, which;
	uint32_t key; /* the row in the store of the intervals */
	struct dist_summary r;
};

struct latency_times {
	struct store_pieces pieces;
	enum netcost_latency_by by; /* or LATENCY_ALL */
	const char *
		/*
		 * a checkpoint, or LATENCY_READ: each interval has one row that merges these.
		 * NULL: checkpoints have separate rows
		 */
		merged;
	struct latency_times_row
		*row; /* sorted by interval, by checkpoint, and by descending number of packets */
	size_t n, cap;
	bool no_memory, too_many;
};

void latency_times_init(struct latency_times *t, enum netcost_latency_by by);
/* hook: a checkpoint; NULL: LATENCY_READ. */
void latency_times_init_merged(struct latency_times *t, const char *hook);
void latency_times_free(struct latency_times *t);
/* Returns the merged checkpoints of an interval; all members are NaN if it has no packets. */
struct dist_summary latency_times_merged(const struct latency_times *t, size_t piece);
/* True if any of the merged checkpoints is measured. */
bool latency_is_measured(const struct latency_times *t, const struct model *m);

/*
 * Summarizes and sorts the rows of a store of LATENCY_BY that are of `by`. `to` has room for all
 * rows. Returns their number.
 */
size_t latency_by_sorted(struct latency_times_row *to, const struct store *s,
			 enum netcost_latency_by by);

/* ---- histograms of the rows of one of the model's stores, by column of time --------- */

#define LATENCY_HISTORY_ROWS 64	    /* the first rows; later ones have no histogram */
#define LATENCY_HISTORY_COLUMNS 150 /* consecutive intervals share a column if there are more */
/* `each` for a heat map: gives four counts per octave. */
#define LATENCY_MAP_EACH (NETCOST_LATENCY_EACH / 4)
#define LATENCY_MAP_ROWS (NETCOST_LATENCY_BUCKETS / LATENCY_MAP_EACH)

struct latency_history {
	struct intervals_watch watch; /* the first or second watch of the intervals */
	enum model_store of;
	unsigned int each; /* number of buckets per count */
	size_t pieces, ncolumns;
	/* start of each column, and the end of the last one */
	uint64_t begin_ns[LATENCY_HISTORY_COLUMNS + 1];
	/* Column by column. NULL: the row has no values. */
	uint64_t *count[LATENCY_HISTORY_ROWS];
	uint64_t *before[LATENCY_HISTORY_ROWS]; /* counts up to the last edge, by bucket */
	bool no_memory;
};

void latency_history_init(struct latency_history *h, enum model_store of, unsigned int each);
void latency_history_free(struct latency_history *h);
/*
 * Returns a row's counts, column by column; each count covers `each` buckets. NULL if they are
 * unknown, or if row is -1.
 */
const uint64_t *latency_history_row(const struct latency_history *h, ptrdiff_t row);

/* ---- what the slowest packets waited for -------------------------------------------------- */

/* The shares of one checkpoint, the largest first. */
struct tail {
	struct model_culprit row[MODEL_CULPRITS];
	size_t n;
	double packets, mean_ns; /* NaN: no packets */
	double p99_9_ns;	 /* of all packets of the checkpoint; NaN: unknown */
	double all, shorter; /* all packets, and how many of them waited for less than mean_ns */
	double ns;	     /* the total of the shares */
	/* packets before them in their queue; NaN: unknown for all */
	double before_mean, before_most;
};

/* A step between two consecutive known checkpoints. */
struct tail_step {
	enum netcost_latency hook;
	unsigned int from, to; /* enum netcost_latency; from: or MODEL_ENTRY */
	double packets, ns, share_percent;
	unsigned int next; /* state of tail_next_step() */
};

extern const char *const tail_keys[]; /* by enum netcost_culprit; NULL-terminated */

/* The model needs MODEL_LATENCY. */
void tail_of(struct tail *t, const struct model *m, enum netcost_latency hook);
/*
 * Returns the next step of a checkpoint's packets, in the order of the path. Initialise s with
 * zeros. False after the last step.
 */
bool tail_next_step(struct tail_step *s, const struct model *m, enum netcost_latency hook);
/* Writes a culprit for text. sampled: samples were taken in its time. Returns buf. */
char *tail_text(char *buf, size_t size, const struct model_culprit *c, bool sampled);

/* What the culprits of a packet have in common. */
enum tail_cause {
	TAIL_READER_WAITED, /* for a CPU */
	TAIL_READER_AWAY,   /* it slept or did something else */
	TAIL_QUEUED,
	TAIL_ON_ITS_WAY,
	TAIL_UNKNOWN,
	TAIL_CAUSES,
};
extern const char *const tail_causes[TAIL_CAUSES], *const tail_cause_keys[]; /* NULL-terminated */
enum tail_cause tail_cause_of(const struct model_culprit *c, bool sampled);
#define TAIL_TEXT_SIZE 160

/*
 * The functions that samples found on the CPU during a delay. The first pass finds the times of
 * the delays, as samples may precede or follow them in the file. Memory is bounded, whatever the
 * trace contains.
 */
#define TAIL_SEEN_SPANS (1u << 20) /* delays that are examined; later ones are ignored */
#define TAIL_SEEN_STACKS                                                                           \
	(1u << 18) /* distinct stacks of all culprits; samples of further stacks have no function */

struct tail_seen_row {
	bool spans; /* the times of its delays are known */
	uint64_t samples;
	struct countmap stacks;
};

struct tail_span {
	uint64_t begin_ns, end_ns, latest_ns; /* the latest end so far on its CPU */
	uint32_t cpu, row;
};

struct tail_seen {
	struct intervals_watch watch; /* the second watch of the intervals */
	struct store *culprits;	      /* as MODEL_STORE_CULPRITS; NULL: none */
	struct tail_seen_row row[MODEL_CULPRITS];
	struct tail_span *span; /* sorted by CPU, then time */
	size_t nspans, cap;
	bool too_many; /* of the spans */
	size_t nstacks;
	bool sampled; /* the trace has samples */
};

void tail_seen_init(struct tail_seen *t);
void tail_seen_free(struct tail_seen *t);

/* t, or the result, is NULL if nothing is known of the culprit. */
const struct tail_seen_row *tail_seen_row(const struct tail_seen *t, const struct model *m,
					  const struct model_culprit *c);

struct tail_function {
	const char *name; /* the innermost function; FUNCTION_USER; "": unknown */
	const char *category;
	uint64_t samples;
};

/*
 * Returns the functions of a culprit, those with the most samples first; the caller frees them.
 * -ENOMEM.
 */
int tail_seen_functions(const struct tail_seen_row *r, const struct model *m,
			struct tail_function **function, size_t *n);

#endif
