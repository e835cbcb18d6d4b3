// SPDX-License-Identifier: BSD-2-Clause
#include "own.h"

#include <math.h>
#include <string.h>

#include "report/model/filter.h"

/* NaN is nothing here: what is not known cannot be taken out. */
static double or_0(double v)
{
	return isnan(v) ? 0 : v;
}

/* The intervals of one probe add up: they are of the same measurement. */
static void add(struct split_own *own, unsigned int event, double runs, double ns, double ci95)
{
	own->ns[event] += runs * ns;
	own->ci95_ns[event] += runs * or_0(ci95);
}

/* A probe's own event: in whose time is what it takes inside of what it measures? */
static void add_inside(struct split_own *own, const struct model_cpu *c, enum netcost_probe probe,
		       unsigned int event, double runs, const struct model_probe_cost *one)
{
	double rx = or_0(counter_moved(&c->calls[NETCOST_EV_RX_SOFTIRQ]));
	double tx = or_0(counter_moved(&c->calls[NETCOST_EV_TX_SOFTIRQ]));
	double inside_ns = or_0(one->inside_ns), inside_ci95 = or_0(one->inside_ci95);

	if (probe == NETCOST_PROBE_OPERATION) {
		add(own, event, runs, inside_ns, inside_ci95);
	} else if (probe == NETCOST_PROBE_HARDIRQ) {
		add(own, NETCOST_EV_HARDIRQ_NET, runs, inside_ns, inside_ci95);
	} else if (rx + tx > 0) {
		add(own, NETCOST_EV_RX_SOFTIRQ, runs * rx / (rx + tx), inside_ns, inside_ci95);
		add(own, NETCOST_EV_TX_SOFTIRQ, runs * tx / (rx + tx), inside_ns, inside_ci95);
	}
}

static void add_probe(struct split_own *own, const struct model_cpu *c, enum netcost_probe probe,
		      const struct model_probe_cost *one)
{
	bool measures = !isnan(one->inside_ns);

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		double runs = or_0(counter_moved(&c->runs_of[probe][e]));
		/* What an operation is counted as is what it measures: the rest is its task's. */
		unsigned int around = probe == NETCOST_PROBE_OPERATION ? NETCOST_EV_TASK : e;

		if (!(runs > 0))
			continue;
		add(own, around, runs, one->ns - or_0(one->inside_ns), one->ci95);
		if (measures)
			add_inside(own, c, probe, e, runs, one);
	}
}

/* As exact times of the RX softirq are summed up, and with them samples: see rx_ns() in summary.c. */
static void sum_rx(struct split_own *own)
{
	static const enum netcost_event also[] = { NETCOST_EV_RX_THREAD, NETCOST_EV_RX_BUSY_POLL };

	for (unsigned int i = 0; i < 2; i++) {
		own->ns[NETCOST_EV_RX_SOFTIRQ] += own->ns[also[i]];
		own->ci95_ns[NETCOST_EV_RX_SOFTIRQ] += own->ci95_ns[also[i]];
		own->ns[also[i]] = own->ci95_ns[also[i]] = 0;
	}
}

static bool is_wanted(const struct model *m)
{
	return !(m->filter && m->filter->with_own_cost) && !filter_has_tasks(m->filter);
}

/* Those of --latency, --tail and --stages: others in no class take next to nothing. */
static bool kept_apart(const struct model *m, const struct model_program *p)
{
	const char *name = model_string(m, p->name);

	return !strncmp(name, "latency_", 8) || !strncmp(name, "stages_", 7);
}

void own_make(struct split_own *own, const struct model *m, const struct model_cpu *c)
{
	const struct model_probe_cost *sample = &m->probe_cost[NETCOST_PROBE_SAMPLE];

	*own = (struct split_own){ .there = false };
	if (!is_wanted(m))
		return;
	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT; p++) {
		const struct model_probe_cost *one = &m->probe_cost[p];

		if (!one->there || isnan(one->ns))
			continue;
		own->there = true;
		if (p != NETCOST_PROBE_SAMPLE)
			add_probe(own, c, p, one);
	}
	sum_rx(own);
	for (size_t i = 0; i < m->nprograms; i++)
		own->lacks |= kept_apart(m, &m->program[i]);
	own->sample_ns = or_0(sample->ns);
	own->sample_ci95_ns = or_0(sample->ci95);
}

void own_make_samples(struct split_own_samples *own, const struct model *m,
		      const struct model_cpu *c)
{
	struct model_own_samples samples;

	*own = (struct split_own_samples){ .known = model_own_known(m) };
	if (!own->known)
		return;
	model_own_samples(m, c, &samples);
	memcpy(own->all, samples.all, sizeof(own->all));
	memcpy(own->others, samples.others, sizeof(own->others));
	memcpy(own->paused, samples.paused, sizeof(own->paused));
}
