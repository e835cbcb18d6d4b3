/* SPDX-License-Identifier: BSD-2-Clause */
/* inside_walk.h: the tree of what the leaves are made of, line by line, as reports show it. */
#ifndef NETCOST_REPORT_INSIDE_WALK_H
#define NETCOST_REPORT_INSIDE_WALK_H

#include "summary.h"

#define INSIDE_LEAST 0.01 /* of its leaf: categories with less are shown only if all are */

struct inside_line {
	const char *title;
	unsigned int depth, leaf; /* depth 0: the leaf itself */
	const struct inside_value *exclusive,
		*inclusive; /* inclusive: NULL where it would be the same */
	bool has_exact; /* the line is about the RX softirq, and there are exact times of that */
	struct summary_rx_part exact;
};

typedef void inside_line_fn(void *ctx, const struct inside_line *line);

/* Calls fn for each line, top to bottom. Returns how many categories were too small to be shown. */
unsigned int inside_walk(const struct summary *s, bool all, inside_line_fn *fn, void *ctx);

#endif
