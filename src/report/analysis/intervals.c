// SPDX-License-Identifier: BSD-2-Clause
/*
 * Reads a trace in two passes. The first pass finds the ticks and the intervals between them. The second pass fills the
 * intervals.
 */
#include "intervals.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "cost.h"
#include "report/base/stats.h"
#include "summary.h"
#include "report/model/filter.h"
#include "report/rules/rules.h"

/* ---- the first pass ---------------------------------------------------------------------- */

void intervals_init(struct intervals *iv, uint64_t every_ns)
{
	*iv = (struct intervals){ .every_ns = every_ns };
}

void intervals_free(struct intervals *iv)
{
	for (size_t i = 0; iv->row && i < iv->n; i++)
		countmap_free(&iv->row[i].stacks);
	free(iv->edge);
	free(iv->row);
	free(iv->cell);
	free(iv->before);
	free(iv->rx);
	*iv = (struct intervals){ .watch = iv->watch,
				  .second = iv->second,
				  .also = iv->also,
				  .every_ns = iv->every_ns,
				  .most = iv->most,
				  .grows = iv->grows,
				  .costs_of_then = iv->costs_of_then,
				  .window_ticks = iv->window_ticks,
				  .wants_rx = iv->wants_rx,
				  .wants_stacks = iv->wants_stacks };
}

/* ---- ticks ------------------------------------------------------------------------------- */

static bool add_edge(struct intervals *iv, uint64_t at_ns)
{
	if (iv->nedges > INTERVALS_MAX) {
		iv->too_many = true;
		return true;
	}
	if (array_reserve(&iv->edge, &iv->cap, iv->nedges + 1, sizeof(*iv->edge)))
		return false;
	iv->edge[iv->nedges++] = at_ns;
	return true;
}

/* Joins the intervals in pairs. Afterwards, the next edge is in the middle of an interval. */
static void join_pairs(struct intervals *iv)
{
	size_t n = 0;

	for (size_t i = 0; i < iv->nedges; i += 2)
		iv->edge[n++] = iv->edge[i];
	iv->nedges = n;
	iv->ticks_each *= 2;
}

/* Returns true if the tick is an edge, for a limited number of intervals. */
static bool is_edge_of_most(struct intervals *iv)
{
	if (++iv->ticks_since < iv->ticks_each)
		return false;
	if (iv->nedges > iv->most) {
		join_pairs(iv);
		return false;
	}
	iv->ticks_since = 0;
	return true;
}

/* Returns true if the record belongs to a full tick. The ticks at the ends of a window have no such records. */
static bool is_full_tick(const struct trace_record *rec)
{
	return rec->type == TRACE_SELF || rec->type == TRACE_SAMPLE_LOSS ||
	       rec->type == TRACE_PROCSTAT || rec->type == TRACE_NETDEV_STATS;
}

/*
 * Minimum length of an interval. If a recorder had to wait for a CPU, it may read two ticks right after each other.
 * There is no interval between such ticks.
 */
#define LEAST 0.1 /* fraction of the tick period */

static void note_header(struct intervals *iv, const struct trace_record *header)
{
	double tick_ms = (double)trace_record_uint(header, TRACE_HEADER_TICK_MS, 0);
	bool windows = trace_record_uint(header, TRACE_HEADER_BUDGET_PPM, 0);

	iv->has_windows = windows && !iv->window_ticks;
	/* if window ticks are edges, intervals between them may have any length */
	if (!windows || !iv->window_ticks)
		iv->least_ns = (uint64_t)(LEAST * fmin(tick_ms, 1e9) * 1e6);
}

/*
 * Returns true if the tick is an edge. Intervals begin at multiples of --every, or at the first tick after a multiple.
 */
static bool is_edge(struct intervals *iv, uint64_t at_ns)
{
	uint64_t first, last;

	if (!iv->nedges)
		return true;
	first = iv->edge[0];
	last = iv->edge[iv->nedges - 1];
	if (at_ns <= last || at_ns - last < iv->least_ns)
		return false;
	if (iv->most)
		return is_edge_of_most(iv);
	return !iv->every_ns || (at_ns - first) / iv->every_ns > (last - first) / iv->every_ns;
}

