// SPDX-License-Identifier: BSD-2-Clause
#include "split_impl.h"

#include <math.h>
#include <stdbool.h>

#include "known.h"
#include "report/base/stats.h"

/* From SPLIT_EXACT on. */
const char *const split_how_known[] = { "exact", "samples", "remainder", "mixed", "at least", NULL };

const char *split_how_name(enum split_how how)
{
	return how == SPLIT_NOT_MEASURED ? "not measured" : split_how_known[how - SPLIT_EXACT];
}

static bool measured(double v)
{
	return !isnan(v);
}

double split_missing(const struct split_cpu *c)
{
	double missing = c->due - c->counted;

	if (!(missing > 2 * sqrt(c->due)) || c->counted >= SPLIT_ENOUGH * c->due)
		return 0;
	return missing / c->due;
}

double split_share_ci95(const struct split_cpu *c, double share)
{
	double ci95 = c->basis * stats_share_ci95(fmin(share / c->basis, 1), c->samples);

	return hypot(ci95, share * hypot(split_missing(c), STATS_Z95 * c->basis_error));
}

double split_sampled_ci95(const struct split_cpu *c, const struct split_value *v)
{
	return hypot(split_share_ci95(c, fmin(v->sampled + v->taken, 1)), v->taken_ci95);
}

/* ---- all CPUs ---------------------------------------------------------------------------- */

static enum split_how join_how(enum split_how a, enum split_how b)
{
	if (a == b || b == SPLIT_NOT_MEASURED)
		return a;
	return a == SPLIT_NOT_MEASURED ? b : SPLIT_MIXED;
}

static void add_value(struct split_value *to, const struct split_value *v)
{
	if (v->how == SPLIT_NOT_MEASURED)
		return;
	known_add(&to->ns, v->ns);
	to->ci95_ns = hypot(to->ci95_ns, v->ci95_ns);
	to->how = join_how(to->how, v->how);
}

/* A leaf of all CPUs: the sum of the CPUs' times; its sampled share weighs each CPU by its time. */
static void sum_leaf(struct split_cpu *all, const struct split_cpu *cpu, size_t n, enum leaf l)
{
	struct split_value *v = &all->leaf[l];
	double sampled_ns = 0, wall_ns = 0;
	bool lacks = false;

	*v = (struct split_value){ .ns = NAN, .sampled = NAN, .sampled_ci95 = NAN };
	for (size_t i = 0; i < n; i++) {
		const struct split_value *one = &cpu[i].leaf[l];

		add_value(v, one);
		v->taken += one->taken * cpu[i].wall_ns / all->sampled_wall_ns;
		v->taken_ci95 += one->taken_ci95 * cpu[i].wall_ns / all->sampled_wall_ns;
		lacks |= one->how == SPLIT_NOT_MEASURED && cpu[i].wall_ns > 0 &&
			 cpu[i].leaf[LEAF_TASK].ns != 0;
		lacks |= one->how == SPLIT_AT_LEAST;
		if (!measured(one->sampled))
			continue;
		sampled_ns += one->sampled * cpu[i].wall_ns;
		wall_ns += cpu[i].wall_ns;
	}
	if (wall_ns > 0) {
		v->sampled = sampled_ns / wall_ns;
		v->sampled_ci95 = split_sampled_ci95(all, v);
	}
	if (v->how == SPLIT_SAMPLES)
		v->ci95_ns = v->sampled_ci95 * all->wall_ns;
	if (lacks && leaf_is_sampled(l) &&
	    (v->how == SPLIT_SAMPLES ||
	     v->how == SPLIT_MIXED)) /* where it was not measured it was not 0 */
		v->how = SPLIT_AT_LEAST;
}

void split_sum_cpus(struct split_cpu *all, const struct split_cpu *cpu, size_t n)
{
	double stands_for = 0, variance = 0, errors = 0;

	*all = (struct split_cpu){ .basis = NAN };
	for (size_t i = 0; i < n; i++) {
		const struct split_cpu *c = &cpu[i];
		double ns = c->basis * c->wall_ns;

		all->wall_ns += c->wall_ns;
		all->counted += c->counted;
		all->due += c->due;
		if (!(c->samples > 0))
			continue;
		all->sampled_wall_ns += c->wall_ns;
		stands_for += ns;
		variance += ns * ns / c->samples;
		errors = hypot(errors, c->basis_error * ns);
	}
	if (stands_for > 0) {
		all->samples = stands_for * stands_for / variance;
		all->basis = stands_for / all->sampled_wall_ns;
		all->basis_error = errors / stands_for;
	}
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		sum_leaf(all, cpu, n, l);
	all->sum_ns = split_sum(all, LEAF_ALL).ns;
}

