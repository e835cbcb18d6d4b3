// SPDX-License-Identifier: BSD-2-Clause
/* Who received packets, and what else became of them. */
#include <errno.h>
#include <string.h>

#include <netcost/fates.h>

#include "model_impl.h"

static uint64_t sum(uint64_t a, uint64_t b)
{
	if (b == TRACE_NIL)
		return a;
	return a + b < a || a + b == TRACE_NIL ? TRACE_NIL - 1 : a + b;
}

/* Ends of the scale stay there. */
static int64_t signed_sum(int64_t a, int64_t b)
{
	int64_t all;

	if (!__builtin_add_overflow(a, b, &all))
		return all;
	return b < 0 ? INT64_MIN : INT64_MAX;
}

static int add_received(struct model *m, uint64_t id, unsigned int value, uint64_t v)
{
	struct model_process *p = &m->process[id];

	return model_set_process_value(m, p, value, sum(model_process_value(m, p, value), v));
}

int model_owner_stats(struct model *m, const struct trace_record *rec)
{
	struct trace_column ids = trace_record_column(rec, TRACE_OWNER_STATS_PROCESS);
	struct trace_column times = trace_record_column(rec, TRACE_OWNER_STATS_NS);
	struct trace_column packets = trace_record_column(rec, TRACE_OWNER_STATS_PACKETS);
	struct trace_column squares = trace_record_column(rec, TRACE_OWNER_STATS_SQUARES);
	bool has_squares = trace_record_field(rec, TRACE_OWNER_STATS_SQUARES);
	uint64_t id, ns, n, square = 0;
	int err;

	if (!(m->keep & MODEL_PROCESSES))
		return 0;
	if (times.n != ids.n || packets.n != ids.n || (has_squares && squares.n != ids.n))
		return model_damaged(m, "columns of OWNER_STATS have different lengths");
	err = model_reserve_processes(m, 0);
	while (!err && trace_column_uint(&ids, &id) && trace_column_uint(&times, &ns) &&
	       trace_column_uint(&packets, &n) &&
	       (!has_squares || trace_column_uint(&squares, &square))) {
		if (id > m->nprocesses)
			return model_damaged(m, "OWNER_STATS has an undefined process");
		err = add_received(m, id, MODEL_RECEIVED_NS, ns);
		if (!err)
			err = add_received(m, id, MODEL_RECEIVED_PACKETS, n);
		if (!err)
			err = add_received(m, id, MODEL_RECEIVED_SQUARES, square);
	}
	return err;
}

/* ---- fates ------------------------------------------------------------------------------- */

static bool is_of(const struct model *m, const struct model_fate *f, unsigned int fate,
		  const char *what, uint32_t len)
{
	const char *s = model_string(m, f->what);

	return f->fate == fate && strlen(s) == len && !memcmp(s, what, len);
}

/* Its row; where there is no room for more, that without a name. There is always room for those. */
static struct model_fate *row_of(struct model *m, unsigned int fate, const char *what, uint32_t len)
{
	size_t most = MODEL_FATES - (len ? NETCOST_FATE_COUNT : 0);
	struct model_fate *f;

	for (size_t i = 0; i < m->nfates; i++)
		if (is_of(m, &m->fate[i], fate, what, len))
			return &m->fate[i];
	if (m->nfates >= most)
		return len ? row_of(m, fate, "", 0) : NULL;
	f = &m->fate[m->nfates];
	*f = (struct model_fate){ .fate = fate };
	if (model_keep(m, what, len, &f->what))
		return NULL;
	m->nfates++;
	return f;
}

/* A text of a record, if it has any; up to the first 0. */
static bool next_text(struct trace_column *c, bool there, const char **s, uint32_t *len)
{
	*s = "";
	*len = 0;
	if (!there)
		return true;
	if (!trace_column_str(c, s, len))
		return false;
	*len = (uint32_t)strnlen(*s, *len);
	return true;
}

int model_rx_fates(struct model *m, const struct trace_record *rec)
{
	struct trace_column fates = trace_record_column(rec, TRACE_RX_FATES_FATE);
	struct trace_column times = trace_record_column(rec, TRACE_RX_FATES_NS);
	struct trace_column packets = trace_record_column(rec, TRACE_RX_FATES_PACKETS);
	struct trace_column squares = trace_record_column(rec, TRACE_RX_FATES_SQUARES);
	struct trace_column reasons = trace_record_column(rec, TRACE_RX_FATES_REASON);
	struct trace_column netdevs = trace_record_column(rec, TRACE_RX_FATES_NETDEV);
	bool has_squares = trace_record_field(rec, TRACE_RX_FATES_SQUARES);
	bool has_reasons = trace_record_field(rec, TRACE_RX_FATES_REASON);
	bool has_netdevs = trace_record_field(rec, TRACE_RX_FATES_NETDEV);
	const char *reason, *netdev;
	uint32_t rlen, nlen;
	uint64_t fate, n, square = 0;
	int64_t ns;

	if (!(m->keep & MODEL_PROCESSES))
		return 0;
	if (times.n != fates.n || packets.n != fates.n || (has_squares && squares.n != fates.n) ||
	    (has_reasons && reasons.n != fates.n) || (has_netdevs && netdevs.n != fates.n))
		return model_damaged(m, "columns of RX_FATES have different lengths");
	m->owners_every = trace_record_uint(rec, TRACE_RX_FATES_EVERY, 1);
	while (trace_column_uint(&fates, &fate) && trace_column_int(&times, &ns) &&
	       trace_column_uint(&packets, &n) &&
	       (!has_squares || trace_column_uint(&squares, &square)) &&
	       next_text(&reasons, has_reasons, &reason, &rlen) &&
	       next_text(&netdevs, has_netdevs, &netdev, &nlen)) {
		struct model_fate *f;

		if (fate >= NETCOST_FATE_COUNT)
			continue; /* a newer one: its time is then in none */
		if (fate == NETCOST_FATE_FORWARDED)
			f = row_of(m, (unsigned int)fate, netdev, nlen);
		else if (fate == NETCOST_FATE_DROPPED)
			f = row_of(m, (unsigned int)fate, reason, rlen);
		else
			f = row_of(m, (unsigned int)fate, "", 0);
		if (!f)
			return -ENOMEM;
		f->ns = signed_sum(f->ns, ns);
		f->packets = sum(f->packets, n);
		f->squares = sum(f->squares, square);
	}
	return 0;
}
