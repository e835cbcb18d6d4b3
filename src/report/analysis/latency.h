/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency.h: latencies of packets (record --latency): the names of checkpoints, and in each piece of time rows of a table, or
 * histograms. Both watch the intervals while these are filled; each can be used again after it was freed. And what the slowest
 * packets waited for (record --tail).
 */
#ifndef NETCOST_REPORT_LATENCY_H
#define NETCOST_REPORT_LATENCY_H

#include "intervals.h"
#include "report/base/stats.h"
#include "report/model/model.h"

extern const char *const latency_keys[], *const latency_from[], *const latency_to[];
extern const char *const latency_by_keys[], *const latency_which_keys[];
extern const char *const latency_loss_keys[],
	*const latency_loss_titles[]; /* each with NULL after the last one */

#define LATENCY_ALL NETCOST_LATENCY_BY_COUNT /* told apart by nothing but the hook */

/* ---- rows of a table --------------------------------------------------------------------- */

#define LATENCY_TIMES_MOST 300000 /* rows: of a file that has more nothing is kept */
#define LATENCY_READ "read"	  /* the hooks of reads from sockets, whatever the protocol */

struct latency_times_row {
	uint32_t piece, hook, which; /* which: by interface and the like; otherwise 0 */
	uint32_t key;		     /* the row in the store of the pieces */
	struct dist_summary r;
};

struct latency_times {
	struct store_pieces pieces;
	enum netcost_latency_by by; /* or LATENCY_ALL */
	const char *
		merged; /* a hook, or LATENCY_READ: each piece has one row, of these. NULL: hooks have rows of their own */
	struct latency_times_row
		*row; /* piece by piece, hook by hook, those with the most packets first */
	size_t n, cap;
	bool no_memory, too_many;
};

void latency_times_init(struct latency_times *t, enum netcost_latency_by by);
/* hook: NULL: LATENCY_READ. */
void latency_times_init_merged(struct latency_times *t, const char *hook);
void latency_times_free(struct latency_times *t);
/* The merged hooks in a piece of time; all members are NaN if no packet was counted in it. */
struct dist_summary latency_times_merged(const struct latency_times *t, size_t piece);
/* Is any of the hooks that are merged measured? */
bool latency_is_measured(const struct latency_times *t, const struct model *m);

/* Summarizes the rows of a store of LATENCY_BY that are of `by`, sorted. `to` has room for all rows. Returns how many there are. */
size_t latency_by_sorted(struct latency_times_row *to, const struct store *s,
			 enum netcost_latency_by by);

/* ---- histograms of the rows of a store of the model, in columns of time -------------------- */

#define LATENCY_HISTORY_ROWS 64	    /* the first ones; of more nothing is kept */
#define LATENCY_HISTORY_COLUMNS 150 /* pieces of time that follow each other share one */
/* `each` of a heat map: then there are four counts in each octave. */
#define LATENCY_MAP_EACH (NETCOST_LATENCY_EACH / 4)
#define LATENCY_MAP_ROWS (NETCOST_LATENCY_BUCKETS / LATENCY_MAP_EACH)

struct latency_history {
	struct intervals_watch watch; /* the first or second of the intervals */
	enum model_store of;
	unsigned int each; /* buckets that are together in one count */
	size_t pieces, ncolumns;
	uint64_t begin_ns[LATENCY_HISTORY_COLUMNS + 1]; /* and where the last one ends */
	/* Column by column. NULL: the row has no values. */
	uint64_t *count[LATENCY_HISTORY_ROWS];
	uint64_t *before[LATENCY_HISTORY_ROWS]; /* what there was up to the last edge, by bucket */
	bool no_memory;
};

void latency_history_init(struct latency_history *h, enum model_store of, unsigned int each);
void latency_history_free(struct latency_history *h);
/* A row's counts, column by column; each count is of `each` buckets. NULL if they are not known, or if row is -1. */
const uint64_t *latency_history_row(const struct latency_history *h, ptrdiff_t row);

/* ---- what the slowest packets waited for -------------------------------------------------- */

/* The shares of one hook, the largest first. */
struct tail {
	struct model_culprit row[MODEL_CULPRITS];
	size_t n;
	double packets, mean_ns;	 /* NaN: there are none */
	double p99_9_ns;		 /* of all of its packets; NaN: not known */
	double ns;			 /* what the shares are of */
	double before_mean, before_most; /* packets, in their queue; NaN: not known of any */
};

/* From where they were known to be to where they were known to be next. */
struct tail_step {
	enum netcost_latency hook;
	unsigned int from, to; /* enum netcost_latency; from: or MODEL_ENTRY */
	double packets, ns, share_percent;
	unsigned int next; /* of tail_next_step() */
};

extern const char *const tail_keys[]; /* of enum netcost_culprit; NULL after the last one */

/* The model needs MODEL_LATENCY. */
void tail_of(struct tail *t, const struct model *m, enum netcost_latency hook);
/* The next step of a hook's packets, in the order of the path. s: zeros before the first. False: there are no more. */
bool tail_next_step(struct tail_step *s, const struct model *m, enum netcost_latency hook);
/* For people: what it was. Returns buf. */
char *tail_text(char *buf, size_t size, const struct model_culprit *c);
#define TAIL_TEXT_SIZE 160

/*
 * The functions that samples found on their CPU meanwhile. The first pass finds the times, as samples may come before or after
 * them in the file. Memory is bounded, whatever the trace contains.
 */
#define TAIL_SEEN_SPANS (1u << 20) /* intervals that are looked at; in later ones nothing is */
#define TAIL_SEEN_STACKS                                                                           \
	(1u << 18) /* distinct ones of all culprits; samples of more have no function */

struct tail_seen_row {
	bool spans; /* it is known when it was */
	uint64_t samples;
	struct countmap stacks;
};

struct tail_span {
	uint64_t begin_ns, end_ns,
		latest_ns; /* latest_ns: the latest end, of its CPU, up to here */
	uint32_t cpu, row;
};

struct tail_seen {
	struct intervals_watch watch; /* the second of the intervals */
	struct store *culprits;	      /* as MODEL_STORE_CULPRITS; NULL: there are none */
	struct tail_seen_row row[MODEL_CULPRITS];
	struct tail_span *span; /* by CPU, then time */
	size_t nspans, cap;
	bool too_many; /* spans */
	size_t nstacks;
	bool sampled; /* there are samples at all */
};

void tail_seen_init(struct tail_seen *t);
void tail_seen_free(struct tail_seen *t);

/* t, or the result, NULL: nothing is known of it. */
const struct tail_seen_row *tail_seen_row(const struct tail_seen *t, const struct model *m,
					  const struct model_culprit *c);

struct tail_function {
	const char *name; /* the innermost function; FUNCTION_USER; "": not known */
	const char *category;
	uint64_t samples;
};

/* Those of a culprit, with the most samples first, to be freed. -ENOMEM. */
int tail_seen_functions(const struct tail_seen_row *r, const struct model *m,
			struct tail_function **function, size_t *n);

#endif
