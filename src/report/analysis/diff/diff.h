/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff.h: compares two recordings.
 *
 * A subject (enum diff_subject) is a kind of data that can be compared: costs by category, functions, latency,
 * processes and so on. A subject provides the rows of one recording. Each row has a key, and one value for each
 * measure. Everything else is the same for all subjects: rows of both recordings are paired by their keys, the change
 * of each measure is calculated and tested, p is corrected for the number of tests, rows are sorted, and rows within
 * noise are hidden in text output.
 *
 * A value has two errors: the error of sampling, and the variance of the load between intervals of the recording,
 * because another recording of the same load would have had other bursts. The larger error is used. Exact times have
 * only the second error. The change is tested by Welch's t test. Among many rows, some differ by chance, so p is
 * corrected by Holm's method: in 95 of 100 comparisons in which nothing has changed, no row of a subject is called
 * changed. (Benjamini and Hochberg's method finds more changes, but one in 20 of these changes would be noise. This is
 * too many if a single row makes a build fail.) Categories and functions share the error rate of 5 %. Unit costs are
 * computed from the same times, and have a separate error rate of 5 %. With --per=packet or --per=GB, the unit cost of the
 * network has the test result of the row "network" of the costs, which is the same value.
 */
#ifndef NETCOST_REPORT_DIFF_H
#define NETCOST_REPORT_DIFF_H

#include <stdbool.h>

#include "report/analysis/functions.h"
#include "report/analysis/intervals.h"
#include "report/analysis/summary.h"
#include "report/base/stats.h"

#define DIFF_PIECES 32 /* maximum number of intervals of a recording: see stats_ratio_variance() */
/* minimum number of samples in both recordings together; with fewer samples, no change can be found */
#define DIFF_LEAST_SAMPLES 25
#define DIFF_NOTES 24

enum diff_side_number { DIFF_BEFORE, DIFF_AFTER, DIFF_SIDES };

/* The quantities that costs are divided by. */
enum diff_per {
	DIFF_PER_CPU,
	DIFF_PER_PACKET,
	DIFF_PER_GB,
	DIFF_PER_SECOND,
	DIFF_PERS,
};

struct diff_per_desc {
	const char *name, *key, *title;
	const char *of; /* text that follows a number in a sentence */
	int decimals;
};

extern const struct diff_per_desc diff_per[DIFF_PERS];
extern const char *const diff_per_names[DIFF_PERS + 1]; /* NULL-terminated */

/* ---- a recording ------------------------------------------------------------------------- */

struct latency_history;
struct view_times;

/* An interval of the recording. */
struct diff_piece {
	struct split_cpu split;
	double base;	      /* divisor of times */
	double ns_per_sample; /* NaN: there are no samples */
};

/* The measurements of a recording. */
struct diff_side {
	const struct model *m;
	const struct part *part;
	const struct intervals *iv;
	/* Histograms of MODEL_STORE_LATENCY and MODEL_STORE_STEPS in the intervals iv. NULL: not kept. */
	const struct latency_history *latency, *stages;
	const struct view_times *views; /* one element for each of view_uses; NULL: not kept */
	enum diff_per per;
	struct summary summary;
	struct stats_value unit[UNIT_COSTS];
	struct functions functions;

	/*
	 * Divisor of times: 1/100 of the CPUs' time, the number of packets, or the number of GB or seconds times 1e6
	 * (for ms).
	 */
	double base;
	unsigned int leaves; /* leaves whose functions are compared */
	struct diff_piece piece[DIFF_PIECES];
	size_t npieces;
	double *category_ns; /* time of each category in each interval, interval by interval */
	struct functions_sum *function; /* time of each function, ns */
};

/* The data that a model must keep so that a side can be made from it. */
#define DIFF_SIDE_KEEP                                                                             \
	(MODEL_MODULES | MODEL_CPU_STACKS | MODEL_PROCESSES | MODEL_CGROUPS | MODEL_LATENCY |      \
	 MODEL_STAGES)

/*
 * Makes a side. Model, part and intervals must outlive the side. Both sides need the same basis of traffic, iv->basis:
 * the first that holds in both traces (interfaces.h), which is the larger of the two. Returns 0, or -ENOMEM if out of
 * memory, in which case there is nothing to free.
 */
int diff_side_make(struct diff_side *s, const struct model *m, const struct part *part,
		   const struct intervals *iv, enum diff_per per, unsigned int leaves);
void diff_side_free(struct diff_side *s);

/* Returns true if the recording has both samples and the function names that classify them. */
bool diff_side_has_samples(const struct diff_side *s);

/* ---- a comparison ------------------------------------------------------------------------ */

