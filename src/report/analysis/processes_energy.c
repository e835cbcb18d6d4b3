// SPDX-License-Identifier: BSD-2-Clause
#include "processes_energy.h"

#include <math.h>
#include <string.h>

#include "known.h"
#include "report/base/stats.h"
#include "report/model/filter.h"

/* Of all zones. */
struct sum {
	double watts, watts_se, df; /* df: the least */
};

static double limit(double v, double most)
{
	return fmin(fmax(v, 0), most);
}

/* As far as the counter of the zone tells. */
static void add_zone(struct processes_energy *e, struct sum *s, const struct energy_zone *z)
{
	double error_w = stats_t_beyond(ENERGY_BEYOND, z->idle_df) * z->idle_se;

	if (isnan(z->joules))
		return;
	known_add(&e->total_j, z->joules);
	s->watts += z->watts;
	s->watts_se += isnan(z->watts_se) ? 0 : z->watts_se;
	s->df = s->df > 0 ? fmin(s->df, z->pieces - 2) : z->pieces - 2;
	if (z->idle_why)
		e->idle_why = z->idle_why;
	if (isnan(z->idle_w)) {
		e->idle_j = (struct energy_range){ NAN, NAN };
		return;
	}
	e->idle_j.low += limit((z->idle_w - error_w) * z->told_s, z->joules);
	e->idle_j.high += limit((z->idle_w + error_w) * z->told_s, z->joules);
}

/* The power that is given is that of all together. Not all that is drawn is drawn for the load. */
static void take_given(struct processes_energy *e, const struct sum *s, double given_w)
{
	double seconds = e->total_j / s->watts;
	double error_w = stats_t_beyond(ENERGY_BEYOND, fmax(s->df, 1)) * s->watts_se;

	e->idle_given = true;
	e->idle_why = given_w > s->watts ? "--idle-watts is more than was measured" : NULL;
	e->idle_j =
		e->idle_why ?
			(struct energy_range){ NAN, NAN } :
			(struct energy_range){ limit((given_w - error_w) * seconds, e->total_j),
					       limit((given_w + error_w) * seconds, e->total_j) };
}

static void add_zones(struct processes_energy *e, const struct model *m)
{
	const struct split none = { 0 };
	double given_w = m->filter ? m->filter->idle_watts : 0;
	struct sum s = { 0 };

	for (size_t i = 0; i < m->nzones; i++) {
		struct energy_zone z;

		if (!energy_is_total(m, &m->zone[i]))
			continue;
		energy_zone(&z, m, &none, i);
		add_zone(e, &s, &z);
	}
	if (isnan(e->total_j))
		e->idle_j = (struct energy_range){ NAN, NAN };
	else if (given_w > 0)
		take_given(e, &s, given_w);
}

/* fmax() takes what is known of the two. */
static void find_rates(struct processes_energy *e, const struct processes *p)
{
	double idle_ns = NAN, netto, above;
	const struct model_cpu *c;

	model_for_each_cpu(p->m, c) known_add(&idle_ns, counter_moved(&c->ns[NETCOST_EV_IDLE]));
	netto = known_ratio(e->total_j, p->cpus_busy_ns + idle_ns);
	above = known_ratio(e->total_j - e->idle_j.low, p->cpus_busy_ns);
	e->above_netto = above > netto;
	e->joules_a_ns =
		(struct energy_range){ known_ratio(e->total_j - e->idle_j.high, p->cpus_busy_ns),
				       fmax(netto, above) };
}

struct energy_range processes_energy_of(const struct processes_energy *e, double ns)
{
	return (struct energy_range){ e->joules_a_ns.low * ns, e->joules_a_ns.high * ns };
}

/* ---- by hardware counters ---------------------------------------------------------------- */

/* The number of a column in the values; MODEL_PROCESS_VALUES: no version that we know has one of that name. */
static unsigned int value_of(const char *column)
{
	size_t n;
	const struct trace_key_desc *key = trace_type_keys(TRACE_PROCESS_STATS, &n);

	for (size_t i = 0; i < n; i++)
		if (key[i].key >= TRACE_PROCESS_STATS_SWITCHES && !strcmp(key[i].name, column))
			return key[i].key - TRACE_PROCESS_STATS_SWITCHES;
	return MODEL_PROCESS_VALUES;
}

void processes_energy_weigh(struct processes_energy *e, const struct processes *p,
			    const char *column)
{
	unsigned int value = value_of(column);

	if (value >= MODEL_PROCESS_VALUES || !p->m->process_has[value] ||
	    !(p->all.value[value] > 0))
		return;
	e->second = column;
	e->second_value = value;
	e->second_all = p->all.value[value];
}

struct energy_range processes_energy_second(const struct processes_energy *e,
					    const struct processes_values *v)
{
	const struct energy_range *rows = &e->part[PROCESSES_ENERGY_ROWS],
				  *interrupts = &e->part[PROCESSES_ENERGY_INTERRUPTS];
	double share = e->second ? v->value[e->second_value] / e->second_all : NAN;

	return (struct energy_range){ (rows->low + interrupts->low) * share,
				      (rows->high + interrupts->high) * share };
}

void processes_energy_make(struct processes_energy *e, const struct processes *p)
{
	double own_ns = isnan(p->all.on_cpu_ns) ? 0 : p->all.on_cpu_ns;
	double interrupts_ns = isnan(p->all.interrupted_ns) ? 0 : p->all.interrupted_ns;
	struct energy_range busy;

	*e = (struct processes_energy){ .total_j = NAN };
	add_zones(e, p->m);
	find_rates(e, p);
	busy = processes_energy_of(e, p->cpus_busy_ns);
	e->part[PROCESSES_ENERGY_ROWS] = processes_energy_of(e, own_ns);
	e->part[PROCESSES_ENERGY_INTERRUPTS] = processes_energy_of(e, interrupts_ns);
	e->part[PROCESSES_ENERGY_MISSING] =
		processes_energy_of(e, p->cpus_busy_ns - own_ns - interrupts_ns);
	e->part[PROCESSES_ENERGY_IDLE] =
		(struct energy_range){ e->total_j - busy.low, e->total_j - busy.high };
	processes_energy_weigh(e, p, "instructions");
	processes_energy_weigh(e, p, "cycles"); /* they know more of the power that is drawn */
}
