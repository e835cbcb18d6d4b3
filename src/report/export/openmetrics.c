// SPDX-License-Identifier: BSD-2-Clause
/*
 * openmetrics: a point with a timestamp for each series at each edge of the intervals, for
 * Prometheus and compatible databases. A series or point that was not measured is absent.
 *
 * A counter has the value of the model at an edge, relative to its first reading, so it starts at 0. Leaves and unit
 * costs are known by interval only. They are computed when the interval is complete, from the records read so far. So a
 * point does not depend on whether the recording still runs. The points of processes are computed from the intervals
 * after the trace was read.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "openmetrics.h"
#include "report/analysis/energy.h"
#include "report/base/stats.h"
#include "report/analysis/latency.h"
#include "report/analysis/summary.h"
#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- counters of the model --------------------------------------------------------------- */

struct place {
	struct metrics *s;
	const struct model *m;
	size_t edge;
	uint64_t *records; /* number of records that each element of view_uses had at the previous edge */
};

/* Returns the sum of a counter, or NaN if it was never read or has been unknown since some tick. */
static double so_far(const struct counter *c)
{
	return c->readings && !c->unknown ? (double)c->sum : NAN;
}

/*
 * Returns the sum of a counter over all CPUs. It is NaN if the counter of one CPU became unknown, because the sum would
 * then decrease.
 */
static double of_cpus(const struct model *m, size_t offset)
{
	const struct model_cpu *c;
	double sum = NAN;

	model_for_each_cpu(m, c)
	{
		const struct counter *counter =
			(const struct counter *)(const void *)((const char *)c + offset);

		if (!filter_takes_cpu(m->filter, c->cpu))
			continue;
		if (counter->unknown)
			return NAN;
		known_add(&sum, so_far(counter));
	}
	return sum;
}

/* Adds a point with one label. label: NULL for none. */
static void add(const struct place *at, unsigned int family, const char *label, const char *value,
		double v)
{
	struct metric_labels l = { .len = 0 };

	if (label)
		metric_label(&l, label, value);
	metrics_add(at->s, family, at->edge, v, label ? &l : NULL);
}

#define CPU(field) offsetof(struct model_cpu, field)

/* Counters that are summed over CPUs. */
static const struct cpu_series {
	unsigned int family;
	const char *label, *value;
	size_t offset;
} cpu_series[] = {
	{ METRIC_SOFTNET, "fate", "processed", CPU(processed) },
	{ METRIC_SOFTNET, "fate", "dropped", CPU(dropped) },
	{ METRIC_SQUEEZED, NULL, NULL, CPU(squeezed) },
	{ METRIC_SAMPLES, NULL, NULL, CPU(written) },
	{ METRIC_SAMPLES_LOST, NULL, NULL, CPU(lost) },
	{ METRIC_UNMEASURED, "kind", "untracked", CPU(untracked) },
	{ METRIC_UNMEASURED, "kind", "sends_outside", CPU(sends_outside) },
	{ METRIC_UNMEASURED, "kind", "receives_outside", CPU(recvs_outside) },
	{ METRIC_UNMEASURED, "kind", "sends_inside", CPU(sends_inside) },
	{ METRIC_UNMEASURED, "kind", "receives_inside", CPU(recvs_inside) },
	{ METRIC_UNMEASURED, "kind", "parts_missed", CPU(parts_missed) },
	{ METRIC_UNMEASURED, "kind", "polls_outside", CPU(polls_outside) },
};

/*
 * Counters of an event, summed over CPUs. of_calls: only events that are socket calls have the
 * counter.
 */
static const struct event_series {
	unsigned int family;
	size_t offset;
	bool of_calls;
} event_series[] = {
	{ METRIC_CALLS, CPU(calls), false },
	{ METRIC_CALLS_FAILED, CPU(failed), true },
	{ METRIC_CALL_BYTES, CPU(bytes), true },
};

