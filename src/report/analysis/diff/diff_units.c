// SPDX-License-Identifier: BSD-2-Clause
#include "diff_units.h"

void diff_units_make(struct diff_units *u, const struct summary *before,
		     const struct summary *after)
{
	for (size_t i = 0; i < UNIT_COSTS; i++) {
		struct stats_value a = before->unit[i].value, b = after->unit[i].value;

		u->at[i] = (struct diff_unit){ a, b, stats_compare(&a, &b) };
	}
}
