// SPDX-License-Identifier: BSD-2-Clause
/*
 * Splits the time of a CPU that was measured in one way: times and sums of leaves, idle time, and the recorder's own
 * part.
 */
#include "split.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "report/base/stats.h"

/* Leaves whose time is part of the TASK event if they have no exact event of their own. */
#define INSIDE_TASK (LEAF_BUSY & ~LEAF_BIT(TASK))

/* the fraction of the expected samples that is sufficient, because a sampler's timers are not exact */
#define SPLIT_ENOUGH 0.9

/* Names of the values from SPLIT_EXACT on. */
const char *const split_how_known[] = { "exact", "samples", "at least", NULL };

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

/*
 * Returns the half-width of the confidence interval of v->sampled. It combines the error of the samples with the error
 * of the recorder's own part that was taken out.
 */
static double sampled_ci95_of(const struct split_cpu *c, const struct split_value *v)
{
	return hypot(split_share_ci95(c, fmin(v->sampled + v->taken, 1)), v->taken_ci95);
}

/* ---- confidence intervals of times ---- */

/*
 * Returns the half-width of the confidence interval of a sum of leaves, for the part that samples estimate. The
 * estimated leaves share a time, c->estimate. If all of them are in the sum, only the error of that time counts. If
 * idle time is in the sum, too, not even that error counts, because the shared time and the idle time sum to the wall
 * time. The `gain` of a single leaf does not apply to a sum, because the times of leaves vary together between windows.
 */
static double estimate_ci95_ns(const struct split_cpu *c, unsigned int leaves)
{
	const struct split_estimate *e = &c->estimate;
	bool others = e->rest;
	double ns = NAN, ci95_ns = 0, gain = 0, share;

	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		if (leaves & 1u << l)
			known_add(&ns, c->leaf[l].estimated_ns);
		else
			others |= measured(c->leaf[l].estimated_ns);
		if (leaves == 1u << l)
			gain = fmin(c->leaf[l].gain, 1);
	}
	share = e->ns > 0 ? fmin(fmax(known_or_0(ns) / e->ns, 0), 1) : 0;
	if (measured(ns) && others && e->ns > 0)
		ci95_ns = e->ns * stats_share_ci95(share, e->samples);
	ci95_ns = hypot(ci95_ns, share * e->ns * split_missing(c));
	ci95_ns = hypot(ci95_ns, e->ci95_ns * fabs(share - (leaves & LEAF_BIT(IDLE) ? 1 : 0)));
	return ci95_ns * sqrt(1 - gain);
}

/*
 * Returns the half-width of the confidence interval of a sum of leaves. sampled_ci95 is the half-width of the same
 * leaves by samples, which includes the error of the recorder's own part. This half-width is an upper limit for a time
 * that is estimated from samples. If a part of the time is exact, the error of the own part is added.
 */
static double ci95_of(const struct split_cpu *c, unsigned int leaves, double sampled_ci95)
{
	double own_ci95_ns = 0, sampled_ns = sampled_ci95 * c->wall_ns;
	double ci95_ns = estimate_ci95_ns(c, leaves);
	bool sampled = true;

	/*
	 * The time that was taken out of a leaf was added to LEAF_OWN, so this error cancels in a sum that includes
	 * LEAF_OWN.
	 */
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		if (!(leaves & 1u << l))
			continue;
		sampled &= c->leaf[l].how == SPLIT_SAMPLES || !measured(c->leaf[l].ns);
		if (!(leaves & LEAF_BIT(OWN)) || leaves == LEAF_BIT(OWN))
			own_ci95_ns = hypot(own_ci95_ns, c->leaf[l].own_ci95_ns);
	}
	if (sampled && leaves != LEAF_BIT(OWN))
		return fmin(hypot(ci95_ns, own_ci95_ns), sampled_ns);
	return hypot(fmin(ci95_ns, sampled_ns), own_ci95_ns);
}

