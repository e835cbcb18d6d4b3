// SPDX-License-Identifier: BSD-2-Clause
#include "split.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "report/base/stats.h"

/* Leaves whose time is part of the TASK event when they have no exact event of their own. */
#define INSIDE_TASK (LEAF_BUSY & ~LEAF_BIT(TASK) & ~LEAF_BIT(OTHER_KERNEL))

/* From SPLIT_EXACT on. */
const char *const split_how_known[] = { "exact", "samples", "remainder", "mixed", "at least", NULL };

const char *split_how_name(enum split_how how)
{
	return how == SPLIT_NOT_MEASURED ? "not measured" : split_how_known[how - SPLIT_EXACT];
}

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

double split_share_ci95(const struct split_cpu *c, double share)
{
	return c->basis * stats_share_ci95(fmin(share / c->basis, 1), c->samples);
}

/* ---- one CPU ----------------------------------------------------------------------------- */

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

static void sampled_shares(struct split_cpu *c, const struct split_input *in)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];

		*v = (struct split_value){ .ns = NAN, .sampled = NAN, .sampled_ci95 = NAN };
		if (!(c->samples > 0) || !leaf_is_sampled(l))
			continue;
		if (l == LEAF_IDLE && measured(in->exact_ns[NETCOST_EV_IDLE]))
			continue;
		if (in->of == SPLIT_OF_NETWORK && !(IN_NETWORK & 1u << l))
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

/* TASK's time less what samples find inside it. */
static void take_remainder(struct split_cpu *c, double task_ns)
{
	struct split_value *v = &c->leaf[LEAF_OTHER_KERNEL];
	double share = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (INSIDE_TASK & 1u << l && c->leaf[l].how == SPLIT_SAMPLES)
			share += c->leaf[l].sampled;
	v->ns = task_ns - share * c->wall_ns;
	v->ci95_ns = split_share_ci95(c, share) * c->wall_ns;
	v->how = SPLIT_REMAINDER;
}

/* Whole nanoseconds: so the leaves still sum to the wall time. */
static void take_out(struct split_cpu *c, enum leaf l, double ns, double ci95_ns)
{
	struct split_value *v = &c->leaf[l], *own = &c->leaf[LEAF_OWN];

	ns = round(ns);
	if (v->how == SPLIT_NOT_MEASURED || !(ns > 0))
		return;
	v->ns -= ns;
	v->ci95_ns = hypot(v->ci95_ns, ci95_ns);
	own->ns += ns;
	own->ci95_ns += ci95_ns;
}

/* What of an event's time is no leaf of its own is in the remainder. */
static enum leaf leaf_of(const struct split_cpu *c, unsigned int event)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaf_desc[l].event == (int)event && c->leaf[l].how != SPLIT_NOT_MEASURED)
			return l;
	return LEAF_OTHER_KERNEL;
}

static void take_own(struct split_cpu *c, const struct split_input *in)
{
	const struct split_own *own = &in->own;

	if (!own->there)
		return;
	c->leaf[LEAF_OWN] =
		(struct split_value){ .how = SPLIT_MIXED, .sampled = NAN, .sampled_ci95 = NAN };
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		take_out(c, leaf_of(c, e), own->ns[e], own->ci95_ns[e]);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaf_is_sampled(l))
			take_out(c, l, (double)in->samples[l] * own->sample_ns,
				 (double)in->samples[l] * own->sample_ci95_ns);
}

static void split_part(struct split_cpu *c, const struct split_input *in)
{
	double task_ns = in->exact_ns[NETCOST_EV_TASK];

	c->cpu = in->cpu;
	c->wall_ns = in->wall_ns;
	split_find_basis(c, in);
	sampled_shares(c, in);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (l != LEAF_OTHER_KERNEL && l != LEAF_TASK)
			take_time(c, in, l);
	if (!measured(task_ns) || in->only_samples)
		take_time(c, in, LEAF_OTHER_KERNEL);
	else if (c->samples > 0 && in->of != SPLIT_OF_NETWORK)
		take_remainder(c, task_ns);
	else
		c->leaf[LEAF_TASK] = exact(task_ns);
	take_own(c, in);
	c->sum_ns = split_sum(c, LEAF_ALL).ns;
}

/* ---- pauses ------------------------------------------------------------------------------ */

