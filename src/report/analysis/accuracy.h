/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * accuracy.h: exact times (full functions tracking) against samples of the same recording, in percentage points of CPU
 * time, over cells: each a CPU in an interval. Where idle time is exact, samples represent the rest of the time, as in
 * all reports. It also compares slower samplers with the exact value, or with the full rate if there is no exact value.
 */
#ifndef NETCOST_REPORT_ACCURACY_H
#define NETCOST_REPORT_ACCURACY_H

#include <stdbool.h>
#include <stdint.h>

#include "intervals.h"
#include "report/base/stats.h"
#include "report/model/model.h"
#include "report/rules/rules.h"

/* ---- slower samplers --------------------------------------------------------------------- */

/*
 * Which of a CPU's samples slower samplers would have taken: every 2nd, 5th … 100th, each beginning at several times
 * (phases).
 *
 * A sampler on a clock is due at the points of a grid in time. If it is due while interrupts are off, or while the CPU
 * is halted, it samples when that ends, once for all points that passed. So a slower sampler takes the first sample of
 * each of its periods, and none in a period without samples. Counting samples instead ("every tenth") would be wrong
 * where some are missing: the fast sampler has one sample after a gap, and a slow sampler also has one, not a tenth of
 * one (test_accuracy.c simulates both). A sampler of another event (cycles) has no grid in time: there each k-th sample
 * is taken.
 */
#define DECIMATE_FACTORS 7
#define DECIMATE_PHASES 5  /* of each factor at most */
#define DECIMATE_TRACKS 28 /* of all factors; track 0 takes all samples */

extern const unsigned int decimate_factor[DECIMATE_FACTORS]; /* rising, the first one is 1 */

struct decimate_track {
	unsigned int factor; /* its place in decimate_factor[] */
	unsigned int phase;  /* in periods of the full rate */
};

extern const struct decimate_track decimate_track[DECIMATE_TRACKS];
unsigned int decimate_phases(unsigned int factor);

/* State of one CPU. Begins with zeros. */
struct decimate {
	uint64_t count, before_ns;   /* the number of samples, and the time of the last one */
	uint64_t due_ns, due_number; /* a point of the grid, and its number */
	/* The period from which the track takes its next sample, in periods of the full rate less the phase. */
	uint64_t next[DECIMATE_TRACKS];
};

/*
 * Returns the set of tracks that take this sample. period_ns: of the full rate; 0: samples are chosen by their number.
 */
uint32_t decimate_sample(struct decimate *d, uint64_t period_ns, uint64_t time_ns);

/* ---- bins: cells while they are filled --------------------------------------------------- */

/*
 * Items: the leaves; the RX softirq's parts, as the innermost part (ACCURACY_OWN) and with all
 * that runs inside them (ACCURACY_WITH_ALL). And samples of tasks that the filter excludes.
 */
enum accuracy_bins_item {
	ACCURACY_OWN = LEAF_COUNT,
	ACCURACY_WITH_ALL = ACCURACY_OWN + NETCOST_PART_COUNT,
	ACCURACY_ITEMS = ACCURACY_WITH_ALL + NETCOST_PART_COUNT,
	ACCURACY_REST = ACCURACY_ITEMS,
	ACCURACY_REST_IDLE,
	ACCURACY_COUNTS,
};

_Static_assert(ACCURACY_COUNTS <= 64, "a set of them is one word");

#define ACCURACY_MAX 80000	     /* more are refused */
#define ACCURACY_DECIMATED_MAX 10000 /* with more of them nothing is decimated */

/* Counters of a CPU up to some tick, or of a bin. NaN: unknown. */
struct accuracy_bins_parts {
	double ns[2 *
		  NETCOST_PART_COUNT]; /* parts of the RX softirq, as the items from ACCURACY_OWN */
};

/*
 * The number of samples of each item that each sampler would have taken in each bin, and exact times of the RX
 * softirq's parts. It watches the intervals while they are filled, so memory grows with bins, not with samples.
 */
