// SPDX-License-Identifier: BSD-2-Clause
/* Counters that are read at every tick. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include <netcost/array.h>

#include "model_impl.h"
#include "report/spec/spec.h"
#include "report/model/filter.h"

/*
 * Returns the time at which a counter was read: the middle of the reading, or the time of the tick if the trace does
 * not contain the time of the reading.
 */
static uint64_t model_read_at(const struct model *m, const struct trace_record *rec)
{
	uint64_t began_ns = trace_record_uint(rec, TRACE_BEGAN_NS, TRACE_NIL);
	uint64_t ended_ns = trace_record_uint(rec, TRACE_ENDED_NS, TRACE_NIL);

	if (began_ns != TRACE_NIL && ended_ns != TRACE_NIL && began_ns <= ended_ns)
		return began_ns + (ended_ns - began_ns) / 2;
	return m->at_ns.readings ? m->at_ns.last : TRACE_NIL;
}

/* ---- per CPU --------------------------------------------------------------------------- */

#define SERIES(TYPE, KEY, field)                                                                   \
	{                                                                                          \
		TRACE_##TYPE, TRACE_##TYPE##_##KEY, 0, offsetof(struct model_cpu, field)           \
	}

/* Maps a 32-bit counter. The counters of softnet_stat and softirqs are 32 bits wide. */
#define SERIES_32(TYPE, KEY, field)                                                                \
	{                                                                                          \
		TRACE_##TYPE, TRACE_##TYPE##_##KEY, UINT32_MAX, offsetof(struct model_cpu, field)  \
	}

/*
 * Maps the columns of records to the counters of a CPU. The counters of EXACT are arrays by event. The counters of
 * EXACT_PART are arrays by part. The counters of PROBE_RUNS are arrays by probe and then by event.
 */