static void note_cpus(struct intervals *iv, const struct trace_record *tick)
{
	struct trace_column cpus = trace_record_column(tick, TRACE_TICK_CPU);
	uint64_t cpu;

	while (trace_column_uint(&cpus, &cpu)) {
		if (cpu >= TRACE_MAX_CPU || iv->slot[cpu] || (iv->grows && iv->n))
			continue;
		iv->number[iv->ncpus++] = (uint32_t)cpu;
		iv->slot[cpu] = (uint16_t)iv->ncpus;
	}
}

static bool make_rows(struct intervals *iv)
{
	size_t n = iv->nedges > 1 ? iv->nedges - 1 : 0;

	iv->too_many |= n * iv->ncpus > INTERVALS_CELLS_MAX;
	iv->n = iv->too_many ? 0 : n;
	iv->row = calloc(iv->n + 1, sizeof(*iv->row));
	iv->cell = calloc(iv->n * iv->ncpus + 1, sizeof(*iv->cell));
	iv->before = calloc(iv->ncpus + 1, sizeof(*iv->before));
	if (!iv->row || !iv->cell || !iv->before)
		return false;
	for (size_t i = 0; i < iv->n; i++) {
		iv->row[i].begin_ns = iv->edge[i];
		iv->row[i].end_ns = iv->edge[i + 1];
	}
	for (const struct intervals_watch *w = iv->second; w; w = w->more)
		if (w->begin && !w->begin(w->ctx, iv))
			return false;
	return !iv->watch || iv->watch->begin(iv->watch->ctx, iv);
}

/*
 * Ends the last interval, which may be shorter than the others. The last interval is longer if intervals were joined,
 * or if a separate last interval would be very short.
 */
static bool end_last(struct intervals *iv)
{
	bool late;

	if (!iv->nedges && iv->any_first_ns) {
		iv->last_ns = iv->any_last_ns;
		if (!add_edge(iv, iv->any_first_ns))
			return false;
	}
	if (!iv->nedges || iv->last_ns <= iv->edge[iv->nedges - 1])
		return true;
	late = iv->last_ns - iv->edge[iv->nedges - 1] < iv->least_ns;
	if ((!iv->most && !late) || iv->nedges == 1)
		return add_edge(iv, iv->last_ns);
	iv->edge[iv->nedges - 1] = iv->last_ns;
	return true;
}

void intervals_begin(struct intervals *iv)
{
	intervals_free(iv);
	iv->ticks_each = 1;
	if (iv->also)
		intervals_begin(iv->also);
}

/* Notes the time of any tick. In a trace without a full tick, the whole time is one interval. */
static void note_any_tick(struct intervals *iv, uint64_t at_ns)
{
	if (!iv->any_first_ns)
		iv->any_first_ns = at_ns;
	if (at_ns > iv->any_last_ns)
		iv->any_last_ns = at_ns;
}

static bool note_tick(struct intervals *iv, uint64_t at_ns)
{
	if (at_ns > iv->last_ns)
		iv->last_ns = at_ns;
	return !is_edge(iv, at_ns) || add_edge(iv, at_ns);
}

bool intervals_tick(struct intervals *iv, const struct trace_record *rec)
{
	uint64_t at_ns;

	if (iv->also && !intervals_tick(iv->also, rec))
		return false;
	for (const struct intervals_watch *w = iv->second; w; w = w->more)
		if (w->first && !w->first(w->ctx, rec))
			return false;
	if (rec->type == TRACE_HEADER)
		note_header(iv, rec);
	if (rec->type == TRACE_PROBE_COST)
		model_read_probe_cost(iv->cost, rec);
	if (rec->type == TRACE_TICK) {
		note_cpus(iv, rec);
		iv->tick_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, TRACE_NIL);
	} else if (!is_full_tick(rec)) {
		return true;
	}
	at_ns = iv->tick_ns;
	if (!at_ns || at_ns == TRACE_NIL)
		return true;
	if (rec->type == TRACE_TICK && iv->has_windows) {
		note_any_tick(iv, at_ns);
		return true;
	}
	iv->tick_ns = 0;
	return note_tick(iv, at_ns);
}

bool intervals_end(struct intervals *iv)
{
	return end_last(iv) && make_rows(iv) && (!iv->also || intervals_end(iv->also));
}