static void cpus(const struct place *at)
{
	for (size_t i = 0; i < sizeof(cpu_series) / sizeof(*cpu_series); i++) {
		const struct cpu_series *c = &cpu_series[i];

		add(at, c->family, c->label, c->value, of_cpus(at->m, c->offset));
	}
}

static void events(const struct place *at)
{
	static const bool is_call[NETCOST_EV_COUNT] = { [NETCOST_EV_SOCK_SEND] = true,
							[NETCOST_EV_SOCK_RECV] = true,
							[NETCOST_EV_SOCK_LOCAL] = true };

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		for (size_t i = 0; i < sizeof(event_series) / sizeof(*event_series); i++) {
			const struct event_series *s = &event_series[i];

			if (summary_has_probe(at->m, e) && (is_call[e] || !s->of_calls))
				add(at, s->family, "event", model_event_key(e),
				    of_cpus(at->m, s->offset + e * sizeof(struct counter)));
		}
}

/* ---- the recording ----------------------------------------------------------------------- */

static void label_known(struct metric_labels *l, const char *name, const struct model *m,
			model_str value)
{
	if (*model_string(m, value))
		metric_label(l, name, model_string(m, value));
}

static void recording(const struct place *at)
{
	const struct model_header *h = &at->m->header;
	struct metric_labels l = { .len = 0 };

	label_known(&l, "host", at->m, h->host);
	label_known(&l, "kernel", at->m, h->kernel);
	label_known(&l, "machine", at->m, h->machine);
	label_known(&l, "cpu_model", at->m, h->cpu_model);
	label_known(&l, "exact", at->m, h->exact);
	label_known(&l, "sampler", at->m, h->sampler);
	label_known(&l, "tool", at->m, h->tool);
	metrics_add(at->s, METRIC_RECORDING, at->edge, 1, &l);
}

static void recorder(const struct place *at)
{
	const struct model *m = at->m;

	add(at, METRIC_RECORDER_CPU, "mode", "user",
	    metrics_time(at->s, so_far(&m->self_user_us) * 1e3));
	add(at, METRIC_RECORDER_CPU, "mode", "system",
	    metrics_time(at->s, so_far(&m->self_system_us) * 1e3));
}

/* ---- entities: the series of each --------------------------------------------------- */

typedef void thing_fn(const struct place *at, size_t i);

/*
 * Adds n entities. series: number of series of each entity in a family; points: number of points of
 * each entity at an edge.
 */
static void each(const struct place *at, size_t n, size_t series, size_t points, thing_fn *thing)
{
	n = metrics_limit(at->s, n, series, points);
	for (size_t i = 0; i < n && metrics_has_room(at->s, points * (n - i)); i++)
		thing(at, i);
}

static void program(const struct place *at, size_t i)
{
	const struct model_program *p = &at->m->program[i];
	double missed = so_far(&p->recursion);

	known_add(&missed, so_far(&p->missed));
	add(at, METRIC_RECORDER_RUNS, "program", model_string(at->m, p->name), missed);
}

/* Counters of an interface, for each direction. */
static const struct netdev_series {
	unsigned int family;
	enum model_netdev_key key[2];
} netdev_series[] = {
	{ METRIC_IF_PACKETS, { NETDEV_RX_PACKETS, NETDEV_TX_PACKETS } },
	{ METRIC_IF_BYTES, { NETDEV_RX_BYTES, NETDEV_TX_BYTES } },
	{ METRIC_IF_ERRORS, { NETDEV_RX_ERRORS, NETDEV_TX_ERRORS } },
	{ METRIC_IF_DROPPED, { NETDEV_RX_DROPPED, NETDEV_TX_DROPPED } },
};