/* Sets the intervals of all leaves when everything else about the CPU is known. */
void split_set_intervals(struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		c->leaf[l].ci95_ns = ci95_of(c, 1u << l, c->leaf[l].sampled_ci95);
	c->sum_ns = split_sum(c, LEAF_ALL).ns;
}

static const struct split_value no_value = { .ns = NAN,
					     .estimated_ns = NAN,
					     .sampled = NAN,
					     .sampled_ci95 = NAN };

/* ---- all CPUs ---------------------------------------------------------------------------- */

/* Returns how a sum of two leaves is known. If one of the two is estimated, the sum is estimated. */
static enum split_how join_how(enum split_how a, enum split_how b)
{
	if (a == b || b == SPLIT_NOT_MEASURED)
		return a;
	return a == SPLIT_NOT_MEASURED ? b : SPLIT_SAMPLES;
}

static void add_value(struct split_value *to, const struct split_value *v)
{
	if (v->how == SPLIT_NOT_MEASURED)
		return;
	known_add(&to->ns, v->ns);
	known_add(&to->estimated_ns, v->estimated_ns);
	to->gain += v->gain;
	to->own_ci95_ns = hypot(to->own_ci95_ns, v->own_ci95_ns);
	to->how = join_how(to->how, v->how);
}

/*
 * Sums a leaf over all CPUs. The time is the sum over the CPUs. The sampled share is the average of the CPUs' shares,
 * weighted by their time.
 */
static void sum_leaf(struct split_cpu *all, const struct split_cpu *cpu, size_t n, enum leaf l)
{
	struct split_value *v = &all->leaf[l];
	double sampled_ns = 0, wall_ns = 0;
	bool lacks = false;

	*v = no_value;
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
		v->sampled_ci95 = sampled_ci95_of(all, v);
	}
	/* A CPU on which the leaf was not measured may have spent time in the leaf. */
	if (lacks && leaf_is_sampled(l) && v->how == SPLIT_SAMPLES)
		v->how = SPLIT_AT_LEAST;
}

static void sum_estimates(struct split_estimate *all, const struct split_cpu *cpu, size_t n)
{
	double variance = 0;

	*all = (struct split_estimate){ 0 };
	for (size_t i = 0; i < n; i++) {
		const struct split_estimate *e = &cpu[i].estimate;

		all->ci95_ns = hypot(all->ci95_ns, e->ci95_ns);
		all->rest |= e->rest;
		if (!(e->ns > 0))
			continue;
		all->ns += e->ns;
		variance += e->ns * e->ns / e->samples;
	}
	all->samples = variance > 0 ? all->ns * all->ns / variance : 0;
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
		for (unsigned int k = 0; k < SPLIT_OWN_KINDS; k++)
			all->own_ns[k] += c->own_ns[k];
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
	sum_estimates(&all->estimate, cpu, n);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		sum_leaf(all, cpu, n, l);
	split_set_intervals(all);
}

void split_from_samples(struct split_cpu *c, const double ns[LEAF_COUNT], double samples)
{
	*c = (struct split_cpu){ .samples = samples, .basis = 1 };
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		c->wall_ns += measured(ns[l]) ? ns[l] : 0;
	c->sampled_wall_ns = c->wall_ns;
	c->estimate = (struct split_estimate){ .ns = c->wall_ns, .samples = samples };
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];

		*v = no_value;
		if (!measured(ns[l]) || !(c->wall_ns > 0))
			continue;
		v->ns = ns[l];
		v->how = SPLIT_EXACT;
		if (!(samples > 0) || !leaf_is_sampled(l))
			continue;
		v->estimated_ns = ns[l];
		v->sampled = ns[l] / c->wall_ns;
		v->sampled_ci95 = split_share_ci95(c, v->sampled);
		v->how = SPLIT_SAMPLES;
	}
	split_set_intervals(c);
}

/* ---- sums -------------------------------------------------------------------------------- */

bool split_by_samples(const struct split_value *v)
{
	return v->how == SPLIT_SAMPLES && v->estimated_ns > v->ns / 2;
}

