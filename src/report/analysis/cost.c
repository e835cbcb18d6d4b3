// SPDX-License-Identifier: BSD-2-Clause
/* Computes the cost of the recorder's own BPF programs, and of other BPF programs. */
#include "cost.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/bpf_types.h>
#include <netcost/text_append.h>

#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/rules/rules.h"
#include "report/spec/spec.h"

/* ---- numbers ----------------------------------------------------------------------------- */

/* Returns the time of all recorded CPUs. */
static double cpu_ns(const struct model *m, double ns)
{
	return ns * (double)m->recorded_cpus;
}

/*
 * Returns the time of the programs' own code. The kernel's statistics also include part of the time that the kernel
 * takes to read the clock for them.
 */
static double code_ns(const struct model_program *p, double runs, double run_ns)
{
	return isnan(p->counted_ns) ? run_ns : fmax(0, run_ns - runs * p->counted_ns);
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
		.share = known_ratio(code_ns(p, runs, run_ns), cpu_ns(m, counted_ns)),
		.cost = known_ratio(code_ns(p, runs, run_ns) + runs * p->entry_ns,
				    cpu_ns(m, counted_ns)),
		.statistics =
			known_ratio(runs * p->statistics_ns, cpu_ns(m, counter_moved(&m->at_ns))),
		.recursion = counter_moved(&p->recursion),
		.missed = counter_moved(&p->missed),
	};
}

/* Returns how often a probe ran on a CPU. */
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
	/* the time of the CPUs that the filter selects, because runs are counted only there */
	double all_ns = counter_moved(&m->at_ns) * (double)m->header.ncpus;
	const struct model_cpu *c;

	model_for_each_cpu(m, c) known_add(&p.runs, runs_on(c, probe));
	p.ns = p.runs > 0 ? p.runs * p.ns_per_run : p.runs;
	p.share = known_ratio(p.ns, all_ns);
	p.ci95 = p.runs > 0 ? known_ratio(p.runs * p.ci95_per_run, all_ns) : 0;
	return p;
}

/*
 * Returns true if the source was measured, according to its recorded state. The model need not keep the records of the
 * source.
 */
static bool is_measured(const struct model *m, const char *source)
{
	const struct model_source *s = model_find_source(m, source);

	return s && !strcmp(model_string(m, s->state), "measured");
}

/*
 * Returns true if the cost of calling each of the recorder's programs is known. For the sampler, this cost is part of
 * the cost of a sample.
 */
static bool knows_entries(const struct model *m)
{
	for (size_t i = 0; i < m->nprograms; i++)
		if (isnan(m->program[i].entry_ns) &&
		    model_own_program_of(model_string(m, m->program[i].name)) !=
			    OWN_PROGRAM_SAMPLER)
			return false;
	return m->nprograms > 0;
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
	/*
	 * In traces of older recorders, programs of --owners were in no class, and the cost of calling the programs in
	 * no class is unknown.
	 */
	c->lacks += m->records[TRACE_RX_FATES] && !m->probe_cost[NETCOST_PROBE_OWNERS].there;
	c->lacks += is_measured(m, "page-cache") && !knows_entries(m);
}

/* ---- by samples -------------------------------------------------------------------------- */

/*
 * Returns the share of a CPU's time that the recorder's own programs took, according to the samples below these
 * programs, as in the split. Returns NaN if such samples cannot be identified.
 */
static double sampled(const struct model *m, const struct model_cpu *c, bool others,
		      double *samples)
{
	double all = 0, own = 0, hz = (double)m->header.sample_hz;
	struct split_own_samples of;

	if (!model_own_known(m) || filter_has_tasks(m->filter) || !hz ||
	    !strcmp(model_string(m, m->header.sample_event), "cycles") ||
	    !strcmp(model_string(m, m->header.sampled), "network"))
		return NAN;
	model_own_samples(m, c, of.all, of.others, of.paused);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		own += (double)(others ? of.others[l] + c->paused_own[OWN_OTHERS][l] :
					 of.all[l] + of.paused[l]);
	for (size_t i = 0; i < c->nclasses; i++)
		all += (double)c->class[i];
	*samples += own;
	/* A sampler may skip idle CPUs, so the share is relative to the number of expected samples. */
	all = fmax(all, counter_moved(&m->at_ns) * 1e-9 * hz - (double)model_lost(c));
	return known_ratio(own, all);
}

