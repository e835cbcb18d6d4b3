/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * accuracy.h: compares samples with the exact times ("full functions tracking") of the same recording. Differences are
 * in percentage points of CPU time. They are computed for each cell: one CPU in one interval. If idle time is exact,
 * samples represent the rest of the time, as in all reports. Slower samplers are also compared with the exact value. If
 * there is no exact value, they are compared with the sampler at the full rate.
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
 * Chooses the samples of a CPU that slower samplers would have taken: every 2nd, 5th … 100th sample. Each slower
 * sampler begins at several times (phases).
 *
 * A sampler on a clock is due at the points of a grid in time. It may be due while interrupts are off, or while the CPU
 * is halted. In that case, it takes its sample when that state ends, and takes only one sample for all points that
 * passed. So a slower sampler takes the first sample of each of its periods, and none in a period without samples.
 * Counting samples instead ("every tenth") would be wrong if samples are missing. After a gap, the fast sampler takes
 * one sample. A slow sampler also takes one sample, and not a tenth of one (test_accuracy.c simulates both samplers). A
 * sampler of another event (cycles) has no grid in time. For such a sampler, every k-th sample is taken.
 */
#define DECIMATE_FACTORS 7
#define DECIMATE_PHASES 5  /* limit for each factor */
#define DECIMATE_TRACKS 28 /* number of tracks of all factors; track 0 takes all samples */

/* factors in ascending order; the first factor is 1 */
extern const unsigned int decimate_factor[DECIMATE_FACTORS];

struct decimate_track {
	unsigned int factor; /* index in decimate_factor[] */
	unsigned int phase;  /* start of the phase, in periods of the full rate */
};

extern const struct decimate_track decimate_track[DECIMATE_TRACKS];
unsigned int decimate_phases(unsigned int factor);

/* State of one CPU. All fields are initially zero. */
struct decimate {
	uint64_t count, before_ns;   /* number of samples; time of the last sample */
	uint64_t due_ns, due_number; /* time of a grid point; number of that point */
	/*
	 * First period from which the track takes its next sample, counted from the phase, in periods of the full rate.
	 */
	uint64_t next[DECIMATE_TRACKS];
};

/*
 * Returns the set of tracks that take this sample. period_ns is the period of the full rate; if it is 0, samples are
 * chosen by their number.
 */
uint32_t decimate_sample(struct decimate *d, uint64_t period_ns, uint64_t time_ns);

/* ---- bins: cells while they are filled --------------------------------------------------- */

/*
 * Items of a bin: the leaves; the parts of the RX softirq, both as the innermost part (ACCURACY_OWN) and with
 * everything that runs inside them (ACCURACY_WITH_ALL); and samples of tasks that the filter excludes.
 */
enum accuracy_bins_item {
	ACCURACY_OWN = LEAF_COUNT,
	ACCURACY_WITH_ALL = ACCURACY_OWN + NETCOST_PART_COUNT,
	ACCURACY_ITEMS = ACCURACY_WITH_ALL + NETCOST_PART_COUNT,
	ACCURACY_REST = ACCURACY_ITEMS,
	ACCURACY_REST_IDLE,
	ACCURACY_COUNTS,
};

_Static_assert(ACCURACY_COUNTS <= 64, "a set of items must fit into one word");

#define ACCURACY_MAX 80000	     /* largest number of bins of a report */
#define ACCURACY_DECIMATED_MAX 10000 /* with more bins, slower samplers are not computed */

/* Counters of a CPU up to a tick, or counters of a bin. NaN: unknown. */
struct accuracy_bins_parts {
	/* parts of the RX softirq, in the order of the items from ACCURACY_OWN on */
	double ns[2 * NETCOST_PART_COUNT];
};

/*
 * For each bin: the number of samples of each item that each sampler would have taken, and the exact times of the RX
 * softirq's parts. The bins are filled together with the intervals, so their memory depends on the number of bins, not
 * on the number of samples.
 */
struct accuracy_bins {
	struct intervals_watch watch;
	const struct intervals *iv;
	size_t n;
	unsigned int tracks; /* number of tracks: 1 or DECIMATE_TRACKS; 0: too many bins */
	uint32_t *count;     /* ordered by bin, then by track */
	struct accuracy_bins_parts *parts; /* parts in each bin */
	struct accuracy_bins_parts *before;
	struct decimate *cpu;
	/* the set of items of each class; 0: not yet looked up */
	uint64_t class_items[STACK_CLASSES_MAX];
};

