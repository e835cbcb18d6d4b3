// SPDX-License-Identifier: BSD-2-Clause
/* The second pass: what was measured in each piece. */
#include "intervals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "own.h"
#include "report/model/filter.h"
#include "report/rules/stack_class.h"
#include "summary.h"

/* ---- counters ---------------------------------------------------------------------------- */

static void add_counter(double *sum, const struct counter *c)
{
	if (c->readings)
		known_add(sum, (double)c->sum);
}

/* NaN where there is nothing. */
static struct interval_times times_of(const struct model *m, const struct model_cpu *c)
{
	struct interval_times t = { .wall_ns = NAN,
				    .work = work_of_cpu(m, c),
				    .stat_idle = { .idle = NAN } };

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		t.exact_ns[e] = NAN;
	if (!c || !c->tick || !filter_takes_cpu(m->filter, c->cpu))
		return t;
	t.gone_ns = summary_gone_ns(c);
	add_counter(&t.wall_ns, c->exact_at_ns.readings ? &c->exact_at_ns : &m->at_ns);
	if (c->offline_ns.readings)
		t.wall_ns -= (double)c->offline_ns.sum;
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
	own_make(&t.own, m, c);
	return t;
}

static void add_netdevs(struct interval_host *h, const struct model *m)
{
	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct model_netdev *d = &m->netdev[i];

		add_counter(&h->packets, &d->counter[NETDEV_RX_PACKETS]);
		add_counter(&h->packets, &d->counter[NETDEV_TX_PACKETS]);
		add_counter(&h->bytes, &d->counter[NETDEV_RX_BYTES]);
		add_counter(&h->bytes, &d->counter[NETDEV_TX_BYTES]);
	}
}

/* Of the zones that were ever read; energy_ns: the mean of the times that they tell of. */
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

/* NaN: it is not known on some CPU, or on none. */
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
	struct interval_host h = { .packets = NAN,
				   .bytes = NAN,
				   .joules = NAN,
				   .energy_ns = NAN,
				   .work = work_of_host(m) };

	/* Interfaces and energy are those of all CPUs and tasks; what was not read at this tick is not known then. */
	if (model_is_of_all(m)) {
		if (m->read_tick[TRACE_NETDEV_STATS] == m->ticks)
			add_netdevs(&h, m);
		add_energy(&h, m);
	}
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		h.part_ns[p] = part_ns(m, p);
	return h;
}

static void set_own(struct split_own *to, const struct split_own *now,
		    const struct split_own *before)
{
	*to = *now;
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		to->ns[e] -= before->ns[e];
		to->ci95_ns[e] -= before->ci95_ns[e];
	}
}

static void set_times(struct interval_times *to, const struct interval_times *now,
		      const struct interval_times *before)
{
	to->wall_ns = now->wall_ns - before->wall_ns;
	to->lost = now->lost - before->lost;
	to->gone_ns = now->gone_ns - before->gone_ns;
	to->stat_idle.idle = now->stat_idle.idle - before->stat_idle.idle;
	to->stat_idle.breaks = now->stat_idle.breaks - before->stat_idle.breaks;
	to->work = work_cpu_since(&now->work, &before->work);
	set_own(&to->own, &now->own, &before->own);
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		to->exact_ns[e] = now->exact_ns[e] - before->exact_ns[e];
}

static void set_host(struct interval_host *to, const struct interval_host *now,
		     const struct interval_host *before)
{
	to->packets = now->packets - before->packets;
	to->bytes = now->bytes - before->bytes;
	to->joules = now->joules - before->joules;
	to->energy_ns = now->energy_ns - before->energy_ns;
	to->work = work_host_since(&now->work, &before->work);
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		to->part_ns[p] = now->part_ns[p] - before->part_ns[p];
}

