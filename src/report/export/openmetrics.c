// SPDX-License-Identifier: BSD-2-Clause
/*
 * openmetrics: a point of each series at each edge of the pieces of time, with its time, for Prometheus and its like.
 * What was not measured is a series, or a point, that is not there.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "openmetrics_impl.h"
#include "real_time.h"
#include "report/base/part.h"

struct openmetrics {
	struct exporter e;
	struct metrics metrics;
	struct process_times times;
	uint64_t values; /* read since the edge before */
};

/* ---- while the pieces are filled --------------------------------------------------------- */

static bool begin(void *ctx, const struct intervals *iv)
{
	struct openmetrics *o = ctx;

	metrics_free(&o->metrics);
	metrics_init(&o->metrics, iv->n ? iv->n + 1 : 0);
	return !o->e.wanted.top || o->times.watch.begin(o->times.watch.ctx, iv);
}

static void edge(void *ctx, const struct model *m, size_t at)
{
	struct openmetrics *o = ctx;

	metrics_make_room(&o->metrics, o->values);
	o->values = 0;
	openmetrics_edge(&o->metrics, m, at);
	if (o->e.wanted.top)
		o->times.watch.edge(o->times.watch.ctx, m, at);
}

static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct openmetrics *o = ctx;

	for (unsigned int i = 0; i < rec->nfields; i++)
		o->values += rec->field[i].n ? rec->field[i].n : 1;
	return o->e.wanted.top ? o->times.watch.record(o->times.watch.ctx, m, rec) : 0;
}

static struct exporter *make(void)
{
	struct openmetrics *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->e.watch = (struct intervals_watch){
		.ctx = o, .begin = begin, .edge = edge, .record = record
	};
	process_times_init(&o->times);
	return &o->e;
}

static void end(struct exporter *e)
{
	struct openmetrics *o = (struct openmetrics *)e;

	metrics_free(&o->metrics);
	process_times_free(&o->times);
	free(o);
}

/* ---- once it has been read --------------------------------------------------------------- */

/* When the edges were, in ms. NULL: reported, or no memory. */
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
		tell(PART_TITLE(from->part), "does not say what time it was: metrics need that");
		*err = -ECANCELED;
		free(ms);
		ms = NULL;
	}
	return ms;
}

static int fill(struct openmetrics *o, const struct export_source *from)
{
	size_t top = o->e.wanted.top;
	int err;

	o->metrics.room = UINT64_MAX; /* what follows has no points but those of what was read */
	err = openmetrics_pieces(&o->metrics, from, o->e.wanted.per_cpu);

	if (!err && top && o->times.too_many)
		tell(PART_TITLE(from->part),
		     "has too many processes and ticks to keep; ask for longer pieces with --every");
	else if (!err && top && !from->m->nprocesses)
		tell(PART_TITLE(from->part),
		     "has no processes: netcost-record --processes does that");
	else if (!err && top)
		err = openmetrics_processes(&o->metrics, from, &o->times, top);
	metrics_begin_at_zero(&o->metrics, METRIC_LATENCY_KEY_PACKETS);
	metrics_begin_at_zero(&o->metrics, METRIC_LATENCY_KEY);
	metrics_hold(&o->metrics);
	metrics_drop_still(&o->metrics, METRIC_ENERGY);
	return err || o->metrics.no_memory ? -ENOMEM : 0;
}

/* How many series there are is what a database of them cares about. */
static void tell_count(const struct openmetrics *o, const struct export_source *from,
		       const struct metrics_count *count)
{
	if (o->e.wanted.quiet)
		return;
	tell(PART_TITLE(from->part), "%zu series in %zu families, %zu points", count->series,
	     count->families, count->points);
	if (o->metrics.left_out)
		tell(PART_TITLE(from->part),
		     "%" PRIu64
		     " points are left out: there are too many series (%d of a family at "
		     "most), or ticks with little in them; --every makes fewer points, and export tables has all interfaces",
		     o->metrics.left_out, METRICS_FAMILY_MAX);
	if (o->metrics.held)
		tell(PART_TITLE(from->part),
		     "%" PRIu64 " points are held: of a remainder there was less than nothing, and "
		     "counters do not fall; see timeline",
		     o->metrics.held);
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
	.help = "metrics with their times, for Prometheus and its like",
	.keep = MODEL_LATENCY | MODEL_LATENCY_BY,
	.keep_top = MODEL_PROCESSES | MODEL_CGROUPS,
	.takes = EXPORT_TAKES_TOP | EXPORT_TAKES_PER_CPU,
	.pieces = true,
	.make = make,
	.write = write,
	.free = end,
};