bool intervals_find(struct intervals *iv, struct trace_reader *r)
{
	struct trace_record rec;
	bool ok = true;

	intervals_begin(iv);
	while (ok && trace_reader_next(r, &rec) > 0)
		ok = intervals_tick(iv, &rec);
	return ok && intervals_end(iv);
}

/*
 * Takes a record. If the record adds an edge, adds a row for the time after this edge. Returns false if out of memory,
 * or if there are too many rows.
 */
static bool grow(struct intervals *iv, const struct trace_record *rec)
{
	bool known = intervals_tick(iv, rec);
	size_t n = iv->nedges, ncpus = iv->ncpus;

	if (!known || n == iv->n)
		return known;
	if (n * ncpus > INTERVALS_CELLS_MAX ||
	    array_reserve(&iv->row, &iv->row_cap, n, sizeof(*iv->row)) ||
	    array_reserve(&iv->cell, &iv->cell_cap, n * ncpus + 1, sizeof(*iv->cell)))
		return false;
	if (!iv->before)
		iv->before = calloc(ncpus + 1, sizeof(*iv->before));
	memset(&iv->cell[iv->n * ncpus], 0, ncpus * sizeof(*iv->cell));
	iv->row[iv->n] = (struct interval){ .begin_ns = iv->edge[iv->n], .end_ns = UINT64_MAX };
	if (iv->n)
		iv->row[iv->n - 1].end_ns = iv->edge[iv->n];
	iv->n++;
	return iv->before;
}

void intervals_forget(struct intervals *iv)
{
	size_t gone = iv->closed;

	iv->n -= gone;
	iv->nedges -= gone;
	iv->next -= gone;
	iv->closed = 0;
	memmove(iv->edge, iv->edge + gone, iv->nedges * sizeof(*iv->edge));
	memmove(iv->row, iv->row + gone, iv->n * sizeof(*iv->row));
	memmove(iv->cell, iv->cell + gone * iv->ncpus, iv->n * iv->ncpus * sizeof(*iv->cell));
}

size_t intervals_closed(const struct intervals *iv)
{
	return iv->next > 1 ? iv->next - 1 : 0;
}

/* Events that belong to the leaf RX softirq. */
#define RX_EVENTS                                                                                  \
	(1u << NETCOST_EV_RX_SOFTIRQ | 1u << NETCOST_EV_RX_THREAD | 1u << NETCOST_EV_RX_BUSY_POLL)

/* ---- the second pass --------------------------------------------------------------------- */

static void add_counter(double *sum, const struct counter *c)
{
	if (c->readings)
		known_add(sum, (double)c->sum);
}

static double so_far(const struct counter *c)
{
	return c->readings && !c->unknown ? (double)c->sum : NAN;
}

static void count_calls(struct interval_times *t, const struct model *m, const struct model_cpu *c)
{
	/* the counts of calls include the calls of all tasks */
	bool counted = c && !filter_has_tasks(m->filter);

	t->polled = NAN;
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		t->calls[e] = counted ? so_far(&c->calls[e]) : NAN;
		t->bytes[e] = counted ? so_far(&c->bytes[e]) : NAN;
		if (counted && RX_EVENTS >> e & 1)
			known_add(&t->polled, so_far(&c->packets[e]));
	}
}

/* Returns the counters of a CPU up to now. NaN: not measured. */
static struct interval_times times_of(const struct model *m, const struct model_cpu *c)
{
	struct interval_times t = { .wall_ns = NAN,
				    .counted_ns = NAN,
				    .stat_idle = { .idle = NAN } };

	count_calls(&t, m, c);
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		t.exact_ns[e] = NAN;
	if (!c || !c->tick || !filter_takes_cpu(m->filter, c->cpu))
		return t;
	t.gone_ns = summary_gone_ns(c);
	add_counter(&t.wall_ns, c->exact_at_ns.readings ? &c->exact_at_ns : &m->at_ns);
	if (c->offline_ns.readings)
		t.wall_ns -= (double)c->offline_ns.sum;
	t.counted_ns = c->exact_at_ns.readings ? t.wall_ns : 0;
	if (!c->exact_at_ns.readings)
		t.wall_ns -= t.gone_ns;
	if (c->stat_idle_at_ns.readings && c->stat_idle_at_ns.last >= m->at_ns.last)
		t.stat_idle = (struct summary_stat_idle){
			.idle = (double)c->stat_idle.sum,
			.breaks = c->stat_idle.backwards,
		};
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		if (!c->ns[e].unknown && summary_has_probe(m, e))
			add_counter(&t.exact_ns[e], &c->ns[e]);
	t.lost = (double)model_lost(c);
	return t;
}

