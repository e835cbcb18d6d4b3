// SPDX-License-Identifier: BSD-2-Clause
#include "own_batches.h"

#include <stdlib.h>
#include <string.h>

/* Ranks, from 0, of the interval of a median in 95 of 100 cases: 24 values, binomial. */
#define MEDIAN_FROM 6
#define MEDIAN_TO 17

/* Likewise of the differences, by the rank-sum test: 24 x 24 / 2 - 1.96 x sqrt(24 x 24 x (24 + 24 + 1) / 12). */
#define PAIRS (OWN_BATCHES * OWN_BATCHES)
#define SHIFT_FROM 193
#define SHIFT_TO (PAIRS - 1 - SHIFT_FROM)

_Static_assert(OWN_BATCHES == 24, "the ranks are for 24");

int own_batches_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct own_value of_ranks(double *ns, int n, int from, int to)
{
	qsort(ns, (size_t)n, sizeof(*ns), own_batches_compare);
	return (struct own_value){ (ns[n / 2 - 1] + ns[n / 2]) / 2, (ns[to] - ns[from]) / 2 };
}

struct own_value own_batches_median(const struct own_batches *b)
{
	double ns[OWN_BATCHES];

	memcpy(ns, b->ns, sizeof(ns));
	return of_ranks(ns, OWN_BATCHES, MEDIAN_FROM, MEDIAN_TO);
}

struct own_value own_batches_shift(const struct own_batches *more, const struct own_batches *less)
{
	double ns[PAIRS];

	for (int a = 0; a < OWN_BATCHES; a++)
		for (int b = 0; b < OWN_BATCHES; b++)
			ns[a * OWN_BATCHES + b] = more->ns[a] - less->ns[b];
	return of_ranks(ns, PAIRS, SHIFT_FROM, SHIFT_TO);
}