static void interface(const struct place *at, size_t i)
{
	const struct model_netdev *d = &at->m->netdev[i];
	struct metric_labels l[2] = { { .len = 0 } };

	metric_label(&l[0], "interface", model_string(at->m, d->name));
	if (d->netns)
		metric_label_uint(&l[0], "netns", d->netns);
	if (*model_string(at->m, d->class))
		metric_label(&l[0], "class", model_string(at->m, d->class));
	l[1] = l[0];
	metric_label(&l[0], "direction", "receive");
	metric_label(&l[1], "direction", "transmit");
	for (size_t k = 0; k < sizeof(netdev_series) / sizeof(*netdev_series); k++)
		for (unsigned int way = 0; way < 2; way++)
			metrics_add(at->s, netdev_series[k].family, at->edge,
				    so_far(&d->counter[netdev_series[k].key[way]]), &l[way]);
}

/*
 * Adds the drops by reason. A drop reason has a counter per CPU, and these are summed before
 * anything is formatted.
 */
static void dropped(const struct place *at)
{
	const struct model *m = at->m;
	struct reason {
		model_str name;
		double packets;
	} reason[METRICS_FAMILY_MAX];
	struct idmap place = { 0 };
	uint32_t n = 0;

	for (size_t i = 0; i < m->ndrops; i++) {
		const struct model_drop *d = &m->drop[i];
		uint32_t r = idmap_get(&place, d->reason);

		if (!filter_takes_cpu(m->filter, d->cpu))
			continue;
		if (!r && n == METRICS_FAMILY_MAX) {
			at->s->left_out++;
			continue;
		}
		if (!r) {
			reason[n] = (struct reason){ d->reason, NAN };
			r = ++n;
			at->s->no_memory |= idmap_set(&place, d->reason, r) != 0;
		}
		known_add(&reason[r - 1].packets, so_far(&d->packets));
	}
	idmap_free(&place);
	for (uint32_t r = 0; r < n && metrics_has_room(at->s, n - r); r++)
		add(at, METRIC_DROPPED, "reason", model_string(m, reason[r].name),
		    reason[r].packets);
}

/* Adds the counters of a zone. The name of a nested zone includes its parent: "package-0/dram". */
static void zone(const struct place *at, size_t i)
{
	const struct model *m = at->m;
	const struct model_zone *z = &m->zone[i];
	size_t package = model_package_of(m, z);
	bool below = package && package != i + 1;
	char name[METRIC_LABEL_MOST];

	if (!z->raw.readings || z->failed)
		return;
	snprintf(name, sizeof(name), "%s%s%s",
		 below ? model_string(m, m->zone[package - 1].name) : "", below ? "/" : "",
		 model_string(m, z->name));
	add(at, METRIC_ENERGY, "zone", name, model_zone_joules(z));
}

/* ---- packet latency ---------------------------------------------------------------------- */

/*
 * The bounds of buckets are powers of two in ns, from 1.024 us to 17 s. Each of them is also a bucket bound of the
 * trace.
 */
#define LE_FIRST 10
#define LE_LAST 34

static void bucket(const struct place *at, const struct metric_labels *hook, const char *le,
		   bool begins, double packets)
{
	struct metric_labels l = *hook;

	metric_label(&l, "le", le);
	metrics_add_part(at->s, METRIC_LATENCY, "_bucket", begins, at->edge, packets, &l);
}

/*
 * Adds a histogram. OpenMetrics buckets are cumulative. If the sum is unknown, sum and count are
 * absent.
 */
static void histogram(const struct place *at, const struct metric_labels *hook,
		      const struct dist *l)
{
	unsigned int b = 0, power = LE_FIRST;
	double packets = 0;
	char le[32];

	for (; power <= LE_LAST; power++) {
		for (; b < NETCOST_LATENCY_BUCKETS && netcost_latency_upper(b) <= 1ull << power;
		     b++)
			packets += (double)l->bucket[b];
		snprintf(le, sizeof(le), "%.15g", (double)(1ull << power) / 1e9);
		/* The bound has OpenMetrics' float format: 17.179869184, but 1.024e-06. */
		bucket(at, hook, le, power == LE_FIRST, packets);
	}
	for (; b < NETCOST_LATENCY_BUCKETS; b++)
		packets += (double)l->bucket[b];
	bucket(at, hook, "+Inf", false, packets);
	if (l->ns == TRACE_NIL)
		return;
	metrics_add_part(at->s, METRIC_LATENCY, "_count", false, at->edge, packets, hook);
	metrics_add_part(at->s, METRIC_LATENCY, "_sum", false, at->edge, (double)l->ns / 1e9, hook);
}