/*
 * Adds the traffic of interfaces. If interfaces were not read at an edge, packets and bytes are unknown there. The
 * numbers of each direction are always added.
 */
static void add_netdevs(struct interval_traffic *t, const struct model *m,
			enum interfaces_basis basis)
{
	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct counter *c = m->netdev[i].counter;

		if (!interfaces_counts(m, &m->netdev[i], basis))
			continue;
		add_counter(&t->rx_packets, &c[NETDEV_RX_PACKETS]);
		add_counter(&t->tx_packets, &c[NETDEV_TX_PACKETS]);
		add_counter(&t->rx_bytes, &c[NETDEV_RX_BYTES]);
		add_counter(&t->tx_bytes, &c[NETDEV_TX_BYTES]);
	}
	if (m->read_tick[TRACE_NETDEV_STATS] != m->ticks)
		return;
	t->packets = t->rx_packets;
	known_add(&t->packets, t->tx_packets);
	t->bytes = t->rx_bytes;
	known_add(&t->bytes, t->tx_bytes);
}

/*
 * Returns the number of packets in softnet_stat, or NaN if softnet_stat does not count all packets (summary_softnet()).
 */
static double processed(const struct model *m)
{
	bool counts = summary_softnet(m) == SOFTNET_COUNTS;
	const struct model_cpu *c;
	double sum = NAN;

	model_for_each_cpu(m, c)
	{
		if (counts && filter_takes_cpu(m->filter, c->cpu))
			known_add(&sum, so_far(&c->processed));
	}
	return sum;
}

/* Adds the energy of the zones that were read. energy_ns is the mean of the times that the zones' readings cover. */
static void add_energy(struct interval_host *h, const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nzones; i++) {
		const struct model_zone *z = &m->zone[i];

		if (!energy_is_total(m, z) || !z->raw.readings)
			continue;
		known_add(&h->joules, model_zone_joules(z));
		known_add(&h->energy_ns, (double)z->told_ns);
		n++;
	}
	if (n)
		h->energy_ns /= (double)n;
}

/* Returns the exact time of a part of the RX softirq, or NaN if it is unknown on some CPU or on all CPUs. */
static double part_ns(const struct model *m, unsigned int part)
{
	const struct model_cpu *c;
	double ns = NAN;

	model_for_each_cpu(m, c)
	{
		if (c->part_ns[part].unknown)
			return NAN;
		if (filter_takes_cpu(m->filter, c->cpu))
			add_counter(&ns, &c->part_ns[part]);
	}
	return ns;
}

static struct interval_host host_of(const struct model *m)
{
	struct interval_host h = { .joules = NAN, .energy_ns = NAN, .processed = processed(m) };

	for (enum interfaces_basis b = 0; b < INTERFACES_BASES; b++)
		h.traffic[b] = (struct interval_traffic){ NAN, NAN, NAN, NAN, NAN, NAN };
	if (model_is_of_all(m)) { /* interfaces and energy cover all CPUs and tasks */
		for (enum interfaces_basis b = 0; b < INTERFACES_BASES; b++)
			add_netdevs(&h.traffic[b], m, b);
		add_energy(&h, m);
	}
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		h.part_ns[p] = part_ns(m, p);
	return h;
}

/*
 * Uses the same costs at both edges. If the recorder measured a cost again, different costs would change the cost of
 * all earlier runs at one edge only, and the interval would contain that change.
 */
static void set_own(struct split_own *to, const struct intervals *iv, const struct model *m,
		    const struct cost_runs *now, const struct cost_runs *then)
{
	const struct model_probe_cost *cost = iv->grows || iv->costs_of_then ? m->probe_cost :
									       iv->cost;
	struct split_own before;

	cost_own(to, m, now, cost);
	cost_own(&before, m, then, cost);
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		to->ns[e] -= before.ns[e];
		to->ci95_ns[e] -= before.ci95_ns[e];
	}
}

