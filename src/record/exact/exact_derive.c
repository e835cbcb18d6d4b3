// SPDX-License-Identifier: BSD-2-Clause
/* Derives readings from a CPU's state at a given moment: pure arithmetic, without the kernel. */
#include "exact.h"

#include <stddef.h>
#include <string.h>

#include "bpf/wire.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Times of a CPU at a reading. */
struct moment {
	uint64_t cpu_clock, in_hardirq, in_softirq;
	/* time of the reading, ns; earlier than `now` while it is unknown to which event the latest time belongs */
	uint64_t at;
	uint64_t task_clock; /* task clock at `at`, ns */
	uint64_t gone;	     /* offline time until `at`, ns */
};

/*
 * Returns the moment of the reading. The BPF clock (ktime_get_mono_fast_ns) may be a few ns ahead of the clock of
 * `now`.
 */
static struct moment moment_of(const struct netcost_cpu *c, uint64_t now)
{
	uint64_t cpu_clock = c->softirq_start ? c->softirq_start : c->seg_start + c->softirq_ns;
	struct moment m = { 0 };

	cpu_clock = later(cpu_clock, later(c->stages.since, c->stages.left));
	m.at = later(later(now, c->hardirq_start), cpu_clock + c->hardirq_ns);
	m.in_hardirq = c->hardirq_start ? m.at - c->hardirq_start : 0;
	m.cpu_clock = m.at - c->hardirq_ns - m.in_hardirq;
	m.in_softirq = c->softirq_start ? m.cpu_clock - c->softirq_start : 0;
	m.task_clock = m.cpu_clock - c->softirq_ns - m.in_softirq;
	return m;
}

static const enum netcost_event base_event[NETCOST_BASES] = {
	[NETCOST_BASE_IDLE] = NETCOST_EV_IDLE,
	[NETCOST_BASE_TASK] = NETCOST_EV_TASK,
	[NETCOST_BASE_IO_WORKER] = NETCOST_EV_IO_WORKER,
	[NETCOST_BASE_NAPI] = NETCOST_EV_RX_THREAD,
};

/* Derives the time of each kind of task, minus the time of the tasks' operations. */
static void derive_tasks(const struct netcost_cpu *c, const struct moment *m,
			 struct exact_reading *r)
{
	uint64_t base[NETCOST_BASES], event = NETCOST_MARK_EVENT(c->mark);

	for (int b = 0; b < NETCOST_BASES; b++)
		base[b] = c->base_ns[b] - c->base_op_ns[b];
	if (c->seg_base < NETCOST_BASES) {
		base[c->seg_base] += m->task_clock - c->seg_start - m->gone;
		if (c->mark && event < NETCOST_EV_COUNT) {
			uint64_t start = later(NETCOST_MARK_NS(c->mark), c->seg_start);
			uint64_t ns = later(m->task_clock, start) - start;

			r->ns[event] += ns;
			base[c->seg_base] -= ns;
		}
	}
	for (int b = 0; b < NETCOST_BASES; b++) {
		r->ns[base_event[b]] = base[b];
		r->calls[base_event[b]] = c->runs[b];
	}
}

static void derive_hardirqs(const struct netcost_cpu *c, const struct moment *m,
			    struct exact_reading *r)
{
	r->ns[NETCOST_EV_HARDIRQ_NET] = c->hardirq_ns + m->in_hardirq;
	r->calls[NETCOST_EV_HARDIRQ_NET] = c->hardirq_runs;
}

static void derive_softirqs(const struct netcost_cpu *c, const struct moment *m,
			    struct exact_reading *r)
{
	enum netcost_event running = c->softirq_event == NETCOST_EV_TX_SOFTIRQ ?
					     NETCOST_EV_TX_SOFTIRQ :
					     NETCOST_EV_RX_SOFTIRQ;

	r->ns[NETCOST_EV_RX_SOFTIRQ] = c->softirq_ns - c->tx_ns;
	r->ns[NETCOST_EV_TX_SOFTIRQ] = c->tx_ns;
	r->ns[running] += m->in_softirq;
	r->calls[NETCOST_EV_RX_SOFTIRQ] = c->softirq_runs - c->tx_runs;
	r->calls[NETCOST_EV_TX_SOFTIRQ] = c->tx_runs;
	r->calls[running] -= c->softirq_start != 0;
}

/*
 * Derives the time of polls. With the method "tracepoint" a poll becomes known only when it ends. Until then, time that
 * seems to be a poll is counted as a poll. This is wrong only for the short time after the last poll.
 */
static void derive_poll(const struct netcost_cpu *c, const struct moment *m,
			struct exact_reading *r)
{
	const struct netcost_rx_stages *p = &c->stages;
	bool in_rx = c->softirq_start ? c->softirq_event == NETCOST_EV_RX_SOFTIRQ :
					c->seg_base == NETCOST_BASE_NAPI;

	if (!p->poll_since || !in_rx)
		return;
	r->stage_ns[NETCOST_PART_DRIVER_POLL] +=
		p->loose_ns + (p->depth ? 0 : m->cpu_clock - p->since);
	r->stage_total_ns[NETCOST_PART_DRIVER_POLL] += m->cpu_clock - p->poll_since;
}