static void latency(const struct place *at)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		const struct dist *l = model_latency_dist(at->m, h);
		struct metric_labels hook = { .len = 0 }, why;

		if (!l->bucket)
			continue;
		metric_label(&hook, "hook", latency_keys[h]);
		if (!at->s->exact)
			histogram(at, &hook, l);
		for (unsigned int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++) {
			why = hook;
			metric_label(&why, "why", latency_loss_keys[i]);
			metrics_add(at->s, METRIC_LATENCY_LOST, at->edge,
				    known_uint(model_latency_lost(at->m, h, i)), &why);
		}
	}
}

static void label_id(struct metric_labels *l, const char *name, uint64_t id)
{
	if (id != TRACE_NIL)
		metric_label_uint(l, name, id);
}

/* Adds the labels of a key. They include number and id, because a name alone may be ambiguous. */
static void label_key(struct metric_labels *l, const struct model_latency_by *b)
{
	static const struct {
		/* names of the labels; NULL if there is no such label */
		const char *name, *number, *id;
	} labels[NETCOST_LATENCY_BY_COUNT] = {
		[NETCOST_LATENCY_BY_INTERFACE] = { "interface", "ifindex", "netns" },
		[NETCOST_LATENCY_BY_CGROUP] = { "cgroup", "cgroup_id", NULL },
		[NETCOST_LATENCY_BY_PROCESS] = { "process", "pid", NULL },
	};

	metric_label(l, "hook", latency_keys[b->hook]);
	metric_label(l, "by", latency_by_keys[b->by]);
	metric_label(l, "which", latency_which_keys[b->which]);
	if (b->which != NETCOST_LATENCY_ONE)
		return;
	if (*b->name)
		metric_label(l, labels[b->by].name, b->name);
	label_id(l, labels[b->by].number, b->number);
	if (labels[b->by].id)
		label_id(l, labels[b->by].id, b->id);
}

/*
 * Adds the number of packets of a key and the sum of their latencies. There is no histogram, because a histogram per
 * key would need about ten thousand series.
 */
static void latency_key(const struct place *at, size_t i)
{
	const struct model_latency_by b = model_latency_by(at->m->store[MODEL_STORE_LATENCY_BY], i);
	struct metric_labels l = { .len = 0 };

	label_key(&l, &b);
	metrics_add(at->s, METRIC_LATENCY_KEY_PACKETS, at->edge, (double)dist_count(b.dist), &l);
	metrics_add(at->s, METRIC_LATENCY_KEY, at->edge,
		    metrics_time(at->s, known_uint(b.dist->ns)), &l);
}

/* ---- views (view.h) ---------------------------------------------------------------------- */

static void labels_of(struct metric_labels *l, const struct view *v, const struct view_order *o,
		      const struct view_row *r)
{
	for (size_t i = 0; i < o->nby; i++) {
		const struct view_attribute *a = &v->attribute[o->by[i]];

		if (a->number && r->by[i].n != TRACE_NIL)
			metric_label_uint(l, a->name, r->by[i].n);
		else if (!a->number && r->by[i].s && *r->by[i].s)
			metric_label(l, a->name, r->by[i].s);
	}
}

/* Adds a value of a row. Times are in seconds. */
static void value_of_row(const struct place *at, const struct view *v, size_t value,
			 const struct view_row *r, const struct metric_labels *l)
{
	const struct trace_key_desc *k = v->value[value];
	bool ns = !strcmp(k->unit, "ns");
	unsigned int family = metrics_view(at->s, v->name, ns ? "seconds" : k->name,
					   ns ? "seconds" : k->unit, v->use->title);

	if (family != METRIC_FAMILIES_MOST)
		metrics_add(at->s, family, at->edge,
			    ns ? metrics_time(at->s, r->value[value]) : r->value[value], l);
}

