// SPDX-License-Identifier: BSD-2-Clause
/* Idle time where it was not counted exactly: by /proc/stat, and by samples. */
#include "split_impl.h"

#include <math.h>

/*
 * The kernel stops an idle CPU's account while an interrupt runs: what interrupts of an idle CPU take is idle time here,
 * and not in /proc/stat. It is about this much of the idle time.
 */
#define IRQS_OF_IDLE 0.01

static double square(double v)
{
	return v * v;
}

static double busy_samples(const struct split_input *in)
{
	double n = (double)in->samples_rest;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		n += l == LEAF_IDLE ? 0 : (double)in->samples[l];
	return n;
}

/*
 * Busy time is what is left of the wall time by /proc/stat, whose error is small; and what samples say. If samples are
 * missing they say too little: how far they are from /proc/stat is part of their error. So where they agree with it the
 * surer of the two counts most, and where they do not, /proc/stat does.
 */
double split_idle_ns(const struct split_input *in, double *error_ns)
{
	double stat_idle_ns = fmin(fmax(in->stat.idle_ns, 0), in->wall_ns);
	double by_stat_ns = in->wall_ns - stat_idle_ns, each_ns, by_samples_ns, busy_ns;
	double stat_variance = square(in->stat.unit_ns) / 6 + square(IRQS_OF_IDLE * stat_idle_ns);
	double variance, n = busy_samples(in);

	*error_ns = sqrt(stat_variance);
	if (!(in->samples_expected > 0))
		return stat_idle_ns;
	each_ns = in->wall_ns / in->samples_expected;
	by_samples_ns = fmin(n * each_ns, in->wall_ns);
	variance = fmax(n, 1) * square(each_ns) + square(by_stat_ns - by_samples_ns);
	busy_ns = (by_samples_ns * stat_variance + by_stat_ns * variance) /
		  (stat_variance + variance);
	*error_ns = sqrt(stat_variance * variance / (stat_variance + variance));
	return in->wall_ns - busy_ns;
}