static const struct cpu_series {
	uint8_t type, key;
	uint64_t wrap;
	size_t offset;
} series[] = {
	SERIES(TICK, EXACT_NS, exact_at_ns),
	SERIES(EXACT, NS, ns),
	SERIES(EXACT, CALLS, calls),
	SERIES(EXACT, FAILED, failed),
	SERIES(EXACT, BYTES, bytes),
	SERIES(EXACT, PACKETS, packets),
	SERIES(EXACT_LOSS, UNTRACKED, untracked),
	SERIES(EXACT_LOSS, SENDS_OUTSIDE, sends_outside),
	SERIES(EXACT_LOSS, RECVS_OUTSIDE, recvs_outside),
	SERIES(EXACT_LOSS, SENDS_INSIDE, sends_inside),
	SERIES(EXACT_LOSS, RECVS_INSIDE, recvs_inside),
	SERIES(EXACT_LOSS, PARTS_MISSED, parts_missed),
	SERIES(EXACT_LOSS, POLLS_OUTSIDE, polls_outside),
	SERIES(EXACT_PART, NS, part_ns),
	SERIES(EXACT_PART, TOTAL_NS, part_total_ns),
	SERIES(EXACT_PART, CALLS, part_calls),
	SERIES(EXACT_LOSS, OFFLINE_NS, offline_ns),
	SERIES(EXACT_LOSS, OFF_NS, off_ns),
	SERIES(PROBE_RUNS, IDLE, runs_of[0][NETCOST_EV_IDLE]),
	SERIES(PROBE_RUNS, TASK, runs_of[0][NETCOST_EV_TASK]),
	SERIES(PROBE_RUNS, IO_WORKER, runs_of[0][NETCOST_EV_IO_WORKER]),
	SERIES(PROBE_RUNS, SOCK_SEND, runs_of[0][NETCOST_EV_SOCK_SEND]),
	SERIES(PROBE_RUNS, SOCK_RECV, runs_of[0][NETCOST_EV_SOCK_RECV]),
	SERIES(PROBE_RUNS, SOCK_LOCAL, runs_of[0][NETCOST_EV_SOCK_LOCAL]),
	SERIES(PROBE_RUNS, RX_SOFTIRQ, runs_of[0][NETCOST_EV_RX_SOFTIRQ]),
	SERIES(PROBE_RUNS, TX_SOFTIRQ, runs_of[0][NETCOST_EV_TX_SOFTIRQ]),
	SERIES(PROBE_RUNS, RX_THREAD, runs_of[0][NETCOST_EV_RX_THREAD]),
	SERIES(PROBE_RUNS, RX_BUSY_POLL, runs_of[0][NETCOST_EV_RX_BUSY_POLL]),
	SERIES(PROBE_RUNS, HARDIRQ_NET, runs_of[0][NETCOST_EV_HARDIRQ_NET]),
	SERIES(SAMPLE_LOSS, WRITTEN, written),
	SERIES(SAMPLE_LOSS, LOST, lost),
	SERIES(SAMPLE_LOSS, THROTTLED, throttled),
	SERIES(SAMPLE_LOSS, UNSAMPLED_NS, unsampled_ns),
	SERIES(SAMPLE_LOSS, CUT, cut),
	SERIES(PROCSTAT, USER, stat[STAT_USER]),
	SERIES(PROCSTAT, NICE, stat[STAT_NICE]),
	SERIES(PROCSTAT, SYSTEM, stat[STAT_SYSTEM]),
	SERIES(PROCSTAT, IDLE, stat[STAT_IDLE]),
	SERIES(PROCSTAT, IOWAIT, stat[STAT_IOWAIT]),
	SERIES(PROCSTAT, IRQ, stat[STAT_IRQ]),
	SERIES(PROCSTAT, SOFTIRQ, stat[STAT_SOFTIRQ]),
	SERIES(PROCSTAT, STEAL, stat[STAT_STEAL]),
	SERIES(PROCSTAT, GUEST, stat[STAT_GUEST]),
	SERIES(PROCSTAT, GUEST_NICE, stat[STAT_GUEST_NICE]),
	SERIES_32(SOFTNET, PROCESSED, processed),
	SERIES_32(SOFTNET, DROPPED, dropped),
	SERIES_32(SOFTNET, SQUEEZED, squeezed),
	SERIES_32(SOFTIRQS, HI, softirqs[SOFTIRQ_HI]),
	SERIES_32(SOFTIRQS, TIMER, softirqs[SOFTIRQ_TIMER]),
	SERIES_32(SOFTIRQS, NET_TX, softirqs[SOFTIRQ_NET_TX]),
	SERIES_32(SOFTIRQS, NET_RX, softirqs[SOFTIRQ_NET_RX]),
	SERIES_32(SOFTIRQS, BLOCK, softirqs[SOFTIRQ_BLOCK]),
	SERIES_32(SOFTIRQS, IRQ_POLL, softirqs[SOFTIRQ_IRQ_POLL]),
	SERIES_32(SOFTIRQS, TASKLET, softirqs[SOFTIRQ_TASKLET]),
	SERIES_32(SOFTIRQS, SCHED, softirqs[SOFTIRQ_SCHED]),
	SERIES_32(SOFTIRQS, HRTIMER, softirqs[SOFTIRQ_HRTIMER]),
	SERIES_32(SOFTIRQS, RCU, softirqs[SOFTIRQ_RCU]),
};

/* Reads a column whose elements are in the order of the TICK's CPUs. `shift` is added to the offset in the table. */
static int read_series(struct model *m, const struct trace_record *rec, const struct cpu_series *s,
		       size_t shift)
{
	struct trace_column c = trace_record_column(rec, s->key);
	bool exact = s->type == TRACE_EXACT || s->type == TRACE_EXACT_PART;
	uint64_t v;

	if (!trace_record_field(rec, s->key))
		return 0;
	if (c.n != m->tick_ncpus)
		return model_damaged(m, "%s.%s has %u elements, but the TICK before it has %u CPUs",
				     trace_type_desc(s->type)->name,
				     trace_key_desc(s->type, s->key)->name, c.n, m->tick_ncpus);
	for (uint32_t i = 0; trace_column_uint(&c, &v); i++) {
		char *cpu = (char *)m->cpu[m->tick_cpu[i]];
		struct counter *counter = (struct counter *)(void *)(cpu + s->offset + shift);

		counter->unknown |= exact && v == TRACE_NIL && counter->readings;
		model_count(m, counter, v, s->wrap, s->type, s->key);
	}
	return 0;
}