static void view(const struct place *at, const struct view_use *use)
{
	const struct store *store = model_answer(at->m, use->type);
	struct view_order order;
	struct view_rows rows;
	struct view v;
	size_t n;

	if (!view_usual(&v, &order, use->type)) {
		at->s->no_memory = true;
		return;
	}
	order.sort = VIEW_UNSORTED;
	order.so_far = trace_type_is_counter(use->type);
	if (view_rows_make(&rows, &v, &order, at->m, store, false)) {
		at->s->no_memory = true;
		return;
	}
	n = metrics_limit(at->s, rows.n, 1, v.nvalues);
	for (size_t i = 0; i < n && metrics_has_room(at->s, v.nvalues * (n - i)); i++) {
		struct metric_labels l = { .len = 0 };

		labels_of(&l, &v, &order, &rows.row[i]);
		for (size_t k = 0; k < v.nvalues; k++)
			value_of_row(at, &v, k, &rows.row[i], &l);
	}
	view_rows_free(&rows);
}

/*
 * Returns true if the view was read since the previous edge. Otherwise the view has no points at
 * this edge, because reading many rows at each of many edges is slow.
 */
static bool was_read(const struct place *at, const struct view_use *use)
{
	uint64_t *seen = &at->records[use - view_uses], before = *seen;
	const struct store *s = model_answer(at->m, use->type);

	*seen = s ? store_records(s) : 0;
	return *seen != before;
}

static void views(const struct place *at)
{
	for (const struct view_use *use = view_uses; use < view_uses + VIEW_USES_COUNT; use++)
		if (use->where & VIEW_METRICS && was_read(at, use))
			view(at, use);
}

/* ---- an edge ----------------------------------------------------------------------------- */

/* Adds the counters at an edge. The model has read all records of the tick at that edge. */
static void add_edge(struct metrics *s, const struct model *m, size_t edge, uint64_t *records)
{
	const struct place at = { .s = s, .m = m, .edge = edge, .records = records };

	recording(&at);
	recorder(&at);
	each(&at, m->nprograms, 1, 1, program);
	if (filter_has_tasks(m->filter)) /* for selected tasks there are only samples */
		return;
	cpus(&at);
	dropped(&at);
	events(&at);
	if (!model_is_of_all(m))
		return;
	latency(&at);
	each(&at, model_latency_bys(m), 1, 2, latency_key);
	each(&at, m->nnetdevs, 2, 8, interface);
	each(&at, m->nzones, 1, 1, zone);
	views(&at);
}

/* ---- intervals ---------------------------------------------------------------------- */

/*
 * Adds the value of an interval to a counter: points at the first and the last edge of the interval. An interval that
 * was not measured has no points, except at edges that it shares with a measured neighbour. Intervals are rounded to ns
 * as in the timeline, so that counters equal the sums of its rows.
 */
static void move(struct openmetrics_pieces *p, unsigned int family, size_t piece, double *sum_ns,
		 double ns, const struct metric_labels *l)
{
	struct metrics *s = p->s;

	if (!isfinite(ns))
		return;
	metrics_set(s, family, piece, metrics_time(s, *sum_ns), l);
	*sum_ns += rint(ns);
	metrics_set(s, family, piece + 1, metrics_time(s, *sum_ns), l);
}

static void leaves(struct openmetrics_pieces *p, size_t piece, const struct split_cpu *c)
{
	double *sum = p->sum[p->per_cpu ? c->cpu : 0];

	for (unsigned int leaf = 0; leaf < LEAF_COUNT; leaf++) {
		struct metric_labels l = { .len = 0 };

		metric_label(&l, "leaf", leaf_desc[leaf].key);
		if (p->per_cpu)
			metric_label_uint(&l, "cpu", c->cpu);
		move(p, METRIC_CPU, piece, &sum[leaf], c->leaf[leaf].ns, &l);
	}
}