static void subtract(void *to, const void *now, const void *before, size_t size)
{
	double *v = to;

	for (size_t i = 0; i < size / sizeof(*v); i++)
		v[i] = ((const double *)now)[i] - ((const double *)before)[i];
}

static struct interval_edge edge_of(const struct model *m, const struct model_cpu *c)
{
	struct interval_edge e = { .times = times_of(m, c) };

	if (c)
		cost_count_runs(&e.runs, c);
	return e;
}

/* Closes the last tick, if it is an edge, after all of its counters have been read. */
static void close_tick(struct intervals *iv, const struct model *m)
{
	struct interval_host host;

	if (!iv->n || iv->next >= iv->nedges || !m->at_ns.readings ||
	    m->at_ns.last != iv->edge[iv->next])
		return;
	for (size_t i = 0; i < iv->ncpus; i++) {
		struct interval_edge now = edge_of(m, m->cpu[iv->number[i]]);
		struct interval_times *to;

		if (iv->next) {
			to = &iv->cell[(iv->next - 1) * iv->ncpus + i].times;
			subtract(to, &now.times, &iv->before[i].times,
				 offsetof(struct interval_times, own));
			set_own(&to->own, iv, m, &now.runs, &iv->before[i].runs);
		}
		iv->before[i] = now;
	}
	host = host_of(m);
	if (iv->next)
		subtract(&iv->row[iv->next - 1].host, &host, &iv->host_before, sizeof(host));
	iv->host_before = host;
	iv->basis = interfaces_basis(m);
	if (iv->watch)
		iv->watch->edge(iv->watch->ctx, m, iv->next);
	for (const struct intervals_watch *w = iv->second; w; w = w->more)
		if (w->edge)
			w->edge(w->ctx, m, iv->next);
	iv->next++;
}

/* -ENOMEM. */
static int close_intervals(struct intervals *iv, const struct model *m, bool all)
{
	bool complete = all || iv->framed;

	iv->framed = false;
	for (; complete && iv->closed < intervals_closed(iv); iv->closed++)
		for (const struct intervals_watch *w = iv->second; w; w = w->more)
			if (w->closed && w->closed(w->ctx, m, iv->closed))
				return -ENOMEM;
	return 0;
}

/* ---- samples ----------------------------------------------------------------------------- */

static bool is_in(const struct interval *i, uint64_t time_ns)
{
	return time_ns >= i->begin_ns && time_ns < i->end_ns;
}

struct interval *interval_at(const struct intervals *iv, size_t *at, uint64_t time_ns)
{
	size_t low = 0, high = iv->n;

	if (*at < iv->n && is_in(&iv->row[*at], time_ns))
		return &iv->row[*at];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (time_ns >= iv->row[middle].end_ns)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return low < iv->n && is_in(&iv->row[low], time_ns) ? &iv->row[low] : NULL;
}

static void count_own(struct interval_cpu *c, const struct model *m, unsigned int class,
		      bool paused)
{
	enum own_kind kind = OWN_PROBES;
	enum leaf leaf = model_own_leaf(m, class, &kind);

	if (leaf == LEAF_OWN)
		return;
	c->own_paused[leaf] += paused;
	c->own[leaf] += !paused;
	c->own_others[leaf] += !paused && kind == OWN_OTHERS;
}

static void count_one(struct intervals *iv, const struct model *m, const struct intervals_sample *s,
		      bool paused)
{
	struct interval_cpu *c = &iv->cell[s->cell];
	enum leaf leaf = model_leaf(m, s->class);

	if (s->selected) {
		c->samples[leaf]++;
		c->paused[leaf] += paused;
		if (leaf == LEAF_OWN)
			count_own(c, m, s->class, paused);
	} else {
		c->rest.samples++;
		c->rest.paused += paused;
		c->rest.idle += leaf == LEAF_IDLE;
		c->rest.paused_idle += leaf == LEAF_IDLE && paused;
	}
	if (iv->watch)
		iv->watch->sample(iv->watch->ctx, m, s);
}

