/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * accuracy.h: exact times (full functions tracking) against samples of the same recording, in percentage points of CPU
 * time, over cells: each a CPU in an interval. Where idle time is known exactly, samples stand for the rest of the time,
 * as in all reports. And what slower samplers would have given (decimate.h): against the exact value where there is one,
 * otherwise against the full rate's.
 */
#ifndef NETCOST_REPORT_ACCURACY_H
#define NETCOST_REPORT_ACCURACY_H

#include "accuracy_bins.h"
#include "report/base/text.h"
#include "report/base/stats.h"
#include "report/model/model.h"

/* Why bins are left out, by the first reason that holds. */
enum accuracy_reason {
	ACCURACY_PAUSED,     /* exact counting was paused, at least for a part of it */
	ACCURACY_NO_TIME,    /* offline, or the CPU's time is not known */
	ACCURACY_SHORT,	     /* less than half as long as the pieces are on average */
	ACCURACY_NOT_TIME,   /* samples are no measure of time: cycles, or of the network alone */
	ACCURACY_NONE_DUE,   /* fewer than one sample was due */
	ACCURACY_NONE_TAKEN, /* some were due, none is there */
	ACCURACY_REASONS,
};

/* keys: of the formats; titles: of the text. */
extern const char *const accuracy_reason_key[ACCURACY_REASONS];
extern const char *const accuracy_reason_title[ACCURACY_REASONS];

/* One item at one rate; for slower rates, over all phases. */
struct accuracy_stat {
	struct stats_pairs pairs;
	double variance;	 /* that theory expects, summed over the pairs */
	uint64_t within, judged; /* values within the precision, of all that should be */
	uint64_t missing;	 /* no sample: no value */
	struct histogram error;
};

/* Of all bins that are taken; NaN: not known. */
struct accuracy_whole {
	double exact, sampled, ci95;
};

struct accuracy_item {
	bool exact;	 /* there is an exact value to compare with */
	bool seen;	 /* there was some of it, by exact times or by samples */
	uint64_t bins;	 /* with a value to compare with */
	double variance; /* of the full rate's values, as theory expects, summed over these */
	struct accuracy_whole whole;
	struct accuracy_stat *rate; /* DECIMATE_FACTORS; NULL: not compared */
};

struct accuracy {
	const struct model *m;
	const struct accuracy_bins *bins;
	double precision;			    /* percentage points */
	double piece_s;				    /* mean length of the pieces */
	const char *none;			    /* why nothing can be compared; NULL: it can */
	uint64_t taken, left_out[ACCURACY_REASONS]; /* bins */
	struct accuracy_item item[ACCURACY_ITEMS];
};

/* -ENOMEM: nothing to free then. */
int accuracy_make(struct accuracy **a, const struct model *m, const struct accuracy_bins *bins,
		  double precision);
void accuracy_free(struct accuracy *a); /* takes NULL */

/* Names of an item; the rate of a factor. */
const char *accuracy_key(unsigned int item);
const char *accuracy_title(unsigned int item);
/* "event", "part", "part_with_all" */
const char *accuracy_kind(unsigned int item);
double accuracy_hz(const struct accuracy *a, unsigned int factor);

/* The root mean square error that theory expects. */
double accuracy_theory(const struct accuracy_stat *s);

/*
 * Is it a main event? Those are counted exactly and had at least a thousandth of the time; LEAF_TASK is none, as its
 * error is the sum of all others'.
 */
bool accuracy_is_main(const struct accuracy *a, unsigned int item);

/*
 * The slowest rate at which, as at all faster ones, 95 of 100 values of the item are within the
 * precision; NaN: none of the rates that can be judged. (The full rate cannot be where the others are
 * compared with it.) by_theory: the rate that theory asks for in that case; NaN: no rate helps, as
 * errors are larger than theory's.
 */
struct accuracy_enough {
	double hz, by_theory;
};

struct accuracy_enough accuracy_enough(const struct accuracy *a, unsigned int item);
/* Should the rate be enough for that item? For the main events; where none is exact, for the leaves. */
bool accuracy_is_asked_for(const struct accuracy *a, unsigned int item);
/* Enough for all of these. item: the one that needs the highest rate; ACCURACY_ITEMS: there are none. */
struct accuracy_enough accuracy_enough_all(const struct accuracy *a, unsigned int *item);

#endif
