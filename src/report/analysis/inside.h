/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inside.h: the leaves by category, from samples: categories are those of the rules. Samples represent the same time, and
 * have the same errors, as those of the leaves (split.h).
 *
 * A category has three figures: "self", of samples whose innermost category it is; "exclusive", with the categories that
 * lie in it; and "inclusive", of all samples of its leaf that passed it, wherever they end (as Netto counts sub-events).
 * Self and the exclusive figures of the categories right below sum to the exclusive one; all selves sum to all samples.
 */
#ifndef NETCOST_REPORT_INSIDE_H
#define NETCOST_REPORT_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model/model.h"
#include "report/rules/rules.h"
#include "split.h"

struct inside_value {
	uint64_t samples;
	double share, ci95; /* of CPU time; NaN: not measured */
};

struct inside_row {
	struct inside_value self, exclusive, inclusive;
};

/* Of one CPU, or of all: a row for each category of the rules. The leaves come first. */
struct inside {
	const struct rules *rules; /* NULL: no samples */
	struct inside_row row[RULES_MAX_CATEGORIES];
};

/* Of CPU number i of the split. The model's classifier must outlive it. */
void inside_cpu(struct inside *in, const struct model *m, const struct split *s, size_t i);
/* Of all CPUs. -ENOMEM. */
int inside_make(struct inside *in, const struct model *m, const struct split *s);

#endif
