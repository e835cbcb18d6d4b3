/* SPDX-License-Identifier: BSD-2-Clause */
/* plot_columns.h: the pieces of a trace's time, joined so that a picture has room for them. */
#ifndef NETCOST_REPORT_PLOT_COLUMNS_H
#define NETCOST_REPORT_PLOT_COLUMNS_H

#include "report/analysis/intervals.h"

#define PLOT_COLUMNS 350 /* at most: each is two pixels wide then */

/* Sums over its pieces. NaN: not known in any of them. */
struct plot_column {
	double begin_s, end_s;
	double wall_ns;
	double leaf_ns[LEAF_COUNT];
	double total_j, network_j, energy_s; /* over the time that power is known of */
};

struct plot_columns {
	struct plot_column column[PLOT_COLUMNS];
	size_t n;
	/*
	 * Column by column: the parts of the RX softirq, nrx of them: exact, by their numbers, then "self"; or
	 * by samples, by their categories' numbers. The last one is what cannot be told apart.
	 */
	double *rx;
	size_t nrx;
	bool exact;
	bool partly[LEAF_COUNT]; /* in some piece the leaf is not known */
};

/* exact: take the exact parts of the RX softirq, if there are any. NULL: no memory. */
struct plot_columns *plot_columns_new(const struct intervals *iv, const struct model *m,
				      bool exact);
void plot_columns_free(struct plot_columns *c);

#endif
