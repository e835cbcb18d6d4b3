// SPDX-License-Identifier: BSD-2-Clause
#include "processes_shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/stats.h"
#include "report/model/filter.h"

/* ---- packets ------------------------------------------------------------------------------------- */

#define SQUARE 1024 /* ns^2, the unit of `squares` */
#define Z95 1.96

/*
 * Returns the half-width of the confidence interval of a sum over softirqs. Each softirq was measured with a chance of
 * 1/N. The formula is the variance of such a sum (Horvitz and Thompson), which requires no model of the load. The sum
 * is then scaled to the known total time, so its actual variance is smaller.
 */
static double ci95(const struct owners *o, double ns, double squares)
{
	if (o->every <= 1)
		return 0;
	return ns > 0 && !(squares > 0) ? NAN :
					  Z95 * sqrt(o->every * (o->every - 1) * squares * SQUARE);
}

double owners_ci95(double ns, double ci95_ns, double dealt_ns)
{
	return ns > 0 ? ci95_ns * (ns + dealt_ns) / ns : ci95_ns;
}

static void add_row(struct owners *o, const struct model_fate *f)
{
	struct owners_row *row = &o->row[o->nrows++];

	*row = (struct owners_row){ .fate = (enum netcost_fate)f->fate,
				    .what = f->what,
				    .ns = (double)f->ns * o->left * o->scale,
				    .ci95_ns = o->left *
					       ci95(o, (double)f->ns, known_uint(f->squares)),
				    .packets = known_uint(f->packets) * o->scale };
}

static bool has_packets(enum netcost_fate fate)
{
	return fate != NETCOST_FATE_POOL && fate != NETCOST_FATE_SKIPPED &&
	       fate != NETCOST_FATE_OPEN;
}

/*
 * Returns true if packets with this disposition get a share of the pool. Packets that XDP took get no share, because
 * their times already include a share of each poll.
 */
static bool is_dealt(enum netcost_fate fate)
{
	return has_packets(fate) && fate != NETCOST_FATE_XDP;
}

static int by_fate(const void *pa, const void *pb)
{
	const struct owners_row *a = pa, *b = pb;

	if (a->fate != b->fate)
		return a->fate < b->fate ? -1 : 1;
	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return strcmp(a->what, b->what);
}

/* Distributes the pool evenly over packets. If there are no packets, the pool keeps its row. */
static void deal(struct owners *o, double pool_ns, double packets)
{
	if (!packets)
		return;
	o->dealt_ns = pool_ns / packets;
	for (size_t i = 0; i < o->nrows; i++) {
		struct owners_row *row = &o->row[i];

		if (row->fate == NETCOST_FATE_POOL)
			row->ns = row->ci95_ns = 0;
		else if (is_dealt(row->fate))
			row->dealt_ns = row->packets * o->dealt_ns;
	}
}

/*
 * Finds the time of softirqs and threads without the recorder's own part, and the share of the measured time that
 * remains after subtracting this part.
 */
static void find_leaf(struct owners *o)
{
	static const enum netcost_event events[] = { NETCOST_EV_RX_SOFTIRQ, NETCOST_EV_RX_THREAD };
	struct own_part event[NETCOST_EV_COUNT];
	double exact_ns = NAN;

	o->leaf_ns = o->left = NAN;
	if (!o->any || processes_own_events(event, o->m))
		return;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		known_add(&exact_ns, event[events[i]].exact_ns);
		known_add(&o->leaf_ns, event[events[i]].exact_ns - event[events[i]].taken_ns);
	}
	o->left = exact_ns > 0 ? o->leaf_ns / exact_ns : 1;
}

void owners_make(struct owners *o, const struct model *m)
{
	double skipped = 0, pool = 0, packets = 0;

	*o = (struct owners){ .m = m, .any = model_fates(m), .every = (double)m->owners_every };
	find_leaf(o);
	for (size_t i = 0; i < model_fates(m); i++) {
		struct model_fate f = model_fate(m, i);

		o->all_ns += (double)f.ns * o->left;
		if (f.fate == NETCOST_FATE_SKIPPED)
			skipped += (double)f.ns * o->left;
	}
	o->looked_ns = o->all_ns - skipped;
	o->scale = o->looked_ns > 0 && skipped > 0 ? o->all_ns / o->looked_ns : 1;
	for (size_t i = 0; i < model_fates(m); i++) {
		struct model_fate f = model_fate(m, i);

		/* the other rows are scaled up to include the skipped time */
		if (f.fate == NETCOST_FATE_SKIPPED && o->scale != 1)
			continue;
		add_row(o, &f);
		if (f.fate == NETCOST_FATE_POOL)
			pool += (double)f.ns * o->left * o->scale;
		if (has_packets((enum netcost_fate)f.fate))
			o->packets += known_uint(f.packets) * o->scale;
		if (is_dealt((enum netcost_fate)f.fate))
			packets += known_uint(f.packets) * o->scale;
	}
	qsort(o->row, o->nrows, sizeof(*o->row), by_fate);
	deal(o, pool, packets);
}