static const struct cost_series {
	const char *of, *per;
	enum unit_cost_id unit;
} cost_series[] = {
	{ "network", "packet", UNIT_NETWORK_PACKET },
	{ "network", "byte", UNIT_NETWORK_GB },
	{ "rx_softirq", "packet", UNIT_RX_PACKET },
	{ "rx_softirq", "polled_packet", UNIT_RX_POLLED },
	{ "sock_send", "call", UNIT_SEND_CALL },
	{ "sock_send", "byte", UNIT_SEND_KB },
	{ "sock_recv", "call", UNIT_RECV_CALL },
	{ "sock_recv", "byte", UNIT_RECV_KB },
};

static void costs(const struct openmetrics_pieces *p, size_t piece, const struct split *split)
{
	for (size_t i = 0; i < sizeof(cost_series) / sizeof(*cost_series); i++) {
		const struct cost_series *s = &cost_series[i];
		const struct split_cpu *c = unit_cost_is_of_counted(s->unit) ? &split->counted :
									       &split->all;
		double ns = split_sum(c, unit_cost[s->unit].leaves).ns;
		struct metric_labels l = { .len = 0 };

		metric_label(&l, "of", s->of);
		metric_label(&l, "per", s->per);
		if (unit_cost[s->unit].by_what >= UNIT_BY_PACKETS)
			metric_label(&l, "interfaces", interfaces_basis_keys[p->iv->basis]);
		metrics_add(p->s, METRIC_UNIT_COST, piece + 1,
			    metrics_time(p->s,
					 known_ratio(ns, interval_units(p->iv, piece, s->unit))),
			    &l);
	}
}

static int one(struct openmetrics_pieces *p, const struct model *m, size_t piece)
{
	struct split split;
	int err = interval_split_cpus(p->iv, piece, m, &split);

	if (err)
		return err;
	if (split.ncpus)
		move(p, METRIC_RECORDED, piece, &p->wall_ns, split.all.wall_ns, NULL);
	for (size_t c = 0; p->per_cpu && c < split.ncpus; c++)
		leaves(p, piece, &split.cpu[c]);
	if (!p->per_cpu)
		leaves(p, piece, &split.all);
	if (split.ncpus)
		costs(p, piece, &split);
	split_free(&split);
	return 0;
}

/* ---- processes --------------------------------------------------------------------------- */

static void label_process(struct metric_labels *l, const struct processes_row *r)
{
	static const char *const name[MODEL_CGROUP_NAMES] = {
		[MODEL_CGROUP_POD] = "pod",
		[MODEL_CGROUP_NAMESPACE] = "namespace",
		[MODEL_CGROUP_CONTAINER] = "container"
	};

	metric_label(l, "process", r ? r->name : "others");
	if (r && r->pid != TRACE_NIL)
		metric_label_uint(l, "pid", r->pid);
	if (r && *r->cgroup)
		metric_label(l, "cgroup", r->cgroup);
	for (unsigned int i = 0; r && i < MODEL_CGROUP_NAMES; i++)
		if (name[i] && *r->label[i])
			metric_label(l, name[i], r->label[i]);
}

/*
 * Adds the processes at an edge. sum: running sums of each track. Tracks with equal labels become
 * one series with their sum.
 */