enum diff_subject {
	DIFF_COSTS,	/* Key: group (enum diff_costs). */
	DIFF_FUNCTIONS, /* Key: name, of (the module). Measures: self, inclusive. */
	DIFF_UNITS,	/* Key: name, of (the unit). */
	/*
	 * Key: name, of (the type), id[0] (on the packet path). Measures: runs per second, ns per run, % of CPU time.
	 */
	DIFF_PROGRAMS,
	/* Key: group (enum diff_by), name, id[0] (a kernel thread). Measures: enum diff_process_measure. */
	DIFF_PROCESSES,
	DIFF_FATES,   /* Key: group (enum netcost_fate), name. */
	DIFF_LATENCY, /* Key: id[0] (enum netcost_latency), id[2] (enum dist_quantile). */
	/* Key: id[0] (enum stages_path). Measure: % of the packets that reached the end of a path. */
	DIFF_PATHS,
	DIFF_STAGES, /* Key: group (enum stages_path), id (from, to, enum dist_quantile). */
	/* Key: group (index in view_uses), name (of its first attribute), of (the value). Measure: count per second. */
	DIFF_COUNTS,
	DIFF_SUBJECTS,
};

enum diff_costs {
	DIFF_MAIN,     /* the leaves and their sums */
	DIFF_CATEGORY, /* categories, by samples; `of` is the key of the leaf */
	DIFF_PART,     /* exact parts of the RX softirq */
};

enum diff_by { DIFF_BY_NAME, DIFF_BY_CGROUP, DIFF_BY_USER, DIFF_BYS };

/*
 * Costs of a process, and its energy as a range. DIFF_RECEIVED is the time of packets for the process's sockets,
 * including the evenly distributed part of the time.
 */
enum diff_process_measure { DIFF_ON_CPU, DIFF_NETWORK, DIFF_RECEIVED, DIFF_WATTS };

#define DIFF_MEASURES 4
/* stands for the whole path in rows of DIFF_STAGES, in place of stages */
#define DIFF_WHOLE_PATH NETCOST_STAGE_COUNT
#define DIFF_LATENCY_QUANTILES                                                                     \
	DIST_P99_99 /* number of quantiles that are compared; higher quantiles are almost never known well enough */

/* A value of one side. NaN: not measured, or unknown. */
struct diff_value {
	double value;
	/* half-width of the confidence interval for the error of measuring this recording; 0: counted */
	double ci95;
	/* the 95 % interval for DIFF_TEST_INTERVAL; the ends of a range for other tests */
	double low, high;
	double variance,
		/*
		 * degrees of freedom for DIFF_TEST_T; the variance is the larger of the error of measuring and the
		 * spread between intervals of time
		 */
		df;
	double samples; /* number of samples; NaN: exact */
	enum split_how how;
};

enum diff_verdict {
	DIFF_NOT_MEASURED,   /* not measured in one of the two recordings */
	DIFF_NOT_COMPARABLE, /* measured by different methods */
	DIFF_NOT_TESTED,     /* too few samples or ticks */
	DIFF_SAME,	     /* within noise */
	DIFF_MORE,
	DIFF_LESS,
	DIFF_VERDICTS,
};

struct diff_verdict_desc {
	const char *key, *mark, *text;
	int color; /* color in a terminal; 0: no color */
};

extern const struct diff_verdict_desc diff_verdict[DIFF_VERDICTS];

struct diff_change {
	struct diff_value side[DIFF_SIDES];
	double change, ci95, low, high;
	double relative, relative_ci95; /* fractions of the earlier value; NaN if that value is 0 */
	double p, p_adjusted;		/* p, and p after the correction; NaN: not tested */
	enum diff_verdict verdict;
};

/* Kinds of rows. Rows of a kind are sorted below rows of the preceding kinds. */
enum diff_kind { DIFF_ONE, DIFF_OTHERS, DIFF_SUM };

struct diff_row {
	unsigned int seen; /* the sides on which the row was seen, one bit for each side */
	/* The following fields are the key. */
	unsigned int group;
	enum diff_kind kind;
	const char *name, *of; /* NULL: the key of the subject does not contain this field */
	unsigned int id[3];

	const char *title;
	unsigned int depth;
	size_t place;	/* position in the order of the subject */
	bool not_alike; /* the two sides are measured in different ways */
	/* by samples alone, because the sides are measured in different ways: not the figures of the summaries */
	bool by_samples;
	bool hidden; /* hidden in text output */
	struct diff_change m[DIFF_MEASURES];
};

struct diff_table {
	enum diff_subject subject;
	const struct diff_side *side[DIFF_SIDES];
	bool there; /* the subject can be compared */
	struct diff_row *row;
	size_t n, all; /* number of rows that were kept; number of all rows */
	size_t most;   /* maximum number of rows to keep */
	size_t tested; /* number of tests for which p was corrected */
	/* number of significant changes in all rows; rows_apart: number of rows with a significant change */
	size_t apart;
	size_t rows_apart;
	void *owned[DIFF_SIDES]; /* names that do not belong to the models */

	/* The following fields are used while the table is made. */
	size_t room;
	/* values used for a side that lacks the row */
	struct diff_value absent[DIFF_SIDES][DIFF_MEASURES];
};

/* A setting of the host that differs. side[] is NULL if that side does not have the setting. */
struct diff_setting {
	const struct model_setting *side[DIFF_SIDES];
	bool all; /* one side lacks the whole subject */
};

