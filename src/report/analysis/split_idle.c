// SPDX-License-Identifier: BSD-2-Clause
/* Idle time where it was not counted exactly: by /proc/stat, and by samples. */
#include "split_impl.h"

#include <math.h>

#define OTHER_IRQS                                                                                 \
	0.01 /* interrupts of an idle CPU but the sampler's: about this much of its time */

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

struct by_stat {
	double busy_ns, variance;
};

/*
 * /proc/stat does not count as idle what interrupts of an idle CPU take, and a part of what samples do: they interrupt it,
 * and a hypervisor is part of that.
 */
static struct by_stat by_stat(const struct split_input *in)
{
	double irqs_ns = in->stat.irqs_ns / 2;
	double idle_ns = fmin(fmax(in->stat.idle_ns + irqs_ns, 0), in->wall_ns);

	return (struct by_stat){
		.busy_ns = in->wall_ns - idle_ns,
		.variance = square(in->stat.unit_ns) / 6 +
			    square(irqs_ns + OTHER_IRQS * in->stat.all_ns),
	};
}

/*
 * Busy time is what is left of the wall time by /proc/stat, whose error is small; and what samples say. If samples are
 * missing they say too little: how far they are from /proc/stat is part of their error. So where they agree with it the
 * surer of the two counts most, and where they do not, /proc/stat does.
 */
double split_idle_ns(const struct split_input *in, double *error_ns)
{
	struct by_stat stat = by_stat(in);
	double each_ns, by_samples_ns, busy_ns, variance, n = busy_samples(in);

	*error_ns = sqrt(stat.variance);
	if (!(in->samples_expected > 0))
		return in->wall_ns - stat.busy_ns;
	each_ns = in->wall_ns / in->samples_expected;
	by_samples_ns = fmin(n * each_ns, in->wall_ns);
	variance = fmax(n, 1) * square(each_ns) + square(stat.busy_ns - by_samples_ns);
	busy_ns = (by_samples_ns * stat.variance + stat.busy_ns * variance) /
		  (stat.variance + variance);
	*error_ns = sqrt(stat.variance * variance / (stat.variance + variance));
	return in->wall_ns - busy_ns;
}

#define BUSY_SAMPLES 4 /* where so many are due none may be taken by chance */
#define BUSY_TIME 0.05 /* of the wall time: more is not idle */

bool split_is_idle(const struct split_input *in)
{
	struct by_stat stat = by_stat(in);
	double least_ns = stat.busy_ns - 2 * sqrt(stat.variance);
	double each_ns = in->wall_ns / in->samples_expected;

	return !(busy_samples(in) > 0) && in->samples_expected >= 1 &&
	       least_ns <= fmin(BUSY_SAMPLES * each_ns, BUSY_TIME * in->wall_ns);
}
