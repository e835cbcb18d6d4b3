// SPDX-License-Identifier: BSD-2-Clause
/* What counters have at an edge: since their first reading, so that they are 0 where the recording begins. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "openmetrics_impl.h"
#include "report/analysis/energy.h"
#include "report/analysis/known.h"
#include "report/analysis/latency.h"
#include "report/analysis/summary.h"
#include "report/model/filter.h"

/* NaN: it was not read, or is not known any more. */
static double so_far(const struct counter *c)
{
	return c->readings && !c->unknown ? (double)c->sum : NAN;
}

/* The same of all CPUs; NaN also where that of one is not known any more: the sum would fall. */
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

#define OF_CPUS(m, field) of_cpus(m, offsetof(struct model_cpu, field))

struct place {
	struct metrics *s;
	const struct model *m;
	size_t edge;
};

/* With one label. */
static void add(const struct place *at, enum metric_family family, const char *label,
		const char *value, double v)
{
	struct metric_labels l = { .len = 0 };

	metric_label(&l, label, value);
	metrics_add(at->s, family, at->edge, v, &l);
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
	size_t n;

	add(at, METRIC_RECORDER_CPU, "mode", "user", so_far(&m->self_user_us) / 1e6);
	add(at, METRIC_RECORDER_CPU, "mode", "system", so_far(&m->self_system_us) / 1e6);
	n = metrics_limit(at->s, m->nprograms, 1, 1);
	for (size_t i = 0; i < n && metrics_has_room(at->s, n - i); i++) {
		const struct model_program *p = &m->program[i];
		double missed = so_far(&p->recursion);

		known_add(&missed, so_far(&p->missed));
		add(at, METRIC_RECORDER_RUNS, "program", model_string(m, p->name), missed);
	}
}

static void losses(const struct place *at)
{
	static const struct {
		const char *kind;
		size_t offset;
	} unmeasured[] = {
		{ "untracked", offsetof(struct model_cpu, untracked) },
		{ "sends_outside", offsetof(struct model_cpu, sends_outside) },
		{ "receives_outside", offsetof(struct model_cpu, recvs_outside) },
		{ "sends_inside", offsetof(struct model_cpu, sends_inside) },
		{ "receives_inside", offsetof(struct model_cpu, recvs_inside) },
		{ "parts_missed", offsetof(struct model_cpu, parts_missed) },
		{ "polls_outside", offsetof(struct model_cpu, polls_outside) },
	};

	metrics_add(at->s, METRIC_SAMPLES, at->edge, OF_CPUS(at->m, written), NULL);
	metrics_add(at->s, METRIC_SAMPLES_LOST, at->edge, OF_CPUS(at->m, lost), NULL);
	for (size_t i = 0; i < sizeof(unmeasured) / sizeof(*unmeasured); i++)
		add(at, METRIC_UNMEASURED, "kind", unmeasured[i].kind,
		    of_cpus(at->m, unmeasured[i].offset));
}

/* ---- the network ------------------------------------------------------------------------- */

static void interfaces(const struct place *at)
{
	static const struct {
		enum metric_family family;
		enum model_netdev_key rx, tx;
	} counters[] = {
		{ METRIC_IF_PACKETS, NETDEV_RX_PACKETS, NETDEV_TX_PACKETS },
		{ METRIC_IF_BYTES, NETDEV_RX_BYTES, NETDEV_TX_BYTES },
		{ METRIC_IF_ERRORS, NETDEV_RX_ERRORS, NETDEV_TX_ERRORS },
		{ METRIC_IF_DROPPED, NETDEV_RX_DROPPED, NETDEV_TX_DROPPED },
	};
	const struct model *m = at->m;
	size_t n = metrics_limit(at->s, m->nnetdevs, 2, 8);

	for (size_t i = 0; i < n && metrics_has_room(at->s, 8 * (n - i)); i++) {
		const struct model_netdev *d = &m->netdev[i];
		struct metric_labels l = { .len = 0 }, rx, tx;

		metric_label(&l, "interface", model_string(m, d->name));
		if (d->netns)
			metric_label_uint(&l, "netns", d->netns);
		rx = tx = l;
		metric_label(&rx, "direction", "receive");
		metric_label(&tx, "direction", "transmit");
		for (size_t k = 0; k < sizeof(counters) / sizeof(*counters); k++) {
			metrics_add(at->s, counters[k].family, at->edge,
				    so_far(&d->counter[counters[k].rx]), &rx);
			metrics_add(at->s, counters[k].family, at->edge,
				    so_far(&d->counter[counters[k].tx]), &tx);
		}
	}
}

