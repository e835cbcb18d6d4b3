// SPDX-License-Identifier: BSD-2-Clause
#include "cost.h"

#include <math.h>
#include <string.h>

#include "known.h"
#include "own.h"
#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/rules/stack_class.h"

/* bpf/sample.bpf.c: a sample's cost holds what it takes. */
#define SAMPLER_PROGRAM "netcost_sample"

/* ---- numbers ----------------------------------------------------------------------------- */

/* Of all CPUs that were recorded. */
static double cpu_ns(const struct model *m, double ns)
{
	return ns * (double)m->recorded_cpus;
}

struct cost_program cost_program(const struct model *m, const struct model_program *p)
{
	double counted_ns = counter_moved(&m->counted_ns);
	bool known = counted_ns > 0;
	double runs = known ? counter_moved(&p->runs) : NAN;
	double run_ns = known ? counter_moved(&p->run_ns) : NAN;

	return (struct cost_program){
		.runs = runs,
		.run_ns = run_ns,
		.ns_per_run = known_ratio(run_ns, runs),
		.share = known_ratio(run_ns, cpu_ns(m, counted_ns)),
		.recursion = counter_moved(&p->recursion),
		.missed = counter_moved(&p->missed),
	};
}

/* On a CPU. */
static double runs_on(const struct model_cpu *c, enum netcost_probe probe)
{
	double runs = NAN;

	if (probe == NETCOST_PROBE_SAMPLE)
		return counter_moved(&c->written);
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		known_add(&runs, counter_moved(&c->runs_of[probe][e]));
	return runs;
}

struct cost_probe cost_probe(const struct model *m, enum netcost_probe probe)
{
	const struct model_probe_cost *one = &m->probe_cost[probe];
	struct cost_probe p = { .there = one->there,
				.runs = NAN,
				.ns_per_run = one->there ? one->ns : NAN,
				.ci95_per_run = one->there ? one->ci95 : NAN };
	/* Of the CPUs that the filter takes: runs of others are not counted, either. */
	double all_ns = counter_moved(&m->at_ns) * (double)m->header.ncpus;
	const struct model_cpu *c;

	model_for_each_cpu(m, c) known_add(&p.runs, runs_on(c, probe));
	p.ns = p.runs > 0 ? p.runs * p.ns_per_run : p.runs;
	p.share = known_ratio(p.ns, all_ns);
	p.ci95 = p.runs > 0 ? known_ratio(p.runs * p.ci95_per_run, all_ns) : 0;
	return p;
}

/* Also where what it measured is not kept. */
static bool is_measured(const struct model *m, const char *source)
{
	const struct model_source *s = model_find_source(m, source);

	return s && !strcmp(model_string(m, s->state), "measured");
}

static void add_probes(struct cost *c, const struct model *m)
{
	c->probes = c->samples = NAN;
	for (enum netcost_probe i = 0; i < NETCOST_PROBE_COUNT; i++) {
		struct cost_probe p = cost_probe(m, i);

		c->measured |= p.there && !isnan(p.ns_per_run);
		c->lacks += p.there && p.runs > 0 && isnan(p.ns);
		known_add(i == NETCOST_PROBE_SAMPLE ? &c->samples : &c->probes, p.share);
		if (!isnan(p.ns))
			c->ci95 = hypot(c->ci95, p.ci95);
	}
	/* Those of older recorders were in no class, and programs of page-cache hits are in none. */
	c->lacks += m->records[TRACE_RX_FATES] && !m->probe_cost[NETCOST_PROBE_OWNERS].there;
	c->lacks += is_measured(m, "page-cache");
}

/* ---- by samples -------------------------------------------------------------------------- */

/* Samples below own programs stand for as much of a CPU's time as in the split of it. NaN: there are none to know it by. */
static double sampled(const struct model *m, const struct model_cpu *c, bool others,
		      double *samples)
{
	double all = 0, own = 0, hz = (double)m->header.sample_hz;
	struct model_own_samples of;

	if (!model_own_known(m) || filter_has_tasks(m->filter) || !hz ||
	    !strcmp(model_string(m, m->header.sample_event), "cycles") ||
	    !strcmp(model_string(m, m->header.sampled), "network"))
		return NAN;
	model_own_samples(m, c, &of);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		own += (double)(others ? of.others[l] + c->paused_own[OWN_OTHERS][l] :
					 of.all[l] + of.paused[l]);
	for (size_t i = 0; i < c->nclasses; i++)
		all += (double)c->class[i];
	*samples += own;
	/* A sampler may leave idle CPUs alone: so not of the samples, but of those that are due. */
	all = fmax(all, counter_moved(&m->at_ns) * 1e-9 * hz - (double)model_lost(c));
	return known_ratio(own, all);
}

