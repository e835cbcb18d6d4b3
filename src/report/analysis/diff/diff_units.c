// SPDX-License-Identifier: BSD-2-Clause
#include "diff_units.h"

#include <math.h>

#include "diff_side.h"
#include "report/analysis/known.h"
#include "report/analysis/prices_rows.h"

/* What a unit cost is: time of leaves, by what was done, in so many parts of it. */
enum done { CALLS, BYTES, PROCESSED, PACKETS, INTERFACE_BYTES };

static const struct {
	unsigned int leaves;
	enum done done;
	enum netcost_event event;
	double parts;
} unit[DIFF_UNITS] = {
	{ LEAF_BIT(RX_SOFTIRQ), PROCESSED, 0, 1 },
	{ LEAF_BIT(SOCK_SEND), CALLS, NETCOST_EV_SOCK_SEND, 1 },
	{ LEAF_BIT(SOCK_SEND), BYTES, NETCOST_EV_SOCK_SEND, 1e3 },
	{ LEAF_BIT(SOCK_RECV), CALLS, NETCOST_EV_SOCK_RECV, 1 },
	{ LEAF_BIT(SOCK_RECV), BYTES, NETCOST_EV_SOCK_RECV, 1e3 },
	{ LEAF_NETWORK, PACKETS, 0, 1 },
	{ LEAF_NETWORK, INTERFACE_BYTES, 0, 1e3 },
};

const struct diff_unit_desc diff_unit[DIFF_UNITS] = {
	{ "rx_softirq_ns_per_packet", "RX softirq", "ns a packet" },
	{ "socket_send_ns_per_call", "socket send", "ns a call" },
	{ "socket_send_ns_per_kb", "socket send", "ns a kB" },
	{ "socket_receive_ns_per_call", "socket receive", "ns a call" },
	{ "socket_receive_ns_per_kb", "socket receive", "ns a kB" },
	{ "network_ns_per_interface_packet", "network", "ns a packet" },
	{ "network_ms_per_interface_gb", "network", "ms a GB" }, /* as many as ns a kB */
};

/* As the summary has it, in ns, with its half-width. */
static double cost_of(const struct summary *s, size_t i, double *ci95)
{
	const struct summary_unit_costs *u = &s->unit;
	const struct {
		double v, ci95;
	} costs[DIFF_UNITS] = {
		{ u->rx_ns_per_packet, u->rx_ci95_ns_per_packet },
		{ u->send.ns_per_call, u->send.ci95_ns_per_call },
		{ u->send.ns_per_kb, u->send.ci95_ns_per_kb },
		{ u->recv.ns_per_call, u->recv.ci95_ns_per_call },
		{ u->recv.ns_per_kb, u->recv.ci95_ns_per_kb },
		{ u->network_ns_per_packet, u->network_ci95_ns_per_packet },
		{ u->network_ms_per_gb, u->network_ci95_ms_per_gb },
	};

	*ci95 = costs[i].ci95;
	return costs[i].v;
}

/* ---- a piece ----------------------------------------------------------------------------- */

/* Calls, and bytes in them, of the time that was counted exactly, and what that time was; otherwise all of the piece. */
static bool is_of_cpus(size_t i)
{
	return unit[i].done == CALLS || unit[i].done == BYTES;
}

static double done_in(const struct prices_rows *p, size_t piece, size_t i)
{
	const struct interval_host *h = &p->iv->row[piece].host;
	double sum = NAN;

	switch (unit[i].done) {
	case PROCESSED:
		return h->work.processed;
	case PACKETS:
		return h->packets;
	case INTERFACE_BYTES:
		return h->bytes;
	default:
		break;
	}
	for (size_t c = piece * p->iv->ncpus; c < (piece + 1) * p->iv->ncpus; c++) {
		const struct work_cpu *w = &p->iv->cell[c].times.work;

		known_add(&sum, unit[i].done == CALLS ? w->calls[unit[i].event] :
							w->bytes[unit[i].event]);
	}
	return sum;
}

static double leaves_in(const struct prices_rows *p, size_t piece, size_t i)
{
	double sum = NAN;

	if (!is_of_cpus(i))
		return prices_rows_ns(p->piece[piece], unit[i].leaves);
	for (size_t c = piece * p->iv->ncpus; c < (piece + 1) * p->iv->ncpus; c++)
		known_add(&sum, prices_rows_ns(p->cell[c], unit[i].leaves));
	return sum;
}

/* ---- all of it --------------------------------------------------------------------------- */

static struct stats_value value_of(const struct diff_side *s, const struct prices_rows *p, size_t i)
{
	double y[DIFF_PIECES], x[DIFF_PIECES], ci95, error;
	size_t n = p->n < DIFF_PIECES ? p->n : DIFF_PIECES;
	struct stats_value v = { .value = cost_of(&s->summary, i, &ci95) };

	for (size_t k = 0; k < n; k++) {
		y[k] = leaves_in(p, k, i);
		x[k] = done_in(p, k, i) / unit[i].parts;
	}
	v.variance = stats_ratio_variance(y, x, n, &v.df);
	error = ci95 / STATS_Z95;
	if (error * error > v.variance)
		v.variance = error * error;
	if (isnan(v.value))
		v.variance = v.df = NAN;
	return v;
}

static int values_of(struct stats_value v[DIFF_UNITS], const struct diff_side *s)
{
	struct prices_rows p;
	int err = prices_rows_make(&p, s->iv, s->m);

	for (size_t i = 0; !err && i < DIFF_UNITS; i++)
		v[i] = value_of(s, &p, i);
	prices_rows_free(&p);
	return err;
}

int diff_units_make(struct diff_units *u, const struct diff_side *before,
		    const struct diff_side *after)
{
	struct stats_value a[DIFF_UNITS], b[DIFF_UNITS];
	int err = values_of(a, before);

	if (!err)
		err = values_of(b, after);
	for (size_t i = 0; !err && i < DIFF_UNITS; i++)
		u->at[i] = (struct diff_unit){ a[i], b[i], stats_compare(&a[i], &b[i]) };
	return err;
}
