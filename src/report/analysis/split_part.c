// SPDX-License-Identifier: BSD-2-Clause
/* One CPU, in time in which it was measured in one way. */
#include "split_impl.h"

#include <math.h>

#include "known.h"
#include "report/base/stats.h"

/* The leaves that are sampled completely where only the network is sampled. */
#define IN_NETWORK                                                                                 \
	(LEAF_BIT(SOCK_SEND) | LEAF_BIT(SOCK_RECV) | LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ))

static bool measured(double v)
{
	return !isnan(v);
}

static struct split_value exact(double ns)
{
	return (struct split_value){
		.ns = ns, .how = SPLIT_EXACT, .sampled = NAN, .sampled_ci95 = NAN
	};
}

/* The time inside the network, which samplers of the network alone sample. NaN: not measured. */
static double network_ns(const struct split_input *in)
{
	double ns = NAN;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (IN_NETWORK & 1u << l)
			known_add(&ns, in->exact_ns[leaf_desc[l].event]);
	return ns;
}

/* The time that samples do not stand for, where idle time is known exactly. */
static double not_sampled_ns(const struct split_input *in)
{
	double ns = in->exact_ns[NETCOST_EV_IDLE];

	known_add(&ns, in->exact_ns[NETCOST_EV_HARDIRQ_NET]);
	return ns;
}

/* What the samples stand for, and how many they are. */
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
		c->basis = NAN; /* it is not known for how long they passed */
	else if (c->samples < in->samples_expected)
		c->basis = c->samples / in->samples_expected;
	if (!(c->samples > 0) || !(c->basis > 0) || !(in->wall_ns > 0)) {
		c->samples = 0;
		c->basis = NAN;
	}
	c->sampled_wall_ns = c->samples > 0 ? in->wall_ns : 0;
}

/* Are there samples of the leaf, if it takes time? */
static bool tells_of(const struct split_input *in, unsigned int leaf)
{
	if (leaf == LEAF_OWN)
		return in->own_samples.known;
	return leaf_is_sampled(leaf) && (in->of != SPLIT_OF_NETWORK || IN_NETWORK & 1u << leaf);
}

/* The samples that the time that they stand for asks for. */
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
		if (!(c->samples > 0) || !tells_of(in, l))
			continue;
		if (l == LEAF_IDLE && measured(in->exact_ns[NETCOST_EV_IDLE]))
			continue;
		v->sampled = (double)in->samples[l] / c->samples * c->basis;
		v->sampled_ci95 = split_share_ci95(c, v->sampled);
	}
}

/* A leaf's time: exact where there is an event for it, otherwise by samples, if any. */
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

/* Is a leaf's own part known by what runs of probes cost, as far as they have programs? */
static bool by_runs(const struct split_cpu *c, const struct split_input *in, unsigned int leaf)
{
	bool remainder = c->leaf[LEAF_OTHER_KERNEL].how == SPLIT_REMAINDER;

	if (!in->own.there)
		return false;
	return c->leaf[leaf].how == SPLIT_EXACT ||
	       (remainder && (INSIDE_TASK | LEAF_BIT(OTHER_KERNEL)) & 1u << leaf);
}

/* Of CPU time: of own programs that ran in the leaf, as far as runs do not say what these cost. */
static double own_share(const struct split_cpu *c, const struct split_input *in, unsigned int leaf)
{
	const struct split_own_samples *own = &in->own_samples;
	uint64_t n = by_runs(c, in, leaf) ? own->others[leaf] : own->all[leaf];

	return c->samples > 0 && own->known ? (double)n / c->samples * c->basis : 0;
}

/* TASK's time less what samples find inside it. */
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

/* Out of the share by samples, which counts time that is the recorder's own to the leaf. */
static void take_out_sampled(struct split_cpu *c, enum leaf l, double ns, double ci95_ns)
{
	struct split_value *v = &c->leaf[l], *own = &c->leaf[LEAF_OWN];
	double share = ns / c->wall_ns;

	if (v->how == SPLIT_NOT_MEASURED || l == LEAF_OWN || !(ns > 0) || !measured(v->sampled))
		return;
	v->sampled -= share;
	v->taken += share;
	v->taken_ci95 += ci95_ns / c->wall_ns;
	v->sampled_ci95 = split_sampled_ci95(c, v);
	own->taken -= share;
	if (measured(own->sampled)) {
		own->sampled += share;
		own->taken_ci95 += ci95_ns / c->wall_ns;
		own->sampled_ci95 = split_sampled_ci95(c, own);
	}
}

/* Whole nanoseconds: so the leaves still sum to the wall time. */
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
 * The leaf that an event's own part is taken out of. What has no time of its own, or one by samples, which is without that
 * part, is in the remainder. LEAF_OWN: in none.
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

/* By samples. Those of leaves that are known by samples are in no other leaf, and a remainder is without them. */
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

/* Samples are missing, and it is not known whether the CPU was idle then. */
static void admit_missing(struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (c->leaf[l].how == SPLIT_SAMPLES)
			c->leaf[l].how = SPLIT_AT_LEAST;
}

/* No sample was busy, and hardly any should be: so those that are due are the idle task's. */
static void take_all_as_idle(struct split_input *in)
{
	uint64_t due = (uint64_t)round(in->samples_expected);

	in->samples_expected = (double)due;
	if (in->only_samples) /* the idle task is none of those asked for */
		in->samples_rest = due;
	else
		in->samples[LEAF_IDLE] = due;
}

/* Of time without exact counters: as if idle time were known exactly, but for its error. */
static void split_by_stat(struct split_cpu *c, const struct split_input *in)
{
	struct split_input known = *in;
	struct split_value *idle = &c->leaf[LEAF_IDLE];
	double error_ns, idle_ns = split_idle_ns(in, &error_ns);

	known.stat.there = false;
	if (split_is_idle(in)) {
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
		c->leaf[LEAF_TASK] = exact(task_ns);
	if (!measured(in->exact_ns[NETCOST_EV_IDLE]) && c->basis < SPLIT_ENOUGH)
		admit_missing(c);
	split_take_own(c, in);
	c->sum_ns = split_sum(c, LEAF_ALL).ns;
}