/* Allocates iv->rx once the number of categories is known. */
static bool make_rx(struct intervals *iv, const struct model *m)
{
	if (!iv->wants_rx || iv->rx || !m->classes || !iv->n)
		return true;
	iv->ncategories = classifier_rules(m->classes->classifier)->ncategories;
	iv->rx = calloc(iv->n * iv->ncategories, sizeof(*iv->rx));
	return iv->rx;
}

static void count_rx(struct intervals *iv, size_t row, const struct model *m, unsigned int class)
{
	const struct rules *r = classifier_rules(m->classes->classifier);
	unsigned int category = m->classes->at[class].category;

	if (r->category[category].leaf != LEAF_RX_SOFTIRQ)
		return;
	while (category != LEAF_RX_SOFTIRQ && r->category[category].parent != LEAF_RX_SOFTIRQ)
		category = r->category[category].parent;
	iv->rx[row * iv->ncategories + category]++;
}

/* Counts the samples of a record. Returns 0 or -ENOMEM. */
static int count_samples(struct intervals *iv, const struct model *m,
			 const struct trace_record *rec)
{
	struct trace_samples s = trace_record_samples(rec);
	uint64_t cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, UINT64_MAX);
	struct model_around around = { 0 };
	unsigned int slot;
	size_t at = 0;

	if (!filter_takes_cpu(m->filter, cpu))
		return 0;
	slot = cpu < TRACE_MAX_CPU ? iv->slot[cpu] : 0;
	for (size_t n = 0; trace_samples_next(&s); n++) {
		struct interval *i;
		unsigned int class;
		bool selected;

		if (s.stack > m->nstacks) /* the model reports this error */
			return 0;
		class = model_class(m, n, s.stack);
		i = slot ? interval_at(iv, &at, s.time_ns) : NULL;
		selected = model_is_selected(m, s.task, s.cgroup);
		if (!i) {
			iv->outside += selected;
			continue;
		}
		i->samples += selected;
		if (iv->rx && selected)
			count_rx(iv, (size_t)(i - iv->row), m, class);
		count_one(iv, m,
			  &(struct intervals_sample){
				  .cell = (size_t)(i - iv->row) * iv->ncpus + slot - 1,
				  .slot = slot - 1u,
				  .time_ns = s.time_ns,
				  .class = class,
				  .selected = selected,
			  },
			  model_is_paused(m, &around, s.time_ns));
		if (iv->wants_stacks && selected && !countmap_add(&i->stacks, (uint32_t)s.stack, 1))
			return -ENOMEM;
	}
	return 0;
}

static int see(const struct intervals_watch *w, const struct model *m,
	       const struct trace_record *rec)
{
	for (; rec && w; w = w->more)
		if (w->record && w->record(w->ctx, m, rec))
			return -ENOMEM;
	return 0;
}

int intervals_see(struct intervals *iv, const struct model *m, const struct trace_record *rec)
{
	if (iv->also && intervals_see(iv->also, m, rec))
		return -ENOMEM;
	if (see(iv->second, m, rec))
		return -ENOMEM;
	if (!rec)
		iv->own_at_least = cost_at_least(m);
	if (!rec || rec->type == TRACE_TICK) {
		close_tick(iv, m);
		if (!rec)
			iv->basis = interfaces_basis(m);
		if (close_intervals(iv, m, !rec))
			return -ENOMEM;
	}
	iv->framed |= rec && rec->type == TRACE_FRAME;
	if (iv->grows && rec && !grow(iv, rec))
		return -ENOMEM;
	if (rec && rec->type == TRACE_SAMPLES)
		return make_rx(iv, m) ? count_samples(iv, m, rec) : -ENOMEM;
	return 0;
}

/* ---- the split of an interval ------------------------------------------------------------ */

struct split_input interval_input(const struct intervals *iv, size_t cell, const struct model *m)
{
	const struct interval_cpu *c = &iv->cell[cell];
	const struct interval *row = &iv->row[cell / iv->ncpus];
	struct split_input in = { .wall_ns = m->npauses ? c->times.counted_ns : c->times.wall_ns,
				  .own = c->times.own };