/* Returns the share that sampled() returns, for all CPUs together. */
static double sampled_of_all(const struct model *m, bool others, double *ci95)
{
	const struct model_cpu *c;
	double share = NAN, samples = 0, n = (double)m->header.ncpus;

	model_for_each_cpu(m, c) known_add(&share, sampled(m, c, others, &samples) / n);
	*ci95 = samples > 0 ? share * STATS_Z95 / sqrt(samples) : NAN;
	return share;
}

/* ---- programs ---------------------------------------------------------------------------- */

/* Returns the kind of a program. All programs in no class are OWN_PROGRAM_PACKETS. */
static enum own_program kind_of(const struct model *m, const struct model_program *p)
{
	enum own_program kind = model_own_program_of(model_string(m, p->name));

	return kind == OWN_PROGRAM_REST ? OWN_PROGRAM_PACKETS : kind;
}

/*
 * Returns the share of CPU time of one kind of programs, according to the kernel's statistics. If exact counting had
 * pauses, programs in a class of probes did not run for most of the time. In this case the share includes only the runs
 * that the statistics counted.
 */
static double statistics(const struct model *m, enum own_program kind)
{
	double share = NAN, all_ns = cpu_ns(m, counter_moved(&m->at_ns));

	for (size_t i = 0; i < m->nprograms; i++) {
		struct cost_program p = cost_program(m, &m->program[i]);

		if (kind_of(m, &m->program[i]) == kind)
			known_add(&share, kind == OWN_PROGRAM_PROBE && m->npauses ?
						  known_ratio(p.run_ns, all_ns) :
						  p.share);
	}
	return share;
}

/*
 * Replaces *share, the cost of the runs, by the share from the kernel's statistics if that share is larger. The
 * statistics cover all CPUs.
 */
static void take_larger(struct cost *c, const struct model *m, double *share, enum own_program kind)
{
	double by = model_is_of_some_cpus(m) ? NAN : statistics(m, kind);

	if (!c->measured || !(by > known_or_0(*share)))
		return;
	*share = by;
	c->by_statistics = true;
}

/*
 * Sets the cost of programs in no class. It is the cost of the programs' runs while the statistics were on,
 * extrapolated to the whole time.
 */
static void count_others(struct cost *c, const struct model *m)
{
	double share = NAN;

	for (size_t i = 0; i < m->nprograms; i++)
		if (kind_of(m, &m->program[i]) == OWN_PROGRAM_PACKETS)
			known_add(&share, cost_program(m, &m->program[i]).cost);
	if (isnan(share))
		return;
	c->others = share;
	c->others_counted = true;
}

static void add_others(struct cost *c, const struct model *m)
{
	for (size_t i = 0; i < m->nprograms; i++)
		c->has_others |= kind_of(m, &m->program[i]) == OWN_PROGRAM_PACKETS;
	c->others = c->others_statistics = c->others_samples = c->others_samples_ci95 = NAN;
	if (!c->has_others)
		return;
	c->others_statistics = statistics(m, OWN_PROGRAM_PACKETS);
	c->others_samples = sampled_of_all(m, true, &c->others_samples_ci95);
	/* if one value is NaN, fmax() returns the other value */
	c->others = fmax(c->others_statistics, c->others_samples);
	if (model_is_of_some_cpus(m)) { /* statistics cover all CPUs, not only the selected ones */
		if (!isnan(c->others_samples))
			c->others = c->others_samples;
	} else if (knows_entries(m)) {
		count_others(c, m);
	}
}

