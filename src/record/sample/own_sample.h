/* SPDX-License-Identifier: BSD-2-Clause */
/* own_sample.h: what a sample costs: samples of the recorder's own calls, at a high rate, for some milliseconds. */
#ifndef NETCOST_OWN_SAMPLE_H
#define NETCOST_OWN_SAMPLE_H

#include <stddef.h>

struct sampler_options;

struct own_sample_cost {
	double ns, ci95;      /* of one; NaN: not known */
	unsigned int samples; /* that it was measured with */
};

/* Samples as a sampler with these options would. Why it is not known: one line in why. */
struct own_sample_cost own_sample_cost(const struct sampler_options *o, char *why, size_t whysize);

#endif
