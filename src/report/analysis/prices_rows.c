// SPDX-License-Identifier: BSD-2-Clause
#include "prices_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "known.h"

const struct prices_x_desc prices_x[PRICES_X_COUNT] = {
#define X(name, per_) [PRICES_X_##name] = { per_ },
	PRICES_XS(X)
#undef X
};

#define PAID_WITH(name) .leaves = LEAF_BIT(name)
#define FOR(...) .x = { __VA_ARGS__ }

const struct prices_equation prices_equation[PRICES_EQUATIONS] = {
	{ "rx_softirq", "RX softirq", "ns", PAID_WITH(RX_SOFTIRQ),
	  FOR(PRICES_X_RX_PACKETS, PRICES_X_RX_KB, PRICES_X_RX_RUNS), .refines = 1 << 2 },
	{ "tx_softirq", "TX softirq", "ns", PAID_WITH(TX_SOFTIRQ),
	  FOR(PRICES_X_TX_PACKETS, PRICES_X_TX_KB, PRICES_X_TX_RUNS), .refines = 1 << 2 },
	{ "sock_send", "socket send", "ns", PAID_WITH(SOCK_SEND), .over = PRICES_OVER_CPUS,
	  FOR(PRICES_X_SEND_CALLS, PRICES_X_SEND_KB) },
	{ "sock_recv", "socket receive", "ns", PAID_WITH(SOCK_RECV), .over = PRICES_OVER_CPUS,
	  FOR(PRICES_X_RECV_CALLS, PRICES_X_RECV_KB) },
	{ "hardirq_net", "hard interrupts", "ns", PAID_WITH(HARDIRQ_NET), .over = PRICES_OVER_CPUS,
	  FOR(PRICES_X_INTERRUPTS) },
	{ "network", "network", "ns", .leaves = LEAF_NETWORK, FOR(PRICES_X_PACKETS, PRICES_X_KB) },
	{ "other_kernel", "other kernel", "ns", PAID_WITH(OTHER_KERNEL), .over = PRICES_OVER_CPUS,
	  FOR(PRICES_X_SWITCHES) },
	{ "sock_send", "socket send", "ns", PAID_WITH(SOCK_SEND), .over = PRICES_OVER_PROCESSES,
	  FOR(PRICES_X_SEND_CALLS, PRICES_X_SEND_KB) },
	{ "sock_recv", "socket receive", "ns", PAID_WITH(SOCK_RECV), .over = PRICES_OVER_PROCESSES,
	  FOR(PRICES_X_RECV_CALLS, PRICES_X_RECV_KB) },
	{ "energy", "energy", "uJ", FOR(PRICES_X_PACKETS, PRICES_X_KB, PRICES_X_OTHER_BUSY) },
};

/* Of a piece that others tell of for longer, or not as long, or that is much shorter than they are. */
#define ALIKE 0.1
#define SHORT 0.5

/* ---- leaves ------------------------------------------------------------------------------ */

static void take_leaves(double to[LEAF_COUNT], const struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		to[l] = c ? c->leaf[l].ns : NAN;
}

/* Calls are counted while times are: what samples say of pauses has none. */
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

int prices_rows_make(struct prices_rows *p, const struct intervals *iv, const struct model *m)
{
	int err;

	*p = (struct prices_rows){ .iv = iv, .m = m, .n = intervals_closed(iv) };
	p->piece = calloc(p->n + 1, sizeof(*p->piece));
	p->cell = calloc(p->n * iv->ncpus + 1, sizeof(*p->cell));
	err = p->piece && p->cell ? 0 : -ENOMEM;
	for (size_t i = 0; !err && i < p->n; i++) {
		struct split_cpu all;

		p->moved |= iv->row[i].host.joules > 0;
		err = interval_split(iv, i, m, &all);
		if (!err)
			take_leaves(p->piece[i], &all);
		for (size_t c = i * iv->ncpus; !err && c < (i + 1) * iv->ncpus; c++)
			err = make_cell(p->cell[c], iv, c, m);
	}
	return err;
}

void prices_rows_free(struct prices_rows *p)
{
	free(p->piece);
	free(p->cell);
}

