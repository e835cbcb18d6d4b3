// SPDX-License-Identifier: BSD-2-Clause
/* Times and sums of leaves; idle time; a CPU in time measured in one way; the recorder's own part. */
#include "split.h"

#include <math.h>
#include <stdbool.h>

#include "report/base/stats.h"

/* Leaves whose time is part of the TASK event when they have no exact event of their own. */
#define INSIDE_TASK (LEAF_BUSY & ~LEAF_BIT(TASK) & ~LEAF_BIT(OTHER_KERNEL))

#define SPLIT_ENOUGH 0.9 /* of the samples due: a sampler's timers are not exact */

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

/* The half-width of v->sampled: by samples, and of the recorder's own part that was taken out. */
static double sampled_ci95_of(const struct split_cpu *c, const struct split_value *v)
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

/* A leaf of all CPUs: its time is the sum over the CPUs; its sampled share is their average, weighted by their time. */
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
		v->sampled_ci95 = sampled_ci95_of(all, v);
	}
	if (v->how == SPLIT_SAMPLES)
		v->ci95_ns = v->sampled_ci95 * all->wall_ns;
	if (lacks && leaf_is_sampled(l) &&
	    (v->how == SPLIT_SAMPLES ||
	     v->how ==
		     SPLIT_MIXED)) /* a CPU without a measurement of the leaf may have spent time in it */
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

/* An exact time is as uncertain as the recorder's own part of it. In a sum with LEAF_OWN that error cancels. */
static bool is_estimated(const struct split_cpu *c, unsigned int leaf, unsigned int leaves)
{
	const struct split_value *v = &c->leaf[leaf];

	if (v->how == SPLIT_EXACT || leaf == LEAF_OWN)
		return !(leaves & LEAF_BIT(OWN)) || leaves == LEAF_BIT(OWN);
	return v->how == SPLIT_SAMPLES || v->how == SPLIT_MIXED || v->how == SPLIT_AT_LEAST;
}

/*
 * The error of the remainder is that of the sampled leaves inside TASK, with the opposite sign. So in a sum that includes the
 * remainder their errors cancel, and the errors of the leaves inside TASK that the sum leaves out count instead.
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

/* Does a leaf of the set have that source? A measured TASK covers the leaves that samples would find inside it. */
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
	    leaves != LEAF_BIT(OWN)) /* what was taken out of one part was added to the other */
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
		sum.sampled_ci95 = sampled_ci95_of(c, &sum);
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
	0.01 /* share of an idle CPU's time in interrupts other than the sampler's, roughly */

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
 * /proc/stat does not count the interrupts of an idle CPU as idle time, nor a part of what samples take there: they interrupt
 * the CPU, and in a virtual machine the hypervisor's part of that varies.
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
 * Idle time where it was not counted exactly; in->stat must be there. *error_ns is its standard error.
 *
 * Combines two estimates of the busy time, each weighted by its precision: the wall time less the idle time of
 * /proc/stat, whose error is small, and the samples. Missing samples make the second one too small, so its distance from
 * /proc/stat is part of its error. Where the two agree the more precise one counts most; where they disagree, /proc/stat
 * does.
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
	return in->wall_ns - busy_ns;
}

#define BUSY_SAMPLES 4 /* with fewer samples due, none may have been taken by chance */
#define BUSY_TIME 0.05 /* share of the wall time: a CPU that is busier is not idle */

/* Was the CPU idle all the time? No sample was busy, and /proc/stat agrees within its error; in->stat must be there. */

static bool is_idle(const struct split_input *in)
{
	struct by_stat stat = by_stat(in);
	double least_ns = stat.busy_ns - 2 * sqrt(stat.variance);
	double each_ns = in->wall_ns / in->samples_expected;

	return !(busy_samples(in) > 0) && in->samples_expected >= 1 &&
	       least_ns <= fmin(BUSY_SAMPLES * each_ns, BUSY_TIME * in->wall_ns);
}

/* ---- a CPU, in time measured in one way -------------------------------------------------- */

/* The leaves that are sampled completely by a sampler of the network alone. */
#define IN_NETWORK                                                                                 \
	(LEAF_BIT(SOCK_SEND) | LEAF_BIT(SOCK_RECV) | LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ))

/* The exact time inside the network; NaN: not measured. */
static double network_ns(const struct split_input *in)
{
	double ns = NAN;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (IN_NETWORK & 1u << l)
			known_add(&ns, in->exact_ns[leaf_desc[l].event]);
	return ns;
}

/* The part of the wall time that samples do not represent, where idle time is known exactly. */
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