struct accuracy_bins {
	struct intervals_watch watch;
	const struct intervals *iv;
	size_t n;
	unsigned int tracks; /* tracks that are kept: 1 or DECIMATE_TRACKS; 0: too many bins */
	uint32_t *count;     /* bin by bin, track by track */
	struct accuracy_bins_parts *parts; /* of each bin */
	struct accuracy_bins_parts *before;
	struct decimate *cpu;
	uint64_t class_items[STACK_CLASSES_MAX]; /* the set of items of each class; 0: not looked up */
};

void accuracy_bins_init(struct accuracy_bins *b);
void accuracy_bins_free(struct accuracy_bins *b);

/* ---- the comparison ---------------------------------------------------------------------- */

/* Why bins are left out, by the first reason that applies. */
enum accuracy_reason {
	ACCURACY_PAUSED,     /* exact counting was paused, at least for a part of it */
	ACCURACY_NO_TIME,    /* offline, or the CPU's time is unknown */
	ACCURACY_SHORT,	     /* less than half of the average length of intervals */
	ACCURACY_NOT_TIME,   /* samples do not measure time: cycles, or of the network alone */
	ACCURACY_NONE_DUE,   /* less than one sample was expected */
	ACCURACY_NONE_TAKEN, /* samples were expected, but none was taken */
	ACCURACY_REASONS,
};

/* keys: for JSON and CSV; titles: for text. */
extern const char *const accuracy_reason_key[ACCURACY_REASONS];
extern const char *const accuracy_reason_title[ACCURACY_REASONS];

/* An item at a sampling rate; at slower rates, over all phases. */
struct accuracy_stat {
	struct stats_pairs pairs;
	double variance;	 /* by theory, summed over the pairs */
	uint64_t within, judged; /* share of values that are within the precision */
	uint64_t missing;	 /* number of values without a sample */
	struct histogram error;
};

/* Over all bins that are compared; NaN: unknown. */
struct accuracy_whole {
	double exact, sampled, ci95;
};

struct accuracy_item {
	bool exact;	 /* there is an exact value to compare with */
	bool seen;	 /* exact times or samples show some time of it */
	uint64_t bins;	 /* number of bins with a value to compare with */
	double variance; /* of the full rate's values by theory, summed over these bins */
	struct accuracy_whole whole;
	struct accuracy_stat *rate; /* DECIMATE_FACTORS; NULL: not compared */
};

struct accuracy {
	const struct model *m;
	const struct accuracy_bins *bins;
	double precision;			    /* percentage points */
	double piece_s;				    /* mean length of the intervals */
	const char *none;			    /* why nothing can be compared; NULL: it can */
	uint64_t taken, left_out[ACCURACY_REASONS]; /* bins */
	struct accuracy_item item[ACCURACY_ITEMS];
};

/* -ENOMEM: nothing to free. */
int accuracy_make(struct accuracy **a, const struct model *m, const struct accuracy_bins *bins,
		  double precision);
void accuracy_free(struct accuracy *a); /* takes NULL */

/* Names of an item; the rate of a factor. */
const char *accuracy_key(unsigned int item);
const char *accuracy_title(unsigned int item);
/* "event", "part", "part_with_all" */
const char *accuracy_kind(unsigned int item);
double accuracy_hz(const struct accuracy *a, unsigned int factor);

/* Returns the root mean square error that theory expects. */
double accuracy_theory(const struct accuracy_stat *s);

/*
 * Whether it is a main event: counted exactly, with at least a thousandth of the time. LEAF_TASK is not, because its
 * error is the sum of all others.
 */
bool accuracy_is_main(const struct accuracy *a, unsigned int item);

/*
 * hz: the slowest rate at which, as at all faster ones, 95 of 100 values of the item are within the precision; NaN:
 * none of the rates that can be judged (the full rate cannot if the others are compared with it). by_theory: then the
 * rate that theory requires; NaN: no rate helps, as errors are larger than by theory.
 */
struct accuracy_enough {
	double hz, by_theory;
};

struct accuracy_enough accuracy_enough(const struct accuracy *a, unsigned int item);
/* Whether the rate must be sufficient for the item: for the main events; if none is exact, for the leaves. */
bool accuracy_is_asked_for(const struct accuracy *a, unsigned int item);
/* Returns the rate that is sufficient for all of these. item: the one that needs the highest rate; ACCURACY_ITEMS:
 * none. */
struct accuracy_enough accuracy_enough_all(const struct accuracy *a, unsigned int *item);

#endif
