/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inside.h: what the leaves are made of, by samples: their categories, as the rules have them. Samples stand
 * for the same time, and are as uncertain, as those of the leaves (split.h).
 *
 * A category has three figures: what is its own ("self": it is the innermost one), what it is with the
 * categories that lie in it ("exclusive"), and what of its leaf has passed it, wherever that ends
 * ("inclusive", as Netto counts sub-events). Self and the exclusive figures of those right below sum to the
 * exclusive one; all selves sum to all samples.
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

/* Of one CPU, or of all. A row for each category of the rules; the leaves come first. */
struct inside {
	const struct rules *rules; /* NULL: there are no samples to sort */
	struct inside_row row[RULES_MAX_CATEGORIES];
};

/* Of CPU number i of the split. The model's classifier must outlive it. */
void inside_cpu(struct inside *in, const struct model *m, const struct split *s, size_t i);
/* Of all CPUs. -ENOMEM. */
int inside_make(struct inside *in, const struct model *m, const struct split *s);

#endif