void split_from_samples(struct split_cpu *c, const double ns[LEAF_COUNT], double samples)
{
	*c = (struct split_cpu){ .samples = samples, .basis = 1 };
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		c->wall_ns += measured(ns[l]) ? ns[l] : 0;
	c->sampled_wall_ns = c->sum_ns = c->wall_ns;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];

		*v = (struct split_value){ .ns = NAN, .sampled = NAN, .sampled_ci95 = NAN };
		if (!measured(ns[l]) || !(c->wall_ns > 0))
			continue;
		v->ns = ns[l];
		v->how = SPLIT_EXACT;
		if (!(samples > 0) || !leaf_is_sampled(l))
			continue;
		v->sampled = ns[l] / c->wall_ns;
		v->sampled_ci95 = split_share_ci95(c, v->sampled);
		v->ci95_ns = v->sampled_ci95 * c->wall_ns;
		v->how = SPLIT_SAMPLES;
	}
}

/* ---- sums -------------------------------------------------------------------------------- */

/* An exact time is known as well as the recorder's own part of it: in a sum of both that does not matter. */
static bool is_estimated(const struct split_cpu *c, unsigned int leaf, unsigned int leaves)
{
	const struct split_value *v = &c->leaf[leaf];

	if (v->how == SPLIT_EXACT || leaf == LEAF_OWN)
		return !(leaves & LEAF_BIT(OWN)) || leaves == LEAF_BIT(OWN);
	return v->how == SPLIT_SAMPLES || v->how == SPLIT_MIXED || v->how == SPLIT_AT_LEAST;
}

/*
 * A remainder is wrong by as much as the sampled leaves inside TASK are, the other way round. So in a
 * sum that holds it their errors cancel, and those of the leaves left out come in.
 */
static double sum_ci95_ns(const struct split_cpu *c, unsigned int leaves)
{
	unsigned int asked = leaves;
	bool remainder = leaves & LEAF_BIT(OTHER_KERNEL) &&
			 c->leaf[LEAF_OTHER_KERNEL].how == SPLIT_REMAINDER;
	double ci95_ns = 0;

	if (remainder)
		leaves = INSIDE_TASK & ~leaves;
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && is_estimated(c, l, asked))
			ci95_ns = hypot(ci95_ns, c->leaf[l].ci95_ns);
	return ci95_ns;
}

unsigned int split_absent(const struct split_cpu *c)
{
	unsigned int absent = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (!leaf_is_sampled(l) && c->leaf[l].how == SPLIT_NOT_MEASURED)
			absent |= 1u << l;
	return absent;
}

/* Is a part of the sum known like that? TASK stands for what samples would find inside it. */
static bool has_how(const struct split_cpu *c, unsigned int leaves, enum split_how how)
{
	if (leaves & LEAF_BIT(TASK) && c->leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED)
		leaves &= ~(INSIDE_TASK | LEAF_BIT(OTHER_KERNEL));
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && leaf_is_sampled(l) && c->leaf[l].how == how)
			return true;
	return false;
}

struct split_value split_sum(const struct split_cpu *c, unsigned int leaves)
{
	struct split_value sum = { .ns = NAN, .sampled = 0, .sampled_ci95 = NAN };

	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		const struct split_value *v = &c->leaf[l];

		if (!(leaves & 1u << l))
			continue;
		add_value(&sum, v);
		if (leaf_is_sampled(l) || leaves == 1u << l || measured(v->sampled))
			sum.sampled += v->sampled; /* NaN when one of them is not sampled */
		else if (l == LEAF_OWN)
			sum.sampled -= v->taken;
		sum.taken += v->taken;
		sum.taken_ci95 += v->taken_ci95;
	}
	if (leaves & LEAF_BIT(OWN) &&
	    leaves != LEAF_BIT(OWN)) /* their sum is known better than its parts */
		sum.taken_ci95 = 0;
	sum.ci95_ns = sum_ci95_ns(c, leaves);
	if (has_how(c, leaves, SPLIT_AT_LEAST))
		sum.how = SPLIT_AT_LEAST;
	if (measured(sum.ns) && has_how(c, leaves, SPLIT_NOT_MEASURED)) {
		sum.how = SPLIT_AT_LEAST;
		sum.ci95_ns = NAN;
	}
	if (measured(sum.sampled)) {
		sum.sampled = fmin(sum.sampled, 1);
		sum.sampled_ci95 = split_sampled_ci95(c, &sum);
	}
	return sum;
}

double split_networking_cost(const struct split_cpu *c, double *ci95)
{
	struct split_value network = split_sum(c, LEAF_NETWORK), busy = split_sum(c, LEAF_BUSY);

	*ci95 = NAN;
	if (!(busy.ns > 0))
		return NAN;
	*ci95 = network.ci95_ns / busy.ns;
	return network.ns / busy.ns;
}
