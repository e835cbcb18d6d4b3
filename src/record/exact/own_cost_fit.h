/* SPDX-License-Identifier: BSD-2-Clause */
/* own_cost_fit.h: from how much longer kinds of own calls take with the programs, what a run of each class of these costs. */
#ifndef NETCOST_OWN_COST_FIT_H
#define NETCOST_OWN_COST_FIT_H

#include <stddef.h>

#include <netcost/probes.h>

#include "own_batches.h"

/* A piece of a kind: how much longer it takes, and how often programs of each class run in it. */
struct own_fit_row {
	struct own_value more; /* NaN: it was not measured */
	double runs[NETCOST_PROBE_COUNT];
};

/*
 * Least squares, by the rows' intervals, with no cost below 0: where two classes always run together one seems to cost less
 * than nothing as the other one seems to cost too much, and only their sum is known well. In the order of the rows a class is known
 * by the first one that has it and else only classes that are known: two that only run together are not, nor are rows of
 * such. NaN: not known.
 */
void own_cost_fit(const struct own_fit_row *row, size_t rows,
		  struct own_value cost[NETCOST_PROBE_COUNT]);

#endif
