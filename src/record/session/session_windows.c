// SPDX-License-Identifier: BSD-2-Clause
/*
 * A session's budget: exact times in windows, where they cost more than they may. When, is decided in
 * record/exact/windows.c.
 */
#include "session_impl.h"

#include <string.h>
#include <time.h>

#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/msg.h"
#include "record/exact/exact.h"

/* What a sample costs; 0: not known. */
static double sample_ns(const struct session *s)
{
	return s->costs.sample.ns > 0 ? s->costs.sample.ns : 0;
}

/* The sampling rate that the budget allows: samples may take half of it. */
unsigned long session_sample_hz(const struct session *s)
{
	double each_ns = sample_ns(s);
	double most = (double)s->cfg->budget_ppm * 1000 / 2 / each_ns;

	if (!s->cfg->budget_all || !(each_ns > 0) || (double)s->cfg->hz <= most)
		return s->cfg->hz;
	return most > 1 ? (unsigned long)most : 1;
}

/* What samples and the recorder take counts only in a budget for everything. */
static double samples_share(const struct session *s)
{
	if (!s->cfg->budget_all)
		return 0;
	return (double)s->hz * sample_ns(s) / 1e9;
}

static uint64_t own_cpu_ns(const struct session *s)
{
	return s->cfg->budget_all ? clock_ns(CLOCK_PROCESS_CPUTIME_ID) : 0;
}

static double share(uint64_t ns, uint64_t of_ns)
{
	return of_ns ? (double)ns / (double)of_ns : 0;
}

/* What the budget may detach costs a CPU between two readings. */
static uint64_t cost_between(struct session *s, unsigned int i)
{
	uint64_t path_ns = sources_follow_ns(s->sources, s->cpus.cpu[i]), cost_ns = 0;

	if (s->cfg->exact_in_windows)
		cost_ns = probe_costs_ns(&s->costs, &s->looked[i], &s->reading[i]);
	if (s->cfg->path_in_windows)
		cost_ns += path_ns - s->followed_ns[i];
	s->followed_ns[i] = path_ns;
	return cost_ns;
}

/* The CPU where the probes cost most since the last look. Takes no system call, as it is often done. */
static void look(struct session *s, struct windows_seen *seen)
{
	for (unsigned int i = 0; i < s->cpus.n; i++) {
		const struct exact_reading *from = &s->looked[i], *to = &s->reading[i];
		uint64_t passed_ns, cost_ns;

		exact_read(s->exact, s->cpus.cpu[i], false, &s->reading[i]);
		passed_ns = to->at_ns - from->at_ns;
		if (!from->at_ns || !to->at_ns || !passed_ns)
			continue;
		cost_ns = probe_costs_ns(&s->costs, from, to);
		if (!seen->counted_ns ||
		    share(cost_ns, passed_ns) > share(seen->probes_ns, seen->counted_ns)) {
			seen->counted_ns = passed_ns;
			seen->probes_ns = cost_ns;
		}
	}
	memcpy(s->looked, s->reading, s->cpus.n * sizeof(*s->looked));
}

/* ---- a round ----------------------------------------------------------------------------- */

static struct session_span clocks(void)
{
	return (struct session_span){ clock_ns(CLOCK_PROCESS_CPUTIME_ID), now_ns() };
}

static struct session_span since(struct session_span began)
{
	struct session_span ended = clocks();

	return (struct session_span){ ended.cpu_ns - began.cpu_ns, ended.ns - began.ns };
}

static int detach(struct session *s)
{
	int err = session_write_window(s);
	struct session_span began = clocks();

	exact_off(s->exact);
	s->detaching = since(began);
	s->attached = false;
	/* A tick that reads nothing: samples that come after it in the trace are of the pause. */
	return err ? err : session_write_window(s);
}

/* False: it is not possible, which has been reported. */
static bool attached_again(struct session *s)
{
	struct session_span began = clocks();
	char why[SESSION_WHY];

	if (exact_on(s->exact, &s->cpus, why, sizeof(why))) {
		msg_reasons(why, "; going on with samples only");
		windows_give_up(&s->windows);
		return false;
	}
	s->attaching = since(began);
	s->attached = true;
	windows_attached(&s->windows, now_ns());
	return true;
}

static int attach(struct session *s)
{
	int err;

	if (!attached_again(s))
		return 0;
	err = session_write_window(s);
	memcpy(s->looked, s->reading, s->cpus.n * sizeof(*s->looked));
	return err;
}

/* ---- the loop's -------------------------------------------------------------------------- */

void session_windows_begin(struct session *s)
{
	bool limited = s->exact && s->cfg->budget_ppm;

	windows_begin(&s->windows, limited ? (double)s->cfg->budget_ppm / 1e6 : 0, now_ns());
	memcpy(s->looked, s->reading, s->cpus.n * sizeof(*s->looked));
	s->own_cpu_ns = own_cpu_ns(s);
}

void session_windows_open(struct session *s)
{
	if (s->exact && !s->attached)
		(void)attached_again(s);
}

uint64_t session_windows_due(const struct session *s)
{
	return s->windows.due_ns;
}

int session_on_windows(struct session *s)
{
	struct windows_seen seen = {
		.own_ns = own_cpu_ns(s) - s->own_cpu_ns,
		.round_cpu_ns = s->attaching.cpu_ns + s->detaching.cpu_ns,
		.round_ns = s->attaching.ns + s->detaching.ns,
		.samples = samples_share(s),
		.random = (uint32_t)(now_ns() * UINT64_C(0x9e3779b97f4a7c15) >> 32),
	};
	int err = 0;

	if (s->attached)
		look(s, &seen);
	windows_decide(&s->windows, &seen, now_ns());
	if (s->attached && !s->windows.on)
		err = detach(s);
	else if (!s->attached && s->windows.on)
		err = attach(s);
	s->own_cpu_ns = own_cpu_ns(s);
	return err;
}