bool split_idle_by_stat(const struct split_cpu *c)
{
	const struct split_value *idle = &c->leaf[LEAF_IDLE];

	return idle->how == SPLIT_SAMPLES && !measured(idle->sampled);
}

unsigned int split_absent(const struct split_cpu *c)
{
	unsigned int absent = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (!leaf_is_sampled(l) && c->leaf[l].how == SPLIT_NOT_MEASURED)
			absent |= 1u << l;
	return absent;
}

unsigned int split_unknown(const struct split_cpu *c)
{
	unsigned int unknown = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		unknown |= isnan(c->leaf[l].ns) ? 1u << l : 0;
	return unknown;
}

/* Returns true if no leaf inside TASK was measured. */
static bool has_no_samples(const struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (INSIDE_TASK & 1u << l && c->leaf[l].how != SPLIT_NOT_MEASURED)
			return false;
	return true;
}

/*
 * Returns true if any leaf of the set is known in the way `how`. A measured TASK covers the leaves that samples would
 * find inside it. Such a TASK is a lower bound if it was measured in only a part of the time, and the rest of the time
 * has no samples.
 */
static bool has_how(const struct split_cpu *c, unsigned int leaves, enum split_how how)
{
	if (leaves & LEAF_BIT(TASK) && c->leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED) {
		leaves &= ~INSIDE_TASK;
		if (c->leaf[LEAF_TASK].how == how && has_no_samples(c))
			return true;
	}
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && leaf_is_sampled(l) && c->leaf[l].how == how)
			return true;
	return false;
}

struct split_value split_sum(const struct split_cpu *c, unsigned int leaves)
{
	struct split_value sum = { .ns = NAN, .estimated_ns = NAN, .sampled_ci95 = NAN };

	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		const struct split_value *v = &c->leaf[l];

		if (!(leaves & 1u << l))
			continue;
		add_value(&sum, v);
		/* NaN if one of the leaves is not sampled */
		if (leaf_is_sampled(l) || leaves == 1u << l || measured(v->sampled))
			sum.sampled += v->sampled;
		else if (l == LEAF_OWN)
			sum.sampled -= v->taken;
		sum.taken += v->taken;
		sum.taken_ci95 += v->taken_ci95;
	}
	/* the time taken out of one leaf was added to another */
	if (leaves & LEAF_BIT(OWN) && leaves != LEAF_BIT(OWN))
		sum.taken_ci95 = 0;
	if (measured(sum.sampled)) {
		sum.sampled = fmin(sum.sampled, 1);
		sum.sampled_ci95 = sampled_ci95_of(c, &sum);
	}
	sum.ci95_ns = ci95_of(c, leaves, sum.sampled_ci95);
	if (has_how(c, leaves, SPLIT_AT_LEAST))
		sum.how = SPLIT_AT_LEAST;
	if (measured(sum.ns) && has_how(c, leaves, SPLIT_NOT_MEASURED)) {
		sum.how = SPLIT_AT_LEAST;
		sum.ci95_ns = NAN;
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

/* ---- idle time that was not counted exactly ---------------------------------------------- */

#define OTHER_IRQS                                                                                 \
	0.01 /* approximate share of an idle CPU's time in interrupts other than the sampler's */

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
 * Returns the busy time according to /proc/stat, and its variance. The idle time of /proc/stat does not include the
 * interrupts of an idle CPU, nor a part of the time that samples take on an idle CPU. Samples interrupt the CPU, and on
 * a virtual machine, the hypervisor's part of the samples' time varies.
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
 * Returns the idle time if it was not counted exactly; in->stat must be present. *error_ns is the standard error.
 *
 * The function combines two estimates of the busy time, each weighted by its precision. The first estimate is the wall
 * time minus the idle time of /proc/stat. Its error is small. The second estimate is from samples. Missing samples make
 * it too small, so its difference from the first estimate is part of its error. If the two estimates agree, the more
 * precise estimate has more weight. If they disagree, the first estimate has more weight.
 */
static double idle_by_stat_ns(const struct split_input *in, double *error_ns)
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
	return fmax(in->wall_ns - busy_ns, 0); /* rounding must not make the idle time negative */
}