struct diff_options {
	size_t rows; /* maximum number of rows of functions and processes */
	bool all;    /* no rows are hidden */
	const char *
		only; /* keys that are watched, separated by commas; NULL: the network and its leaves */
	double above; /* argument of --fail-above, a share; NaN: the option was not given */
};

struct diff {
	struct diff_options o;
	enum diff_per per;
	const struct diff_side *side[DIFF_SIDES];
	struct diff_table table[DIFF_SUBJECTS];
	size_t within_noise, not_alike; /* number of hidden rows, by the reason for hiding them */
	struct diff_setting *setting;
	size_t nsettings;
	char note[DIFF_NOTES][320]; /* limits of this comparison */
	size_t nnotes;
};

/*
 * Makes a comparison. The sides must outlive it. Returns 0, or -ENOMEM if out of memory, in which case there is nothing
 * to free.
 */
int diff_make(struct diff *d, const struct diff_side *before, const struct diff_side *after,
	      const struct diff_options *o);
void diff_free(struct diff *d);

/*
 * Makes the table of a single subject. `most` is the maximum number of rows to keep. Returns 0, or -ENOMEM if out of
 * memory, in which case there is nothing to free.
 */
int diff_table_make(struct diff_table *t, enum diff_subject subject, const struct diff_side *before,
		    const struct diff_side *after, size_t most);
void diff_table_free(struct diff_table *t);

bool diff_is_apart(const struct diff_change *c);
/* Returns true if one of the row's measures has changed significantly. */
bool diff_row_is_apart(const struct diff_row *r);

/* Returns true if the relative change is below its own spread, although the change itself may be significant. */
bool diff_is_vague(const struct diff_change *c);

/* ---- for CI ------------------------------------------------------------------------------ */

/* Returns true if a row of DIFF_COSTS is watched. */
bool diff_is_watched(const struct diff_row *r, const char *only);
/* Returns true if the value increased significantly, and by more than the share `above`. */
bool diff_is_worse(const struct diff_change *c, double above);
/*
 * Returns true if the comparison has to show whether the row's value increased. By default, this is required only of
 * the network, because leaves may be too small to compare. If `only` is given, this is required of all keys in `only`.
 */
bool diff_must_be_known(const struct diff_row *r, const char *only);
/*
 * Returns true if the value was compared, and an increase by more than the share `above` was neither detected nor ruled
 * out. To rule it out, the upper end of the change's 95 % interval must be at most `above`. The result is also false if
 * both the change and the half-width of its interval are at most `above`. With above = 0, any significant increase
 * counts, so the result is false.
 */
bool diff_is_unsure(const struct diff_change *c, double above);

/* ---- for subjects ------------------------------------------------------------------------ */

enum diff_test {
	DIFF_TEST_T,	    /* test by variance and df */
	DIFF_TEST_INTERVAL, /* test by low and high */
	DIFF_DIFFERENCE,    /* no test; the change has the confidence interval of ci95 */
};

struct diff_subject_desc {
	/* Returns true if a side has the subject. NULL: all sides have it. */
	bool (*has)(const struct diff_side *s);
	/* Adds the rows of a side with diff_add(). */
	int (*walk)(struct diff_table *t, enum diff_side_number side);
	/*
	 * Called after rows are paired, if there are any rows. The function may drop or complete rows. NULL: no
	 * function.
	 */
	void (*finish)(struct diff_table *t);
	/* Compares two rows for sorting. NULL: diff_by_place(). */
	int (*order)(const void *a, const void *b);
	size_t measures;
	enum diff_test test;
	/* number of subjects that share the error rate of 5 %; 0: changes are not tested, and rows are not hidden */
	unsigned int families;
	bool cut; /* rows beyond the maximum number are dropped */
	bool any; /* the table exists if at least one recording has the subject */
};

extern const struct diff_subject_desc diff_costs, diff_functions, diff_units, diff_programs,
	diff_processes, diff_fates, diff_latency, diff_paths, diff_stages, diff_counts;

extern const struct diff_value diff_nothing; /* a value with all fields NaN */

/*
 * Adds a row of a side: its key, place, titles, and m[].side[side]. Rows of a side with the same key are added up. A
 * side without such a row gets the values of t->absent. Returns 0 or -ENOMEM.
 */
int diff_add(struct diff_table *t, enum diff_side_number side, const struct diff_row *r);
/* Adds up values, half-widths and ranges. NaN: unknown, or absent. */
void diff_value_add(struct diff_value *to, const struct diff_value *v);
/* Compare two values for sorting. If one of two numbers is NaN, the numbers count as equal. */
int diff_strings(const char *a, const char *b);
int diff_numbers(size_t a, size_t b);
int diff_larger_first(double a, double b);
/* Compares two rows by group, kind and place. */
int diff_by_place(const void *a, const void *b);
/* Compares two rows by name, then by `of`. */
int diff_by_name(const void *a, const void *b);

/* Returns true if missing samples are the main reason for wide intervals. */
bool diff_misses_samples(const struct diff_side *s);

#endif