/* Adds the additional time that each run took while the kernel's statistics were on. */
static void add_statistics(struct cost *c, const struct model *m)
{
	c->statistics = 0;
	for (size_t i = 0; i < m->nprograms; i++)
		c->statistics += known_or_0(cost_program(m, &m->program[i]).statistics);
}

/*
 * Relative error of the counted cost. In measurements, the slowdown of a load differed by at most this share from the
 * counted cost (src/record/exact/probe_cost.c).
 */
#define MODEL_CI95 0.1

/*
 * A part of the cost may be known only as a lower bound. If this part is at most UNSURE_SHARE of the cost, it widens
 * the confidence interval. If this part is larger, the whole cost is only a lower bound.
 */
#define UNSURE_SHARE 0.05

static void find_interval(struct cost *c)
{
	bool unsure = c->has_others && !c->others_counted && !(c->others <= UNSURE_SHARE * c->all);

	c->at_least |= c->lacks || c->by_statistics || unsure;
	c->ci95 += (c->others_counted ? MODEL_CI95 : 1) * known_or_0(c->others);
	if (c->at_least || isnan(c->all))
		c->ci95 = NAN;
}

/* Returns the CPU's share of the packets that all recorded CPUs processed. */
static double part_of_packets(const struct model *m, const struct model_cpu *c)
{
	const struct model_cpu *other;
	double all = NAN;

	model_for_each_cpu(m, other) known_add(&all, counter_moved(&other->processed));
	return known_or_0(known_ratio(counter_moved(&c->processed), all));
}

/*
 * Returns the share of a CPU's time that probes, samples and the recorder's other programs take, as far as the cost is
 * known for each CPU. The cost of the other programs is counted on all CPUs together. It is divided among the CPUs in
 * proportion to the samples below these programs or, without such samples, to the packets that each CPU processed.
 */
static double share_of(const struct cost *all, const struct model *m, const struct model_cpu *c)
{
	double ns = NAN, share, others, samples = 0, n = (double)m->header.ncpus;
	double programs = known_or_0(all->probes) + known_or_0(all->others);

	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT; p++)
		if (m->probe_cost[p].there && p != NETCOST_PROBE_SAMPLE)
			known_add(&ns, runs_on(c, p) * m->probe_cost[p].ns);
	share = known_ratio(ns, counter_moved(&m->at_ns));
	others = sampled(m, c, true, &samples);
	if (all->others_counted && all->others_samples > 0)
		others *= all->others / all->others_samples;
	else if (all->others_counted && isnan(all->others_samples))
		others = all->others * n * part_of_packets(m, c);
	known_add(&share, others);
	if (programs > 0) /* each CPU gets its part of the time that updating the statistics took */
		share *= 1 + all->statistics / programs;
	if (m->probe_cost[NETCOST_PROBE_SAMPLE].there)
		known_add(&share, known_ratio(runs_on(c, NETCOST_PROBE_SAMPLE) *
						      m->probe_cost[NETCOST_PROBE_SAMPLE].ns,
					      counter_moved(&m->at_ns)));
	return share;
}

/*
 * Finds the largest share of a CPU. The result is at least the average share, which may include statistics of all CPUs
 * together.
 */
static void find_busiest(struct cost *c, const struct model *m)
{
	const struct model_cpu *cpu;

	c->busiest = NAN;
	known_add(&c->busiest, c->probes);
	known_add(&c->busiest, c->samples);
	known_add(&c->busiest, c->others);
	model_for_each_cpu(m, cpu) c->busiest = fmax(c->busiest, share_of(c, m, cpu));
}

/*
 * Computes the cost from the programs, for a trace without measured costs of probes: the larger of the cost by
 * statistics and the cost by samples.
 */