	memcpy(in.exact_ns, c->times.exact_ns, sizeof(in.exact_ns));
	memcpy(in.samples, c->samples, sizeof(in.samples));
	memcpy(in.paused, c->paused, sizeof(in.paused));
	in.own_samples.known = model_own_known(m);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		in.own_samples.all[l] = c->own[l];
		in.own_samples.others[l] = c->own_others[l];
		in.own_samples.paused[l] = c->own_paused[l];
	}
	if (!isnan(in.wall_ns))
		in.paused_ns = model_paused_ns(m, row->begin_ns, row->end_ns);
	if (in.paused_ns > 0)
		in.paused_ns = fmax(in.paused_ns - c->times.gone_ns, 0);
	summary_complete_input(&in, m, &c->rest, &c->times.stat_idle, c->times.lost);
	in.own.at_least = iv->own_at_least;
	return in;
}

int interval_split_cpus(const struct intervals *iv, size_t i, const struct model *m,
			struct split *split)
{
	struct split_input *in = calloc(iv->ncpus + 1, sizeof(*in));
	struct split_combined combined;
	size_t n = 0;
	int err;

	if (!in)
		return -ENOMEM;
	if (m->npauses && summary_combine(&combined, m)) {
		free(in);
		return -ENOMEM;
	}
	for (size_t c = 0; c < iv->ncpus; c++) {
		in[n] = interval_input(iv, i * iv->ncpus + c, m);
		in[n].cpu = iv->number[c];
		in[n].combined = m->npauses ? &combined : NULL;
		n += in[n].wall_ns > 0 || in[n].paused_ns > 0;
	}
	err = split_compute(split, in, n);
	free(in);
	return err;
}

int interval_split(const struct intervals *iv, size_t i, const struct model *m,
		   struct split_cpu *all)
{
	struct split split;
	int err = interval_split_cpus(iv, i, m, &split);

	if (err)
		return err;
	*all = split.all;
	split_free(&split);
	return 0;
}

const struct interval_traffic *interval_traffic(const struct intervals *iv, size_t i)
{
	return &iv->row[i].host.traffic[iv->basis];
}

double interval_units(const struct intervals *iv, size_t i, enum unit_cost_id unit)
{
	const struct unit_cost_desc *u = &unit_cost[unit];
	const struct interval_traffic *traffic = interval_traffic(iv, i);
	double sum = NAN;

	if (!unit_cost_is_of_counted(unit))
		return u->by_what == UNIT_BY_PROCESSED ? iv->row[i].host.processed :
		       u->by_what == UNIT_BY_PACKETS   ? traffic->packets :
							 traffic->bytes;
	for (size_t c = i * iv->ncpus; c < (i + 1) * iv->ncpus; c++) {
		const struct interval_times *t = &iv->cell[c].times;

		known_add(&sum, u->by_what == UNIT_BY_CALLS ? t->calls[u->event] :
				u->by_what == UNIT_BY_BYTES ? t->bytes[u->event] :
							      t->polled);
	}
	return sum;
}

/* ---- a store for each interval ----------------------------------------------------------- */

/* Passes a record to the store. The model reports errors in the record. */
static int pieces_record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	const struct store_tick tick = { m->tick_cpu, m->tick_ncpus };
	struct store_pieces *p = ctx;

	if (rec->type != p->query->type || !p->n)
		return 0;
	return store_take(p->now, rec, &tick) == -ENOMEM ? -ENOMEM : 0;
}

/* Ends an interval. Values that were counted before the edge belong to the interval that ends there. */
static void pieces_edge(void *ctx, const struct model *m, size_t at)
{
	struct store_pieces *p = ctx;

	p->m = m;
	if (at)
		p->take(p->ctx, (uint32_t)at - 1, p->now);
	store_clear(p->now);
}

static bool pieces_begin(void *ctx, const struct intervals *iv)
{
	struct store_pieces *p = ctx;

	pieces_free(p);
	p->n = iv->n;
	p->begin(p->ctx, iv);
	return !store_new(&p->now, p->query);
}

void pieces_init(struct store_pieces *p, const struct store_query *q)
{
	p->query = q;
	p->watch = (struct intervals_watch){
		.ctx = p, .begin = pieces_begin, .edge = pieces_edge, .record = pieces_record
	};
}

void pieces_free(struct store_pieces *p)
{
	store_free(p->now);
	p->now = NULL;
	p->n = 0;
}