/* Of all CPUs that are counted. */
static double sampled_of_all(const struct model *m, bool others, double *ci95)
{
	const struct model_cpu *c;
	double share = NAN, samples = 0, n = (double)m->header.ncpus;

	model_for_each_cpu(m, c) known_add(&share, sampled(m, c, others, &samples) / n);
	*ci95 = samples > 0 ? share * STATS_Z95 / sqrt(samples) : NAN;
	return share;
}

/* ---- programs ---------------------------------------------------------------------------- */

enum kind {
	IN_CLASS,
	SAMPLER,
	OTHERS,
};

static enum kind kind_of(const struct model *m, const struct model_program *p)
{
	const char *name = model_string(m, p->name);

	if (!strcmp(name, SAMPLER_PROGRAM))
		return SAMPLER;
	return model_own_in_class(name) ? IN_CLASS : OTHERS;
}

/*
 * The share that programs of a kind had by the kernel's statistics. Where exact counting was paused, those in
 * a class did not run for most of the time, and what they ran while they were counted is all that is known.
 */
static double statistics(const struct model *m, enum kind kind)
{
	double share = NAN, all_ns = cpu_ns(m, counter_moved(&m->at_ns));

	for (size_t i = 0; i < m->nprograms; i++) {
		struct cost_program p = cost_program(m, &m->program[i]);

		if (kind_of(m, &m->program[i]) == kind)
			known_add(&share, kind == IN_CLASS && m->npauses ?
						  known_ratio(p.run_ns, all_ns) :
						  p.share);
	}
	return share;
}

/* The larger of what runs of a class cost and what its programs took by the statistics, which are of all CPUs. */
static void take_larger(struct cost *c, const struct model *m, double *share, enum kind kind)
{
	double by = model_is_of_some_cpus(m) ? NAN : statistics(m, kind);

	if (!c->measured || !(by > known_or_0(*share)))
		return;
	*share = by;
	c->by_statistics = true;
}

static void add_others(struct cost *c, const struct model *m)
{
	for (size_t i = 0; i < m->nprograms; i++)
		c->has_others |= kind_of(m, &m->program[i]) == OTHERS;
	c->others = c->others_statistics = c->others_samples = c->others_samples_ci95 = NAN;
	if (!c->has_others)
		return;
	c->others_statistics = statistics(m, OTHERS);
	c->others_samples = sampled_of_all(m, true, &c->others_samples_ci95);
	c->others =
		fmax(c->others_statistics, c->others_samples); /* of NaN and a number the number */
	if (model_is_of_some_cpus(m) && !isnan(c->others_samples)) /* statistics are of all CPUs */
		c->others = c->others_samples;
}

/* Of a cost of which that much is known as a lower bound only, the interval holds the rest. */
#define UNSURE_SHARE 0.05

static void find_interval(struct cost *c)
{
	bool others = c->has_others && !(c->others <= UNSURE_SHARE * c->all);

	c->at_least |= c->lacks || c->by_statistics || others;
	c->ci95 += known_or_0(c->others);
	if (c->at_least || isnan(c->all))
		c->ci95 = NAN;
}

/* The share of a CPU's time that all but the recorder took, as far as that is known for each CPU. */
static double share_of(const struct model *m, const struct model_cpu *c)
{
	double ns = NAN, share, samples = 0;

	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT; p++)
		if (m->probe_cost[p].there)
			known_add(&ns, runs_on(c, p) * m->probe_cost[p].ns);
	share = known_ratio(ns, counter_moved(&m->at_ns));
	known_add(&share, sampled(m, c, true, &samples));
	return share;
}

/* Not below the average, which may be known by what does not tell the CPUs apart. */
static void find_busiest(struct cost *c, const struct model *m)
{
	const struct model_cpu *cpu;

	c->busiest = NAN;
	known_add(&c->busiest, c->probes);
	known_add(&c->busiest, c->samples);
	known_add(&c->busiest, c->others);
	model_for_each_cpu(m, cpu) c->busiest = fmax(c->busiest, share_of(m, cpu));
}

