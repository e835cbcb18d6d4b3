/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff.h: compares two recordings.
 *
 * A subject (enum diff_subject) is what is compared: costs by category, functions, latency,
 * processes and so on. It reports the rows of one recording, each with a key and one value a
 * measure. Everything else is the same for all subjects: rows of both recordings are paired by
 * their key, each measure's change is calculated and tested, p is corrected for the number of
 * tests, rows are sorted, and those within noise are hidden from people.
 *
 * A value has two errors: that of sampling, and the variance of the load between intervals of the
 * recording, as another recording of the same load would have had other bursts. The larger one
 * counts; exact times have the second one only. The change is tested by Welch's t test. Among many
 * rows some differ by chance, so p is corrected by Holm's method: in 95 of 100 comparisons where
 * nothing has changed, no row of a subject is called changed. (With Benjamini and Hochberg's
 * method, which finds more, one in 20 changes would be noise: too many where a build fails for one
 * row.) Categories and functions share the 5 %. Unit costs, which have the same times in them, have
 * 5 % of their own.
 */
#ifndef NETCOST_REPORT_DIFF_H
#define NETCOST_REPORT_DIFF_H

#include <stdbool.h>

#include "report/analysis/functions.h"
#include "report/analysis/intervals.h"
#include "report/analysis/summary.h"
#include "report/base/stats.h"

#define DIFF_PIECES 32	      /* intervals of a recording: see stats_ratio_variance() */
#define DIFF_LEAST_SAMPLES 25 /* of both recordings: with fewer no change can be found */
#define DIFF_NOTES 24

enum diff_side_number { DIFF_BEFORE, DIFF_AFTER, DIFF_SIDES };

/* What costs are divided by. */
enum diff_per {
	DIFF_PER_CPU,
	DIFF_PER_PACKET,
	DIFF_PER_GB,
	DIFF_PER_SECOND,
	DIFF_PERS,
};

struct diff_per_desc {
	const char *name, *key, *title;
	const char *of; /* after a number, in a sentence */
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
	double base;	      /* what times are divided by */
	double ns_per_sample; /* NaN: no samples */
};

/* A recording, measured. */
struct diff_side {
	const struct model *m;
	const struct part *part;
	const struct intervals *iv;
	/* Of these intervals, of MODEL_STORE_LATENCY and MODEL_STORE_STEPS; NULL: not kept. */
	const struct latency_history *latency, *stages;
	const struct view_times *views; /* of each of view_uses; NULL: not kept */
	enum diff_per per;
	struct summary summary;
	struct stats_value unit[UNIT_COSTS];
	struct functions functions;

	/*
	 * What times are divided by: 1/100 of the CPUs' time, packets, or GB or seconds times 1e6
	 * (for ms).
	 */
	double base;
	unsigned int leaves; /* that functions are of */
	struct diff_piece piece[DIFF_PIECES];
	size_t npieces;
	double *category_ns; /* of each category in each interval, interval by interval */
	struct functions_sum *function; /* ns, of each */
};

/* What a model must keep for a side to be made of it. */
#define DIFF_SIDE_KEEP                                                                             \
	(MODEL_MODULES | MODEL_CPU_STACKS | MODEL_PROCESSES | MODEL_CGROUPS | MODEL_LATENCY |      \
	 MODEL_STAGES)

/* Model, part and intervals must outlive it. -ENOMEM: there is nothing to free. */
int diff_side_make(struct diff_side *s, const struct model *m, const struct part *part,
		   const struct intervals *iv, enum diff_per per, unsigned int leaves);
void diff_side_free(struct diff_side *s);

/* Are there samples, and names to classify them by? */
bool diff_side_has_samples(const struct diff_side *s);

/* ---- a comparison ------------------------------------------------------------------------ */