/* Reads all series of a record. `of` is the event or part of an EXACT or EXACT_PART record, and 0 for other records. */
static int read_all_series(struct model *m, const struct trace_record *rec, size_t of)
{
	for (size_t i = 0; i < sizeof(series) / sizeof(*series); i++) {
		int err = series[i].type == rec->type ?
				  read_series(m, rec, &series[i], of * sizeof(struct counter)) :
				  0;

		if (err)
			return err;
	}
	return 0;
}

/*
 * Decrease of idle time that is tolerated. While a CPU sleeps, idle time moves to iowait and back, so only the sum of
 * both is monotonic. Even the sum falls briefly when a kernel recomputes the sum on wakeup. Before Linux 6.8, the sum
 * restarts from 0 when a CPU comes back online.
 */
#define STAT_MOMENT 2 /* limit in units of 1 / user_hz s */

static void read_stat_idle(struct model *m, const struct trace_record *rec)
{
	struct trace_column idle = trace_record_column(rec, TRACE_PROCSTAT_IDLE);
	struct trace_column iowait = trace_record_column(rec, TRACE_PROCSTAT_IOWAIT);
	uint64_t at_ns = model_read_at(m, rec), v, waits;

	for (uint32_t i = 0; i < m->tick_ncpus && trace_column_uint(&idle, &v); i++) {
		struct model_cpu *c = m->cpu[m->tick_cpu[i]];

		if (!trace_column_uint(&iowait, &waits) || waits == TRACE_NIL)
			waits = 0;
		if (v == TRACE_NIL)
			continue;
		v += waits;
		if (v < c->stat_idle.last && c->stat_idle.last - v <= STAT_MOMENT)
			v = c->stat_idle.last;
		counter_add(&c->stat_idle, v, 0);
		counter_add(&c->stat_idle_at_ns, at_ns, 0);
		c->stat_idle_last = m->ticks;
		if (!c->stat_idle_first)
			c->stat_idle_first = m->ticks;
	}
}

int model_per_cpu(struct model *m, const struct trace_record *rec)
{
	int err;

	if (rec->type == TRACE_EXACT_LOSS)
		counter_add(&m->torn, trace_record_uint(rec, TRACE_EXACT_LOSS_TORN, TRACE_NIL), 0);
	err = read_all_series(m, rec, 0);
	if (!err && rec->type == TRACE_PROCSTAT)
		read_stat_idle(m, rec);
	if (!err && rec->type == TRACE_EXACT_LOSS)
		model_end_pause(m);
	return err;
}

int model_softnet(struct model *m, const struct trace_record *rec)
{
	counter_add(&m->softnet_at_ns, model_read_at(m, rec), 0);
	return read_all_series(m, rec, 0);
}

int model_exact(struct model *m, const struct trace_record *rec)
{
	bool part = rec->type == TRACE_EXACT_PART;
	uint64_t of = trace_record_uint(rec, part ? TRACE_EXACT_PART_PART : TRACE_EXACT_EVENT,
					UINT64_MAX);

	if (of >= (part ? NETCOST_PART_COUNT : NETCOST_EV_COUNT)) {
		m->unknown_events++;
		return 0;
	}
	return read_all_series(m, rec, (size_t)of);
}

int model_probe_runs(struct model *m, const struct trace_record *rec)
{
	uint64_t probe = trace_record_uint(rec, TRACE_PROBE_RUNS_PROBE, UINT64_MAX);

	if (probe < NETCOST_PROBE_COUNT)
		return read_all_series(m, rec, (size_t)probe * NETCOST_EV_COUNT);
	m->unknown_probes++;
	return 0;
}

