/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own_sample.h: measures the cost of a sample. It samples the recorder's own calls at a high rate for some
 * milliseconds.
 */
#ifndef NETCOST_OWN_SAMPLE_H
#define NETCOST_OWN_SAMPLE_H

#include <stddef.h>

struct sampler_options;

struct own_sample_cost {
	/* cost of a sample in ns, and the half-width of its 95 % interval; NaN: unknown */
	double ns, ci95;
	unsigned int samples; /* number of samples measured */
};

/* Measures the cost of a sample of a sampler with these options. Writes one line to why if the cost is unknown. */
struct own_sample_cost own_sample_cost(const struct sampler_options *o, char *why, size_t whysize);

#endif
