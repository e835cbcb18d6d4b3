// SPDX-License-Identifier: BSD-2-Clause
/* Packets: interfaces, what was dropped, for how long they were in the host. */
#include <math.h>

#include "report/analysis/latency.h"
#include "tables_impl.h"

/* ---- interfaces -------------------------------------------------------------------------- */

static const struct table_column interface_column[] = {
	{ "id", NULL, TABLE_UINT, true, "of the interface, in this recording alone" },
	{ "interface", NULL, TABLE_TEXT, true, NULL },
	{ "netns", NULL, TABLE_UINT, false, "inode of the network namespace; null: not known" },
	{ "driver", NULL, TABLE_TEXT, false, NULL },
	{ "seconds", "s", TABLE_NUMBER, false, "between the first reading and the last" },
	{ "rx_packets", "packets", TABLE_NUMBER, false, "in that time, as all below" },
	{ "rx_bytes", "bytes", TABLE_NUMBER, false, NULL },
	{ "rx_errors", NULL, TABLE_NUMBER, false, NULL },
	{ "rx_dropped", "packets", TABLE_NUMBER, false, NULL },
	{ "tx_packets", "packets", TABLE_NUMBER, false, NULL },
	{ "tx_bytes", "bytes", TABLE_NUMBER, false, NULL },
	{ "tx_errors", NULL, TABLE_NUMBER, false, NULL },
	{ "tx_dropped", "packets", TABLE_NUMBER, false, NULL },
	{ "interrupts_seconds", "s", TABLE_NUMBER, false,
	  "between the first reading of its hard interrupts and the last" },
	{ "interrupts", NULL, TABLE_NUMBER, false, "in that time" },
	{ "interrupts_ns", "ns", TABLE_NUMBER, false, "their handlers'" },
};

static int interfaces(struct rows *r, const struct tables_source *from)
{
	const struct model *m = from->m;

	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct model_netdev *d = &m->netdev[i];
		double irqs_s = counter_moved(&d->irqs_at_ns) * 1e-9;

		rows_begin(r);
		rows_uint(r, i + 1);
		rows_text(r, model_string(m, d->name));
		rows_uint(r, d->netns ? d->netns : TRACE_NIL);
		rows_text_known(r, model_string(m, d->driver));
		rows_number(r, counter_moved(&d->at_ns) * 1e-9);
		for (unsigned int k = 0; k < NETDEV_KEYS; k++)
			rows_number(r, summary_netdev(d, k));
		rows_number(r, irqs_s);
		rows_number(r, isnan(irqs_s) ? NAN : (double)d->interrupts);
		rows_number(r, d->irqs_timed ? (double)d->irqs_ns : NAN);
		rows_end(r);
	}
	return 0;
}

const struct table table_interfaces = {
	.name = "interfaces",
	.about = "What interfaces counted while they were recorded",
	TABLE_COLUMNS(interface_column),
	.order = "id",
	.fill = interfaces,
};

/* ---- dropped packets --------------------------------------------------------------------- */

static const struct table_column drop_column[] = {
	{ "reason", NULL, TABLE_TEXT, true, "the kernel's name for it" },
	{ "packets", "packets", TABLE_NUMBER, false, NULL },
	{ "seconds", "s", TABLE_NUMBER, false, "between the first reading and the last" },
};

static int drops(struct rows *r, const struct tables_source *from)
{
	for (size_t i = 0; i < from->drops.n; i++) {
		rows_begin(r);
		rows_text(r, from->drops.row[i].reason);
		rows_number(r, from->drops.row[i].packets);
		rows_number(r, from->drops.seconds);
		rows_end(r);
	}
	return 0;
}

const struct table table_drops = {
	.name = "drops",
	.about = "Packets that the kernel dropped, by its reason; that none was known: recordings",
	TABLE_COLUMNS(drop_column),
	.order = "reason",
	.fill = drops,
};

/* ---- latency ----------------------------------------------------------------------------- */

static const struct table_column latency_column[] = {
	{ "hook", NULL, TABLE_TEXT, true, "from where to where it is measured" },
	{ "packets", "packets", TABLE_NUMBER, false, "that have a time" },
#define X(name, key, title, share) { key "_ns", "ns", TABLE_NUMBER, false, NULL },
	DIST_QUANTILES(X)
#undef X
		{ "sum_ns", "ns", TABLE_NUMBER, false, "of all of them" },
	{ "min_ns", "ns", TABLE_NUMBER, false, NULL },
	{ "max_ns", "ns", TABLE_NUMBER, false, NULL },
#define X(id, name, key, title) { key "_packets", "packets", TABLE_UINT, false, title },
	NETCOST_LATENCY_LOSSES(X)
#undef X
};

static int latency(struct rows *r, const struct tables_source *from)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		struct dist_summary row;

		if (!model_is_measured(from->m, NETCOST_OF_LATENCY, h))
			continue;
		dist_summarize(&row, &from->m->latency[h].dist);
		rows_begin(r);
		rows_text(r, latency_keys[h]);
		rows_number(r, row.count);
		for (unsigned int q = 0; q < DIST_QUANTILE_COUNT; q++)
			rows_number(r, row.ns[q]);
		rows_number(r, tables_counter(from->m->latency[h].dist.ns));
		rows_number(r, row.min_ns);
		rows_number(r, row.max_ns);
		for (unsigned int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++)
			rows_uint(r, from->m->latency[h].lost[i]);
		rows_end(r);
	}
	return 0;
}

const struct table table_latency = {
	.name = "latency",
	.about = "For how long packets were in the host: a row for each hook that was measured",
	TABLE_COLUMNS(latency_column),
	.order = "hook",
	.fill = latency,
};

static const struct table_column bucket_column[] = {
	{ "hook", NULL, TABLE_TEXT, true, NULL },
	{ "lower_ns", "ns", TABLE_UINT, true, "more than that; the first bucket: 0, too" },
	{ "upper_ns", "ns", TABLE_UINT, true, "up to that" },
	{ "packets", "packets", TABLE_UINT, true, "buckets without any are left out" },
};

static int buckets(struct rows *r, const struct tables_source *from)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		const struct dist *l = &from->m->latency[h].dist;

		for (unsigned int b = 0; l->bucket && b < NETCOST_LATENCY_BUCKETS; b++) {
			if (!l->bucket[b])
				continue;
			rows_begin(r);
			rows_text(r, latency_keys[h]);
			rows_uint(r, netcost_latency_lower(b));
			rows_uint(r, netcost_latency_upper(b));
			rows_uint(r, l->bucket[b]);
			rows_end(r);
		}
	}
	return 0;
}

const struct table table_latency_buckets = {
	.name = "latency_buckets",
	.about = "Likewise as histograms, which can be added up over recordings and hosts",
	TABLE_COLUMNS(bucket_column),
	.order = "hook, lower_ns",
	.fill = buckets,
};