/* The samples due in the pauses. NaN: not known. */
static double due_in_pauses(const struct split_input *in, const struct split_cpu *counted)
{
	if (in->of == SPLIT_OF_TIME)
		return in->paused_expected;
	if (in->of == SPLIT_OF_CYCLES && counted->samples > 0)
		return counted->samples / (counted->basis * counted->wall_ns) * in->paused_ns;
	return NAN;
}

/* There are no probes then. */
static void take_own_of_pauses(struct split_cpu *c, const struct split_input *in)
{
	struct split_input p = { .own = { .there = in->own.there,
					  .sample_ns = in->own.sample_ns,
					  .sample_ci95_ns = in->own.sample_ci95_ns } };

	memcpy(p.samples, in->paused, sizeof(p.samples));
	take_own(c, &p);
}

static void split_pauses(struct split_cpu *c, const struct split_input *in,
			 const struct split_cpu *counted)
{
	struct split_input p = { .cpu = in->cpu,
				 .wall_ns = in->paused_ns,
				 .samples_rest = in->paused_rest,
				 .only_samples = in->only_samples,
				 .samples_expected = due_in_pauses(in, counted) };
	double others = (double)p.samples_rest;

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		p.exact_ns[e] = NAN;
	memcpy(p.samples, in->paused, sizeof(p.samples));
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		others += l == LEAF_IDLE ? 0 : (double)p.samples[l];
	if (isnan(p.samples_expected))
		memset(p.samples, 0, sizeof(p.samples)); /* they tell of no time */
	else if (in->only_samples) /* the idle task is none of those asked for */
		p.samples_rest += (uint64_t)fmax(p.samples_expected - others, 0);
	else
		p.samples[LEAF_IDLE] = (uint64_t)fmax(p.samples_expected - others, 0);
	split_part(c, &p);
	take_own_of_pauses(c, in);
}

/* What only one part knows is not the whole. */
static void join_parts(struct split_cpu *c, const struct split_cpu part[2])
{
	split_sum_cpus(c, part, 2);
	c->cpu = part[0].cpu;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		const struct split_value *a = &part[0].leaf[l], *b = &part[1].leaf[l];

		if ((a->how == SPLIT_NOT_MEASURED) != (b->how == SPLIT_NOT_MEASURED))
			c->leaf[l].how = SPLIT_AT_LEAST;
		if (!measured(a->sampled) || !measured(b->sampled))
			c->leaf[l].sampled = c->leaf[l].sampled_ci95 = NAN;
	}
}

/* The parts of a CPU's time, or of several CPUs'. */
struct parts {
	struct split_cpu *counted, *paused;
	size_t ncounted, npaused;
};

/* Adds its parts. */
static void split_one(struct split_cpu *c, struct parts *p, const struct split_input *in)
{
	struct split_cpu part[2];

	split_part(&part[0], in);
	*c = part[0];
	if (in->paused_ns > 0) {
		split_pauses(&part[1], in, &part[0]);
		p->paused[p->npaused++] = part[1];
		if (!(in->wall_ns > 0)) {
			*c = part[1];
			return;
		}
		join_parts(c, part);
	}
	p->counted[p->ncounted++] = part[0];
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
	double sampled_ns = 0;
	bool any = false;

	*v = (struct split_value){ .ns = NAN, .sampled = NAN, .sampled_ci95 = NAN };
	for (size_t i = 0; i < n; i++) {
		const struct split_value *one = &cpu[i].leaf[l];

		add_value(v, one);
		if (!measured(one->sampled))
			continue;
		sampled_ns += one->sampled * cpu[i].wall_ns;
		any = true;
	}
	if (!any)
		return;
	v->sampled = sampled_ns / all->sampled_wall_ns;
	v->sampled_ci95 = split_share_ci95(all, v->sampled);
	if (v->how == SPLIT_SAMPLES)
		v->ci95_ns = v->sampled_ci95 * all->wall_ns;
}

void split_sum_cpus(struct split_cpu *all, const struct split_cpu *cpu, size_t n)
{
	double stands_for = 0, variance = 0;

	*all = (struct split_cpu){ .basis = NAN };
	for (size_t i = 0; i < n; i++) {
		const struct split_cpu *c = &cpu[i];
		double ns = c->basis * c->wall_ns;

		all->wall_ns += c->wall_ns;
		all->counted += c->counted;
		if (!(c->samples > 0))
			continue;
		all->sampled_wall_ns += c->wall_ns;
		stands_for += ns;
		variance += ns * ns / c->samples;
	}
	if (stands_for > 0) {
		all->samples = stands_for * stands_for / variance;
		all->basis = stands_for / all->sampled_wall_ns;
	}
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		sum_leaf(all, cpu, n, l);
	all->sum_ns = split_sum(all, LEAF_ALL).ns;
}

