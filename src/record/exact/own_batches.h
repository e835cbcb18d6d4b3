/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own_batches.h: how long batches of own calls took, and how much longer some took than others. Whatever the distribution:
 * other tasks come between, and another virtual machine on the core's other thread makes the kernel's code up to 2.4 times
 * as slow, for milliseconds to seconds.
 */
#ifndef NETCOST_OWN_BATCHES_H
#define NETCOST_OWN_BATCHES_H

#define OWN_ROUNDS 4
#define OWN_BATCHES_A_ROUND 6
#define OWN_BATCHES (OWN_ROUNDS * OWN_BATCHES_A_ROUND)

struct own_batches {
	double ns[OWN_BATCHES];
};

/* ci95: half-width of a 95 % interval. */
struct own_value {
	double ns, ci95;
};

/* Its median, with the interval by rank. */
struct own_value own_batches_median(const struct own_batches *b);

/*
 * How much longer `more` took: the median of all differences between a batch of one and a batch of the other, with the
 * interval of the rank-sum test (Hodges and Lehmann, Estimates of Location Based on Rank Tests, 1963). Where both took long in
 * some moments and short in others, it is the difference within these, which that of their medians is not.
 */
struct own_value own_batches_shift(const struct own_batches *more, const struct own_batches *less);

/* Of two doubles, for qsort(). */
int own_batches_compare(const void *a, const void *b);

#endif