/* ---- what was done ----------------------------------------------------------------------- */

static double seconds_of(const struct interval *row)
{
	return (double)(row->end_ns - row->begin_ns) * 1e-9;
}

/* NaN: it was counted in another time. */
static double told_s(const struct interval *row, double told_ns)
{
	double s = told_ns * 1e-9;

	return fabs(s - seconds_of(row)) <= ALIKE * seconds_of(row) ? s : NAN;
}

/* On all CPUs; where counting was paused they are not known. */
static double runs(const struct prices_rows *p, size_t i, enum netcost_event e)
{
	const struct interval *row = &p->iv->row[i];
	double sum = NAN;

	if (model_paused_ns(p->m, row->begin_ns, row->end_ns) > 0)
		return NAN;
	for (size_t c = i * p->iv->ncpus; c < (i + 1) * p->iv->ncpus; c++)
		known_add(&sum, p->iv->cell[c].times.work.calls[e]);
	return sum / seconds_of(row);
}

/* In ms, of what is neither idle nor the network's. */
static double other_busy(const struct prices_rows *p, size_t i)
{
	double sum = NAN;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (!((LEAF_NETWORK | LEAF_BIT(IDLE)) >> l & 1))
			known_add(&sum, p->piece[i][l]);
	return sum / 1e6 / seconds_of(&p->iv->row[i]);
}

/* By all CPUs. */
static double done_by_all(const struct prices_rows *p, size_t i, enum prices_x x)
{
	const struct interval *row = &p->iv->row[i];
	const struct work_host *w = &row->host.work;
	double s = told_s(row, w->told_ns);

	switch (x) {
	case PRICES_X_RX_PACKETS:
		return w->rx_packets / s;
	case PRICES_X_RX_KB:
		return w->rx_bytes / 1e3 / s;
	case PRICES_X_TX_PACKETS:
		return w->tx_packets / s;
	case PRICES_X_TX_KB:
		return w->tx_bytes / 1e3 / s;
	case PRICES_X_PACKETS:
		return (w->rx_packets + w->tx_packets) / s;
	case PRICES_X_KB:
		return (w->rx_bytes + w->tx_bytes) / 1e3 / s;
	case PRICES_X_RX_RUNS:
		return runs(p, i, NETCOST_EV_RX_SOFTIRQ);
	case PRICES_X_TX_RUNS:
		return runs(p, i, NETCOST_EV_TX_SOFTIRQ);
	case PRICES_X_OTHER_BUSY:
		return other_busy(p, i);
	default:
		return NAN;
	}
}

static double done_by_cpu(const struct interval_times *t, enum prices_x x)
{
	const struct work_cpu *w = &t->work;
	double s = t->wall_ns * 1e-9;

	switch (x) {
	case PRICES_X_SEND_CALLS:
		return w->calls[NETCOST_EV_SOCK_SEND] / s;
	case PRICES_X_SEND_KB:
		return w->bytes[NETCOST_EV_SOCK_SEND] / 1e3 / s;
	case PRICES_X_RECV_CALLS:
		return w->calls[NETCOST_EV_SOCK_RECV] / s;
	case PRICES_X_RECV_KB:
		return w->bytes[NETCOST_EV_SOCK_RECV] / 1e3 / s;
	case PRICES_X_INTERRUPTS:
		return w->calls[NETCOST_EV_HARDIRQ_NET] / s;
	case PRICES_X_SWITCHES:
		return w->calls[NETCOST_EV_TASK] / s;
	default:
		return NAN;
	}
}

/* ---- what was paid ----------------------------------------------------------------------- */

double prices_rows_ns(const double leaf[LEAF_COUNT], unsigned int leaves)
{
	double sum = NAN;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves >> l & 1)
			known_add(&sum, leaf[l]);
	return sum;
}

/* In uJ a second. */
static double power_of(const struct prices_rows *p, const struct interval *row)
{
	if (!p->moved)
		return NAN;
	return row->host.joules * 1e6 / told_s(row, row->host.energy_ns);
}

