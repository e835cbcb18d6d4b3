// SPDX-License-Identifier: BSD-2-Clause
#include "unit_costs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "known.h"

#define OF_INTERFACES "interfaces, rx + tx"

const struct unit_cost_desc unit_cost[UNIT_COSTS] = {
	[UNIT_RX_PACKET] = { "rx_softirq_ns_per_packet", "rx_softirq_ci95_ns_per_packet",
			     "RX softirq", "ns a softirq packet", "softnet_stat: after GRO" },
	[UNIT_RX_POLLED] = { "rx_softirq_ns_per_polled_packet",
			     "rx_softirq_ci95_ns_per_polled_packet", "RX softirq",
			     "ns a polled packet",
			     "polls of NAPI: before GRO, with those that XDP took" },
	[UNIT_SEND_CALL] = { "socket_send_ns_per_call", "socket_send_ci95_ns_per_call",
			     "socket send", "ns a call", "exact counters" },
	[UNIT_SEND_KB] = { "socket_send_ns_per_kb", "socket_send_ci95_ns_per_kb", "socket send",
			   "ns a kB", "exact counters" },
	[UNIT_RECV_CALL] = { "socket_receive_ns_per_call", "socket_receive_ci95_ns_per_call",
			     "socket receive", "ns a call", "exact counters" },
	[UNIT_RECV_KB] = { "socket_receive_ns_per_kb", "socket_receive_ci95_ns_per_kb",
			   "socket receive", "ns a kB", "exact counters" },
	[UNIT_NETWORK_PACKET] = { "network_ns_per_interface_packet",
				  "network_ci95_ns_per_interface_packet", "network",
				  "ns an interface packet",
				  OF_INTERFACES ": once on each that a packet passes" },
	[UNIT_NETWORK_GB] = { "network_ms_per_interface_gb", "network_ci95_ms_per_interface_gb",
			      "network", "ms an interface GB", OF_INTERFACES },
	[UNIT_ENERGY_PACKET] = { "network_uj_per_interface_packet",
				 "network_ci95_uj_per_interface_packet", "network, energy",
				 "uJ an interface packet",
				 OF_INTERFACES "; of the energy above idle power" },
	[UNIT_ENERGY_GB] = { "network_j_per_interface_gb", "network_ci95_j_per_interface_gb",
			     "network, energy", "J an interface GB",
			     OF_INTERFACES "; of the energy above idle power" },
};

/* Time of leaves, or no leaves: energy; by what was done, in so many parts of it. */
enum done { CALLS, BYTES, POLLED, PROCESSED, PACKETS, INTERFACE_BYTES };

static const struct {
	unsigned int leaves;
	enum done done;
	enum netcost_event event;
	double parts;
} made_of[UNIT_COSTS] = {
	[UNIT_RX_PACKET] = { LEAF_BIT(RX_SOFTIRQ), PROCESSED, 0, 1 },
	[UNIT_RX_POLLED] = { LEAF_BIT(RX_SOFTIRQ), POLLED, 0, 1 },
	[UNIT_SEND_CALL] = { LEAF_BIT(SOCK_SEND), CALLS, NETCOST_EV_SOCK_SEND, 1 },
	[UNIT_SEND_KB] = { LEAF_BIT(SOCK_SEND), BYTES, NETCOST_EV_SOCK_SEND, 1e3 },
	[UNIT_RECV_CALL] = { LEAF_BIT(SOCK_RECV), CALLS, NETCOST_EV_SOCK_RECV, 1 },
	[UNIT_RECV_KB] = { LEAF_BIT(SOCK_RECV), BYTES, NETCOST_EV_SOCK_RECV, 1e3 },
	[UNIT_NETWORK_PACKET] = { LEAF_NETWORK, PACKETS, 0, 1 },
	[UNIT_NETWORK_GB] = { LEAF_NETWORK, INTERFACE_BYTES, 0, 1e3 }, /* as many as ns a kB */
	[UNIT_ENERGY_PACKET] = { 0, PACKETS, 0, 1 },
	[UNIT_ENERGY_GB] = { 0, INTERFACE_BYTES, 0, 1e3 }, /* as many as uJ a kB */
};

/* ---- leaves in each interval ------------------------------------------------------------- */

/* The leaves in each interval, and on each CPU in it while they were counted exactly. NaN: not known. */
struct costs {
	const struct intervals *iv;
	size_t n; /* intervals */
	double (*piece)[LEAF_COUNT], (*cell)[LEAF_COUNT];
};

static void take_leaves(double to[LEAF_COUNT], const struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		to[l] = c ? c->leaf[l].ns : NAN;
}

/* Calls are counted while times are, so the time of pauses is left out. */
static int make_cell(double to[LEAF_COUNT], const struct intervals *iv, size_t cell,
		     const struct model *m)
{
	struct split_input in = interval_input(iv, cell, m);
	struct split split;

	in.paused_ns = 0;
	in.calibration = NULL;
	if (!(in.wall_ns > 0)) {
		take_leaves(to, NULL);
		return 0;
	}
	if (split_compute(&split, &in, 1))
		return -ENOMEM;
	take_leaves(to, &split.all);
	split_free(&split);
	return 0;
}