/* Would there be samples of the leaf if it took time? */
static bool is_sampled(const struct split_input *in, unsigned int leaf)
{
	if (leaf == LEAF_OWN)
		return in->own_samples.known;
	return leaf_is_sampled(leaf) && (in->of != SPLIT_OF_NETWORK || IN_NETWORK & 1u << leaf);
}

/* The number of samples expected in the time that was not idle; 0: unknown. */
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

		*v = (struct split_value){ .ns = NAN, .sampled = NAN, .sampled_ci95 = NAN };
		if (!(c->samples > 0) || !is_sampled(in, l))
			continue;
		if (l == LEAF_IDLE && measured(in->exact_ns[NETCOST_EV_IDLE]))
			continue;
		v->sampled = (double)in->samples[l] / c->samples * c->basis;
		v->sampled_ci95 = split_share_ci95(c, v->sampled);
	}
}

/* Sets a leaf's time: exact if its event was measured, otherwise by samples if there are any. */
static void take_time(struct split_cpu *c, const struct split_input *in, enum leaf l)
{
	struct split_value *v = &c->leaf[l];
	double ns = leaf_desc[l].event < 0 ? NAN : in->exact_ns[leaf_desc[l].event];

	if (measured(ns) && !in->only_samples) {
		v->ns = ns;
		v->ci95_ns = 0;
		v->how = SPLIT_EXACT;
	} else if (measured(v->sampled)) {
		v->ns = v->sampled * c->wall_ns;
		v->ci95_ns = v->sampled_ci95 * c->wall_ns;
		v->how = SPLIT_SAMPLES;
	}
}

/* ---- the recorder's own part ------------------------------------------------------------- */

/* Is the recorder's own part of the leaf known from the cost of probe runs, except for programs in no class of probes? */
static bool by_runs(const struct split_cpu *c, const struct split_input *in, unsigned int leaf)
{
	bool remainder = c->leaf[LEAF_OTHER_KERNEL].how == SPLIT_REMAINDER;

	if (!in->own.there)
		return false;
	return c->leaf[leaf].how == SPLIT_EXACT ||
	       (remainder && (INSIDE_TASK | LEAF_BIT(OTHER_KERNEL)) & 1u << leaf);
}

/* The share of CPU time, by samples, of own programs in the leaf whose cost is not known from the cost of probe runs. */
static double own_share(const struct split_cpu *c, const struct split_input *in, unsigned int leaf)
{
	const struct split_own_samples *own = &in->own_samples;
	uint64_t n = by_runs(c, in, leaf) ? own->others[leaf] : own->all[leaf];

	return c->samples > 0 && own->known ? (double)n / c->samples * c->basis : 0;
}

/* Sets "other kernel": TASK's time less what samples find inside it. */
static void take_remainder(struct split_cpu *c, const struct split_input *in, double task_ns)
{
	struct split_value *v = &c->leaf[LEAF_OTHER_KERNEL];
	double share = 0;

	v->how = SPLIT_REMAINDER;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		if (INSIDE_TASK & 1u << l && c->leaf[l].how == SPLIT_SAMPLES)
			share += c->leaf[l].sampled + own_share(c, in, l);
		else if (l == LEAF_OTHER_KERNEL)
			share += own_share(c, in, l);
	}
	v->ns = task_ns - share * c->wall_ns;
	v->ci95_ns = split_share_ci95(c, share) * c->wall_ns;
}

/* Moves the recorder's own part from the leaf's share by samples to LEAF_OWN. */
static void take_out_sampled(struct split_cpu *c, enum leaf l, double ns, double ci95_ns)
{
	struct split_value *v = &c->leaf[l], *own = &c->leaf[LEAF_OWN];
	double share = ns / c->wall_ns;

	if (v->how == SPLIT_NOT_MEASURED || l == LEAF_OWN || !(ns > 0) || !measured(v->sampled))
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
 * Moves the recorder's own part from the leaf's time to LEAF_OWN, in whole nanoseconds: the leaves still sum to the wall
 * time.
 */
static void take_out(struct split_cpu *c, enum leaf l, double ns, double ci95_ns)
{
	struct split_value *v = &c->leaf[l], *own = &c->leaf[LEAF_OWN];

	ns = round(ns);
	if (v->how == SPLIT_NOT_MEASURED || l == LEAF_OWN || !(ns > 0))
		return;
	v->ns -= ns;
	v->ci95_ns = hypot(v->ci95_ns, ci95_ns);
	own->ns += ns;
	own->ci95_ns += ci95_ns;
}

/*
 * The leaf that contains the recorder's own part of an event; LEAF_OWN: none does. An event that is not a leaf with an
 * exact time is part of the remainder: times by samples do not include the own part.
 */
static enum leaf leaf_of(const struct split_cpu *c, unsigned int event)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaf_desc[l].event == (int)event && c->leaf[l].how == SPLIT_EXACT)
			return l;
	if (c->leaf[LEAF_OTHER_KERNEL].how == SPLIT_REMAINDER)
		return LEAF_OTHER_KERNEL;
	return c->leaf[LEAF_TASK].how == SPLIT_EXACT ? LEAF_TASK : LEAF_OWN;
}