static void processes_at(struct metrics *s, const struct process_tracks *k, size_t edge,
			 double (*sum)[PROCESS_TIMES])
{
	static const unsigned int family[PROCESS_TIMES] = {
		[PROCESS_TIME_ON_CPU] = METRIC_PROCESS_CPU,
		[PROCESS_TIME_NETWORK] = METRIC_PROCESS_NETWORK,
		[PROCESS_TIME_INTERRUPTED] = METRIC_PROCESS_INTERRUPTED,
	};

	for (size_t i = 0; i <= k->ntracks; i++) {
		struct metric_labels l = { .len = 0 };

		label_process(&l, i < k->ntracks ? &k->p->row[i] : NULL);
		for (unsigned int t = 0; t < PROCESS_TIMES; t++)
			metrics_add(s, family[t], edge, metrics_time(s, sum[i][t]), &l);
	}
}

static int add_processes(struct metrics *s, const struct export_source *from,
			 const struct process_tracks *k)
{
	size_t n = intervals_closed(from->iv);
	double(*sum)[PROCESS_TIMES] = calloc(k->ntracks + 1, sizeof(*sum));

	if (!sum)
		return -ENOMEM;
	for (size_t i = 0; i <= n; i++) {
		if (i)
			process_tracks_add(k, i - 1, sum);
		processes_at(s, k, i, sum);
	}
	free(sum);
	return 0;
}

/* Adds the `top` tracks with the most CPU time, and the sum of all others. Returns 0 or -ENOMEM. */
static int add_top(struct metrics *s, const struct export_source *from,
		   const struct process_times *times, size_t top)
{
	struct process_tracks k;
	struct processes p;
	int err = processes_make(&p, from->m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, top);

	if (err)
		return err;
	err = process_tracks_make(&k, &p, times, top);
	if (!err) {
		err = add_processes(s, from, &k);
		process_tracks_free(&k);
	}
	processes_free(&p);
	return err;
}

/* ---- the format -------------------------------------------------------------------------- */

bool openmetrics_begin(void *ctx, const struct intervals *iv)
{
	struct openmetrics *o = ctx;

	if (!o->times.pieces.watch.ctx)
		process_times_init(&o->times);
	memset(o->records, 0, sizeof(o->records));
	metrics_free(&o->metrics);
	metrics_init(&o->metrics, iv->n ? iv->n + 1 : iv->grows);
	o->metrics.newest = iv->grows;
	o->metrics.exact = o->exact;
	memset(&o->pieces, 0, sizeof(o->pieces));
	o->pieces.s = &o->metrics;
	o->pieces.iv = iv;
	o->pieces.per_cpu = o->e.wanted.per_cpu;
	return !o->e.wanted.top || o->times.pieces.watch.begin(o->times.pieces.watch.ctx, iv);
}

void openmetrics_edge(void *ctx, const struct model *m, size_t at)
{
	struct openmetrics *o = ctx;

	metrics_make_room(&o->metrics, o->values);
	o->values = 0;
	add_edge(&o->metrics, m, at, o->records);
	if (o->e.wanted.top)
		o->times.pieces.watch.edge(o->times.pieces.watch.ctx, m, at);
}

/* The points added here need no room, because the numbers of ticks and CPUs limit their number. */
int openmetrics_closed(void *ctx, const struct model *m, size_t i)
{
	struct openmetrics *o = ctx;
	uint64_t room = o->metrics.room;
	int err;

	o->metrics.room = UINT64_MAX;
	err = one(&o->pieces, m, i);
	o->metrics.room = room;
	if (!err && o->metrics.newest)
		metrics_settle(&o->metrics);
	return err;
}

int openmetrics_record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct openmetrics *o = ctx;

	for (unsigned int i = 0; i < rec->nfields; i++)
		o->values += rec->field[i].n ? rec->field[i].n : 1;
	return o->e.wanted.top ? o->times.pieces.watch.record(o->times.pieces.watch.ctx, m, rec) :
				 0;
}

void openmetrics_end(struct exporter *e)
{
	struct openmetrics *o = (struct openmetrics *)e;

	metrics_free(&o->metrics);
	process_times_free(&o->times);
}

/* ---- after the trace was read ------------------------------------------------------- */

/*
 * Returns the times of the edges in ms. Returns NULL if out of memory, or on an error that was
 * reported.
 */
