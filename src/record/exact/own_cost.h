/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own_cost.h: what the recorder's own programs cost. How often each class of them runs is counted (netcost/probes.h);
 * what a run costs is measured at each start, on the CPU at hand, by own calls with the programs off and on: what a call
 * takes longer is all that they cost, the way to the programs and the slower way of the kernel included, of which BPF
 * statistics know nothing.
 */
#ifndef NETCOST_OWN_COST_H
#define NETCOST_OWN_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/probes.h>

#define OWN_COST_WHY 120

struct exact;
struct exact_reading;
struct own_cost;
struct sampler_options;

/* Of one run. What is not known is NaN. */
struct own_cost_probe {
	double ns, ci95; /* all of it */
	double inside_ns,
		inside_ci95;	/* what of that falls into the time that the probe measures */
	unsigned int runs;	/* that were measured */
	char why[OWN_COST_WHY]; /* it is not known: why */
};

/* NULL: no memory. */
struct own_cost *own_cost_new(void);
/*
 * Own calls with the programs off: before they are attached, where that cannot be undone in a moment (functions'). Without
 * it, own_cost_on() detaches them and attaches them again. What could not be measured says why.
 */
void own_cost_off(struct own_cost *o);
/* Own calls with the programs on, before exact_begin(). On failure the programs stay off: -errno and one line in why. */
int own_cost_on(struct own_cost *o, struct exact *e, char *why, size_t whysize);
/* What one sample costs: the excess of own calls that were hit. */
void own_cost_sample(struct own_cost *o, const struct sampler_options *s);
void own_cost_free(struct own_cost *o); /* takes NULL */

const struct own_cost_probe *own_cost_of(const struct own_cost *o, enum netcost_probe probe);

/* What the programs cost a CPU between two of its readings, as far as it is known. */
uint64_t own_cost_ns(const struct own_cost *o, const struct exact_reading *from,
		     const struct exact_reading *to);
/* What a sample costs; 0: not known. */
double own_cost_sample_ns(const struct own_cost *o);

#endif