void split_from_samples(struct split_cpu *c, const double ns[LEAF_COUNT], double samples)
{
	*c = (struct split_cpu){ .samples = samples, .basis = 1 };
	if (!(samples > 0))
		c->wall_ns = NAN;
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		c->wall_ns += measured(ns[l]) ? ns[l] : 0;
	c->sampled_wall_ns = c->sum_ns = c->wall_ns;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];

		*v = (struct split_value){ .ns = NAN, .sampled = NAN, .sampled_ci95 = NAN };
		if (!leaf_is_sampled(l) || !measured(ns[l]) || !(c->wall_ns > 0))
			continue;
		v->sampled = ns[l] / c->wall_ns;
		v->sampled_ci95 = split_share_ci95(c, v->sampled);
		v->ns = ns[l];
		v->ci95_ns = v->sampled_ci95 * c->wall_ns;
		v->how = SPLIT_SAMPLES;
	}
}

/* What samples say of all CPUs together is surer than the sum of what they say of each. */
static void sum_parts(struct split *s, const struct parts *p)
{
	struct split_cpu part[2];

	split_sum_cpus(&s->counted, p->counted, p->ncounted);
	s->all = s->counted;
	if (!p->npaused)
		return;
	part[0] = s->counted;
	split_sum_cpus(&part[1], p->paused, p->npaused);
	if (p->ncounted)
		join_parts(&s->all, part);
	else
		s->all = part[1];
}

int split_compute(struct split *s, const struct split_input *in, size_t n)
{
	struct parts p = { calloc(n + 1, sizeof(*p.counted)), calloc(n + 1, sizeof(*p.paused)), 0,
			   0 };
	bool ok;

	*s = (struct split){ .ncpus = n, .cpu = calloc(n + 1, sizeof(*s->cpu)) };
	ok = s->cpu && p.counted && p.paused;
	for (size_t i = 0; ok && i < n; i++)
		split_one(&s->cpu[i], &p, &in[i]);
	if (ok)
		sum_parts(s, &p);
	else
		split_free(s);
	free(p.counted);
	free(p.paused);
	return ok ? 0 : -ENOMEM;
}

void split_free(struct split *s)
{
	free(s->cpu);
	*s = (struct split){ 0 };
}

/* ---- sums -------------------------------------------------------------------------------- */

/* At least in part: by samples alone, or in pauses. */
static bool is_estimated(const struct split_value *v)
{
	return v->how == SPLIT_SAMPLES || v->how == SPLIT_MIXED || v->how == SPLIT_AT_LEAST;
}

/*
 * A remainder is wrong by as much as the sampled leaves inside TASK are, the other way round. So in a
 * sum that holds it their errors cancel, and those of the leaves left out come in.
 */
static double sum_ci95_ns(const struct split_cpu *c, unsigned int leaves)
{
	bool remainder = leaves & LEAF_BIT(OTHER_KERNEL) &&
			 c->leaf[LEAF_OTHER_KERNEL].how == SPLIT_REMAINDER;
	double ci95_ns = 0;

	if (remainder)
		leaves = INSIDE_TASK & ~leaves;
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && is_estimated(&c->leaf[l]))
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

/* Is a part of the sum missing? TASK stands for what samples would find inside it. */
static bool lacks(const struct split_cpu *c, unsigned int leaves)
{
	if (leaves & LEAF_BIT(TASK) && c->leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED)
		leaves &= ~(INSIDE_TASK | LEAF_BIT(OTHER_KERNEL));
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l && leaf_is_sampled(l) && c->leaf[l].how == SPLIT_NOT_MEASURED)
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
		if (leaf_is_sampled(l) || leaves == 1u << l)
			sum.sampled += v->sampled; /* NaN when one of them is not sampled */
	}
	sum.ci95_ns = sum_ci95_ns(c, leaves);
	if (measured(sum.ns) && lacks(c, leaves)) {
		sum.how = SPLIT_AT_LEAST;
		sum.ci95_ns = NAN;
	}
	if (measured(sum.sampled)) {
		sum.sampled = fmin(sum.sampled, 1);
		sum.sampled_ci95 = split_share_ci95(c, sum.sampled);
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