static void by_programs(struct cost *c, const struct model *m)
{
	c->all = c->recorder;
	if (!c->has_programs)
		return;
	c->by_samples = sampled_of_all(m, false, &c->by_samples_ci95);
	/* if one value is NaN, fmax() returns the other value */
	c->all_programs = fmax(c->programs, c->by_samples);
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

		c.programs += p.share; /* NaN if one of the shares is unknown */
		known_add(&c.recursion, p.recursion);
		known_add(&c.missed, p.missed);
	}
	add_probes(&c, m);
	take_larger(&c, m, &c.probes, OWN_PROGRAM_PROBE);
	take_larger(&c, m, &c.samples, OWN_PROGRAM_SAMPLER);
	add_others(&c, m);
	c.measured |= c.others_counted;
	add_statistics(&c, m);
	find_busiest(&c, m);
	if (!c.measured) {
		by_programs(&c, m);
	} else {
		c.all = c.recorder;
		known_add(&c.all, c.probes);
		known_add(&c.all, c.samples);
		known_add(&c.all, c.others);
		c.all += c.statistics;
	}
	find_interval(&c);
	return c;
}

/*
 * BPF statistics take about as long as a run of a small program. If programs have more than SLOWED_SHARE of the CPU
 * time, statistics slow the load down. If at least ALL_COUNTED of the time was counted, the share is not extrapolated
 * to the whole recording.
 */
#define SLOWED_SHARE 0.02
#define ALL_COUNTED 0.9

bool cost_slowed(const struct model *m)
{
	struct cost c = cost_make(m);

	return c.programs > SLOWED_SHARE && c.counted_s < ALL_COUNTED * c.of_s;
}

/* ---- missed runs, as text ---------------------------------------------------------------- */

/*
 * Appends the number of missed runs, in total and by program: "15 WHAT (fentry_1 12, sys_enter 3)". Programs that do
 * not fit into dst are left out.
 */
static void name_those(const struct model *m, char *dst, size_t size, const char *what, double all,
		       bool missed)
{
	const char *sep = " (";

	if (!(all > 0))
		return;
	text_append(dst, size, "; ", "%s %s", NUM(all, 0), what);
	for (size_t i = 0; i < m->nprograms && strlen(dst) + 40 < size; i++) {
		struct cost_program p = cost_program(m, &m->program[i]);
		double n = missed ? p.missed : p.recursion;

		if (!(n > 0))
			continue;
		text_append(dst, size, sep, "%.24s %s", SAFE(model_string(m, m->program[i].name)),
			    NUM(n, 0));
		sep = ", ";
	}
	text_append(dst, size, "", ")");
}

char *cost_misses(const struct model *m, char *dst, size_t size)
{
	const size_t tail = 100; /* room for the end of the text */
	struct cost c = cost_make(m);
	size_t n;

	*dst = '\0';
	name_those(
		m, dst, size / 2,
		"runs of BPF programs were skipped, because a program was already running on the CPU",
		c.recursion, false);
	name_those(m, dst, size - tail, "hits of kprobes were missed", c.missed, true);
	n = strlen(dst);
	if (n)
		snprintf(dst + n, size - n,
			 ". Their calls, times and bytes are missing, or in the wrong leaf");
	return dst;
}

/* ---- the recorder's own part ------------------------------------------------------------- */

/*
 * Adds the cost of runs to an event. The errors of runs of one probe add up, because all of them come from the same
 * measurement.
 */
static void add_own(struct split_own *own, unsigned int event, double runs, double ns, double ci95)
{
	own->ns[event] += runs * ns;
	own->ci95_ns[event] += runs * known_or_0(ci95);
}

/*
 * Adds a probe's cost to the event that the probe measures, for the part of the cost that lies inside the measured
 * time.
 */
