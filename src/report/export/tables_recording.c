// SPDX-License-Identifier: BSD-2-Clause
/* A row for the recording, and one for each CPU in each piece of time. */
#include <errno.h>
#include <math.h>

#include "real_time.h"
#include "report/analysis/cost.h"
#include "report/analysis/energy.h"
#include "report/analysis/known.h"
#include "tables_impl.h"

double tables_counter(uint64_t v)
{
	return v == TRACE_NIL ? NAN : (double)v;
}

void tables_leaves(struct rows *r, const struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		rows_number(r, c->leaf[l].ns);
	rows_number(r, split_sum(c, LEAF_NETWORK).ns);
}

/* ---- recordings -------------------------------------------------------------------------- */

static const struct table_column recording_column[] = {
	{ "seconds", "s", TABLE_NUMBER, false, "how long was recorded" },
	{ "ticks_seconds", "s", TABLE_NUMBER, false,
	  "of that, from the first tick to the last: what counters are of" },
	{ "kernel", NULL, TABLE_TEXT, false, "as uname has it" },
	{ "machine", NULL, TABLE_TEXT, false, "likewise: the architecture" },
	{ "cpu_model", NULL, TABLE_TEXT, false, NULL },
	{ "cpus", NULL, TABLE_UINT, false, "that were recorded" },
	{ "tool", NULL, TABLE_TEXT, false, "what recorded it, and its version" },
	{ "exact", NULL, TABLE_TEXT, false, "how exact times were taken" },
	{ "sampler", NULL, TABLE_TEXT, false, NULL },
	{ "sample_hz", "Hz", TABLE_UINT, false, "samples a second on each CPU" },
	{ "tick_ms", "ms", TABLE_UINT, false, "the counters' tick" },
	{ "ended", NULL, TABLE_UINT, true, "1: the trace is whole to its end; 0: it is cut off" },
	{ "ended_why", NULL, TABLE_TEXT, false, "what ended the recording" },
	{ "damage", NULL, TABLE_TEXT, false, "what is missing in the trace; null: nothing" },
	{ "wall_ns", "ns", TABLE_NUMBER, false, "of all CPUs; the leaves sum to it" },
	TABLES_LEAF_COLUMNS,
	{ "network_ci95_ns", "ns", TABLE_NUMBER, false,
	  "half the width of its 95 % interval; 0: exact" },
	{ "networking_cost", NULL, TABLE_NUMBER, false, "network / (all - idle)" },
	{ "networking_cost_ci95", NULL, TABLE_NUMBER, false, NULL },
	{ "packets", "packets", TABLE_NUMBER, false, "of all interfaces, rx + tx" },
	{ "bytes", "bytes", TABLE_NUMBER, false, "likewise" },
	{ "ns_per_packet", "ns", TABLE_NUMBER, false, "network time for each of these" },
	{ "ms_per_gb", "ms", TABLE_NUMBER, false, "likewise" },
	{ "rx_ns_per_packet", "ns", TABLE_NUMBER, false,
	  "RX softirq, for each packet that it processed, after GRO" },
	{ "rx_ns_per_polled_packet", "ns", TABLE_NUMBER, false,
	  "RX softirq, for each packet that NAPI polled, before GRO, with those that XDP took" },
	{ "dropped_packets", "packets", TABLE_NUMBER, false, "by the kernel, for any reason" },
	{ "backlog_dropped_packets", "packets", TABLE_NUMBER, false, "by softnet_stat" },
	{ "joules", "J", TABLE_NUMBER, false, "of packages and memory" },
	{ "samples", NULL, TABLE_UINT, true, "that were taken" },
	{ "samples_lost", NULL, TABLE_NUMBER, false, NULL },
	{ "samples_expected", NULL, TABLE_NUMBER, false, NULL },
	{ "paused_seconds", "s", TABLE_NUMBER, false, "in which exact counting was paused" },
	{ "untracked", NULL, TABLE_NUMBER, false, "socket operations that were not measured" },
	{ "own_cost", NULL, TABLE_NUMBER, false,
	  "share of CPU time that the recording itself cost" },
	{ "marks", NULL, TABLE_UINT, true, "moments that were marked" },
};