static uint64_t *real_times(const struct export_source *from, int *err)
{
	const struct intervals *iv = from->iv;
	uint64_t *ms = calloc(iv->n + 1, sizeof(*ms));

	*err = -ENOMEM;
	for (size_t i = 0; ms && i <= iv->n; i++) {
		if (real_time_ns(from->m, iv->edge[i], &ms[i])) {
			ms[i] /= 1000000;
			continue;
		}
		tell(PART_TITLE(from->part),
		     "has no CLOCK record: metrics need the time of day, which is unknown");
		*err = -ECANCELED;
		free(ms);
		ms = NULL;
	}
	return ms;
}

static int fill(struct openmetrics *o, const struct export_source *from)
{
	size_t top = o->e.wanted.top;
	int err = 0;

	o->metrics.room =
		UINT64_MAX; /* the number of later points is bounded by the values read from the trace */
	if (top && o->times.too_many)
		tell(PART_TITLE(from->part),
		     "has too many processes and ticks to keep; set longer intervals with --every");
	else if (top && !from->m->nprocesses)
		tell(PART_TITLE(from->part),
		     "has no counters by process: record with netcost-record --processes");
	else if (top)
		err = add_top(&o->metrics, from, &o->times, top);
	metrics_settle(&o->metrics);
	return err || o->metrics.no_memory ? -ENOMEM : 0;
}

/* Reports the number of series, which determines the load on a database. */
static void tell_count(const struct openmetrics *o, const struct export_source *from,
		       const struct metrics_count *count)
{
	if (o->e.wanted.quiet)
		return;
	tell(PART_TITLE(from->part), "%zu series in %zu families, %zu points", count->series,
	     count->families, count->points);
	metrics_tell_left_out(&o->metrics, PART_TITLE(from->part));
	if (o->metrics.held)
		tell(PART_TITLE(from->part),
		     "%" PRIu64
		     " points repeat the previous value, because counters must not decrease: the recorder's own time in a leaf was larger than the leaf's time; see timeline",
		     o->metrics.held);
}

int openmetrics_write_newest(FILE *out, struct exporter *e, const struct model *m)
{
	struct openmetrics *o = (struct openmetrics *)e;
	const struct intervals *iv = o->pieces.iv;
	uint64_t ms;

	if (!real_time_ns(m, iv->edge[iv->closed], &ms))
		return -ENODATA;
	ms /= 1000000;
	metrics_keep(&o->metrics, iv->closed);
	metrics_write(out, &o->metrics, &ms);
	return o->metrics.no_memory ? -ENOMEM : 0;
}

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	struct openmetrics *o = (struct openmetrics *)e;
	struct metrics_count count;
	uint64_t *ms;
	FILE *out;
	int err;

	ms = real_times(from, &err);
	if (!ms)
		return err;
	err = fill(o, from);
	out = err ? NULL : to->open(to->ctx, 1);
	if (out) {
		count = metrics_write(out, &o->metrics, ms);
		if (to->close(to->ctx, out, 1, true))
			tell_count(o, from, &count);
		else
			err = -ECANCELED;
	} else if (!err) {
		err = -ECANCELED;
	}
	free(ms);
	return err;
}

const struct export_format export_openmetrics = {
	.name = "openmetrics",
	.help = "metrics with timestamps, for Prometheus and compatible databases",
	.keep = MODEL_LATENCY | MODEL_LATENCY_BY,
	.keep_top = MODEL_PROCESSES | MODEL_CGROUPS,
	.takes = EXPORT_TAKES_TOP | EXPORT_TAKES_PER_CPU | EXPORT_TAKES_LISTEN,
	.pieces = true,
	.as_live = true,
	.size = sizeof(struct openmetrics),
	.watch = { .begin = openmetrics_begin,
		   .edge = openmetrics_edge,
		   .closed = openmetrics_closed,
		   .record = openmetrics_record },
	.write = write,
	.free = openmetrics_end,
};
