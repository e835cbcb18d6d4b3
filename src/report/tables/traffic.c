// SPDX-License-Identifier: BSD-2-Clause
#include "traffic.h"

#include <inttypes.h>
#include <math.h>

#include "report/analysis/unit_costs.h"
#include "report/analysis/work.h"
#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- unit costs -------------------------------------------------------------------------- */

/* How its time is known, if it is not exact. */
static const char *how_text(const struct summary *s, enum unit_cost_id i)
{
	const struct summary_unit_cost *u = &s->unit[i];

	if (u->too_uncertain)
		return "; not known: its error is larger than the cost";
	if (i < UNIT_ENERGY_PACKET && u->how == SPLIT_AT_LEAST)
		return "; at least: a part of the time was not measured";
	if (u->how == SPLIT_SAMPLES)
		return "; time by samples";
	return u->how == SPLIT_EXACT && s->split.all.leaf[LEAF_OWN].ns > 0 ?
		       "; less what was netcost's own" :
		       "";
}

static bool is_shown(const struct summary_unit_cost *u)
{
	return !isnan(u->value) || u->too_uncertain;
}

/* Why a cost is not shown although there was something to divide; NULL: it is shown, or there was nothing. */
static const char *refused_text(const struct summary *s, enum unit_cost_id i)
{
	return i == UNIT_RX_PACKET && s->softnet_processed > 0 &&
			       work_softnet(s->m) == WORK_SOFTNET_MISSES_XDP ?
		       "not known: softnet_stat misses packets that XDP took" :
		       NULL;
}

/* People see only what there was: an idle host has no costs. Programs get half of the interval as a cost of its own. */
static void cost_row(struct doc *d, const struct summary *s, enum unit_cost_id i)
{
	const struct unit_cost_desc *desc = &unit_cost[i];
	double v = s->unit[i].value, ci95 = s->unit[i].ci95;
	const char *refused = refused_text(s, i);
	char by[120];

	snprintf(by, sizeof(by), "%s%s", refused ? refused : desc->by,
		 refused ? "" : how_text(s, i));
	for (unsigned int half = 0; half < 2; half++) {
		doc_row(d, 0,
			half || (!is_shown(&s->unit[i]) && !refused) ? DOC_PROGRAMS : DOC_ALL);
		doc_string(d, half ? desc->ci95_key : desc->key);
		doc_string(d, desc->title);
		doc_interval(d, v, ci95);
		doc_number(d, half ? ci95 : v);
		doc_string(d, desc->unit);
		doc_string(d, by);
		doc_row_end(d);
	}
}

static bool has_costs(const struct summary *s)
{
	for (unsigned int i = 0; i < UNIT_COSTS; i++)
		if (is_shown(&s->unit[i]))
			return true;
	return false;
}

void traffic_costs(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "key", .kind = DOC_STRING },
		{ .title = "cost of", .kind = DOC_STRING, .width = 16 },
		{ .title = "cost", .kind = DOC_INTERVAL, .decimals = 2, .width = 22, .ci_width = 9 },
		{ .key = "cost", .precision = 3 },
		{ .title = "unit", .kind = DOC_STRING, .width = 22 },
		{ .title = "counted by", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "unit_costs",
					 .title = "Unit costs",
					 DOC_COLUMNS_OF(column),
					 .keyed = true,
					 .only = has_costs(s) ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (unsigned int i = 0; i < UNIT_COSTS; i++)
		cost_row(d, s, i);
	doc_table_end(d);
}

/* ---- calls ------------------------------------------------------------------------------- */

static const char *const runs_title[NETCOST_EV_COUNT] = {
	[NETCOST_EV_RX_SOFTIRQ] = "RX softirq, runs",
	[NETCOST_EV_TX_SOFTIRQ] = "TX softirq, runs",
	[NETCOST_EV_HARDIRQ_NET] = "hard interrupts, runs",
};

static const char *const calls_title[NETCOST_EV_COUNT] = {
	[NETCOST_EV_SOCK_SEND] = "socket send",
	[NETCOST_EV_SOCK_RECV] = "socket receive",
	[NETCOST_EV_SOCK_LOCAL] = "local sockets",
};

/* Runs of a softirq cannot fail and have no bytes. */
static void calls_numbers(struct doc *d, const struct summary_event *event, double divide,
			  bool runs)
{
	doc_number(d, event->calls / divide);
	if (runs) {
		doc_blank(d);
		doc_blank(d);
	} else {
		doc_number(d, event->failed / divide);
		doc_number(d, event->bytes / divide);
	}
}

/* The time in which calls were counted. */
static double calls_counted_s(const struct summary *s)
{
	return s->ticks_s - s->recording.paused_s;
}

static void calls_row(struct doc *d, const struct summary *s, unsigned int e)
{
	const struct summary_event *event = &s->event[e];
	const char *title = calls_title[e] ? calls_title[e] : runs_title[e];

	doc_row(d, 0, title && !isnan(event->calls) ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, model_event_key(e));
	doc_string(d, title);
	calls_numbers(d, event, 1, runs_title[e]);
	calls_numbers(d, event, calls_counted_s(s), runs_title[e]);
	doc_number(d, isnan(event->calls) ? NAN : calls_counted_s(s));
	doc_row_end(d);
}

