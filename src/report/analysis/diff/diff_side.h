/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_side.h: one of the two recordings of a comparison: values, and how well they are known. */
#ifndef NETCOST_REPORT_DIFF_SIDE_H
#define NETCOST_REPORT_DIFF_SIDE_H

#include "diff.h"
#include "report/analysis/functions.h"

/* A piece of the recording. */
struct diff_piece {
	struct split_cpu split;
	double base;	      /* as that of the whole */
	double ns_per_sample; /* what each stands for; NaN: there are none */
};

struct latency_history;
struct stages_history;

struct diff_side {
	const struct model *m;
	const struct part *part;
	const struct intervals *iv;
	const struct latency_history *latency; /* of these; NULL: not kept */
	const struct stages_history *stages;   /* likewise */
	enum diff_per per;
	struct summary summary;
	struct stats_value unit[UNIT_COSTS]; /* unit costs, with their spread */
	struct functions functions;

	/* What times are divided by: 1/100 of the CPUs' time, packets, or seconds (for ms a second). */
	double base;
	unsigned int leaves; /* that functions are of */
	struct diff_piece piece[DIFF_PIECES];
	size_t npieces;
	double *category_ns;		/* of each category in each piece, piece by piece */
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

/* Its base, of the time that was counted exactly: with a budget less than all. */
double diff_side_counted_base(const struct diff_side *s);

/* Are there samples, and names to tell them apart by? */
bool diff_side_has_samples(const struct diff_side *s);

/* The sum of some leaves; sampled: by samples alone, even where it is known exactly. */
struct diff_value diff_side_leaves(const struct diff_side *s, unsigned int leaves, bool sampled);
struct diff_value diff_side_category(const struct diff_side *s, unsigned int category);
struct diff_value diff_side_part(const struct diff_side *s, unsigned int part);

/* Samples that a function has, itself and with what it calls. */
double diff_side_samples(const struct diff_side *s, uint32_t function);

struct diff_function_value {
	struct diff_value self, inclusive;
};

/* Values of n functions by number; DIFF_NO_FUNCTION: has no samples. -ENOMEM. */
#define DIFF_NO_FUNCTION UINT32_MAX
int diff_side_functions(const struct diff_side *s, const uint32_t *function, size_t n,
			struct diff_function_value *value);

#endif
