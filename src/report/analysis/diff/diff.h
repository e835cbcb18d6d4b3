/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff.h: two recordings compared: what each category and function cost before and
 * after, and whether the change is more than noise.
 *
 * A value is known as well as its samples allow, and as the load holds still: it varies from one piece of a
 * recording to the next, as bursts come and go, and another recording of the same would have had other bursts.
 * The larger of the two errors counts. Exact times have the second one only. Both sides' errors make a t test
 * (Welch's). Of many rows some differ by chance: p is corrected for that by Holm's method, so that in 95 of 100
 * comparisons where nothing has changed no row at all is called changed. (Benjamini and Hochberg's would find
 * more, and let one in 20 of what it finds be noise: a build that fails for one row cannot have that.)
 * Categories and functions are corrected apart, each with half of the 5 %.
 */
#ifndef NETCOST_REPORT_DIFF_H
#define NETCOST_REPORT_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include "diff_fates.h"
#include "diff_latency.h"
#include "diff_stages.h"
#include "diff_processes.h"
#include "report/analysis/bill_pairs.h"
#include "report/analysis/intervals.h"
#include "report/analysis/summary.h"
#include "diff_units.h"
#include "diff_verdict.h"

#define DIFF_PIECES 32		 /* of a recording: see stats_ratio_variance() */
#define DIFF_LEAST_SAMPLES 25	 /* of both together: with fewer nothing can be found */
#define DIFF_MOST_FUNCTIONS 2000 /* the heaviest are compared */
#define DIFF_NOTES 24

/* What cost is counted by. */
enum diff_per {
	DIFF_PER_CPU,
	DIFF_PER_PACKET,
	DIFF_PER_SECOND,
	DIFF_PERS,
};

struct diff_per_desc {
	const char *name, *key, *title, *unit;
	const char *of; /* after a number, in a sentence */
	int decimals;
};

extern const struct diff_per_desc diff_per[DIFF_PERS];
extern const char *const diff_per_names[DIFF_PERS + 1]; /* NULL-terminated */

enum diff_table {
	DIFF_MAIN,     /* the leaves and what they sum to */
	DIFF_CATEGORY, /* what they are made of, by samples */
	DIFF_PART,     /* exact parts of the RX softirq */
	DIFF_TABLES,
};

extern const char *const diff_table_names[DIFF_TABLES];

/* One side of a comparison. */
struct diff_value {
	double value; /* in the unit that was asked for; NaN: not measured */
	double ci95;  /* half-width: the error of measuring this recording; 0: counted */
	double variance,
		df; /* for the test: the larger of that error and of the spread between intervals of time */
	double samples; /* NaN: exact */
	enum split_how how;
};

struct diff_change {
	struct diff_value before, after;
	double change, ci95, relative, relative_ci95; /* relative: of what was before */
	double p, p_adjusted;			      /* NaN: not tested */
	enum diff_verdict verdict;
};

struct diff_row {
	enum diff_table table;
	const char *key, *title;
	unsigned int depth;
	const char *leaf; /* the key of the leaf that a category is in; otherwise NULL */
	struct diff_change c;
	bool hidden; /* from people: diff_hide() */
};

struct diff_function {
	const char *name, *module; /* as struct function has them */
	struct diff_change self, inclusive;
};

/* NULL: that side does not have it. */
struct diff_setting {
	const struct model_setting *before, *after;
	bool all; /* nor anything else of its subject */
};

/* A recording, measured: diff_side.h. */
struct diff_side;

struct diff {
	enum diff_per per;
	const struct diff_side *before, *after;
	struct diff_row *row; /* table by table */
	size_t nrows;
	struct diff_function *function; /* told apart from noise first, then by what they changed */
	size_t nfunctions, nshown;
	size_t tested_rows, tested_functions; /* so many p were corrected for */
	bool all;			      /* nothing is hidden: diff_hide() */
	size_t within_noise,
		not_alike; /* rows that are, as they are within noise, or not measured alike */
	struct diff_setting *setting; /* those that were set otherwise */
	size_t nsettings;
	struct bill_pairs programs; /* of others */
	struct diff_units units;
	struct diff_processes processes;
	struct diff_fates fates;
	struct diff_latency latency;
	struct diff_stages stages;
	char note[DIFF_NOTES][200]; /* what to know before comparing these two */
	size_t nnotes;
};

/* Sides must outlive it. shown: functions to be printed. -ENOMEM. */
int diff_make(struct diff *d, const struct diff_side *before, const struct diff_side *after,
	      size_t shown);
void diff_free(struct diff *d);

/* ---- for CI ------------------------------------------------------------------------------ */

/* Rows that are watched: keys with commas between them; NULL: the network and its leaves. */
bool diff_is_watched(const struct diff_row *r, const char *only);
/* Did it grow by more than that share, and by more than noise? */
bool diff_is_worse(const struct diff_change *c, double above);
bool diff_is_compared(const struct diff_change *c);

/* What --fail-above says; above NaN: it was not given. */
struct diff_watch {
	const char *only;
	double above;
};

#endif
