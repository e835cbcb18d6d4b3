// SPDX-License-Identifier: BSD-2-Clause
#include "intervals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "model_impl.h"
#include "summary.h"

void intervals_init(struct intervals *iv, uint64_t every_ns)
{
	*iv = (struct intervals){ .every_ns = every_ns };
}

void intervals_free(struct intervals *iv)
{
	free(iv->edge);
	free(iv->row);
	intervals_init(iv, iv->every_ns);
}

/* ---- the first pass: ticks --------------------------------------------------------------- */

static bool add_edge(struct intervals *iv, uint64_t at_ns)
{
	if (iv->nedges > INTERVALS_MAX) {
		iv->too_many = true;
		return true;
	}
	if (model_reserve(&iv->edge, &iv->cap, iv->nedges + 1, sizeof(*iv->edge)))
		return false;
	iv->edge[iv->nedges++] = at_ns;
	return true;
}

/* Pieces begin where --every would have them, or with the first tick behind that. */
static bool is_edge(const struct intervals *iv, uint64_t at_ns)
{
	uint64_t first, last;

	if (!iv->nedges)
		return true;
	if (!iv->every_ns)
		return at_ns > iv->edge[iv->nedges - 1];
	first = iv->edge[0];
	last = iv->edge[iv->nedges - 1];
	return at_ns > last && (at_ns - first) / iv->every_ns > (last - first) / iv->every_ns;
}

bool intervals_find(struct intervals *iv, struct trace_reader *r)
{
	struct trace_record rec;
	bool ok = true;

	intervals_free(iv);
	while (ok && trace_reader_next(r, &rec) > 0) {
		uint64_t at_ns = trace_record_uint(&rec, TRACE_TICK_AT_NS, TRACE_NIL);

		if (rec.type != TRACE_TICK || at_ns == TRACE_NIL)
			continue;
		if (at_ns > iv->last_ns)
			iv->last_ns = at_ns;
		if (is_edge(iv, at_ns))
			ok = add_edge(iv, at_ns);
	}
	/* The last piece may be shorter. */
	if (ok && iv->nedges && iv->last_ns > iv->edge[iv->nedges - 1])
		ok = add_edge(iv, iv->last_ns);
	iv->n = iv->nedges > 1 ? iv->nedges - 1 : 0;
	iv->row = ok ? calloc(iv->n + 1, sizeof(*iv->row)) : NULL;
	for (size_t i = 0; iv->row && i < iv->n; i++) {
		iv->row[i].begin_ns = iv->edge[i];
		iv->row[i].end_ns = iv->edge[i + 1];
	}
	return iv->row;
}

/* ---- the second: counters ---------------------------------------------------------------- */

/* Beside what others have: NaN until there is one. */
static void add(double *sum, double v)
{
	*sum = isnan(*sum) ? v : *sum + v;
}

static void add_counter(double *sum, const struct counter *c)
{
	if (c->readings)
		add(sum, (double)c->sum);
}

static void add_cpu(struct interval_sums *s, const struct model *m, const struct model_cpu *c,
		    bool unknown[NETCOST_EV_COUNT])
{
	const struct counter *clock = c->exact_at_ns.readings ? &c->exact_at_ns : &m->at_ns;

	if (!c->tick)
		return;
	add_counter(&s->wall_ns, clock);
	if (c->offline_ns.readings)
		s->wall_ns -= (double)c->offline_ns.sum;
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		add_counter(&s->exact_ns[e], &c->ns[e]);
		unknown[e] |= c->ns[e].unknown;
	}
	s->lost += (double)model_lost(c);
}

static void add_traffic(struct interval_sums *s, const struct model *m)
{
	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct model_netdev *d = &m->netdev[i];

		add_counter(&s->packets, &d->counter[NETDEV_RX_PACKETS]);
		add_counter(&s->packets, &d->counter[NETDEV_TX_PACKETS]);
		add_counter(&s->bytes, &d->counter[NETDEV_RX_BYTES]);
		add_counter(&s->bytes, &d->counter[NETDEV_TX_BYTES]);
	}
	for (size_t i = 0; i < m->nzones; i++) {
		const struct model_zone *z = &m->zone[i];

		if (!summary_is_total_zone(m, z) || !z->raw.readings)
			continue;
		add(&s->joules, (double)z->raw.sum * (double)z->unit_nj * 1e-9);
		if (isnan(s->energy_ns))
			add_counter(&s->energy_ns, &z->read_ns);
	}
}

static struct interval_sums sum_all(const struct model *m)
{
	struct interval_sums s = {
		.wall_ns = NAN, .packets = NAN, .bytes = NAN, .joules = NAN, .energy_ns = NAN
	};
	bool unknown[NETCOST_EV_COUNT] = { false };
	const struct model_cpu *c;

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		s.exact_ns[e] = NAN;
	model_for_each_cpu(m, c) if (filter_takes_cpu(m->filter, c->cpu))
		add_cpu(&s, m, c, unknown);
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		if (unknown[e] || !summary_has_probe(m, e))
			s.exact_ns[e] = NAN;
	/* Interfaces and energy are those of all CPUs and tasks. */
	if (!filter_has_cpus(m->filter) && !filter_has_tasks(m->filter))
		add_traffic(&s, m);
	return s;
}