#define BUSY_SAMPLES 4 /* if fewer samples are expected, they may all be missing by chance */
#define BUSY_TIME 0.05 /* share of the wall time; a CPU that is busy for longer is not idle */

/*
 * Returns true if the CPU was idle all the time: no sample was busy, and /proc/stat agrees within its error. in->stat
 * must be present.
 */

static bool is_idle(const struct split_input *in)
{
	struct by_stat stat = by_stat(in);
	double least_ns = stat.busy_ns - 2 * sqrt(stat.variance);
	double each_ns = in->wall_ns / in->samples_expected;

	return !(busy_samples(in) > 0) && in->samples_expected >= 1 &&
	       least_ns <= fmin(BUSY_SAMPLES * each_ns, BUSY_TIME * in->wall_ns);
}

/* ---- a CPU, in time measured in one way -------------------------------------------------- */

/* The leaves that are sampled completely by a sampler that samples only the network. */
#define IN_NETWORK                                                                                 \
	(LEAF_BIT(SOCK_SEND) | LEAF_BIT(SOCK_RECV) | LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ))

/* Returns the exact time inside the network. NaN: not measured. */
static double network_ns(const struct split_input *in)
{
	double ns = NAN;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (IN_NETWORK & 1u << l)
			known_add(&ns, in->exact_ns[leaf_desc[l].event]);
	return ns;
}

/* Returns the part of the wall time that samples do not represent if idle time is known exactly. */
static double not_sampled_ns(const struct split_input *in)
{
	double ns = in->exact_ns[NETCOST_EV_IDLE];

	known_add(&ns, in->exact_ns[NETCOST_EV_HARDIRQ_NET]);
	return ns;
}

void split_find_basis(struct split_cpu *c, const struct split_input *in)
{
	double idle_ns = in->exact_ns[NETCOST_EV_IDLE];

	c->samples = (double)in->samples_rest;
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (l != LEAF_IDLE || !measured(idle_ns))
			c->samples += (double)in->samples[l];
	c->counted = c->samples;
	c->basis = 1;
	if (in->of == SPLIT_OF_NETWORK)
		c->basis = network_ns(in) / in->wall_ns;
	else if (measured(idle_ns))
		c->basis = 1 - not_sampled_ns(in) / in->wall_ns;
	else if (in->of == SPLIT_OF_CYCLES)
		c->basis = NAN; /* the time in which cycles passed is unknown */
	else if (c->samples < in->samples_expected)
		c->basis = c->samples / in->samples_expected;
	if (!(c->samples > 0) || !(c->basis > 0) || !(in->wall_ns > 0)) {
		c->samples = 0;
		c->basis = NAN;
	}
	c->sampled_wall_ns = c->samples > 0 ? in->wall_ns : 0;
}

/* Returns true if the leaf would have samples if it took time. */
static bool is_sampled(const struct split_input *in, unsigned int leaf)
{
	if (leaf == LEAF_OWN)
		return in->own_samples.known;
	return leaf_is_sampled(leaf) && (in->of != SPLIT_OF_NETWORK || IN_NETWORK & 1u << leaf);
}

/* Returns the number of samples expected in the time that was not idle, or 0 if it is unknown. */
static double samples_due(const struct split_input *in)
{
	double all = in->samples_expected + in->samples_lost;
	double due = all * (1 - not_sampled_ns(in) / in->wall_ns);

	if (in->of != SPLIT_OF_TIME || !measured(in->exact_ns[NETCOST_EV_IDLE]))
		return 0;
	return due > 0 ? due : 0;
}