enum diff_subject {
	DIFF_COSTS,	/* group: enum diff_costs */
	DIFF_FUNCTIONS, /* name, of: module. Measures: self, inclusive */
	DIFF_UNITS,	/* name, of: unit */
	DIFF_PROGRAMS, /* name, of: type, id[0]: on the packet path. Runs a second, ns a run, % of CPU time */
	DIFF_PROCESSES, /* group: enum diff_by, name, id[0]: of the kernel. enum diff_process_measure */
	DIFF_FATES,	/* group: enum netcost_fate, name */
	DIFF_LATENCY, /* id[0]: enum netcost_latency, id[2]: enum dist_quantile */
	DIFF_PATHS,   /* id[0]: enum stages_path. % of the packets that reached the end of a path */
	DIFF_STAGES,  /* group: enum stages_path, id: from, to, enum dist_quantile */
	DIFF_COUNTS,  /* group: of view_uses, name: its first attribute, of: the value. A second */
	DIFF_SUBJECTS,
};

enum diff_costs {
	DIFF_MAIN,     /* the leaves and their sums */
	DIFF_CATEGORY, /* categories, by samples; of: the key of the leaf */
	DIFF_PART,     /* exact parts of the RX softirq */
};

enum diff_by { DIFF_BY_NAME, DIFF_BY_CGROUP, DIFF_BY_USER, DIFF_BYS };

/*
 * Costs, and energy as a range. Received: packets for its sockets, with the time that is
 * distributed evenly.
 */
enum diff_process_measure { DIFF_ON_CPU, DIFF_NETWORK, DIFF_RECEIVED, DIFF_WATTS };

#define DIFF_MEASURES 4
#define DIFF_WHOLE_PATH NETCOST_STAGE_COUNT /* of DIFF_STAGES, instead of stages */
#define DIFF_LATENCY_QUANTILES                                                                     \
	DIST_P99_99 /* only those before it: it is almost never known well enough */

/* NaN: not measured or not known. */
struct diff_value {
	double value;
	double ci95;	  /* half-width: the error of measuring this recording; 0: counted */
	double low, high; /* DIFF_TEST_INTERVAL: the 95 % interval; a range's ends */
	double variance,
		df; /* DIFF_TEST_T: the larger of that error and of the spread between intervals of time */
	double samples; /* NaN: exact */
	enum split_how how;
};

enum diff_verdict {
	DIFF_NOT_MEASURED,   /* in one of the two */
	DIFF_NOT_COMPARABLE, /* measured in another way */
	DIFF_NOT_TESTED,     /* too few samples or ticks */
	DIFF_SAME,	     /* within noise */
	DIFF_MORE,
	DIFF_LESS,
	DIFF_VERDICTS,
};

struct diff_verdict_desc {
	const char *key, *mark, *text;
	int color; /* of a terminal; 0: none */
};

extern const struct diff_verdict_desc diff_verdict[DIFF_VERDICTS];

struct diff_change {
	struct diff_value side[DIFF_SIDES];
	double change, ci95, low, high;
	double relative, relative_ci95; /* of the value before; NaN: that is 0 */
	double p, p_adjusted;		/* NaN: not tested */
	enum diff_verdict verdict;
};

/* Rows of a kind are below those of the kinds before it. */
enum diff_kind { DIFF_ONE, DIFF_OTHERS, DIFF_SUM };

struct diff_row {
	unsigned int seen; /* on which sides: a bit each */
	/* The key. */
	unsigned int group;
	enum diff_kind kind;
	const char *name, *of; /* NULL: of subjects whose key has none */
	unsigned int id[3];

	const char *title;
	unsigned int depth;
	size_t place;	/* in the order of the subject */
	bool not_alike; /* the two sides are measured in different ways */
	bool hidden;	/* from people */
	struct diff_change m[DIFF_MEASURES];
};

struct diff_table {
	enum diff_subject subject;
	const struct diff_side *side[DIFF_SIDES];
	bool there; /* both recordings have it */
	struct diff_row *row;
	size_t n, all; /* rows kept, and all rows */
	size_t most;   /* rows to keep */
	size_t tested; /* number of tests that p was corrected for */
	size_t apart;  /* significant changes, of all rows; and the rows that have one: */
	size_t rows_apart;
	void *owned[DIFF_SIDES]; /* names that do not belong to the models */

	/* While it is made: */
	size_t room;
	struct diff_value absent[DIFF_SIDES][DIFF_MEASURES]; /* of a row that a side does not have */
};

/* A setting of the host that differs. NULL: that side does not have it. */
struct diff_setting {
	const struct model_setting *side[DIFF_SIDES];
	bool all; /* one side does not have the whole subject */
};

