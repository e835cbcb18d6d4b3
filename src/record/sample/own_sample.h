/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own_sample.h: the cost of a sample, measured by sampling the recorder's own calls at a high rate
 * for some milliseconds.
 */
#ifndef NETCOST_OWN_SAMPLE_H
#define NETCOST_OWN_SAMPLE_H

#include <stddef.h>

struct sampler_options;

struct own_sample_cost {
	double ns, ci95;      /* per sample; NaN: unknown */
	unsigned int samples; /* number of samples measured */
};

/* Samples like a sampler with these options. why: one line if the cost is unknown. */
struct own_sample_cost own_sample_cost(const struct sampler_options *o, char *why, size_t whysize);

#endif