void accuracy_bins_init(struct accuracy_bins *b);
void accuracy_bins_free(struct accuracy_bins *b);

/* ---- the comparison ---------------------------------------------------------------------- */

/* Reasons for leaving out bins. If several reasons apply, the first one counts. */
enum accuracy_reason {
	ACCURACY_PAUSED,  /* exact counting was paused, at least for a part of the bin */
	ACCURACY_NO_TIME, /* the CPU was offline, or its time is unknown */
	ACCURACY_SHORT,	  /* the bin is shorter than half of the average interval */
	/* samples do not measure time, because they count cycles, or only cover the network */
	ACCURACY_NOT_TIME,
	ACCURACY_NONE_DUE,   /* less than one sample was expected */
	ACCURACY_NONE_TAKEN, /* samples were expected, but none were taken */
	ACCURACY_REASONS,
};

/* accuracy_reason_key is for JSON and CSV, accuracy_reason_title is for text. */
extern const char *const accuracy_reason_key[ACCURACY_REASONS];
extern const char *const accuracy_reason_title[ACCURACY_REASONS];

/* Errors of an item at a sampling rate. Slower rates have several phases; their errors are combined. */
struct accuracy_stat {
	struct stats_pairs pairs;
	double variance; /* theoretical variance, summed over the pairs */
	/* number of values whose error is within the precision; number of values that can be judged */
	uint64_t within, judged;
	uint64_t missing; /* number of values without a sample */
	struct histogram error;
};

/* Values over all compared bins. NaN: unknown. */
struct accuracy_whole {
	double exact, sampled, ci95;
};

struct accuracy_item {
	bool exact;    /* there is an exact value for comparison */
	bool seen;     /* exact times or samples show that the item took some time */
	uint64_t bins; /* number of bins with a value for comparison */
	/* sum over these bins of the theoretical variance of the full rate's values */
	double variance;
	struct accuracy_whole whole;
	struct accuracy_stat *rate; /* an array of DECIMATE_FACTORS entries; NULL: not compared */
};

struct accuracy {
	const struct model *m;
	const struct accuracy_bins *bins;
	double precision; /* precision in percentage points */
	double piece_s;	  /* mean length of the intervals */
	const char *none; /* why nothing can be compared; NULL: a comparison is possible */
	uint64_t taken, left_out[ACCURACY_REASONS]; /* numbers of bins */
	struct accuracy_item item[ACCURACY_ITEMS];
};

/* Makes the comparison. Returns 0, or -ENOMEM if out of memory, in which case there is nothing to free. */
int accuracy_make(struct accuracy **a, const struct model *m, const struct accuracy_bins *bins,
		  double precision);
void accuracy_free(struct accuracy *a); /* a may be NULL */

/* Return the key of an item for programs, its title for people, and the sampling rate of a factor. */
const char *accuracy_key(unsigned int item);
const char *accuracy_title(unsigned int item);
/* Returns "event", "part" or "part_with_all". */
const char *accuracy_kind(unsigned int item);
double accuracy_hz(const struct accuracy *a, unsigned int factor);

/* Returns the root mean square error that theory predicts. */
double accuracy_theory(const struct accuracy_stat *s);

/*
 * Returns true if the item is a main event: it is counted exactly and has at least a thousandth of the time. LEAF_TASK
 * is not a main event, because its error is the sum of all other errors.
 */
bool accuracy_is_main(const struct accuracy *a, unsigned int item);

/*
 * The sufficient rate of an item.
 *
 * A rate is sufficient if 95 of 100 values of the item are within the precision. hz is the lowest rate such that this
 * rate and all higher rates are sufficient. NaN: none of the rates that can be judged is sufficient. (The full rate
 * cannot be judged if the other rates are compared with it.) If by_theory is set, hz is the rate that theory requires
 * instead. In this case, NaN means that no rate is sufficient, because errors are larger than theory predicts.
 */
struct accuracy_enough {
	double hz, by_theory;
};

struct accuracy_enough accuracy_enough(const struct accuracy *a, unsigned int item);
/*
 * Returns true if the rate must be sufficient for the item. This applies to the main events, or to the leaves if no
 * main event is exact.
 */
bool accuracy_is_asked_for(const struct accuracy *a, unsigned int item);
/*
 * Returns the rate that is sufficient for all items for which accuracy_is_asked_for() returns true. *item is set to the
 * item that needs the highest rate, or to ACCURACY_ITEMS if there is no such item.
 */
struct accuracy_enough accuracy_enough_all(const struct accuracy *a, unsigned int *item);

#endif
