// SPDX-License-Identifier: BSD-2-Clause
#include "diff_units.h"

#include "diff_side.h"

void diff_units_make(struct diff_units *u, const struct diff_side *before,
		     const struct diff_side *after)
{
	for (size_t i = 0; i < UNIT_COSTS; i++)
		u->at[i] = (struct diff_unit){ before->summary.unit[i], after->summary.unit[i],
					       stats_compare(&before->unit[i], &after->unit[i]) };
}
