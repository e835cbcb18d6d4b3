// SPDX-License-Identifier: BSD-2-Clause
/* What the network stack itself counts: its protocols' counters, what it dropped, and interfaces' interrupts. */
#include <inttypes.h>
#include <stdlib.h>

#include <netcost/array.h>

#include "model_impl.h"
#include "report/model/filter.h"

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

/* ---- interrupts -------------------------------------------------------------------------- */

static int reserve_cpu(struct model *m, struct model_netdev *d, uint32_t cpu)
{
	size_t had = d->irqs_cpus;
	int err = 0;

	if (cpu >= had)
		err = array_reserve(&d->irqs_last, &d->irqs_cpus, cpu + (size_t)1,
				    sizeof(*d->irqs_last));
	for (size_t i = had; !err && i < d->irqs_cpus; i++)
		d->irqs_last[i] = (struct model_irqs){ TRACE_NIL, TRACE_NIL };
	return err || d->irqs_cpus == had ?
		       err :
		       budget_take(&m->budget, (d->irqs_cpus - had) * sizeof(*d->irqs_last));
}

/* What came since the last reading: 0 where one of the two is not known. */
static uint64_t gain(uint64_t *last, uint64_t now)
{
	uint64_t gained = now == TRACE_NIL || *last == TRACE_NIL ? 0 : now - *last;

	if (now != TRACE_NIL)
		*last = now;
	return gained;
}

/* Interrupts are 32 bits wide. The time is not known, or does not fall. */
static void count_irqs(const struct model *m, struct model_netdev *d, uint32_t cpu,
		       const struct model_irqs *now)
{
	struct model_irqs *last = &d->irqs_last[cpu];
	bool fell = now->ns != TRACE_NIL && last->ns != TRACE_NIL && now->ns < last->ns;
	uint64_t interrupts = (uint32_t)gain(&last->interrupts, now->interrupts);
	uint64_t ns = gain(&last->ns, now->ns);

	if (!filter_takes_cpu(m->filter, cpu))
		return;
	d->interrupts += interrupts;
	d->irqs_ns += fell ? 0 : ns;
	d->irqs_timed |= now->ns != TRACE_NIL;
}

int model_irqs(struct model *m, const struct trace_record *rec)
{
	struct trace_column c = trace_record_column(rec, TRACE_IRQ_STATS_INTERRUPTS);
	struct trace_column times = trace_record_column(rec, TRACE_IRQ_STATS_NS);
	uint64_t id = trace_record_uint(rec, TRACE_IRQ_STATS_NETDEV, 0);
	struct model_irqs now;
	struct model_netdev *d = id && id <= m->nnetdevs ? &m->netdev[id - 1] : NULL;

	if (!d)
		return model_damaged(m, "interrupts of an undefined interface");
	if (c.n != m->tick_ncpus)
		return model_damaged(m, "IRQ_STATS has %u elements, the TICK before it %u CPUs",
				     c.n, m->tick_ncpus);
	for (uint32_t i = 0; trace_column_uint(&c, &now.interrupts); i++) {
		int err = reserve_cpu(m, d, m->tick_cpu[i]);

		if (err)
			return err;
		if (!trace_column_uint(&times, &now.ns))
			now.ns = TRACE_NIL;
		count_irqs(m, d, m->tick_cpu[i], &now);
	}
	counter_add(&d->irqs_at_ns, model_read_at(m, rec), 0);
	return 0;
}

void model_free_netdevs(struct model *m)
{
	for (size_t i = 0; i < m->nnetdevs; i++)
		free(m->netdev[i].irqs_last);
	m->nnetdevs = 0;
}
