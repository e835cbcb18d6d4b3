// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: what the network did for its time, and the energy. */
#include <math.h>
#include <string.h>

#include "report/base/escape.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "summary_text.h"

/* ---- costs ------------------------------------------------------------------------------- */

static void socket_cost(FILE *out, const char *title, double ns_per_call, double ns_per_kb)
{
	if (!isnan(ns_per_call))
		fprintf(out, "  %-22s %12s ns a call %12s ns a kB\n", title, NUM(ns_per_call, 0),
			NUM(ns_per_kb, 0));
}

/* Only what there was: an idle host has no costs. */
void text_costs(FILE *out, const struct summary *s)
{
	const struct summary_unit_costs *u = &s->unit;

	if (isnan(u->rx_ns_per_packet) && isnan(u->send_ns_per_call) &&
	    isnan(u->recv_ns_per_call) && isnan(u->network_ns_per_packet))
		return;
	fprintf(out, "\n%-30s CPU time\n", "Unit costs");
	if (!isnan(u->rx_ns_per_packet))
		fprintf(out, "  %-22s %12s ns a packet, as softnet_stat counts: after GRO\n",
			"RX softirq", NUM(u->rx_ns_per_packet, 0));
	socket_cost(out, "socket send", u->send_ns_per_call, u->send_ns_per_kb);
	socket_cost(out, "socket receive", u->recv_ns_per_call, u->recv_ns_per_kb);
	if (isnan(u->network_ns_per_packet))
		return;
	fprintf(out, "  %-22s %12s ns a packet %10s ms a GB, on interfaces, rx + tx:\n", "network",
		NUM(u->network_ns_per_packet, 0), NUM(u->network_ms_per_gb, 0));
	fprintf(out, "  %38sa packet counts on every interface that it passes\n", "");
}

/* ---- calls ------------------------------------------------------------------------------- */

static void calls_row(FILE *out, const char *title, const struct summary_event *e)
{
	if (!isnan(e->calls))
		fprintf(out, "  %-22s %12s %12s %16s\n", title, NUM(e->calls, 0), NUM(e->failed, 0),
			NUM(e->bytes, 0));
}

static void runs_row(FILE *out, const char *title, const struct summary_event *e)
{
	if (!isnan(e->calls))
		fprintf(out, "  %-22s %12s\n", title, NUM(e->calls, 0));
}

void text_calls(FILE *out, const struct summary *s)
{
	if (isnan(s->event[NETCOST_EV_SOCK_SEND].calls) &&
	    isnan(s->event[NETCOST_EV_RX_SOFTIRQ].calls))
		return;
	fprintf(out, "\n%-24s %12s %12s %16s\n", "Calls", "calls", "failed", "bytes");
	calls_row(out, "socket send", &s->event[NETCOST_EV_SOCK_SEND]);
	calls_row(out, "socket receive", &s->event[NETCOST_EV_SOCK_RECV]);
	calls_row(out, "local sockets", &s->event[NETCOST_EV_SOCK_LOCAL]);
	runs_row(out, "RX softirq, runs", &s->event[NETCOST_EV_RX_SOFTIRQ]);
	runs_row(out, "TX softirq, runs", &s->event[NETCOST_EV_TX_SOFTIRQ]);
}

/* ---- interfaces -------------------------------------------------------------------------- */

static void direction(FILE *out, const struct model_netdev *d, const char *name,
		      enum model_netdev_key packets)
{
	/* the keys of a direction stand in a row: packets, bytes, errors, dropped */
	enum model_netdev_key bytes = packets + 1, errors = packets + 2, dropped = packets + 3;

	fprintf(out, " %s %12s %12s %9s %8s %11s %10s\n", name, NUM(summary_netdev(d, packets), 0),
		NUM(summary_netdev(d, bytes) / 1e6, 3), NUM(summary_netdev(d, dropped), 0),
		NUM(summary_netdev(d, errors), 0), NUM(summary_netdev_rate(d, packets), 0),
		NUM(summary_netdev_rate(d, bytes) * 8 / 1e6, 1));
}

void text_interfaces(FILE *out, const struct summary *s)
{
	const struct model *m = s->m;
	size_t idle = 0;

	if (m->nnetdevs)
		fprintf(out, "\n%-24s    %12s %12s %9s %8s %11s %10s\n", "Interfaces  (netns)",
			"packets", "MB", "dropped", "errors", "packets/s", "Mbit/s");
	for (size_t i = 0; i < m->nnetdevs; i++) {
		const struct model_netdev *d = &m->netdev[i];
		char name[64];

		if (!summary_netdev_has_traffic(d)) {
			idle++;
			continue;
		}
		snprintf(name, sizeof(name), "%.32s (%llu)", SAFE(model_string(m, d->name)),
			 (unsigned long long)d->netns);
		fprintf(out, "  %-22s", name);
		direction(out, d, "rx", NETDEV_RX_PACKETS);
		fprintf(out, "  %-22.22s", SAFE(model_string(m, d->driver)));
		direction(out, d, "tx", NETDEV_TX_PACKETS);
	}
	if (idle)
		fprintf(out, "  %zu more without traffic\n", idle);
	if (m->nnetdevs && filter_has_cpus(m->filter))
		fprintf(out, "  interfaces count for all CPUs, softnet_stat for each:\n");
	if (!isnan(s->softnet_processed))
		fprintf(out,
			"  softnet_stat: %s packets processed, %s dropped, %s times squeezed\n",
			NUM(s->softnet_processed, 0), NUM(s->softnet_dropped, 0),
			NUM(s->softnet_squeezed, 0));
}

/* ---- energy ------------------------------------------------------------------------------ */

static void zone_row(FILE *out, const struct model *m, const struct model_zone *z)
{
	struct summary_zone v = summary_zone(z);
	const char *parent = z->parent ? model_string(m, m->zone[z->parent - 1].name) : "";

	fprintf(out, "  %-22.32s", SAFE(model_string(m, z->name)));
	if (v.counting)
		fprintf(out, " %12s %12s", NUM(v.joules, 2), NUM(v.watts, 2));
	else if (isnan(v.joules))
		fprintf(out, " %12s %12s", "-", "-");
	else
		fprintf(out, " %25s", "not counting");
	if (*parent)
		fprintf(out, "   in %.32s", SAFE(parent));
	fputc('\n', out);
}

void text_energy(FILE *out, const struct summary *s)
{
	const struct model *m = s->m;

	if (!m->nzones) /* then it stands among what was not measured */
		return;
	fprintf(out, "\n%-24s %12s %12s\n", "Energy", "J", "mean W");
	for (size_t i = 0; i < m->nzones; i++)
		zone_row(out, m, &m->zone[i]);
	fprintf(out, "  %-22s %12s %12s   (package + dram) x network's share of CPU time\n",
		"network", "", NUM(s->network_w, 2));
}
