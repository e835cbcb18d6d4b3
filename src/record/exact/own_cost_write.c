// SPDX-License-Identifier: BSD-2-Clause
#include "own_cost_write.h"

#include <math.h>

#include <netcost/trace.h>

#include "exact.h"
#include "ladder.h"
#include "own_cost.h"

/* ---- which classes run ------------------------------------------------------------------- */

static bool has_operations(const struct ladder *l)
{
	return l->sockets != RUNG_SAMPLES && !l->calls;
}

static bool is_attached(const struct ladder *l, enum netcost_probe probe)
{
	switch (probe) {
	case NETCOST_PROBE_SYSCALL:
	case NETCOST_PROBE_LOOK:
		return has_operations(l) && l->sockets == RUNG_TRACEPOINT;
	case NETCOST_PROBE_OPERATION:
	case NETCOST_PROBE_STORAGE:
		return has_operations(l);
	case NETCOST_PROBE_FUNCTION:
		return has_operations(l) && l->sockets != RUNG_TRACEPOINT;
	case NETCOST_PROBE_MESSAGE:
		return l->witness || l->calls;
	case NETCOST_PROBE_HARDIRQ:
	case NETCOST_PROBE_OTHER_HARDIRQ:
		return ladder_counts_hardirqs(l);
	case NETCOST_PROBE_STAGE:
		return l->stages != RUNG_SAMPLES;
	case NETCOST_PROBE_OWNERS:
		return l->owners_every > 0;
	case NETCOST_PROBE_SAMPLE:
		return false;
	default:
		return true;
	}
}

/* During which events they can run, or whose their time is. */
static bool can_be_in(enum netcost_probe probe, enum netcost_event event)
{
	bool operation = event == NETCOST_EV_SOCK_SEND || event == NETCOST_EV_SOCK_RECV ||
			 event == NETCOST_EV_SOCK_LOCAL || event == NETCOST_EV_RX_BUSY_POLL;

	switch (probe) {
	case NETCOST_PROBE_SYSCALL:
	case NETCOST_PROBE_LOOK:
		return event == NETCOST_EV_TASK;
	case NETCOST_PROBE_OPERATION:
		return operation;
	case NETCOST_PROBE_SWITCH:
	case NETCOST_PROBE_STORAGE:
	case NETCOST_PROBE_SOFTIRQ:
		return event != NETCOST_EV_RX_SOFTIRQ && event != NETCOST_EV_TX_SOFTIRQ &&
		       event != NETCOST_EV_HARDIRQ_NET;
	default:
		return event != NETCOST_EV_HARDIRQ_NET;
	}
}

/* ---- records ----------------------------------------------------------------------------- */

static uint64_t ps(double ns)
{
	return isnan(ns) || ns < 0 ? 0 : (uint64_t)llround(ns * 1e3);
}

static int write_cost(const struct own_cost_probe *p, enum netcost_probe probe,
		      struct trace_writer *w)
{
	bool known = !isnan(p->ns);

	trace_writer_begin(w, TRACE_PROBE_COST);
	trace_writer_uint(w, TRACE_PROBE_COST_PROBE, probe);
	if (known) {
		trace_writer_uint(w, TRACE_PROBE_COST_PS, ps(p->ns));
		trace_writer_uint(w, TRACE_PROBE_COST_CI95_PS, ps(p->ci95));
	}
	if (known && !isnan(p->inside_ns)) {
		trace_writer_uint(w, TRACE_PROBE_COST_INSIDE_PS, ps(p->inside_ns));
		trace_writer_uint(w, TRACE_PROBE_COST_INSIDE_CI95_PS, ps(p->inside_ci95));
	}
	if (known)
		trace_writer_uint(w, TRACE_PROBE_COST_MEASURED, p->runs);
	else
		trace_writer_str(w, TRACE_PROBE_COST_WHY, p->why);
	return trace_writer_end(w);
}

int own_cost_write(const struct own_cost *o, const struct ladder *ladder, bool samples,
		   struct trace_writer *w)
{
	int err = 0;

	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT && !err; p++)
		if (p == NETCOST_PROBE_SAMPLE ? samples : ladder && is_attached(ladder, p))
			err = write_cost(own_cost_of(o, p), p, w);
	return err;
}

/* After the first tick, not where it is still 0 everywhere. */
static bool is_written(enum netcost_probe probe, enum netcost_event event,
		       const struct exact_reading *reading, size_t n, bool first)
{
	bool any = first;

	for (size_t i = 0; i < n && !any; i++)
		any = reading[i].runs_of[probe][event] > 0;
	return any && can_be_in(probe, event);
}

static int write_runs(enum netcost_probe probe, const struct exact_reading *reading, size_t n,
		      bool first, uint64_t *column, struct trace_writer *w)
{
	bool any = false;

	for (enum netcost_event e = 0; e < NETCOST_EV_COUNT && !any; e++)
		any = is_written(probe, e, reading, n, first);
	if (!any)
		return 0;
	trace_writer_begin(w, TRACE_PROBE_RUNS);
	trace_writer_uint(w, TRACE_PROBE_RUNS_PROBE, probe);
	for (enum netcost_event e = 0; e < NETCOST_EV_COUNT; e++) {
		if (!is_written(probe, e, reading, n, first))
			continue;
		for (size_t i = 0; i < n; i++)
			column[i] = reading[i].at_ns ? reading[i].runs_of[probe][e] : TRACE_NIL;
		trace_writer_uints(w, TRACE_PROBE_RUNS_IDLE + e, column, n);
	}
	return trace_writer_end(w);
}

int own_cost_write_runs(const struct ladder *ladder, const struct exact_reading *reading, size_t n,
			bool first, uint64_t *column, struct trace_writer *w)
{
	int err = 0;

	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT && !err; p++)
		if (is_attached(ladder, p))
			err = write_runs(p, reading, n, first, column, w);
	return err;
}
