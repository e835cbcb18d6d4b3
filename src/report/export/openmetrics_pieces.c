// SPDX-License-Identifier: BSD-2-Clause
/* What is known of pieces of time: leaves, as counters from edge to edge, and what a unit cost in each piece. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "openmetrics_impl.h"
#include "report/analysis/known.h"
#include "report/model/filter.h"

/* ---- leaves ------------------------------------------------------------------------------ */

struct pieces {
	struct metrics *s;
	const struct export_source *from;
	bool per_cpu;
	double sum[TRACE_MAX_CPU][LEAF_COUNT]; /* so far; of all CPUs: in the first row */
	double wall_ns;
};

/*
 * A piece moves a counter from its first edge to its last. Where it was not measured there is no point, unless the piece
 * before or after it has one there.
 */
static void move(struct pieces *p, enum metric_family family, size_t piece, double *sum_ns,
		 double ns, const struct metric_labels *l)
{
	struct metrics *s = p->s;

	if (!isfinite(ns))
		return;
	metrics_set(s, family, piece, *sum_ns / 1e9, l);
	*sum_ns += ns;
	metrics_set(s, family, piece + 1, *sum_ns / 1e9, l);
}

static void leaves(struct pieces *p, size_t piece, const struct split_cpu *c)
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

/* ---- unit costs -------------------------------------------------------------------------- */

static void cost(struct pieces *p, size_t piece, const char *of, const char *per, double ns,
		 double units)
{
	struct metric_labels l = { .len = 0 };

	metric_label(&l, "of", of);
	metric_label(&l, "per", per);
	metrics_add(p->s, METRIC_UNIT_COST, piece + 1, known_ratio(ns, units) / 1e9, &l);
}

/* Calls and bytes of an event, of all CPUs. */
static struct work_cpu work_of(const struct intervals *iv, size_t piece)
{
	struct work_cpu sum;

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		sum.calls[e] = sum.bytes[e] = NAN;
	for (size_t c = 0; c < iv->ncpus; c++) {
		const struct work_cpu *w = &iv->cell[piece * iv->ncpus + c].times.work;

		for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
			known_add(&sum.calls[e], w->calls[e]);
			known_add(&sum.bytes[e], w->bytes[e]);
		}
	}
	return sum;
}

/* Calls are counted while exact counting is not paused: their time is that, too. */
static void costs(struct pieces *p, size_t piece, const struct split *split)
{
	static const struct {
		enum leaf leaf;
		enum netcost_event event;
	} calls[] = { { LEAF_SOCK_SEND, NETCOST_EV_SOCK_SEND },
		      { LEAF_SOCK_RECV, NETCOST_EV_SOCK_RECV } };
	const struct interval_host *h = &p->from->iv->row[piece].host;
	double network_ns = split_sum(&split->all, LEAF_NETWORK).ns;
	struct work_cpu w = work_of(p->from->iv, piece);

	cost(p, piece, "network", "packet", network_ns, h->packets);
	cost(p, piece, "network", "byte", network_ns, h->bytes);
	cost(p, piece, leaf_desc[LEAF_RX_SOFTIRQ].key, "packet",
	     split->all.leaf[LEAF_RX_SOFTIRQ].ns, h->work.processed);
	cost(p, piece, leaf_desc[LEAF_RX_SOFTIRQ].key, "polled_packet",
	     split->counted.leaf[LEAF_RX_SOFTIRQ].ns, w.polled);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		double ns = split->counted.leaf[calls[i].leaf].ns;

		cost(p, piece, leaf_desc[calls[i].leaf].key, "call", ns, w.calls[calls[i].event]);
		cost(p, piece, leaf_desc[calls[i].leaf].key, "byte", ns, w.bytes[calls[i].event]);
	}
}

/* ---- pieces ------------------------------------------------------------------------------ */

static int one(struct pieces *p, size_t piece)
{
	struct split split;
	int err = interval_split_cpus(p->from->iv, piece, p->from->m, &split);

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

int openmetrics_pieces(struct metrics *s, const struct export_source *from, bool per_cpu)
{
	struct pieces *p = calloc(1, sizeof(*p));
	size_t n = intervals_closed(from->iv);
	int err = p ? 0 : -ENOMEM;

	if (p) {
		p->s = s;
		p->from = from;
		p->per_cpu = per_cpu;
	}
	for (size_t i = 0; !err && i < n; i++)
		err = one(p, i);
	free(p);
	return err;
}

/* ---- processes --------------------------------------------------------------------------- */

static void label_process(struct metric_labels *l, const struct processes_row *r)
{
	metric_label(l, "process", r ? r->name : "others");
	if (r && r->pid != TRACE_NIL)
		metric_label_uint(l, "pid", r->pid);
	if (r && *r->cgroup)
		metric_label(l, "cgroup", r->cgroup);
}

/* sum: of each track, so far; what two have the same labels is one series, and their sum. */
static void processes_at(struct metrics *s, const struct process_tracks *k, size_t edge,
			 double (*sum)[PROCESS_TIMES])
{
	static const enum metric_family family[PROCESS_TIMES] = {
		[PROCESS_TIME_ON_CPU] = METRIC_PROCESS_CPU,
		[PROCESS_TIME_NETWORK] = METRIC_PROCESS_NETWORK,
		[PROCESS_TIME_INTERRUPTED] = METRIC_PROCESS_INTERRUPTED,
	};

	for (size_t i = 0; i <= k->ntracks; i++) {
		struct metric_labels l = { .len = 0 };

		label_process(&l, i < k->ntracks ? &k->p->row[i] : NULL);
		for (unsigned int t = 0; t < PROCESS_TIMES; t++)
			metrics_add(s, family[t], edge, sum[i][t] / 1e9, &l);
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

int openmetrics_processes(struct metrics *s, const struct export_source *from,
			  const struct process_times *times, size_t top)
{
	struct process_tracks k;
	struct processes p;
	int err;

	err = processes_make(&p, from->m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU, top);
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