struct owners_paid owners_paid(const struct owners *o, const struct processes_values *v)
{
	double packets = v->received_packets * o->scale;
	struct owners_paid paid = { .own_ns = NAN,
				    .received_ns = v->received_ns * o->left * o->scale,
				    .ci95_ns =
					    o->left * ci95(o, v->received_ns, v->received_squares),
				    .dealt_ns = packets * o->dealt_ns,
				    .packets = packets };

	known_add(&paid.own_ns, v->value[MODEL_PROCESS_VALUE(SOCK_SEND_NS)]);
	known_add(&paid.own_ns, v->value[MODEL_PROCESS_VALUE(SOCK_RECV_NS)]);
	known_add(&paid.own_ns, v->value[MODEL_PROCESS_VALUE(RX_BUSY_POLL_NS)]);
	paid.all_ns = paid.own_ns + paid.received_ns + paid.dealt_ns;
	return paid;
}

/* ---- energy of packages and memory ----------------------------------------------------------------- */

/* Sums over all zones. */
struct sum {
	double watts, watts_se, df; /* df: the smallest of all zones */
};

/* Limits a value to `most`. NaN stays NaN, whereas fmin() and fmax() would drop it. */
static double limit(double v, double most)
{
	return isnan(v) ? NAN : fmin(fmax(v, 0), most);
}

struct energy_range processes_energy_idle(const struct processes_energy *e, double joules,
					  double seconds)
{
	return (struct energy_range){ limit(e->idle_w.low * seconds, joules),
				      limit(e->idle_w.high * seconds, joules) };
}

/* Adds a zone if its counter is known. */
static void add_zone(struct processes_energy *e, struct sum *s, const struct energy_zone *z)
{
	double error_w = stats_t_beyond(ENERGY_BEYOND, z->idle_df) * z->idle_se;

	if (isnan(z->joules))
		return;
	known_add(&e->total_j, z->joules);
	s->watts += z->watts;
	s->watts_se += known_or_0(z->watts_se);
	s->df = s->df > 0 ? fmin(s->df, z->pieces - 2) : z->pieces - 2;
	if (z->idle_why)
		e->idle_why = z->idle_why;
	if (isnan(z->idle_w)) {
		e->idle_j = e->idle_w = (struct energy_range){ NAN, NAN };
		return;
	}
	e->idle_j.low += limit((z->idle_w - error_w) * z->told_s, z->joules);
	e->idle_j.high += limit((z->idle_w + error_w) * z->told_s, z->joules);
	e->idle_w.low += z->idle_w - error_w;
	e->idle_w.high += z->idle_w + error_w;
}

/* Takes idle power from --idle-watts, which is the sum over all zones. The error is the error of the mean power. */
static void take_given(struct processes_energy *e, const struct sum *s, double given_w)
{
	double error_w = stats_t_beyond(ENERGY_BEYOND, fmax(s->df, 1)) * s->watts_se;

	e->idle_given = true;
	e->idle_why = given_w > s->watts ? "--idle-watts is more than the measured power" : NULL;
	e->idle_w = e->idle_why ? (struct energy_range){ NAN, NAN } :
				  (struct energy_range){ given_w - error_w, given_w + error_w };
	e->idle_j = processes_energy_idle(e, e->total_j, e->total_j / s->watts);
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
		e->idle_j = e->idle_w = (struct energy_range){ NAN, NAN };
	else if (given_w > 0)
		take_given(e, &s, given_w);
}

/* Returns joules per ns of busy time. If one of the two upper limits is unknown, fmax() takes the other limit. */
struct energy_range processes_energy_rates(double joules, const struct energy_range *idle_j,
					   double busy_ns, double idle_ns)
{
	double netto = known_ratio(joules, busy_ns + idle_ns);
	double above = known_ratio(joules - idle_j->low, busy_ns);

	return (struct energy_range){ known_ratio(joules - idle_j->high, busy_ns),
				      fmax(netto, above) };
}

static void find_rates(struct processes_energy *e, const struct processes *p)
{
	double idle_ns = NAN;
	const struct model_cpu *c;

	model_for_each_cpu(p->m, c) known_add(&idle_ns, counter_moved(&c->ns[NETCOST_EV_IDLE]));
	e->busy_ns = p->cpus_busy_ns + p->own_ns;
	e->joules_a_ns = processes_energy_rates(e->total_j, &e->idle_j, e->busy_ns, idle_ns);
	e->above_netto = e->joules_a_ns.high > known_ratio(e->total_j, e->busy_ns + idle_ns);
}

struct energy_range processes_energy_of(const struct processes_energy *e, double ns)
{
	return (struct energy_range){ e->joules_a_ns.low * ns, e->joules_a_ns.high * ns };
}

