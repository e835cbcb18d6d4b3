// SPDX-License-Identifier: BSD-2-Clause
#include "diff_units_doc.h"

#include <math.h>

#include "report/analysis/unit_costs.h"

static void side(struct doc *d, const struct summary_unit_cost *u)
{
	doc_interval(d, u->value, u->ci95);
}

/* People see what there was in one of the two. */
static void row(struct doc *d, const struct unit_cost_desc *desc, const struct diff_unit *u)
{
	bool nothing = isnan(u->before.value) && isnan(u->after.value);

	doc_row(d, 0, nothing ? DOC_PROGRAMS : DOC_ALL);
	doc_string(d, desc->title);
	doc_string(d, desc->key);
	side(d, &u->before);
	side(d, &u->after);
	doc_interval(d, u->change.change, u->change.ci95);
	doc_interval(d, 100 * u->change.relative, 100 * u->change.relative_ci95);
	doc_string(d, desc->unit);
	doc_row_end(d);
}

static bool is_empty(const struct diff_units *u)
{
	for (unsigned int i = 0; i < UNIT_COSTS; i++)
		if (!isnan(u->at[i].before.value) || !isnan(u->at[i].after.value))
			return false;
	return true;
}

/* A value, and half the width of its interval. */
#define VALUE(key_, ci_key_, title_)                                                               \
	.key = key_, .ci_key = ci_key_, .title = title_, .kind = DOC_INTERVAL, .decimals = 1,      \
	.precision = 6, .width = 20, .ci_width = 8

void diff_units_doc(struct doc *d, const struct diff_units *u)
{
	static const struct doc_column column[] = {
		{ .title = "cost of", .kind = DOC_STRING, .width = 16 },
		{ .key = "key", .kind = DOC_STRING, .known = true },
		{ VALUE("before", "before_ci95", "before"), .spare = 1 },
		{ VALUE("after", "after_ci95", "after") },
		{ VALUE("change", "change_ci95", "change, spread"), .sign = true, .spare = 2,
		  .about = "with half the width of its 95 % interval, by the spread of both" },
		{ .key = "change_percent",
		  .ci_key = "change_percent_ci95",
		  .title = "change, %",
		  .kind = DOC_INTERVAL,
		  .decimals = 1,
		  .precision = 4,
		  .width = 17,
		  .sign = true },
		{ .title = "unit", .kind = DOC_STRING },
	};
	const struct doc_table table = {
		.key = "unit_costs",
		.about = "each side as summary has it; changes are not tested",
		.title = "Unit costs",
		.above = true,
		DOC_COLUMNS_OF(column),
		.only = is_empty(u) ? DOC_PROGRAMS : DOC_ALL
	};

	doc_table(d, &table);
	for (unsigned int i = 0; i < UNIT_COSTS; i++)
		row(d, &unit_cost[i], &u->at[i]);
	doc_table_end(d);
}