/* -ENOMEM; also then it must be freed. */
static int costs_make(struct costs *p, const struct intervals *iv, const struct model *m)
{
	int err;

	*p = (struct costs){ .iv = iv, .n = intervals_closed(iv) };
	p->piece = calloc(p->n + 1, sizeof(*p->piece));
	p->cell = calloc(p->n * iv->ncpus + 1, sizeof(*p->cell));
	err = p->piece && p->cell ? 0 : -ENOMEM;
	for (size_t i = 0; !err && i < p->n; i++) {
		struct split_cpu all;

		err = interval_split(iv, i, m, &all);
		if (!err)
			take_leaves(p->piece[i], &all);
		for (size_t c = i * iv->ncpus; !err && c < (i + 1) * iv->ncpus; c++)
			err = make_cell(p->cell[c], iv, c, m);
	}
	return err;
}

static void costs_free(struct costs *p)
{
	free(p->piece);
	free(p->cell);
}

/* Their sum, of those that are known. */
static double leaves_ns(const double leaf[LEAF_COUNT], unsigned int leaves)
{
	double sum = NAN;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves >> l & 1)
			known_add(&sum, leaf[l]);
	return sum;
}

/* ---- an interval ------------------------------------------------------------------------- */

/* Calls, bytes in them, and packets of polls, of the time that was counted exactly, and what that time was; otherwise all of the piece. */
static bool is_of_cpus(size_t i)
{
	return made_of[i].done == CALLS || made_of[i].done == BYTES || made_of[i].done == POLLED;
}

static double done_in(const struct costs *p, size_t piece, size_t i)
{
	const struct interval_host *h = &p->iv->row[piece].host;
	double sum = NAN;

	switch (made_of[i].done) {
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

		known_add(&sum, made_of[i].done == CALLS  ? w->calls[made_of[i].event] :
				made_of[i].done == POLLED ? w->polled :
							    w->bytes[made_of[i].event]);
	}
	return sum;
}

static double leaves_in(const struct costs *p, size_t piece, size_t i)
{
	double sum = NAN;

	if (!is_of_cpus(i))
		return leaves_ns(p->piece[piece], made_of[i].leaves);
	for (size_t c = piece * p->iv->ncpus; c < (piece + 1) * p->iv->ncpus; c++)
		known_add(&sum, leaves_ns(p->cell[c], made_of[i].leaves));
	return sum;
}

/* In uJ: of what is above idle power, the network's share of the busy time. */
static double energy_in(const struct costs *p, size_t piece, const struct energy *e)
{
	const struct interval_host *h = &p->iv->row[piece].host;
	const double *leaf = p->piece[piece];
	double busy_ns = leaves_ns(leaf, LEAF_ALL & ~LEAF_BIT(IDLE));
	double above_j = h->joules - e->idle_w * h->energy_ns * 1e-9;

	return 1e6 * above_j * known_ratio(leaves_ns(leaf, LEAF_NETWORK), busy_ns);
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Of neighbours together, so that there are not too many. */
struct pieces {
	double y[STATS_PIECES_MAX], x[STATS_PIECES_MAX];
	size_t n;
};

/* The last ones join those before them. */
static void take_pieces(struct pieces *to, const struct costs *p, const struct summary *s, size_t i)
{
	size_t each = 1;

	while (p->n / each > STATS_PIECES_MAX)
		each *= 2;
	to->n = p->n / each;
	for (size_t k = 0; k < to->n; k++)
		to->y[k] = to->x[k] = NAN;
	for (size_t piece = 0; piece < p->n; piece++) {
		size_t k = piece / each < to->n ? piece / each : to->n - 1;
		double y = made_of[i].leaves ? leaves_in(p, piece, i) :
					       energy_in(p, piece, &s->energy);
		double x = done_in(p, piece, i) / made_of[i].parts;

		if (isnan(x) || isnan(y))
			continue;
		known_add(&to->y[k], y);
		known_add(&to->x[k], x);
	}
}

/* Where nothing says how it varies, an error of measuring is what there is; none at all would say that it is exact. */
static void take_variance(struct stats_value *v, double variance, double df, bool together)
{
	if (isnan(variance)) {
		if (!(v->variance > 0))
			v->variance = v->df = NAN;
		return;
	}
	v->variance = together ? v->variance + variance : fmax(v->variance, variance);
	v->df = df;
}

static struct stats_value spread_of(const struct summary *s, const struct costs *p, size_t i)
{
	double error = s->unit[i].ci95 / STATS_Z95;
	struct stats_value v = { s->unit[i].value, error * error, INFINITY };
	struct pieces pieces;
	double variance, df;

	if (isnan(v.value))
		return v;
	take_pieces(&pieces, p, s, i);
	variance = stats_ratio_variance(pieces.y, pieces.x, pieces.n, &df);
	take_variance(&v, variance, df, !made_of[i].leaves);
	return v;
}

int unit_costs_spread(struct stats_value to[UNIT_COSTS], const struct summary *s,
		      const struct intervals *iv)
{
	struct costs p;
	int err = costs_make(&p, iv, s->m);

	for (size_t i = 0; !err && i < UNIT_COSTS; i++)
		to[i] = spread_of(s, &p, i);
	costs_free(&p);
	return err;
}
