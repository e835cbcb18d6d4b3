/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weights.h: what samples stand for: of a CPU's time in a leaf each of the leaf's samples there has as much as another. So
 * the samples of a leaf weigh what it took by all that was measured, exact times among them.
 */
#ifndef NETCOST_REPORT_WEIGHTS_H
#define NETCOST_REPORT_WEIGHTS_H

#include "report/analysis/split.h"
#include "report/model/model.h"

struct weight {
	double whole; /* what all samples weigh together; NaN: not known */
	uint64_t samples, weighed;
};

/* What the next n of the samples weigh, in whole numbers: those of all samples sum to the whole. */
int64_t weight_take(struct weight *w, uint64_t n);

struct weights {
	struct weight (*cpu)[LEAF_COUNT]; /* of each CPU, by number, in ns */
	unsigned int ncpus;
	struct weight energy; /* in uJ, over samples that are not idle */
};

/* Of CPUs below cpu_end. uj: NaN: not known. -ENOMEM. */
int weights_make(struct weights *w, unsigned int cpu_end, const struct split *split, double uj);
void weights_free(struct weights *w);
/* All samples are added before any weight is taken. */
void weights_add(struct weights *w, unsigned int cpu, enum leaf leaf, uint64_t samples);
/* Of what no time is known, samples weigh as much as the time between two. */
void weights_complete(struct weights *w, const struct model *m);

#endif
