// SPDX-License-Identifier: BSD-2-Clause
/* What the network stack itself counts: its protocols' counters, and what it dropped. */
#include <inttypes.h>

#include <netcost/array.h>

#include "model_impl.h"

/* ---- counters of protocols --------------------------------------------------------------- */

int model_counter_names(struct model *m, const struct trace_record *rec)
{
	struct trace_column names = trace_record_column(rec, TRACE_COUNTER_NAMES_NAME);
	uint64_t first = trace_record_uint(rec, TRACE_COUNTER_NAMES_FIRST, 0);
	const char *name;
	uint32_t len;
	int err = model_check_id(m, "protocol counter", first, m->nprotocols);

	while (!err && trace_column_str(&names, &name, &len)) {
		struct model_protocol p = { 0 };

		err = model_keep(m, name, len, &p.name);
		if (!err)
			err = array_reserve(&m->protocol, &m->cap.protocol, m->nprotocols + 1,
					    sizeof(p));
		if (!err)
			m->protocol[m->nprotocols++] = p;
	}
	return err;
}

int model_protocols(struct model *m, const struct trace_record *rec)
{
	struct trace_column values = trace_record_column(rec, TRACE_COUNTERS_VALUE);
	uint64_t v, at_ns = model_read_at(m, rec);

	if (values.n > m->nprotocols)
		return model_damaged(m, "COUNTERS has %u values of %zu counters", values.n,
				     m->nprotocols);
	for (size_t i = 0; trace_column_uint(&values, &v); i++) {
		if (v != TRACE_NIL)
			counter_add(&m->protocol[i].at_ns, at_ns, 0);
		model_count(m, &m->protocol[i].value, v, 0, TRACE_COUNTERS, TRACE_COUNTERS_VALUE);
	}
	return 0;
}

/* ---- drops ------------------------------------------------------------------------------- */

int model_drop_reasons(struct model *m, const struct trace_record *rec)
{
	struct trace_column names = trace_record_column(rec, TRACE_DROP_REASONS_NAME);
	struct trace_column cpus = trace_record_column(rec, TRACE_DROP_REASONS_CPU);
	uint64_t first = trace_record_uint(rec, TRACE_DROP_REASONS_FIRST, 0);
	const char *name;
	uint32_t len;
	int err = model_check_id(m, "drop counter", first, m->ndrops);

	if (!err && names.n != cpus.n)
		return model_damaged(m, "DROP_REASONS with columns of %u and %u elements", names.n,
				     cpus.n);
	while (!err && trace_column_str(&names, &name, &len)) {
		struct model_drop d = { 0 };

		trace_column_uint(&cpus, &d.cpu);
		err = model_keep(m, name, len, &d.reason);
		if (!err)
			err = array_reserve(&m->drop, &m->cap.drop, m->ndrops + 1, sizeof(d));
		if (!err)
			m->drop[m->ndrops++] = d;
	}
	return err;
}

/* A counter that is defined later counted nothing until then. */
int model_drops(struct model *m, const struct trace_record *rec)
{
	struct trace_column packets = trace_record_column(rec, TRACE_DROPS_PACKETS);
	uint64_t v;

	if (packets.n > m->ndrops)
		return model_damaged(m, "DROPS has %u counters of %zu", packets.n, m->ndrops);
	for (size_t i = 0; trace_column_uint(&packets, &v); i++) {
		struct counter *c = &m->drop[i].packets;

		if (m->drops_at_ns.readings && !c->readings)
			counter_add(c, 0, 0);
		model_count(m, c, v, 0, TRACE_DROPS, TRACE_DROPS_PACKETS);
	}
	counter_add(&m->drops_at_ns, model_read_at(m, rec), 0);
	return 0;
}