/* All counters of the last tick have been read. */
static void close_tick(struct intervals *iv, const struct model *m)
{
	struct interval_host host;

	if (!iv->n || iv->next >= iv->nedges || !m->at_ns.readings ||
	    m->at_ns.last != iv->edge[iv->next])
		return;
	for (size_t i = 0; i < iv->ncpus; i++) {
		struct interval_times now = times_of(m, m->cpu[iv->number[i]]);

		if (iv->next)
			set_times(&iv->cell[(iv->next - 1) * iv->ncpus + i].times, &now,
				  &iv->before[i]);
		iv->before[i] = now;
	}
	host = host_of(m);
	if (iv->next)
		set_host(&iv->row[iv->next - 1].host, &host, &iv->host_before);
	iv->host_before = host;
	if (iv->watch)
		iv->watch->edge(iv->watch->ctx, m, iv->next);
	if (iv->second && iv->second->edge)
		iv->second->edge(iv->second->ctx, m, iv->next);
	iv->next++;
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

static void count_one(struct intervals *iv, const struct model *m, const struct intervals_sample *s)
{
	struct interval_cpu *c = &iv->cell[s->cell];
	enum leaf leaf = model_leaf(m, s->class);
	bool paused = model_is_paused(m, s->time_ns);

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

/* Room for them, once it is known how many categories there are. */
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

/* -ENOMEM. */
static int count_samples(struct intervals *iv, const struct model *m,
			 const struct trace_record *rec)
{
	struct trace_samples s = trace_record_samples(rec);
	uint64_t cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, UINT64_MAX);
	unsigned int slot;
	size_t at = 0;

	if (!filter_takes_cpu(m->filter, cpu))
		return 0;
	slot = cpu < TRACE_MAX_CPU ? iv->slot[cpu] : 0;
	for (size_t n = 0; trace_samples_next(&s); n++) {
		struct interval *i;
		unsigned int class;
		bool selected;

		if (s.stack > m->nstacks) /* the model will say so */
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
			  });
		if (iv->wants_stacks && selected && !countmap_add(&i->stacks, (uint32_t)s.stack, 1))
			return -ENOMEM;
	}
	return 0;
}

static int see(const struct intervals_watch *w, const struct model *m,
	       const struct trace_record *rec)
{
	return rec && w && w->record ? w->record(w->ctx, m, rec) : 0;
}

int intervals_see(struct intervals *iv, const struct model *m, const struct trace_record *rec)
{
	if (iv->also && intervals_see(iv->also, m, rec))
		return -ENOMEM;
	if (see(iv->second, m, rec))
		return -ENOMEM;
	if (!rec || rec->type == TRACE_TICK)
		close_tick(iv, m);
	else if (rec->type == TRACE_SAMPLES && !make_rx(iv, m))
		return -ENOMEM;
	else if (rec->type == TRACE_SAMPLES)
		return count_samples(iv, m, rec);
	return 0;
}

/* ---- a piece ----------------------------------------------------------------------------- */

struct split_input interval_input(const struct intervals *iv, size_t cell, const struct model *m)
{
	const struct interval_cpu *c = &iv->cell[cell];
	const struct interval *row = &iv->row[cell / iv->ncpus];
	struct split_input in = { .wall_ns = c->times.wall_ns, .own = c->times.own };
	struct summary_stat_idle stat = c->times.stat_idle;

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
	stat.samples = c->samples[LEAF_IDLE] + c->rest.idle;
	summary_stat_idle(&in, m, &stat);
	summary_complete_input(&in, m, &c->rest, c->times.lost);
	return in;
}

int interval_split_cpus(const struct intervals *iv, size_t i, const struct model *m,
			struct split *split)
{
	struct split_input *in = calloc(iv->ncpus + 1, sizeof(*in));
	struct split_calibration calibration;
	size_t n = 0;
	int err;

	if (!in)
		return -ENOMEM;
	if (m->npauses && summary_calibrate(&calibration, m)) {
		free(in);
		return -ENOMEM;
	}
	for (size_t c = 0; c < iv->ncpus; c++) {
		in[n] = interval_input(iv, i * iv->ncpus + c, m);
		in[n].cpu = iv->number[c];
		in[n].calibration = m->npauses ? &calibration : NULL;
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

/* ---- a store for each piece -------------------------------------------------------------- */

/* What is wrong with the record the model will say. */
static int pieces_record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct store_pieces *p = ctx;

	(void)m;
	if (rec->type != p->query->type || !p->n)
		return 0;
	return store_take(p->now, rec) == -ENOMEM ? -ENOMEM : 0;
}

/* What was counted up to the edge is the piece's before it. */
static void pieces_edge(void *ctx, const struct model *m, size_t at)
{
	struct store_pieces *p = ctx;

	(void)m;
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