static void add_own_inside(struct split_own *own, const struct cost_runs *r,
			   enum netcost_probe probe, unsigned int event, double runs,
			   const struct model_probe_cost *one)
{
	double rx = r->rx_softirqs, tx = r->tx_softirqs;
	double inside_ns = known_or_0(one->inside_ns), inside_ci95 = known_or_0(one->inside_ci95);

	if (probe == NETCOST_PROBE_OPERATION) {
		add_own(own, event, runs, inside_ns, inside_ci95);
	} else if (probe == NETCOST_PROBE_HARDIRQ) {
		add_own(own, NETCOST_EV_HARDIRQ_NET, runs, inside_ns, inside_ci95);
	} else if (rx + tx > 0) {
		add_own(own, NETCOST_EV_RX_SOFTIRQ, runs * rx / (rx + tx), inside_ns, inside_ci95);
		add_own(own, NETCOST_EV_TX_SOFTIRQ, runs * tx / (rx + tx), inside_ns, inside_ci95);
	}
}

static void add_own_probe(struct split_own *own, const struct cost_runs *r,
			  enum netcost_probe probe, const struct model_probe_cost *one)
{
	bool measures = !isnan(one->inside_ns);

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		double runs = r->of[probe][e];
		/* Only the inside part belongs to the operation's time. The rest belongs to the task's time. */
		unsigned int around = probe == NETCOST_PROBE_OPERATION ? NETCOST_EV_TASK : e;

		if (!(runs > 0))
			continue;
		add_own(own, around, runs, one->ns - known_or_0(one->inside_ns), one->ci95);
		if (measures)
			add_own_inside(own, r, probe, e, runs, one);
	}
}

/* Sums the events of the leaf RX softirq, as rx_ns() does. */
static void sum_own_rx(struct split_own *own)
{
	static const enum netcost_event also[] = { NETCOST_EV_RX_THREAD, NETCOST_EV_RX_BUSY_POLL };

	for (unsigned int i = 0; i < 2; i++) {
		own->ns[NETCOST_EV_RX_SOFTIRQ] += own->ns[also[i]];
		own->ci95_ns[NETCOST_EV_RX_SOFTIRQ] += own->ci95_ns[also[i]];
		own->ns[also[i]] = own->ci95_ns[also[i]] = 0;
	}
}

static bool own_is_wanted(const struct model *m)
{
	return !(m->filter && m->filter->with_own_cost) && !filter_has_tasks(m->filter);
}

void cost_count_runs(struct cost_runs *r, const struct model_cpu *c)
{
	for (unsigned int p = 0; p < NETCOST_PROBE_COUNT; p++)
		for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
			r->of[p][e] = known_or_0(counter_moved(&c->runs_of[p][e]));
	r->rx_softirqs = known_or_0(counter_moved(&c->calls[NETCOST_EV_RX_SOFTIRQ]));
	r->tx_softirqs = known_or_0(counter_moved(&c->calls[NETCOST_EV_TX_SOFTIRQ]));
}

static struct split_own own_of_runs(const struct model *m, const struct cost_runs *r,
				    const struct model_probe_cost *cost, unsigned int probes)
{
	struct split_own own = { .there = false };

	for (enum netcost_probe p = 0; own_is_wanted(m) && p < NETCOST_PROBE_COUNT; p++) {
		const struct model_probe_cost *one = &cost[p];

		if (!(probes >> p & 1) || !one->there || isnan(one->ns))
			continue;
		own.there = true;
		if (p != NETCOST_PROBE_SAMPLE)
			add_own_probe(&own, r, p, one);
	}
	return own;
}

struct split_own cost_own_probes(const struct model *m, const struct model_cpu *c,
				 unsigned int probes)
{
	struct cost_runs r;

	cost_count_runs(&r, c);
	return own_of_runs(m, &r, m->probe_cost, probes);
}

void cost_own(struct split_own *own, const struct model *m, const struct cost_runs *r,
	      const struct model_probe_cost *cost)
{
	const struct model_probe_cost *sample = &cost[NETCOST_PROBE_SAMPLE];

	*own = own_of_runs(m, r, cost, ~0u);
	if (!own_is_wanted(m))
		return;
	sum_own_rx(own);
	/* programs in no class that are not OWN_PROGRAM_PACKETS take almost no time */
	for (size_t i = 0; i < m->nprograms; i++)
		own->lacks |= model_own_program_of(model_string(m, m->program[i].name)) ==
			      OWN_PROGRAM_PACKETS;
	own->sample_ns = known_or_0(sample->ns);
	own->sample_ci95_ns = known_or_0(sample->ci95);
}