int model_tick(struct model *m, const struct trace_record *rec)
{
	struct trace_column c = trace_record_column(rec, TRACE_TICK_CPU);
	uint64_t number;
	int err;

	m->ticks++;
	m->tick_ncpus = 0;
	model_count(m, &m->at_ns, trace_record_uint(rec, TRACE_TICK_AT_NS, TRACE_NIL), 0,
		    TRACE_TICK, TRACE_TICK_AT_NS);
	model_follow(m, rec);
	if (c.n > TRACE_MAX_CPU)
		return model_damaged(m, "a TICK names %u CPUs", c.n);
	err = array_reserve(&m->tick_cpu, &m->cap.tick_cpu, c.n, sizeof(*m->tick_cpu));
	if (err)
		return err;
	while (trace_column_uint(&c, &number)) {
		struct model_cpu *cpu;

		err = model_get_cpu(m, number, &cpu);
		if (err)
			return err;
		if (cpu->tick == m->ticks)
			return model_damaged(m, "a TICK names CPU %u twice", cpu->cpu);
		cpu->tick = m->ticks;
		m->tick_cpu[m->tick_ncpus++] = cpu->cpu;
	}
	err = model_note_pause(m, rec);
	return err ? err : read_all_series(m, rec, 0);
}

int model_sum(struct model *m, const struct trace_record *rec)
{
	if (rec->type == TRACE_TICK && !m->sums) {
		m->sums = sums_new();
		if (!m->sums)
			return -ENOMEM;
	}
	if (m->sums)
		sums_record(m->sums, rec);
	return 0;
}

int model_check_id(struct model *m, const char *what, uint64_t id, size_t highest)
{
	if (id == highest + 1ull && id < TRACE_MAX_ID)
		return 0;
	return model_damaged(m, "%s id %" PRIu64 " after %zu", what, id, highest);
}

/* ---- interfaces ------------------------------------------------------------------------ */

int model_netdev(struct model *m, const struct trace_record *rec)
{
	uint64_t id = trace_record_uint(rec, TRACE_NETDEV_ID, 0);
	struct model_netdev d = { .netns = trace_record_uint(rec, TRACE_NETDEV_NETNS, 0) };
	int err;

	if ((err = model_check_id(m, "interface", id, m->nnetdevs)) ||
	    (err = model_keep_field(m, rec, TRACE_NETDEV_NAME, &d.name)) ||
	    (err = model_keep_field(m, rec, TRACE_NETDEV_DRIVER, &d.driver)) ||
	    (err = model_keep_field(m, rec, TRACE_NETDEV_CLASS, &d.class)) ||
	    (err = array_reserve(&m->netdev, &m->cap.netdev, id, sizeof(d))))
		return err;
	m->netdev[m->nnetdevs++] = d;
	return 0;
}

_Static_assert(NETDEV_KEYS == TRACE_NETDEV_STATS_TX_DROPPED - TRACE_NETDEV_STATS_RX_PACKETS + 1,
	       "enum model_netdev_key has the order of NETDEV_STATS's keys");

static int read_netdev_column(struct model *m, const struct trace_record *rec, unsigned int key)
{
	struct trace_column ids = trace_record_column(rec, TRACE_NETDEV_STATS_ID);
	struct trace_column c = trace_record_column(rec, key);
	unsigned int slot = key - TRACE_NETDEV_STATS_RX_PACKETS;
	uint64_t id, v;

	if (!trace_record_field(rec, key))
		return 0;
	if (c.n != ids.n)
		return model_damaged(m, "columns of NETDEV_STATS have %u and %u elements", ids.n,
				     c.n);
	while (trace_column_uint(&ids, &id) && trace_column_uint(&c, &v))
		model_count(m, &m->netdev[id - 1].counter[slot], v, 0, TRACE_NETDEV_STATS, key);
	return 0;
}

int model_netdev_stats(struct model *m, const struct trace_record *rec)
{
	struct trace_column ids = trace_record_column(rec, TRACE_NETDEV_STATS_ID);
	uint64_t id, at_ns = model_read_at(m, rec);
	int err = 0;

	while (trace_column_uint(&ids, &id)) {
		if (id == 0 || id > m->nnetdevs)
			return model_damaged(m, "counters of an undefined interface");
		counter_add(&m->netdev[id - 1].at_ns, at_ns, 0);
	}
	for (unsigned int key = TRACE_NETDEV_STATS_RX_PACKETS;
	     key <= TRACE_NETDEV_STATS_TX_DROPPED && !err; key++)
		err = read_netdev_column(m, rec, key);
	return err;
}