struct diff_options {
	size_t rows; /* to keep, of functions and processes */
	bool all;    /* nothing is hidden */
	const char *
		only; /* keys that are watched, with commas between them; NULL: the network and its leaves */
	double above; /* --fail-above, a share; NaN: it was not given */
};

struct diff {
	struct diff_options o;
	enum diff_per per;
	const struct diff_side *side[DIFF_SIDES];
	struct diff_table table[DIFF_SUBJECTS];
	size_t within_noise, not_alike; /* the number of hidden rows, by the reason */
	struct diff_setting *setting;
	size_t nsettings;
	char note[DIFF_NOTES][200]; /* limits of this comparison */
	size_t nnotes;
};

/* Sides must outlive it. -ENOMEM: there is nothing to free. */
int diff_make(struct diff *d, const struct diff_side *before, const struct diff_side *after,
	      const struct diff_options *o);
void diff_free(struct diff *d);

/* One subject alone; most: rows to keep. -ENOMEM: there is nothing to free. */
int diff_table_make(struct diff_table *t, enum diff_subject subject, const struct diff_side *before,
		    const struct diff_side *after, size_t most);
void diff_table_free(struct diff_table *t);

bool diff_is_apart(const struct diff_change *c);
/* One of its measures has changed. */
bool diff_row_is_apart(const struct diff_row *r);

/* ---- for CI ------------------------------------------------------------------------------ */

/* Of DIFF_COSTS. */
bool diff_is_watched(const struct diff_row *r, const char *only);
/* Did it grow significantly, and by more than that share? */
bool diff_is_worse(const struct diff_change *c, double above);
/*
 * Must it be known of the row whether it grew? The network must, since the leaves may be too small
 * to compare; with `only`, all that it names.
 */
bool diff_must_be_known(const struct diff_row *r, const char *only);
/*
 * Was it compared, and may have grown by more than that share without being seen? Its spread is
 * larger than the share, or its rise is, and its 95 % interval contains such a rise. above = 0
 * asks for any significant rise, so nothing is left open.
 */
bool diff_is_unsure(const struct diff_change *c, double above);

/* ---- for subjects ------------------------------------------------------------------------ */

enum diff_test {
	DIFF_TEST_T,	    /* by variance and df */
	DIFF_TEST_INTERVAL, /* by low and high */
	DIFF_DIFFERENCE,    /* not tested; the change has the interval of ci95 */
};

struct diff_subject_desc {
	bool (*has)(const struct diff_side *s); /* NULL: all have */
	/* Adds the rows of a side with diff_add(). */
	int (*walk)(struct diff_table *t, enum diff_side_number side);
	/*
	 * After rows are paired, if there are any: drops some, completes others. NULL: nothing to
	 * do.
	 */
	void (*finish)(struct diff_table *t);
	/* NULL: diff_by_place(). */
	int (*order)(const void *a, const void *b);
	size_t measures;
	enum diff_test test;
	unsigned int families; /* that share the 5 %; 0: changes are not tested, and not hidden */
	bool cut;	       /* only the first rows are kept */
	bool any;	       /* it is there if one of the recordings has it */
};

extern const struct diff_subject_desc diff_costs, diff_functions, diff_units, diff_programs,
	diff_processes, diff_fates, diff_latency, diff_paths, diff_stages, diff_counts;

extern const struct diff_value diff_nothing; /* NaN */

/*
 * Adds a row of a side: its key, place, titles, and m[].side[side]. Rows of a side with the same
 * key are added up. A side without such a row has the values of t->absent. -ENOMEM.
 */
int diff_add(struct diff_table *t, enum diff_side_number side, const struct diff_row *r);
/* Adds up values, half-widths and ranges. NaN: not known, or not there. */
void diff_value_add(struct diff_value *to, const struct diff_value *v);
/* For sorting. Where a value is NaN neither is larger. */
int diff_strings(const char *a, const char *b);
int diff_numbers(size_t a, size_t b);
int diff_larger_first(double a, double b);
/* By group, kind and place. */
int diff_by_place(const void *a, const void *b);
/* By name, then of. */
int diff_by_name(const void *a, const void *b);

#endif