/* ---- energy of rows: for their own time, and for the packets that they received ---- */

/*
 * Returns the on-CPU time for which the row gets energy. If receivers are known, the energy of threaded NAPI belongs to
 * the receivers instead of the row.
 */
static double own_ns(const struct processes_energy *e, const struct processes_values *v)
{
	double threads_ns = v->value[MODEL_PROCESS_VALUE(RX_THREAD_NS)];

	return v->on_cpu_ns - (e->owners.any ? known_or_0(threads_ns) : 0);
}

static double received_ns(const struct processes_energy *e, const struct processes_values *v)
{
	struct owners_paid paid = owners_paid(&e->owners, v);

	return e->owners.any ? paid.received_ns + paid.dealt_ns : NAN;
}

struct energy_range processes_energy_own(const struct processes_energy *e,
					 const struct processes_values *v)
{
	return processes_energy_of(e, own_ns(e, v));
}

struct energy_range processes_energy_received(const struct processes_energy *e,
					      const struct processes_values *v)
{
	return processes_energy_of(e, received_ns(e, v));
}

/* ---- by hardware counters ---------------------------------------------------------------- */

/* Returns the counter scaled to the whole time, because counters may be multiplexed. */
static double weight(const struct processes_energy_second *s, const struct processes_values *v)
{
	double turns = known_ratio(v->value[MODEL_PROCESS_VALUE(PMU_NS)], v->value[s->counted]);

	return v->value[s->value] * (isnan(turns) ? 1 : turns);
}

void processes_energy_weigh(struct processes_energy *e, const struct processes *p,
			    const struct processes_energy_second *second)
{
	double sum = 0;

	for (size_t i = 0; i < p->nrows; i++)
		sum += weight(second, &p->row[i].v);
	if (!(sum > 0) || !p->m->process_has[second->value])
		return;
	e->second = *second;
	e->second_all = sum;
	e->all = &p->all;
}

struct energy_range processes_energy_second(const struct processes_energy *e,
					    const struct processes_values *v)
{
	double share = !e->second.name ? NAN :
		       v == e->all     ? 1 :
					 weight(&e->second, v) / e->second_all;
	struct energy_range sum = { 0, 0 };

	for (unsigned int i = 0; i <= PROCESSES_ENERGY_INTERRUPTS; i++) {
		if (isnan(e->part[i].high)) /* NaN if the trace has no receivers */
			continue;
		sum.low += e->part[i].low;
		sum.high += e->part[i].high;
	}
	return (struct energy_range){ sum.low * share, sum.high * share };
}

static const struct processes_energy_second seconds[] = {
	{ "instructions", MODEL_PROCESS_VALUE(INSTRUCTIONS), MODEL_PROCESS_VALUE(INSTRUCTIONS_NS) },
	{ "cycles", MODEL_PROCESS_VALUE(CYCLES), MODEL_PROCESS_VALUE(CYCLES_NS) },
};

/*
 * Distributes the energy of busy time. The part of the CPUs' busy time that is in no row becomes
 * PROCESSES_ENERGY_MISSING.
 */
static void distribute(struct processes_energy *e, const struct processes *p)
{
	double softirqs_ns = p->all.value[MODEL_PROCESS_VALUE(RX_SOFTIRQ_NS)];
	double ns[PROCESSES_ENERGY_MISSING], rest_ns = e->busy_ns;

	ns[PROCESSES_ENERGY_ROWS] = known_or_0(own_ns(e, &p->all));
	ns[PROCESSES_ENERGY_RECEIVED] = received_ns(e, &p->all);
	ns[PROCESSES_ENERGY_UNOWNED] = e->owners.all_ns - ns[PROCESSES_ENERGY_RECEIVED];
	ns[PROCESSES_ENERGY_INTERRUPTS] =
		known_or_0(p->all.interrupted_ns) - (e->owners.any ? known_or_0(softirqs_ns) : 0);
	for (unsigned int i = 0; i < PROCESSES_ENERGY_MISSING; i++) {
		rest_ns -= known_or_0(ns[i]);
		e->part[i] = processes_energy_of(e, ns[i]);
	}
	e->part[PROCESSES_ENERGY_MISSING] = processes_energy_of(e, rest_ns);
}

void processes_energy_make(struct processes_energy *e, const struct processes *p)
{
	struct energy_range busy;

	*e = (struct processes_energy){ .total_j = NAN };
	owners_make(&e->owners, p->m);
	add_zones(e, p->m);
	find_rates(e, p);
	distribute(e, p);
	busy = processes_energy_of(e, e->busy_ns);
	e->part[PROCESSES_ENERGY_IDLE] =
		(struct energy_range){ e->total_j - busy.low, e->total_j - busy.high };
	/* The last available counter is used, because cycles reflect power better than instructions. */
	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++)
		processes_energy_weigh(e, p, &seconds[i]);
}