/* ---- the recorder itself --------------------------------------------------------------- */

int model_self(struct model *m, const struct trace_record *rec)
{
	counter_add(&m->self_at_ns, model_read_at(m, rec), 0);
	counter_add(&m->self_user_us, trace_record_uint(rec, TRACE_SELF_USER_US, TRACE_NIL), 0);
	counter_add(&m->self_system_us, trace_record_uint(rec, TRACE_SELF_SYSTEM_US, TRACE_NIL), 0);
	m->self_maxrss_kib = trace_record_uint(rec, TRACE_SELF_MAXRSS_KIB, m->self_maxrss_kib);
	return 0;
}

int model_program(struct model *m, const struct trace_record *rec)
{
	uint64_t id = trace_record_uint(rec, TRACE_PROGRAM_ID, 0);
	struct model_program p = { 0 };
	int err;

	if ((err = model_check_id(m, "program", id, m->nprograms)) ||
	    (err = model_keep_field(m, rec, TRACE_PROGRAM_NAME, &p.name)) ||
	    (err = model_keep_field(m, rec, TRACE_PROGRAM_FUNCTION, &p.function)) ||
	    (err = array_reserve(&m->program, &m->cap.program, id, sizeof(p))))
		return err;
	p.entry_ns = model_key_ns(rec, TRACE_PROGRAM_ENTRY_PS);
	p.counted_ns = model_key_ns(rec, TRACE_PROGRAM_COUNTED_PS);
	p.statistics_ns = model_key_ns(rec, TRACE_PROGRAM_STATISTICS_PS);
	m->program[m->nprograms++] = p;
	return model_own_program(m, model_string(m, p.name));
}

int model_program_stats(struct model *m, const struct trace_record *rec)
{
	static const struct {
		uint8_t key;
		size_t offset;
	} columns[] = {
		{ TRACE_PROGRAM_STATS_RUNS, offsetof(struct model_program, runs) },
		{ TRACE_PROGRAM_STATS_RUN_NS, offsetof(struct model_program, run_ns) },
		{ TRACE_PROGRAM_STATS_RECURSION, offsetof(struct model_program, recursion) },
		{ TRACE_PROGRAM_STATS_MISSED, offsetof(struct model_program, missed) },
	};
	uint64_t v;

	model_count(m, &m->counted_ns,
		    trace_record_uint(rec, TRACE_PROGRAM_STATS_COUNTED_NS, TRACE_NIL), 0,
		    TRACE_PROGRAM_STATS, TRACE_PROGRAM_STATS_COUNTED_NS);
	for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); k++) {
		struct trace_column c = trace_record_column(rec, columns[k].key);

		if (c.n > m->nprograms)
			return model_damaged(
				m, "PROGRAM_STATS has %u counters, but there are %zu programs", c.n,
				m->nprograms);
		for (size_t i = 0; trace_column_uint(&c, &v); i++)
			model_count(m,
				    (struct counter *)(void *)((char *)&m->program[i] +
							       columns[k].offset),
				    v, 0, TRACE_PROGRAM_STATS, columns[k].key);
	}
	return 0;
}

/* ---- marks ----------------------------------------------------------------------------- */

double model_seconds(const struct model *m, uint64_t at_ns)
{
	uint64_t origin_ns = m->origin_ns ? m->origin_ns : m->header.start_ns;

	if (at_ns == TRACE_NIL)
		return NAN;
	return (double)(int64_t)(at_ns - origin_ns) * 1e-9;
}

uint64_t model_real_ns(const struct model *m, uint64_t at_ns)
{
	const struct model_clock *c = &m->clock_first;

	if (!m->records[TRACE_CLOCK] || !at_ns || at_ns == TRACE_NIL || c->real_ns == TRACE_NIL ||
	    c->mono_ns == TRACE_NIL)
		return 0;
	return c->real_ns + (at_ns - c->mono_ns);
}