static void sampled_shares(struct split_cpu *c, const struct split_input *in)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];

		*v = no_value;
		if (!(c->samples > 0) || !is_sampled(in, l))
			continue;
		if (l == LEAF_IDLE && measured(in->exact_ns[NETCOST_EV_IDLE]))
			continue;
		v->sampled = (double)in->samples[l] / c->samples * c->basis;
		v->sampled_ci95 = split_share_ci95(c, v->sampled);
	}
}

/*
 * Sets the times of leaves. A time is exact if the leaf's event was measured. Otherwise it is from samples, if there
 * are any. If `inside` is set, the leaves inside TASK get their time from TASK's time.
 */
static void take_times(struct split_cpu *c, const struct split_input *in, bool inside)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];
		double ns = leaf_desc[l].event < 0 ? NAN : in->exact_ns[leaf_desc[l].event];

		if (measured(ns) && !in->only_samples) {
			v->ns = ns;
			v->how = SPLIT_EXACT;
		} else if (measured(v->sampled) && l != LEAF_OWN &&
			   !(inside && INSIDE_TASK & 1u << l)) {
			v->ns = v->estimated_ns = v->sampled * c->wall_ns;
			v->how = SPLIT_SAMPLES;
		}
	}
	c->estimate.ns = c->samples > 0 ? c->basis * c->wall_ns : 0;
	c->estimate.samples = c->samples;
	c->estimate.rest = in->samples_rest > 0;
	c->estimate.ci95_ns = STATS_Z95 * in->idle_error_ns;
}

/* ---- the recorder's own part ------------------------------------------------------------- */

/*
 * Returns the leaf that currently holds the time of leaf l. TASK holds the time of the leaves inside it until
 * split_task() splits TASK.
 */
static enum leaf holder_of(const struct split_cpu *c, enum leaf l)
{
	bool inside = INSIDE_TASK & 1u << l && c->leaf[LEAF_TASK].how == SPLIT_EXACT;

	return inside && c->leaf[l].how == SPLIT_NOT_MEASURED ? LEAF_TASK : l;
}

/*
 * Returns the share of CPU time that the recorder's own programs took in the leaf, according to samples. For an exact
 * time, only programs in no class of probes are included, because the time of the other programs is known from the cost
 * of their runs.
 */
static double own_share(const struct split_cpu *c, const struct split_input *in, enum leaf l)
{
	const struct split_own_samples *own = &in->own_samples;
	bool by_runs = in->own.there && c->leaf[holder_of(c, l)].how == SPLIT_EXACT;
	uint64_t n = by_runs ? own->others[l] : own->all[l];

	return c->samples > 0 && own->known ? (double)n / c->samples * c->basis : 0;
}

/* Moves the recorder's own part from the share that samples give the leaf to LEAF_OWN. */
static void take_out_sampled(struct split_cpu *c, enum leaf l, double ns, double ci95_ns)
{
	struct split_value *v = &c->leaf[l], *own = &c->leaf[LEAF_OWN];
	double share = ns / c->wall_ns;

	if (l == LEAF_OWN || !(ns > 0) || !measured(v->sampled))
		return;
	v->sampled -= share;
	v->taken += share;
	v->taken_ci95 += ci95_ns / c->wall_ns;
	v->sampled_ci95 = sampled_ci95_of(c, v);
	own->taken -= share;
	if (measured(own->sampled)) {
		own->sampled += share;
		own->taken_ci95 += ci95_ns / c->wall_ns;
		own->sampled_ci95 = sampled_ci95_of(c, own);
	}
}

/*
 * Moves the recorder's own part from the leaf's time to LEAF_OWN, in whole nanoseconds, so that the leaves still sum to
 * the wall time.
 */
static void take_out(struct split_cpu *c, enum leaf l, double ns, double ci95_ns,
		     enum split_own_kind kind)
{
	struct split_value *v = &c->leaf[holder_of(c, l)], *own = &c->leaf[LEAF_OWN];

	ns = round(ns);
	if (v->how == SPLIT_NOT_MEASURED || v == own || !(ns > 0))
		return;
	v->ns -= ns;
	v->own_ci95_ns = hypot(v->own_ci95_ns, ci95_ns);
	own->ns += ns;
	own->own_ci95_ns += ci95_ns;
	c->own_ns[kind] += ns;
}