/* Where they were counted for a part of the time people see rates: those can be compared with the interfaces' totals. */
void traffic_calls(struct doc *d, const struct summary *s)
{
	bool rates = s->recording.paused_s > 0;
	const struct doc_column column[] = {
		{ .key = "event", .kind = DOC_STRING },
		{ .title = "operation", .kind = DOC_STRING, .width = 22 },
		{ .key = "calls", .title = rates ? NULL : "calls", .width = 12 },
		{ .key = "failed", .title = rates ? NULL : "failed", .width = 12 },
		{ .key = "bytes", .title = rates ? NULL : "bytes", .width = 16 },
		{ .title = rates ? "calls/s" : NULL, .decimals = 1, .width = 12 },
		{ .title = rates ? "failed/s" : NULL, .decimals = 1, .width = 12 },
		{ .title = rates ? "bytes/s" : NULL, .decimals = 1, .width = 16 },
		{ .key = "counted_s",
		  .precision = 6,
		  .about =
			  "in this time; less than that of the recording if exact counting was paused" },
	};
	bool none = isnan(s->event[NETCOST_EV_SOCK_SEND].calls) &&
		    isnan(s->event[NETCOST_EV_RX_SOFTIRQ].calls);
	const struct doc_table table = { .key = "events",
					 .title = rates ? "Calls a second, while counted" : "Calls",
					 DOC_COLUMNS_OF(column),
					 .keyed = true,
					 .only = none ? DOC_PROGRAMS : DOC_ALL };

	doc_table(d, &table);
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		calls_row(d, s, e);
	doc_table_end(d);
}

/* ---- interfaces -------------------------------------------------------------------------- */

/* The keys of a direction follow each other: packets, bytes, errors, dropped. */
static void interface_row(struct doc *d, const struct model *m, const struct model_netdev *dev,
			  const char *direction, enum model_netdev_key packets)
{
	enum model_netdev_key bytes = packets + 1, errors = packets + 2, dropped = packets + 3;
	const char *name = model_string(m, dev->name);
	char shown[64];

	snprintf(shown, sizeof(shown), "%.32s (%" PRIu64 ")", SAFE(name), dev->netns);
	doc_row(d, 0, summary_netdev_has_traffic(dev) ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, shown);
	doc_string(d, name);
	doc_number(d, (double)dev->netns);
	doc_string(d, direction);
	doc_number(d, summary_netdev(dev, packets));
	doc_number(d, summary_netdev(dev, bytes));
	doc_number(d, summary_netdev(dev, dropped));
	doc_number(d, summary_netdev(dev, errors));
	doc_number(d, summary_netdev_rate(dev, packets));
	doc_number(d, 8 * summary_netdev_rate(dev, bytes));
	doc_string(d, dev->driver ? model_string(m, dev->driver) : NULL);
	doc_row_end(d);
}

static size_t interface_rows(struct doc *d, const struct model *m)
{
	static const char *const directions[] = { "rx", "tx", NULL };
	static const struct doc_column column[] = {
		{ .title = "interface (netns)", .kind = DOC_STRING, .width = 22 },
		{ .key = "name", .kind = DOC_STRING, .known = true },
		{ .key = "netns", .known = true },
		{ .key = "direction",
		  .title = "",
		  .kind = DOC_STRING,
		  .width = 2,
		  .known = true,
		  .choices = directions },
		{ .key = "packets", .title = "packets", .width = 12 },
		{ .key = "bytes", .title = "MB", .scale = 1e-6, .decimals = 3, .width = 12 },
		{ .key = "dropped", .title = "dropped", .width = 9 },
		{ .key = "errors", .title = "errors", .width = 8 },
		{ .key = "packets_per_s", .title = "packets/s", .precision = 1, .width = 11 },
		{ .key = "bits_per_s",
		  .title = "Mbit/s",
		  .scale = 1e-6,
		  .decimals = 1,
		  .width = 10 },
		{ .key = "driver", .title = "driver", .kind = DOC_STRING, .cut = 22 },
	};
	const struct doc_table table = { .key = "interfaces",
					 .title = "Interfaces  (netns)",
					 DOC_COLUMNS_OF(column),
					 .only = m->nnetdevs ? DOC_ALL : DOC_PROGRAMS };
	size_t idle = 0;

	doc_table(d, &table);
	for (size_t i = 0; i < m->nnetdevs; i++) {
		interface_row(d, m, &m->netdev[i], "rx", NETDEV_RX_PACKETS);
		interface_row(d, m, &m->netdev[i], "tx", NETDEV_TX_PACKETS);
		idle += !summary_netdev_has_traffic(&m->netdev[i]);
	}
	doc_table_end(d);
	return idle;
}

void traffic_interfaces(struct doc *d, const struct summary *s)
{
	size_t idle = interface_rows(d, s->m);

	if (idle)
		doc_note(d, "  %zu more without traffic", idle);
	if (s->m->nnetdevs && model_is_of_some_cpus(s->m))
		doc_note(d, "  interfaces count for all CPUs, softnet_stat for each:");
	if (!isnan(s->softnet_processed))
		doc_note(d, "  softnet_stat: %s packets processed, %s dropped, %s times squeezed",
			 NUM(s->softnet_processed, 0), NUM(s->softnet_dropped, 0),
			 NUM(s->softnet_squeezed, 0));
	doc_object(d, "softnet");
	doc_field(d, "processed_packets", s->softnet_processed, 0);
	doc_field(d, "dropped_packets", s->softnet_dropped, 0);
	doc_field(d, "squeezed_times", s->softnet_squeezed, 0);
	doc_object_end(d);
}