int model_mark(struct model *m, const struct trace_record *rec)
{
	struct model_moment *at = &m->moment[m->nmoments];

	if (m->nmoments == MODEL_MOMENTS)
		return 0;
	m->nmoments++;
	at->at_ns = trace_record_uint(rec, TRACE_MARK_AT_NS, TRACE_NIL);
	return model_keep_field(m, rec, TRACE_MARK_TEXT, &at->text);
}

/* The network stack's own counters: protocols, drops, and the interrupts of interfaces. */

/* ---- counters of protocols ------------------------------------------------------------- */

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
		return model_damaged(m, "COUNTERS has %u values, but there are %zu counters",
				     values.n, m->nprotocols);
	for (size_t i = 0; trace_column_uint(&values, &v); i++) {
		if (v != TRACE_NIL)
			counter_add(&m->protocol[i].at_ns, at_ns, 0);
		model_count(m, &m->protocol[i].value, v, 0, TRACE_COUNTERS, TRACE_COUNTERS_VALUE);
	}
	return 0;
}

/* ---- drops ----------------------------------------------------------------------------- */

int model_drop_reasons(struct model *m, const struct trace_record *rec)
{
	struct trace_column names = trace_record_column(rec, TRACE_DROP_REASONS_NAME);
	struct trace_column cpus = trace_record_column(rec, TRACE_DROP_REASONS_CPU);
	uint64_t first = trace_record_uint(rec, TRACE_DROP_REASONS_FIRST, 0);
	const char *name;
	uint32_t len;
	int err = model_check_id(m, "drop counter", first, m->ndrops);

	if (!err && names.n != cpus.n)
		return model_damaged(m, "columns of DROP_REASONS have %u and %u elements", names.n,
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

/* Reads the counters of drops. A counter that is defined after the first reading was 0 until then. */
int model_drops(struct model *m, const struct trace_record *rec)
{
	struct trace_column packets = trace_record_column(rec, TRACE_DROPS_PACKETS);
	uint64_t v;

	if (packets.n > m->ndrops)
		return model_damaged(m, "DROPS has %u counters, but %zu are defined", packets.n,
				     m->ndrops);
	for (size_t i = 0; trace_column_uint(&packets, &v); i++) {
		struct counter *c = &m->drop[i].packets;

		if (m->drops_at_ns.readings && !c->readings)
			counter_add(c, 0, 0);
		model_count(m, c, v, 0, TRACE_DROPS, TRACE_DROPS_PACKETS);
	}
	counter_add(&m->drops_at_ns, model_read_at(m, rec), 0);
	return 0;
}

/* ---- interrupts ------------------------------------------------------------------------ */

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

/* Returns the increase since the last reading, or 0 if one of the two readings is unknown. */
static uint64_t gain(uint64_t *last, uint64_t now)
{
	uint64_t gained = now == TRACE_NIL || *last == TRACE_NIL ? 0 : now - *last;

	if (now != TRACE_NIL)
		*last = now;
	return gained;
}

/*
 * Adds the interrupts of a CPU. Interrupt counters are 32 bits wide. The time of interrupts is either unknown or
 * monotonic.
 */
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
		return model_damaged(
			m, "IRQ_STATS has %u elements, but the TICK before it has %u CPUs", c.n,
			m->tick_ncpus);
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

/* ---- other BPF programs ---------------------------------------------------------------- */

/* BPF programs of the host that do not belong to the recorder. */

int model_other_programs(struct model *m, const struct trace_record *rec)
{
	struct trace_column names = trace_record_column(rec, TRACE_OTHER_PROGRAMS_NAME);
	struct trace_column kinds = trace_record_column(rec, TRACE_OTHER_PROGRAMS_KIND);
	struct trace_column places = trace_record_column(rec, TRACE_OTHER_PROGRAMS_ATTACHED);
	uint64_t first = trace_record_uint(rec, TRACE_OTHER_PROGRAMS_FIRST, 0);
	const char *name, *kind, *place;
	uint32_t name_n, kind_n, place_n;
	int err = model_check_id(m, "other program", first, m->nothers);

	if (!err && (names.n != kinds.n || names.n != places.n))
		return model_damaged(m, "columns of OTHER_PROGRAMS have %u, %u and %u elements",
				     names.n, kinds.n, places.n);
	while (!err && trace_column_str(&names, &name, &name_n) &&
	       trace_column_str(&kinds, &kind, &kind_n) &&
	       trace_column_str(&places, &place, &place_n)) {
		struct model_other o = { 0 };

		if ((err = model_keep(m, name, name_n, &o.name)) ||
		    (err = model_keep(m, kind, kind_n, &o.kind)) ||
		    (err = model_keep(m, place, place_n, &o.attached)) ||
		    (err = array_reserve(&m->other, &m->cap.other, m->nothers + 1, sizeof(o))))
			break;
		m->other[m->nothers++] = o;
		err = model_own_other(m, model_string(m, o.name));
	}
	return err;
}

static int read_column(struct model *m, const struct trace_record *rec, unsigned int key,
		       size_t offset)
{
	struct trace_column c = trace_record_column(rec, key);
	uint64_t v;

	if (c.n > m->nothers)
		return model_damaged(m, "OTHER_STATS has %u counters, but there are %zu programs",
				     c.n, m->nothers);
	for (size_t i = 0; trace_column_uint(&c, &v); i++) {
		struct counter *counter = (struct counter *)(void *)((char *)&m->other[i] + offset);

		/* A program that is defined after the first reading had not counted anything until then. */
		if (m->others_counted_ns.readings && !counter->readings)
			counter_add(counter, 0, 0);
		model_count(m, counter, v, 0, TRACE_OTHER_STATS, key);
	}
	return 0;
}

static void join_pieces(struct model *m)
{
	m->others_pieces /= 2;
	m->others_looks_most *= 2;
	for (size_t i = 0; i < m->others_pieces; i++) {
		m->others_piece_ns[i] = m->others_piece_ns[2 * i + 1];
		for (size_t k = 0; k < m->nothers; k++)
			m->other[k].piece[i] = m->other[k].piece[2 * i + 1];
	}
}

/* Records the programs' current sums as the end of an interval. This starts a new interval, or extends the last one. */
static void take_piece(struct model *m)
{
	uint64_t end_ns = m->others_counted_ns.sum;
	size_t last;

	if (end_ns == (m->others_pieces ? m->others_piece_ns[m->others_pieces - 1] : 0))
		return; /* this is the first reading, at which counting starts */
	if (!m->others_looks_most)
		m->others_looks_most = 1;
	if (!m->others_pieces || m->others_looks == m->others_looks_most) {
		if (m->others_pieces == MODEL_PIECES)
			join_pieces(m);
		m->others_pieces++;
		m->others_looks = 0;
	}
	m->others_looks++;
	last = m->others_pieces - 1;
	m->others_piece_ns[last] = end_ns;
	for (size_t k = 0; k < m->nothers; k++) {
		const struct model_other *o = &m->other[k];

		m->other[k].piece[last] =
			(struct model_other_piece){ o->runs.sum, o->run_ns.sum, o->unseen_ns.sum };
	}
}

int model_other_stats(struct model *m, const struct trace_record *rec)
{
	uint64_t left_out = trace_record_uint(rec, TRACE_OTHER_STATS_LEFT_OUT, 0);
	int err = read_column(m, rec, TRACE_OTHER_STATS_RUNS, offsetof(struct model_other, runs));

	if (!err)
		err = read_column(m, rec, TRACE_OTHER_STATS_RUN_NS,
				  offsetof(struct model_other, run_ns));
	if (!err)
		err = read_column(m, rec, TRACE_OTHER_STATS_UNSEEN_NS,
				  offsetof(struct model_other, unseen_ns));
	if (left_out > m->others_left_out)
		m->others_left_out = left_out;
	model_count(m, &m->others_counted_ns,
		    trace_record_uint(rec, TRACE_OTHER_STATS_COUNTED_NS, TRACE_NIL), 0,
		    TRACE_OTHER_STATS, TRACE_OTHER_STATS_COUNTED_NS);
	take_piece(m);
	return err;
}