static struct interval_sums minus(const struct interval_sums *a, const struct interval_sums *b)
{
	struct interval_sums s = {
		.wall_ns = a->wall_ns - b->wall_ns,
		.lost = a->lost - b->lost,
		.packets = a->packets - b->packets,
		.bytes = a->bytes - b->bytes,
		.joules = a->joules - b->joules,
		.energy_ns = a->energy_ns - b->energy_ns,
	};

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		s.exact_ns[e] = a->exact_ns[e] - b->exact_ns[e];
	return s;
}

/* All counters of the last tick have been read. */
static void close_tick(struct intervals *iv, const struct model *m)
{
	struct interval_sums now;

	if (iv->next >= iv->nedges || !m->at_ns.readings || m->at_ns.last != iv->edge[iv->next])
		return;
	now = sum_all(m);
	if (iv->next && iv->next <= iv->n)
		iv->row[iv->next - 1].sums = minus(&now, &iv->before);
	iv->before = now;
	iv->next++;
}

/* ---- samples ----------------------------------------------------------------------------- */

static bool is_in(const struct interval *i, uint64_t time_ns)
{
	return time_ns >= i->begin_ns && time_ns < i->end_ns;
}

/* The piece that time lies in, or NULL. at: where the last one was. */
static struct interval *find(struct intervals *iv, size_t *at, uint64_t time_ns)
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

static void count_one(struct interval *i, unsigned int leaf, bool selected)
{
	if (selected) {
		i->samples[leaf]++;
		return;
	}
	i->rest++;
	i->rest_idle += leaf == LEAF_IDLE;
}

static void count_samples(struct intervals *iv, const struct model *m,
			  const struct trace_record *rec)
{
	struct trace_column dts = trace_record_column(rec, TRACE_SAMPLES_DT);
	struct trace_column stacks = trace_record_column(rec, TRACE_SAMPLES_STACK);
	struct trace_column tasks = trace_record_column(rec, TRACE_SAMPLES_TASK);
	struct trace_column cgroups = trace_record_column(rec, TRACE_SAMPLES_CGROUP);
	uint64_t time_ns = trace_record_uint(rec, TRACE_SAMPLES_BASE_NS, 0);
	uint64_t unit_ns = trace_record_uint(rec, TRACE_SAMPLES_UNIT_NS, 0);
	uint64_t step = trace_record_uint(rec, TRACE_SAMPLES_STEP, 0), stack, task, cgroup;
	size_t at = 0;
	int64_t dt;

	if (!filter_takes_cpu(m->filter, trace_record_uint(rec, TRACE_SAMPLES_CPU, UINT64_MAX)))
		return;
	while (trace_column_int(&dts, &dt) && trace_column_uint(&stacks, &stack) &&
	       trace_column_uint(&tasks, &task)) {
		bool selected;
		struct interval *i;

		if (!trace_column_uint(&cgroups, &cgroup))
			cgroup = 0;
		time_ns += (step + (uint64_t)dt) * unit_ns;
		if (stack > m->nstacks) /* the model will say so */
			return;
		i = find(iv, &at, time_ns);
		selected = model_is_selected(m, task, cgroup);
		if (i)
			count_one(i, model_leaf(m, m->class[stack]), selected);
		else
			iv->outside += selected;
	}
}

int intervals_see(struct intervals *iv, const struct model *m, const struct trace_record *rec)
{
	if (!rec || rec->type == TRACE_TICK)
		close_tick(iv, m);
	else if (rec->type == TRACE_SAMPLES)
		count_samples(iv, m, rec);
	return 0;
}

/* ---- a piece ----------------------------------------------------------------------------- */

int interval_split(const struct interval *i, const struct model *m, struct split_cpu *c)
{
	struct split_input in = { .wall_ns = i->sums.wall_ns, .samples_expected = NAN };
	struct split split;
	int err;

	memcpy(in.exact_ns, i->sums.exact_ns, sizeof(in.exact_ns));
	in.exact_ns[NETCOST_EV_RX_SOFTIRQ] = summary_rx_ns(in.exact_ns);
	in.only_samples = filter_has_tasks(m->filter);
	if (!summary_names_hidden(m)) {
		memcpy(in.samples, i->samples, sizeof(in.samples));
		in.samples_rest = i->rest;
		if (!isnan(in.exact_ns[NETCOST_EV_IDLE]))
			in.samples_rest -= i->rest_idle;
		if (m->header.sample_hz)
			in.samples_expected =
				(double)m->header.sample_hz * in.wall_ns * 1e-9 - i->sums.lost;
	}
	err = split_compute(&split, &in, 1);
	if (err)
		return err;
	*c = split.cpu[0];
	split_free(&split);
	return 0;
}