static void derive_stages(const struct netcost_cpu *c, const struct moment *m,
			  struct exact_reading *r)
{
	const struct netcost_rx_stages *p = &c->stages;
	uint64_t top = p->depth && p->depth <= NETCOST_STAGE_DEPTH ?
			       NETCOST_STAGE_OF(p->stack[p->depth - 1].what) :
			       NETCOST_PART_COUNT;
	uint64_t at = p->left ? p->left : m->cpu_clock;

	for (unsigned int stage = 0; stage < NETCOST_PART_COUNT; stage++) {
		r->stage_ns[stage] = p->ns[stage] + (stage == top ? at - p->since : 0);
		r->stage_total_ns[stage] =
			p->total_ns[stage] + (p->nested[stage] ? at - p->entered[stage] : 0);
		r->stage_calls[stage] = p->calls[stage];
	}
	derive_poll(c, m, r);
	r->stages_missed = p->missed;
	r->polls_outside = p->polls_outside;
}

/*
 * Returns true if the current run of the stopper thread is offline time. Otherwise the run is time of the thread itself
 * (wire.h). The run is offline time if the CPU is offline, or if the CPU was found offline and has not switched since.
 */
static bool is_gone(const struct netcost_cpu *c, struct exact_past *past, bool offline)
{
	if (!c->seg_stopper)
		return false;
	if (offline)
		past->gone_from = c->seg_start;
	return past->gone_from == c->seg_start;
}

void exact_derive(const struct netcost_cpu *c, struct exact_past *past, bool offline, uint64_t now,
		  struct exact_reading *r)
{
	struct moment m = moment_of(c, now);
	uint64_t open = m.task_clock - c->seg_start;

	if (is_gone(c, past, offline)) {
		m.gone = open;
		/* the kind of this run is not known yet, so the reading is for the time when the run began */
	} else if (c->seg_stopper) {
		m.at -= open;
		m.task_clock -= open;
	}
	memcpy(r->ns, c->op_ns, sizeof(r->ns));
	memcpy(r->calls, c->calls, sizeof(r->calls));
	memcpy(r->failed, c->failed, sizeof(r->failed));
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		r->bytes[e] = c->uncounted[e] ? EXACT_UNKNOWN : c->bytes[e];
	memcpy(r->packets, c->packets, sizeof(r->packets));
	derive_tasks(c, &m, r);
	derive_hardirqs(c, &m, r);
	derive_softirqs(c, &m, r);
	derive_stages(c, &m, r);
	for (int p = 0; p < NETCOST_PROBE_COUNT; p++)
		memcpy(r->runs_of[p], c->runs_of[p], sizeof(r->runs_of[p]));
	r->offline_ns = c->offline_ns + m.gone;
	r->off_ns = 0;
	r->at_ns = c->seg_start ? m.at : 0;
	r->untracked = c->untracked;
	r->sends_outside = c->sends_outside;
	r->recvs_outside = c->recvs_outside;
	r->sends_inside = c->sends_inside;
	r->recvs_inside = c->recvs_inside;
}

void exact_hold(struct exact_past *past, struct exact_reading *r)
{
	past->polls_ns = later(past->polls_ns, r->stage_ns[NETCOST_PART_DRIVER_POLL]);
	past->polls_total_ns =
		later(past->polls_total_ns, r->stage_total_ns[NETCOST_PART_DRIVER_POLL]);
	r->stage_ns[NETCOST_PART_DRIVER_POLL] = past->polls_ns;
	r->stage_total_ns[NETCOST_PART_DRIVER_POLL] = past->polls_total_ns;
}

/* Adds all cumulative fields of struct exact_reading, from `ns` through `runs_of`. */
static void add(struct exact_reading *r, const struct exact_reading *before)
{
	const size_t first = offsetof(struct exact_reading, ns) / sizeof(uint64_t);
	const size_t end =
		(offsetof(struct exact_reading, runs_of) + sizeof(r->runs_of)) / sizeof(uint64_t);
	const uint64_t *more = (const uint64_t *)before;
	uint64_t *count = (uint64_t *)r;
	bool unknown[NETCOST_EV_COUNT];

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		unknown[e] = r->bytes[e] == EXACT_UNKNOWN || before->bytes[e] == EXACT_UNKNOWN;
	for (size_t i = first; i < end; i++)
		count[i] += more[i];
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		if (unknown[e])
			r->bytes[e] = EXACT_UNKNOWN;
}

static uint64_t counted_ns(const struct exact_reading *r)
{
	uint64_t ns = r->offline_ns;

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		ns += r->ns[e];
	return ns;
}

/*
 * Sets the durations of the gap. The gap lasts from the last reading before the programs were detached until counting
 * starts again. That start is at_ns minus the counted time, and is the same for all later readings. A CPU that was not
 * seen when everything was attached was offline until it was seen.
 */
static void gap_close(struct exact_gap *gap, const struct exact_reading *r)
{
	uint64_t begin = later(r->at_ns - counted_ns(r), gap->before.at_ns);
	uint64_t on = later(gap->attached_ns, gap->before.at_ns);

	gap->known = true;
	if (!gap->before.at_ns)
		return;
	gap->offline_ns = begin - gap->before.at_ns;
	gap->off_ns = (begin < on ? begin : on) - gap->before.at_ns;
}

void exact_go_on(struct exact_gap *gap, struct exact_reading *r)
{
	if (!r->at_ns)
		return;
	if (!gap->known)
		gap_close(gap, r);
	add(r, &gap->before);
	r->offline_ns += gap->offline_ns;
	r->off_ns += gap->off_ns;
}