/* Without any class: by what the programs took, the larger of what is known. */
static void by_programs(struct cost *c, const struct model *m)
{
	double ci95;

	c->all = c->recorder;
	if (!c->has_programs)
		return;
	c->by_samples = sampled_of_all(m, false, &ci95);
	c->all_programs = fmax(c->programs, c->by_samples); /* of NaN and a number the number */
	c->all += c->all_programs;
	c->at_least = true;
}

struct cost cost_make(const struct model *m)
{
	double self_us = counter_moved(&m->self_user_us) + counter_moved(&m->self_system_us);
	double ticks_ns = counter_moved(&m->at_ns);
	struct cost c = {
		.has_programs = strcmp(model_string(m, m->header.exact), "off") ||
				!strcmp(model_string(m, m->header.sampler), "bpf") || m->nprograms,
		.programs = m->nprograms ? 0 : NAN,
		.recorder = known_ratio(self_us * 1e3, cpu_ns(m, counter_moved(&m->self_at_ns))),
		.counted_s = counter_moved(&m->counted_ns) * 1e-9,
		.of_s = ticks_ns * 1e-9,
		.recursion = NAN,
		.missed = NAN,
		.all_programs = NAN,
		.by_samples = NAN,
	};

	for (size_t i = 0; i < m->nprograms; i++) {
		struct cost_program p = cost_program(m, &m->program[i]);

		c.programs += p.share; /* one that is not known makes the sum so */
		known_add(&c.recursion, p.recursion);
		known_add(&c.missed, p.missed);
	}
	add_probes(&c, m);
	take_larger(&c, m, &c.probes, IN_CLASS);
	take_larger(&c, m, &c.samples, SAMPLER);
	add_others(&c, m);
	find_busiest(&c, m);
	if (!c.measured) {
		by_programs(&c, m);
	} else {
		c.all = c.recorder;
		known_add(&c.all, c.probes);
		known_add(&c.all, c.samples);
		known_add(&c.all, c.others);
	}
	find_interval(&c);
	return c;
}

/*
 * Counting a run takes about as long as a small program runs. Where the programs take more than this
 * share of the CPUs' time, counting slows the load down; if all runs of the recording were counted,
 * what was counted still holds for all of it.
 */
#define SLOWED_SHARE 0.02
#define ALL_COUNTED 0.9

bool cost_slowed(const struct model *m)
{
	struct cost c = cost_make(m);

	return c.programs > SLOWED_SHARE && c.counted_s < ALL_COUNTED * c.of_s;
}

/* ---- what was left out, in words -------------------------------------------------------- */

static double recursion(const struct cost_program *p)
{
	return p->recursion;
}

static double missed(const struct cost_program *p)
{
	return p->missed;
}

/* Appends how many were left out, and of which programs: " (fentry_1 12, sys_enter 3)", as far as there is room. */
static void name_those(const struct model *m, char *dst, size_t size, const char *what, double all,
		       double (*value)(const struct cost_program *p))
{
	size_t at = strlen(dst);
	const char *sep = " (";

	if (!(all > 0))
		return;
	at += (size_t)snprintf(dst + at, size - at, "%s%s %s", at ? "; " : "", NUM(all, 0), what);
	for (size_t i = 0; i < m->nprograms && at + 40 < size; i++) {
		struct cost_program p = cost_program(m, &m->program[i]);

		if (!(value(&p) > 0))
			continue;
		at += (size_t)snprintf(dst + at, size - at, "%s%.24s %s", sep,
				       SAFE(model_string(m, m->program[i].name)),
				       NUM(value(&p), 0));
		at = at < size ? at : size - 1;
		sep = ", ";
	}
	snprintf(dst + at, size - at, ")");
}

char *cost_misses(const struct model *m, char *dst, size_t size)
{
	const size_t tail = 100; /* room for what is said at the end */
	struct cost c = cost_make(m);
	size_t n;

	*dst = '\0';
	name_those(m, dst, size / 2,
		   "runs of BPF programs were left out, as one was running already", c.recursion,
		   recursion);
	name_those(m, dst, size - tail, "kprobes were hit and missed", c.missed, missed);
	n = strlen(dst);
	if (n)
		snprintf(dst + n, size - n,
			 ": calls, times and bytes of those are missing or in the wrong place");
	return dst;
}
