// SPDX-License-Identifier: BSD-2-Clause
/* The page: what the network did for its time, and the energy. */
#include <inttypes.h>
#include <math.h>

#include "page.h"
#include "report/base/html.h"
#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- costs ------------------------------------------------------------------------------- */

static void cost_row(const struct page *p, const char *what, const char *by, double v,
		     const char *unit, int decimals)
{
	html_row(p->out, 0, what);
	html_cell(p->out, NUM(v, decimals));
	html_cell_text(p->out, unit);
	html_cell_text(p->out, by);
	html_row_end(p->out);
}

static void calls_row(const struct page *p, const char *title, enum netcost_event e, bool runs)
{
	const struct summary_event *event = &p->s->event[e];

	html_row(p->out, 0, title);
	html_cell(p->out, NUM(event->calls, 0));
	html_cell(p->out, runs ? "" : NUM(event->failed, 0));
	html_cell(p->out, runs ? "" : NUM(event->bytes, 0));
	html_row_end(p->out);
}

bool page_costs(const struct page *p)
{
	static const struct html_column costs[] = {
		{ "CPU time of", true }, { "cost", false }, { "unit", true }, { "counted by", true }
	};
	static const struct html_column calls[] = {
		{ "operation", true }, { "calls", false }, { "failed", false }, { "bytes", false }
	};
	const struct summary_unit_costs *u = &p->s->unit;

	html_table(p->out, "Unit costs", costs, 4);
	cost_row(p, "RX softirq", "softnet_stat: after GRO", u->rx_ns_per_packet, "ns a packet", 0);
	cost_row(p, "socket send", "exact counters", u->send_ns_per_call, "ns a call", 0);
	cost_row(p, "socket send", "exact counters", u->send_ns_per_kb, "ns a kB", 0);
	cost_row(p, "socket receive", "exact counters", u->recv_ns_per_call, "ns a call", 0);
	cost_row(p, "socket receive", "exact counters", u->recv_ns_per_kb, "ns a kB", 0);
	cost_row(p, "network", "interfaces, rx + tx: a packet counts on each that it passes",
		 u->network_ns_per_packet, "ns a packet", 0);
	cost_row(p, "network", "interfaces, rx + tx", u->network_ms_per_gb, "ms a GB", 0);
	html_table_end(p->out);
	html_table(p->out, "Calls", calls, 4);
	calls_row(p, "socket send", NETCOST_EV_SOCK_SEND, false);
	calls_row(p, "socket receive", NETCOST_EV_SOCK_RECV, false);
	calls_row(p, "local sockets", NETCOST_EV_SOCK_LOCAL, false);
	calls_row(p, "RX softirq, runs", NETCOST_EV_RX_SOFTIRQ, true);
	calls_row(p, "TX softirq, runs", NETCOST_EV_TX_SOFTIRQ, true);
	html_table_end(p->out);
	return true;
}

/* ---- interfaces -------------------------------------------------------------------------- */

static void direction(const struct page *p, const struct model_netdev *d, const char *name,
		      enum model_netdev_key packets)
{
	/* the keys of a direction stand in a row: packets, bytes, errors, dropped */
	enum model_netdev_key bytes = packets + 1, errors = packets + 2, dropped = packets + 3;
	char netns[32];

	snprintf(netns, sizeof(netns), "%" PRIu64, d->netns);
	html_row(p->out, 0, model_string(p->m, d->name));
	html_cell(p->out, netns);
	html_cell_text(p->out, d->driver ? model_string(p->m, d->driver) : "-");
	html_cell_text(p->out, name);
	html_cell(p->out, NUM(summary_netdev(d, packets), 0));
	html_cell(p->out, NUM(summary_netdev(d, bytes) / 1e6, 3));
	html_cell(p->out, NUM(summary_netdev(d, dropped), 0));
	html_cell(p->out, NUM(summary_netdev(d, errors), 0));
	html_cell(p->out, NUM(summary_netdev_rate(d, packets), 0));
	html_cell(p->out, NUM(summary_netdev_rate(d, bytes) * 8 / 1e6, 1));
	html_row_end(p->out);
}

static size_t interfaces(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "interface", true }, { "netns", false },   { "driver", true },
		{ "direction", true }, { "packets", false }, { "MB", false },
		{ "dropped", false },  { "errors", false },  { "packets/s", false },
		{ "Mbit/s", false },
	};
	size_t idle = 0;

	html_table(p->out, "Interfaces with traffic", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < p->m->nnetdevs; i++) {
		const struct model_netdev *d = &p->m->netdev[i];

		if (!summary_netdev_has_traffic(d)) {
			idle++;
			continue;
		}
		direction(p, d, "rx", NETDEV_RX_PACKETS);
		direction(p, d, "tx", NETDEV_TX_PACKETS);
	}
	html_table_end(p->out);
	return idle;
}

bool page_interfaces(const struct page *p)
{
	size_t idle = 0;

	if (p->m->nnetdevs)
		idle = interfaces(p);
	else
		html_paragraph(p->out, "note", "The trace names no interfaces%s.",
			       filter_has_tasks(p->m->filter) ? " for tasks: they count for all" :
								"");
	if (idle)
		html_paragraph(p->out, "note", "%zu more without traffic.", idle);
	if (p->m->nnetdevs && filter_has_cpus(p->m->filter))
		html_paragraph(p->out, "note",
			       "Interfaces count for all CPUs, softnet_stat for each.");
	html_paragraph(p->out, NULL,
		       "softnet_stat: %s packets processed, %s dropped, %s times squeezed.",
		       NUM(p->s->softnet_processed, 0), NUM(p->s->softnet_dropped, 0),
		       NUM(p->s->softnet_squeezed, 0));
	return true;
}

/* ---- energy ------------------------------------------------------------------------------ */

static void zone_row(const struct page *p, const struct model_zone *z)
{
	struct summary_zone v = summary_zone(z);
	bool still = !v.counting && !isnan(v.joules);

	html_row(p->out, 0, model_string(p->m, z->name));
	html_cell_text(p->out, z->parent ? model_string(p->m, p->m->zone[z->parent - 1].name) : "");
	html_cell(p->out, still ? "not counting" : NUM(v.joules, 2));
	html_cell(p->out, still ? "" : NUM(v.watts, 2));
	html_row_end(p->out);
}

bool page_energy(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "zone", true }, { "in", true }, { "J", false }, { "mean W", false }
	};

	if (!p->m->nzones) {
		html_paragraph(p->out, "note", "Energy was not measured.");
		return true;
	}
	html_table(p->out, "Energy", columns, 4);
	for (size_t i = 0; i < p->m->nzones; i++)
		zone_row(p, &p->m->zone[i]);
	html_row(p->out, 0, "network");
	html_cell_text(p->out, "(package + dram) x its share of CPU time");
	html_cell(p->out, "");
	html_cell(p->out, NUM(p->s->network_w, 2));
	html_row_end(p->out);
	html_table_end(p->out);
	return true;
}