static void softnet(const struct place *at)
{
	add(at, METRIC_SOFTNET, "fate", "processed", OF_CPUS(at->m, processed));
	add(at, METRIC_SOFTNET, "fate", "dropped", OF_CPUS(at->m, dropped));
	metrics_add(at->s, METRIC_SQUEEZED, at->edge, OF_CPUS(at->m, squeezed), NULL);
}

/* Of a reason each CPU has a counter: they are summed up before anything is formatted. */
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

static void calls(const struct place *at)
{
	static const bool is_call[NETCOST_EV_COUNT] = { [NETCOST_EV_SOCK_SEND] = true,
							[NETCOST_EV_SOCK_RECV] = true,
							[NETCOST_EV_SOCK_LOCAL] = true };

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		const char *event = model_event_key(e);

		if (!summary_has_probe(at->m, e))
			continue;
		add(at, METRIC_CALLS, "event", event, OF_CPUS(at->m, calls[e]));
		if (!is_call[e])
			continue;
		add(at, METRIC_CALLS_FAILED, "event", event, OF_CPUS(at->m, failed[e]));
		add(at, METRIC_CALL_BYTES, "event", event, OF_CPUS(at->m, bytes[e]));
	}
}

/* ---- energy ------------------------------------------------------------------------------ */

/* A zone below another one has its name after that one's: "package-0/dram". */
static void energy(const struct place *at)
{
	const struct model *m = at->m;
	size_t n;

	n = metrics_limit(at->s, m->nzones, 1, 1);
	for (size_t i = 0; i < n && metrics_has_room(at->s, n - i); i++) {
		const struct model_zone *z = &m->zone[i];
		char name[METRIC_LABEL_MOST];
		size_t package = model_package_of(m, z);

		if (!z->raw.readings || z->failed)
			continue;
		if (package && package != i + 1)
			snprintf(name, sizeof(name), "%s/%s",
				 model_string(m, m->zone[package - 1].name),
				 model_string(m, z->name));
		else
			snprintf(name, sizeof(name), "%s", model_string(m, z->name));
		add(at, METRIC_ENERGY, "zone", name, model_zone_joules(z));
	}
}

/* ---- latency ----------------------------------------------------------------------------- */

/* Bounds are powers of two in ns, which buckets of the trace end at: from 1.024 us to 17 s. */
#define LE_FIRST 10
#define LE_LAST 34

static void bucket(const struct place *at, const struct metric_labels *hook, const char *le,
		   bool begins, double packets)
{
	struct metric_labels l = *hook;

	metric_label(&l, "le", le);
	metrics_add_part(at->s, METRIC_LATENCY, "_bucket", begins, at->edge, packets, &l);
}

/* Packets in buckets are those of all below, too. A sum that is not known is not there, nor is the count then. */
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
		/* As OpenMetrics has floats: 17.179869184, but 1.024e-06. */
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
		histogram(at, &hook, l);
		for (unsigned int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++) {
			why = hook;
			metric_label(&why, "why", latency_loss_keys[i]);
			metrics_add(at->s, METRIC_LATENCY_LOST, at->edge,
				    (double)model_latency_lost(at->m, h, i), &why);
		}
	}
}

static void label_id(struct metric_labels *l, const char *name, uint64_t id)
{
	if (id != TRACE_NIL)
		metric_label_uint(l, name, id);
}

/* Which one it is: what it is called may be another one's name, too. */
static void label_key(struct metric_labels *l, const struct model_latency_by *b)
{
	static const struct {
		const char *name, *number, *id; /* NULL: not a label */
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

/* A histogram of each would be some ten thousand series: these are how many packets, and their time. */
static void latency_by(const struct place *at)
{
	size_t n = metrics_limit(at->s, model_latency_bys(at->m), 1, 2);

	for (size_t i = 0; i < n && metrics_has_room(at->s, 2 * (n - i)); i++) {
		const struct model_latency_by b =
			model_latency_by(at->m->store[MODEL_STORE_LATENCY_BY], i);
		struct metric_labels l = { .len = 0 };
		double ns = known_uint(b.dist->ns);

		label_key(&l, &b);
		metrics_add(at->s, METRIC_LATENCY_KEY_PACKETS, at->edge, (double)dist_count(b.dist),
			    &l);
		metrics_add(at->s, METRIC_LATENCY_KEY, at->edge, ns / 1e9, &l);
	}
}

/* ---- all --------------------------------------------------------------------------------- */

void openmetrics_edge(struct metrics *s, const struct model *m, size_t edge)
{
	const struct place at = { .s = s, .m = m, .edge = edge };

	recording(&at);
	recorder(&at);
	if (filter_has_tasks(m->filter)) /* of tasks there are samples alone */
		return;
	softnet(&at);
	losses(&at);
	dropped(&at);
	calls(&at);
	if (!model_is_of_all(m))
		return;
	latency(&at);
	latency_by(&at);
	interfaces(&at);
	energy(&at);
}