static void about(struct rows *r, const struct tables_source *from)
{
	const struct model_header *h = &from->m->header;
	const model_str text[] = { h->kernel, h->machine, h->cpu_model };
	const model_str how[] = { h->tool, h->exact, h->sampler };

	rows_number(r, from->summary.duration_s);
	rows_number(r, from->summary.ticks_s);
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		rows_text_known(r, model_string(from->m, text[i]));
	rows_uint(r, h->ncpus);
	for (size_t i = 0; i < sizeof(how) / sizeof(*how); i++)
		rows_text_known(r, model_string(from->m, how[i]));
	rows_uint(r, h->sample_hz);
	rows_uint(r, h->tick_ms ? h->tick_ms : TRACE_NIL);
}

static void ending(struct rows *r, const struct model *m)
{
	char damage[256];

	rows_uint(r, m->status.ended);
	rows_text_known(r, m->status.ended ? model_string(m, m->end.why) : "");
	rows_text_known(r, model_damage(m, damage, sizeof(damage)));
}

static void costs(struct rows *r, const struct summary *s)
{
	struct split_value network = split_sum(&s->split.all, LEAF_NETWORK);

	rows_number(r, isnan(network.ns) ? NAN : network.ci95_ns);
	rows_number(r, s->networking_cost);
	rows_number(r, s->networking_cost_ci95);
	rows_number(r, s->packets);
	rows_number(r, s->bytes);
	rows_number(r, s->unit[UNIT_NETWORK_PACKET].value);
	rows_number(r, s->unit[UNIT_NETWORK_GB].value);
	rows_number(r, s->unit[UNIT_RX_PACKET].value);
	rows_number(r, s->unit[UNIT_RX_POLLED].value);
}

static int recordings(struct rows *r, const struct tables_source *from)
{
	const struct model *m = from->m;
	const struct summary *s = &from->summary;

	rows_begin(r);
	about(r, from);
	ending(r, m);
	rows_number(r, s->split.ncpus ? s->split.all.wall_ns : NAN);
	tables_leaves(r, &s->split.all);
	costs(r, s);
	rows_number(r, from->drops.packets);
	rows_number(r, s->softnet_dropped);
	rows_number(r, energy_joules(m));
	rows_uint(r, m->samples);
	rows_number(r, s->recording.samples_lost);
	rows_number(r, s->recording.samples_expected);
	rows_number(r, s->recording.paused_s);
	rows_number(r, s->recording.untracked);
	rows_number(r, cost_make(m).all);
	rows_uint(r, m->records[TRACE_MARK]);
	rows_end(r);
	return 0;
}

const struct table table_recordings = {
	.name = "recordings",
	.about =
		"A row for each recording: its host, how it was recorded, and what the network cost",
	TABLE_COLUMNS(recording_column),
	.fill = recordings,
};

/* ---- leaves ------------------------------------------------------------------------------ */

static const struct table_column leaf_column[] = {
	{ "piece", NULL, TABLE_UINT, true, "number of the piece of time, from 1 on" },
	{ "cpu", NULL, TABLE_UINT, true, NULL },
	{ "time", NULL, TABLE_TIME, true, "when the piece began" },
	{ "begin_s", "s", TABLE_NUMBER, true, "likewise, since the recording began" },
	{ "end_s", "s", TABLE_NUMBER, true, NULL },
	{ "wall_ns", "ns", TABLE_NUMBER, false, "the leaves sum to it" },
	TABLES_LEAF_COLUMNS,
};

static void leaves_row(struct rows *r, const struct tables_source *from, size_t piece,
		       const struct split_cpu *c)
{
	const struct interval *row = &from->iv->row[piece];
	uint64_t real_ns = r->key->start_ns;

	real_time_ns(from->m, row->begin_ns, &real_ns);
	rows_begin(r);
	rows_uint(r, piece + 1);
	rows_uint(r, c->cpu);
	rows_time(r, real_ns, true);
	rows_number(r, model_seconds(from->m, row->begin_ns));
	rows_number(r, model_seconds(from->m, row->end_ns));
	rows_number(r, c->wall_ns);
	tables_leaves(r, c);
	rows_end(r);
}

static int leaves(struct rows *r, const struct tables_source *from)
{
	size_t n = intervals_closed(from->iv);

	for (size_t i = 0; i < n; i++) {
		struct split split;
		int err = interval_split_cpus(from->iv, i, from->m, &split);

		if (err)
			return err;
		for (size_t c = 0; c < split.ncpus; c++)
			leaves_row(r, from, i, &split.cpu[c]);
		split_free(&split);
	}
	return 0;
}

const struct table table_leaves = {
	.name = "leaves",
	.about =
		"CPU time by leaf: a row for each CPU from each tick to the next, or for longer pieces",
	TABLE_COLUMNS(leaf_column),
	.order = "piece, cpu",
	.fill = leaves,
};