bool cost_at_least(const struct model *m)
{
	struct cost c = cost_make(m);

	if (!own_is_wanted(m))
		return false;
	if (!c.measured)
		return c.programs > c.by_samples + c.by_samples_ci95;
	return c.lacks || c.by_statistics ||
	       known_or_0(c.others) > known_or_0(c.others_samples) +
					      known_or_0(c.others_samples_ci95) +
					      UNSURE_SHARE * c.all;
}

struct cost cost_of(const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;
	struct cost c = cost_make(s->m);
	double rest;

	c.leaf = own_is_wanted(s->m) ? all->leaf[LEAF_OWN].ns / all->wall_ns : NAN;
	rest = c.all - c.leaf - known_or_0(c.recorder) - c.statistics;
	if (rest < 0) { /* samples found more than the cost of runs, so the larger figure is used */
		c.all -= rest;
		c.others = known_or_0(c.others) - rest;
		c.all_programs = known_or_0(c.all_programs) - rest;
		c.has_others = true;
		rest = 0;
	}
	c.unsampled = rest;
	return c;
}

/* ---- other BPF programs ---------------------------------------------------------------- */

static bool is_on_the_way(const char *kind)
{
	static const struct {
		const char *name;
		bool network;
	} types[] = {
#define X(number, name, network) { name, network },
		NETCOST_BPF_TYPES(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(types[i].name, kind))
			return types[i].network;
	return false;
}

/* Returns the number of the host's CPUs, not only of those that were recorded. */
static double host_cpus(const struct model *m)
{
	return (double)(m->header.cpus_online ? m->header.cpus_online : m->recorded_cpus);
}

/* Returns the network's share of the CPUs' time. NaN: unknown, or the report covers only some CPUs or tasks. */
static double network_share(const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	if (model_is_of_some_cpus(s->m) || isnan(s->networking_cost))
		return NAN;
	return known_ratio(split_sum(all, LEAF_NETWORK).ns, all->wall_ns);
}

/* Number of runs, and time, of a program in each interval of the counted time. */
struct pieces {
	double runs[MODEL_PIECES], run_ns[MODEL_PIECES], seen_ns[MODEL_PIECES];
};

_Static_assert(MODEL_PIECES <= STATS_PIECES_MAX, "");

static void make_pieces(struct pieces *p, const struct model *m, const struct model_other *o)
{
	struct model_other_piece before = { 0 };
	uint64_t before_ns = 0;

	for (size_t i = 0; i < m->others_pieces; i++) {
		const struct model_other_piece *now = &o->piece[i];
		double seen_ns = (double)(m->others_piece_ns[i] - before_ns) -
				 (double)(now->unseen_ns - before.unseen_ns);

		p->runs[i] = (double)(now->runs - before.runs);
		p->run_ns[i] = (double)(now->run_ns - before.run_ns);
		p->seen_ns[i] = seen_ns > 0 ? seen_ns : NAN;
		before = *now;
		before_ns = m->others_piece_ns[i];
	}
}

static double ratio_ci95(const double *y, const double *x, size_t n)
{
	double df, variance = stats_ratio_variance(y, x, n, &df);

	return sqrt(variance) * stats_t95(df);
}

/*
 * Returns the finite population correction of the error. The correction applies because only the time that was not
 * counted is estimated.
 */
static double estimated(const struct model *m)
{
	double counted =
		known_ratio(counter_moved(&m->others_counted_ns), counter_moved(&m->at_ns));

	return isnan(counted) ? 1 : sqrt(fmax(1 - counted, 0));
}

static void add_intervals(struct bill_row *r, const struct model *m, const struct model_other *o)
{
	double rest = estimated(m);
	struct pieces p;

	if (!(rest > 0)) {
		r->ns_ci95 = r->share_ci95 = 0;
		return;
	}
	make_pieces(&p, m, o);
	r->ns_ci95 = rest * ratio_ci95(p.run_ns, p.runs, m->others_pieces);
	r->share_ci95 = rest * ratio_ci95(p.run_ns, p.seen_ns, m->others_pieces) / host_cpus(m);
	if (r->ns_ci95 > r->ns_per_run)
		r->ns_per_run = r->ns_ci95 = NAN;
}

static struct bill_row make_row(const struct summary *s, const struct model_other *o,
				double counted_ns)
{
	const struct model *m = s->m;
	double unseen_ns = counter_moved(&o->unseen_ns), known_ns = counted_ns - unseen_ns;
	bool known = known_ns > 0;
	struct bill_row r = {
		.name = model_string(m, o->name),
		.kind = model_string(m, o->kind),
		.attached = model_string(m, o->attached),
		.runs = known ? counter_moved(&o->runs) : NAN,
		.run_ns = known ? counter_moved(&o->run_ns) : NAN,
		.unseen_s = unseen_ns * 1e-9,
	};

	r.on_the_way = is_on_the_way(r.kind);
	r.runs_per_s = known_ratio(r.runs, known_ns * 1e-9);
	r.ns_per_run = known_ratio(r.run_ns, r.runs);
	r.share = known_ratio(r.run_ns, known_ns * host_cpus(m));
	add_intervals(&r, m, o);
	r.network_share = r.on_the_way ? known_ratio(r.share, network_share(s)) : NAN;
	return r;
}

/*
 * Compares two rows by share. Rows with an unknown share come last. Equal rows are never sorted by name, because scrub
 * changes names.
 */
static int by_share(const void *pa, const void *pb)
{
	const struct bill_row *a = pa, *b = pb;
	double x = isnan(a->share) ? -1 : a->share, y = isnan(b->share) ? -1 : b->share;

	if (x != y)
		return x < y ? 1 : -1;
	return a->place < b->place ? -1 : 1;
}

static void add(struct bill *b, const struct bill_row *r)
{
	known_add(r->on_the_way ? &b->on_the_way : &b->elsewhere, r->share);
	known_add(&b->network_share, r->network_share);
	b->ended += r->unseen_s > 0;
	if (r->runs > 0)
		(*(r->on_the_way ? &b->ran_on_the_way : &b->ran_elsewhere))++;
}

/*
 * Drops shares of the network's time if they sum to more than 1. This means that the load was different while the
 * programs were counted.
 */
static void drop_impossible(struct bill *b)
{
	if (!(b->network_share > 1))
		return;
	b->network_share = NAN;
	for (size_t i = 0; i < b->n; i++)
		b->row[i].network_share = NAN;
}

int bill_make(struct bill *b, const struct summary *s)
{
	const struct model *m = s->m;
	double counted_ns = counter_moved(&m->others_counted_ns);
	/*
	 * If the host has no programs, their cost is known to be 0. If programs were not counted, their cost is
	 * unknown.
	 */
	double none = counted_ns > 0 ? 0 : NAN;

	*b = (struct bill){ .on_the_way = none,
			    .elsewhere = none,
			    .network_share = isnan(network_share(s)) ? NAN : none,
			    .counted_s = counted_ns * 1e-9,
			    .of_s = counter_moved(&m->at_ns) * 1e-9 };
	b->row = malloc((m->nothers + 1) * sizeof(*b->row));
	if (!b->row)
		return -ENOMEM;
	for (size_t i = 0; i < m->nothers; i++) {
		b->row[b->n] = make_row(s, &m->other[i], counted_ns);
		b->row[b->n].place = i;
		add(b, &b->row[b->n++]);
	}
	drop_impossible(b);
	qsort(b->row, b->n, sizeof(*b->row), by_share);
	return 0;
}

void bill_free(struct bill *b)
{
	free(b->row);
}