/*
 * Returns the leaf that contains the recorder's own part of an event, or LEAF_OWN if no leaf contains it. If an event
 * is not a leaf with an exact time, TASK contains the recorder's own part of the event. If TASK is not exact either,
 * times are from samples and do not include the own part.
 */
static enum leaf leaf_of(const struct split_cpu *c, unsigned int event)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaf_desc[l].event == (int)event && c->leaf[l].how == SPLIT_EXACT)
			return l;
	return c->leaf[LEAF_TASK].how == SPLIT_EXACT ? LEAF_TASK : LEAF_OWN;
}

/*
 * Takes out the part of the recorder's own programs that is known from samples. Leaves whose time is from samples do
 * not include these samples. If `inside` is set, split_task() handles the samples inside TASK.
 */
static void take_own_samples(struct split_cpu *c, const struct split_input *in, bool inside)
{
	struct split_value *own = &c->leaf[LEAF_OWN];
	double taken = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		double share = own_share(c, in, l), ns = share * c->wall_ns;

		taken += share;
		if (inside && holder_of(c, l) == LEAF_TASK)
			continue;
		if (c->leaf[holder_of(c, l)].how == SPLIT_EXACT) {
			take_out(c, l, ns, split_share_ci95(c, share) * c->wall_ns,
				 SPLIT_OWN_PROGRAMS);
		} else {
			own->ns += ns;
			c->own_ns[SPLIT_OWN_PROGRAMS] += ns;
		}
	}
	/*
	 * If the cost of runs covers the whole own part and there are no samples of the own part, samples add no error.
	 */
	if (in->own_samples.known && (taken > 0 || !in->own.there || in->own.lacks))
		own->own_ci95_ns = split_share_ci95(c, taken) * c->wall_ns;
	else
		own->own_ci95_ns = 0;
}

/* Takes the recorder's own part out of the other leaves. */
static void take_own(struct split_cpu *c, const struct split_input *in, bool inside)
{
	struct split_value *v = &c->leaf[LEAF_OWN];
	const struct split_own *own = &in->own;

	if (!own->there && !measured(v->sampled))
		return;
	v->ns = 0;
	take_own_samples(c, in, inside);
	v->how = own->at_least || (own->lacks && !in->own_samples.known) ? SPLIT_AT_LEAST :
		 in->own_samples.known					 ? SPLIT_SAMPLES :
									   SPLIT_EXACT;
	for (unsigned int e = 0; own->there && e < NETCOST_EV_COUNT; e++) {
		enum leaf l = leaf_of(c, e);

		take_out(c, l, own->ns[e], own->ci95_ns[e], SPLIT_OWN_PROBES);
		if (!in->own_samples.known)
			take_out_sampled(c, l == LEAF_TASK ? LEAF_OTHER_KERNEL : l, own->ns[e],
					 own->ci95_ns[e]);
	}
	for (unsigned int l = 0; own->there && l < LEAF_COUNT; l++) {
		double n = (double)in->samples[l];

		if (!leaf_is_sampled(l))
			continue;
		take_out(c, l, n * own->sample_ns, n * own->sample_ci95_ns, SPLIT_OWN_SAMPLES);
		take_out_sampled(c, l, round(n * own->sample_ns), n * own->sample_ci95_ns);
	}
}

void split_put_own_back(struct split_input *in)
{
	in->own.there = in->own_samples.known = false;
	in->samples[LEAF_OWN] = in->paused[LEAF_OWN] = 0;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		in->samples[l] += in->own_samples.all[l];
		in->paused[l] += in->own_samples.paused[l];
	}
	in->own_samples = (struct split_own_samples){ .known = false };
}

/*
 * Marks the times that are estimated from samples as lower bounds, because samples are missing. It is unknown whether
 * the CPU was idle when these samples were due.
 */
