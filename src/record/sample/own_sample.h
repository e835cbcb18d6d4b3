/* SPDX-License-Identifier: BSD-2-Clause */
/* own_sample.h: samples of the recorder's own calls, taken faster than others, to find out what a sample costs. */
#ifndef NETCOST_OWN_SAMPLE_H
#define NETCOST_OWN_SAMPLE_H

#include <stdint.h>

struct own_sample;
struct sampler_options;

/* Samples everything on a CPU, as a sampler with these options would. -errno. -ENOTSUP: not those of a program. */
int own_sample_new(struct own_sample **sp, const struct sampler_options *o, unsigned int cpu);
void own_sample_free(struct own_sample *s); /* takes NULL */
/* Changes with each sample that is taken. */
uint64_t own_sample_taken(const struct own_sample *s);

#endif