static struct stats_row row_of_all(const struct prices_rows *p, const struct prices_equation *of,
				   size_t i)
{
	const struct interval *row = &p->iv->row[i];
	struct stats_row r = { .moment = i };

	r.y = of->leaves ? prices_rows_ns(p->piece[i], of->leaves) / seconds_of(row) :
			   power_of(p, row);
	for (unsigned int j = 0; j < STATS_REGRESSORS; j++)
		r.x[j] = done_by_all(p, i, of->x[j]);
	return r;
}

static struct stats_row row_of_cpu(const struct prices_rows *p, const struct prices_equation *of,
				   size_t cell)
{
	const struct interval_times *t = &p->iv->cell[cell].times;
	struct stats_row r = { .moment = cell / p->iv->ncpus, .unit = cell % p->iv->ncpus };

	r.y = prices_rows_ns(p->cell[cell], of->leaves) / (t->wall_ns * 1e-9);
	for (unsigned int j = 0; j < STATS_REGRESSORS; j++)
		r.x[j] = done_by_cpu(t, of->x[j]);
	return r;
}

/* The last one may be much shorter than the others. */
static bool is_short(const struct intervals *iv, size_t i)
{
	return seconds_of(&iv->row[i]) < SHORT * seconds_of(&iv->row[0]);
}

static size_t add_ticks(const struct prices_rows *p, const struct prices_equation *of, size_t each,
			struct stats_row *row)
{
	bool cpus = of->over == PRICES_OVER_CPUS;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (is_short(p->iv, i))
			continue;
		for (size_t c = 0; c < each; c++)
			row[n++] = cpus ? row_of_cpu(p, of, i * each + c) : row_of_all(p, of, i);
	}
	return n;
}

/* ---- processes --------------------------------------------------------------------------- */

#define VALUE(m, process, key) known_value(m, process, MODEL_PROCESS_VALUE(key))

static double known_value(const struct model *m, const struct model_process *process,
			  unsigned int value)
{
	uint64_t v = model_process_value(m, process, value);

	return v == TRACE_NIL ? NAN : (double)v;
}

/* What it did, in all; NaN: it did nothing of that, so it says nothing. */
static struct stats_row row_of_process(const struct model *m, const struct prices_equation *of,
				       size_t i)
{
	const struct model_process *process = &m->process[i];
	bool send = of->leaves == LEAF_BIT(SOCK_SEND);
	double calls = send ? VALUE(m, process, SEND_CALLS) : VALUE(m, process, RECV_CALLS);
	double bytes = send ? VALUE(m, process, SEND_BYTES) : VALUE(m, process, RECV_BYTES);
	double ns = send ? VALUE(m, process, SOCK_SEND_NS) : VALUE(m, process, SOCK_RECV_NS);

	return (struct stats_row){ .moment = i,
				   .y = calls > 0 ? ns : NAN,
				   .x = { calls, bytes / 1e3, NAN, NAN } };
}

/* Without those that were not kept apart. Where the filter takes a part, nobody knows which part of theirs that is. */
static size_t add_processes(const struct prices_rows *p, const struct prices_equation *of,
			    struct stats_row *row)
{
	const struct model *m = p->m;
	size_t n = 0;

	if (!model_is_of_all(m) || !m->process_has[MODEL_PROCESS_VALUE(SOCK_SEND_NS)])
		return 0;
	for (size_t i = 1; i <= m->nprocesses; i++)
		row[n++] = row_of_process(m, of, i);
	return n;
}

/* ---- rows -------------------------------------------------------------------------------- */

int prices_rows_of(const struct prices_rows *p, const struct prices_equation *of,
		   struct stats_row **row, size_t *n, size_t *units)
{
	size_t each = of->over == PRICES_OVER_CPUS ? p->iv->ncpus : 1;
	bool processes = of->over == PRICES_OVER_PROCESSES;

	*units = each;
	*row = calloc((processes ? p->m->nprocesses : p->n * each) + 1, sizeof(**row));
	if (!*row)
		return -ENOMEM;
	*n = processes ? add_processes(p, of, *row) : add_ticks(p, of, each, *row);
	return 0;
}
