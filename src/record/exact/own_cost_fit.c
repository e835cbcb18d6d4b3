// SPDX-License-Identifier: BSD-2-Clause
#include "own_cost_fit.h"

#include <math.h>
#include <stdbool.h>

#define TURNS 2000     /* many times what it takes to settle */
#define LEAST_CI95 1.0 /* ns: a row that seems to be known better weighs no more */

static double weight(const struct own_fit_row *r)
{
	double ci95 = fmax(r->more.ci95, LEAST_CI95);

	return 1 / (ci95 * ci95);
}

static double rest_ci95(const struct own_fit_row *r, const struct own_value *cost, int but)
{
	double ci95 = r->more.ci95;

	for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
		if (c != but && r->runs[c] > 0)
			ci95 = hypot(ci95, r->runs[c] * cost[c].ci95);
	return ci95;
}

/* Which class this row makes known: -1: none that was not; -2: it has several that are not. */
static int introduces(const struct own_fit_row *r, const struct own_value *cost)
{
	int unknown = -1;

	for (int c = 0; c < NETCOST_PROBE_COUNT; c++) {
		if (!(r->runs[c] > 0) || !isnan(cost[c].ns))
			continue;
		if (unknown >= 0)
			return -2;
		unknown = c;
	}
	return unknown;
}

/* What fits best for this class if the others cost what they seem to. */
static double best(const struct own_fit_row *row, size_t rows, const bool *used,
		   const struct own_value *cost, int class)
{
	double more = 0, runs = 0;

	for (size_t i = 0; i < rows; i++) {
		double w = weight(&row[i]), left = row[i].more.ns;

		if (!used[i] || !(row[i].runs[class] > 0))
			continue;
		for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
			if (c != class && row[i].runs[c] > 0)
				left -= row[i].runs[c] * cost[c].ns;
		more += w * row[i].runs[class] * left;
		runs += w * row[i].runs[class] * row[i].runs[class];
	}
	return fmax(0, more / runs);
}

void own_cost_fit(const struct own_fit_row *row, size_t rows,
		  struct own_value cost[NETCOST_PROBE_COUNT])
{
	bool used[rows];

	for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
		cost[c] = (struct own_value){ NAN, NAN };
	for (size_t i = 0; i < rows; i++) {
		int class = isnan(row[i].more.ns) ? -2 : introduces(&row[i], cost);

		used[i] = class != -2;
		if (class >= 0)
			cost[class] = (struct own_value){ 0, rest_ci95(&row[i], cost, class) /
								     row[i].runs[class] };
	}
	for (int turn = 0; turn < TURNS; turn++)
		for (int c = 0; c < NETCOST_PROBE_COUNT; c++)
			if (!isnan(cost[c].ns))
				cost[c].ns = best(row, rows, used, cost, c);
}