/* Takes out the own part by samples. Leaves that are known by samples, and the remainder, do not include these samples. */
static void take_own_samples(struct split_cpu *c, const struct split_input *in)
{
	struct split_value *own = &c->leaf[LEAF_OWN];
	double all = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		double share = own_share(c, in, l);

		all += share;
		if (c->leaf[l].how == SPLIT_EXACT)
			take_out(c, l, share * c->wall_ns, split_share_ci95(c, share) * c->wall_ns);
		else
			own->ns += share * c->wall_ns;
	}
	own->ci95_ns = c->samples > 0 ? split_share_ci95(c, all) * c->wall_ns : 0;
}

/* Takes the recorder's own part out of the other leaves. */
void split_take_own(struct split_cpu *c, const struct split_input *in)
{
	struct split_value *v = &c->leaf[LEAF_OWN];
	const struct split_own *own = &in->own;

	if (!own->there && !measured(v->sampled))
		return;
	if (v->how == SPLIT_NOT_MEASURED) {
		v->ns = v->ci95_ns = 0;
		take_own_samples(c, in);
	}
	v->how = !own->there			     ? SPLIT_SAMPLES :
		 own->lacks && !measured(v->sampled) ? SPLIT_AT_LEAST :
						       SPLIT_MIXED;
	for (unsigned int e = 0; own->there && e < NETCOST_EV_COUNT; e++) {
		enum leaf l = leaf_of(c, e);

		take_out(c, l, own->ns[e], own->ci95_ns[e]);
		if (!in->own_samples.known)
			take_out_sampled(c, l, own->ns[e], own->ci95_ns[e]);
	}
	for (unsigned int l = 0; own->there && l < LEAF_COUNT; l++) {
		double n = (double)in->samples[l];

		if (!leaf_is_sampled(l))
			continue;
		take_out(c, l, n * own->sample_ns, n * own->sample_ci95_ns);
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

/* Samples are missing, and whether the CPU was idle then is unknown. */
static void admit_missing(struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (c->leaf[l].how == SPLIT_SAMPLES)
			c->leaf[l].how = SPLIT_AT_LEAST;
}

/* No sample was busy, and almost none should be: all expected samples count as the idle task's. */
static void take_all_as_idle(struct split_input *in)
{
	uint64_t due = (uint64_t)round(in->samples_expected);

	in->samples_expected = (double)due;
	if (in->only_samples) /* the filter does not select the idle task */
		in->samples_rest = due;
	else
		in->samples[LEAF_IDLE] = due;
}

/* Without exact counters: splits the time as if the idle time were exact, then adds its error. */

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
	if (idle->how == SPLIT_NOT_MEASURED)
		return;
	idle->how = SPLIT_MIXED;
	idle->ci95_ns = hypot(idle->ci95_ns, STATS_Z95 * error_ns);
}

void split_part(struct split_cpu *c, const struct split_input *in)
{
	double task_ns = in->exact_ns[NETCOST_EV_TASK];

	if (in->stat.there && !measured(in->exact_ns[NETCOST_EV_IDLE]) &&
	    in->of != SPLIT_OF_NETWORK && in->wall_ns > 0) {
		split_by_stat(c, in);
		return;
	}
	c->cpu = in->cpu;
	c->wall_ns = in->wall_ns;
	split_find_basis(c, in);
	c->due = samples_due(in);
	c->basis_error = c->samples > 0 ? in->idle_error_ns / (c->basis * c->wall_ns) : 0;
	sampled_shares(c, in);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (l != LEAF_OTHER_KERNEL && l != LEAF_TASK && l != LEAF_OWN)
			take_time(c, in, l);
	if (!measured(task_ns) || in->only_samples)
		take_time(c, in, LEAF_OTHER_KERNEL);
	else if (c->samples > 0 && in->of != SPLIT_OF_NETWORK)
		take_remainder(c, in, task_ns);
	else
		take_time(c, in, LEAF_TASK);
	if (!measured(in->exact_ns[NETCOST_EV_IDLE]) && c->basis < SPLIT_ENOUGH)
		admit_missing(c);
	split_take_own(c, in);
	c->sum_ns = split_sum(c, LEAF_ALL).ns;
}