static void admit_missing(struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (c->leaf[l].how == SPLIT_SAMPLES)
			c->leaf[l].how = SPLIT_AT_LEAST;
}

/*
 * Counts all expected samples as samples of the idle task. Called if no sample was busy and almost none were expected
 * to be.
 */
static void take_all_as_idle(struct split_input *in)
{
	uint64_t due = (uint64_t)round(in->samples_expected);

	in->samples_expected = (double)due;
	if (in->only_samples) /* the filter does not select the idle task */
		in->samples_rest = due;
	else
		in->samples[LEAF_IDLE] = due;
}

/* Splits the time without exact counters as if the idle time were exact. Then adds the error of the idle time. */

static void split_by_stat(struct split_cpu *c, const struct split_input *in)
{
	struct split_input known = *in;
	struct split_value *idle = &c->leaf[LEAF_IDLE];
	double error_ns, idle_ns = idle_by_stat_ns(in, &error_ns);

	known.stat.there = false;
	if (is_idle(in)) {
		take_all_as_idle(&known);
		split_part(c, &known);
		return;
	}
	known.exact_ns[NETCOST_EV_IDLE] = idle_ns;
	known.idle_error_ns = error_ns;
	split_part(c, &known);
	if (idle->how != SPLIT_NOT_MEASURED)
		idle->how = SPLIT_SAMPLES;
}

/*
 * Splits TASK's exact time in proportion to the samples of leaves and of the recorder's own programs inside TASK.
 * Without samples inside TASK, the whole time is "other kernel", and its error is the time that one sample represents.
 */
static void split_task(struct split_cpu *c, const struct split_input *in)
{
	struct split_value task = c->leaf[LEAF_TASK];
	double own = 0, share = 0, basis = c->basis / c->samples;

	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		if (!(INSIDE_TASK & 1u << l) || holder_of(c, l) != LEAF_TASK)
			continue;
		own += own_share(c, in, l);
		share += known_or_0(c->leaf[l].sampled);
	}
	share += own;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];
		double part = share > 0 ? v->sampled / share : l == LEAF_OTHER_KERNEL;

		if (!(INSIDE_TASK & 1u << l) || holder_of(c, l) != LEAF_TASK ||
		    !measured(v->sampled))
			continue;
		v->ns = v->estimated_ns = task.ns * part;
		v->own_ci95_ns = task.own_ci95_ns * fabs(part);
		v->how = SPLIT_SAMPLES;
	}
	if (own > 0) {
		c->leaf[LEAF_OWN].ns += task.ns * own / share;
		c->own_ns[SPLIT_OWN_PROGRAMS] += task.ns * own / share;
	}
	c->estimate = (struct split_estimate){ .ns = task.ns, .samples = fmax(share / basis, 1) };
	c->leaf[LEAF_TASK] = no_value;
}

void split_part(struct split_cpu *c, const struct split_input *in)
{
	bool task = measured(in->exact_ns[NETCOST_EV_TASK]) && !in->only_samples;
	bool inside;

	if (in->stat.there && !measured(in->exact_ns[NETCOST_EV_IDLE]) &&
	    in->of != SPLIT_OF_NETWORK && in->wall_ns > 0) {
		split_by_stat(c, in);
		return;
	}
	c->cpu = in->cpu;
	c->wall_ns = in->wall_ns;
	memset(c->own_ns, 0, sizeof(c->own_ns));
	split_find_basis(c, in);
	c->due = samples_due(in);
	c->basis_error = c->samples > 0 ? in->idle_error_ns / (c->basis * c->wall_ns) : 0;
	inside = task && c->samples > 0 && in->of != SPLIT_OF_NETWORK;
	sampled_shares(c, in);
	take_times(c, in, inside);
	if (!measured(in->exact_ns[NETCOST_EV_IDLE]) && c->basis < SPLIT_ENOUGH)
		admit_missing(c);
	take_own(c, in, inside);
	if (inside)
		split_task(c, in);
	split_set_intervals(c);
}
