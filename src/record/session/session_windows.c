// SPDX-License-Identifier: BSD-2-Clause
/*
 * Keeps a session within its budget. If the cost of exact times, or of the programs that follow packets, exceeds the
 * budget, they run in windows. record/exact/windows.c decides when the windows begin and end.
 */
#include "session_impl.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/msg.h"
#include "record/exact/exact.h"
#include "record/exact/programs.h"
#include "record/kernel/admin.h"
#include "record/source/source.h"

/* Returns the cost of a sample in ns. Returns 0 if the cost is unknown. */
static double sample_ns(const struct session *s)
{
	return s->costs.sample.ns > 0 ? s->costs.sample.ns : 0;
}

/* Returns the sampling rate that the budget allows: samples may use half of the budget. */
unsigned long session_sample_hz(const struct session *s)
{
	double each_ns = sample_ns(s);
	double most = (double)s->cfg->budget_ppm * 1000 / 2 / each_ns;

	if (!s->cfg->budget_all || !(each_ns > 0) || (double)s->cfg->hz <= most)
		return s->cfg->hz;
	return most > 1 ? (unsigned long)most : 1;
}

/*
 * Returns the share of a CPU that samples take. The costs of samples and of the recorder count only in a budget for the
 * whole recording.
 */
static double samples_share(const struct session *s)
{
	if (!s->cfg->budget_all)
		return 0;
	return (double)s->hz * sample_ns(s) / 1e9;
}

static uint64_t own_cpu_ns(const struct session *s)
{
	return s->cfg->budget_all ? clock_ns(CLOCK_PROCESS_CPUTIME_ID) + admin_cpu_ns(s->admin) : 0;
}

static double share(uint64_t ns, uint64_t of_ns)
{
	return of_ns ? (double)ns / (double)of_ns : 0;
}

/* Cost of a program run that is assumed until it has been measured, ns. */
#define PATH_RUN_NS 100

/* Returns the cost in ns, on the i-th CPU since the last check, of the programs that can be detached. */
static uint64_t cost_of(struct session *s, unsigned int i)
{
	double run_ns = programs_path_ns(s->programs), cost_ns = 0;
	uint64_t runs;

	if (s->attached && s->cfg->exact_in_windows)
		cost_ns = (double)probe_costs_ns(&s->costs, &s->looked[i], &s->reading[i]);
	if (s->following && s->cfg->path_in_windows) {
		runs = sources_follow_runs(s->sources, s->cpus.cpu[i]);
		cost_ns += (double)(runs - s->followed[i]) * (isnan(run_ns) ? PATH_RUN_NS : run_ns);
		s->followed[i] = runs;
	}
	return (uint64_t)cost_ns;
}

/* Reads the costs of all CPUs. This function makes no system call, because it is called often. */
static void read_costs(struct session *s)
{
	uint64_t now = now_ns();

	for (unsigned int i = 0; i < s->cpus.n; i++)
		if (s->attached)
			exact_read(s->exact, s->cpus.cpu[i], false, &s->reading[i]);
		else
			s->reading[i].at_ns = now;
}

/* Finds the CPU on which the probes have cost most since the last check. */
static void look(struct session *s, struct windows_seen *seen)
{
	read_costs(s);
	for (unsigned int i = 0; i < s->cpus.n; i++) {
		const struct exact_reading *from = &s->looked[i], *to = &s->reading[i];
		uint64_t passed_ns = to->at_ns - from->at_ns, cost_ns = cost_of(s, i);

		if (!from->at_ns || !to->at_ns || !passed_ns)
			continue;
		if (!seen->counted_ns ||
		    share(cost_ns, passed_ns) > share(seen->probes_ns, seen->counted_ns)) {
			seen->counted_ns = passed_ns;
			seen->probes_ns = cost_ns;
		}
	}
	memcpy(s->looked, s->reading, s->cpus.n * sizeof(*s->looked));
}

/* Starts a new interval of measuring costs. */
static void look_from_here(struct session *s)
{
	read_costs(s);
	for (unsigned int i = 0; i < s->cpus.n; i++)
		(void)cost_of(s, i);
	memcpy(s->looked, s->reading, s->cpus.n * sizeof(*s->looked));
}

/* ---- attaching and detaching ------------------------------------------------------------- */

static struct session_span clocks(void)
{
	return (struct session_span){ clock_ns(CLOCK_PROCESS_CPUTIME_ID), now_ns() };
}

static struct session_span since(struct session_span began)
{
	struct session_span ended = clocks();

	return (struct session_span){ ended.cpu_ns - began.cpu_ns, ended.ns - began.ns };
}

/* Returns true if the programs that run in windows are attached. */
static bool is_on(const struct session *s)
{
	return (s->attached && s->cfg->exact_in_windows) ||
	       (s->following && s->cfg->path_in_windows);
}

static void turn_off(struct session *s)
{
	if (s->attached && s->cfg->exact_in_windows) {
		exact_off(s->exact);
		s->attached = false;
	}
	if (s->cfg->path_in_windows && sources_follow(s->sources))
		sources_pause(s->sources);
}

static int detach(struct session *s)
{
	int err = session_write_window(s, false);
	struct session_span began = clocks();

	turn_off(s);
	s->detaching = since(began);
	/* This tick has no readings: samples that follow it in the trace belong to the pause. */
	return err ? err : session_write_window(s, false);
}

static bool exact_again(struct session *s)
{
	char why[SESSION_WHY];

	if (!s->exact || s->attached)
		return true;
	if (exact_on(s->exact, &s->cpus, why, sizeof(why))) {
		msg_reasons(why, "; continuing with samples only");
		return false;
	}
	s->attached = true;
	return true;
}

static bool path_again(struct session *s)
{
	int err;

	if (s->following || !sources_follow(s->sources))
		return true;
	err = sources_resume(s->sources);
	if (err) {
		sources_pause(s->sources);
		msg("cannot reattach the programs that follow packets: %s; continuing with samples only",
		    strerror(-err));
		return false;
	}
	return true;
}

/* Attaches the probes again. Returns false if attaching failed, after reporting the error. */
static bool attached_again(struct session *s)
{
	struct session_span began = clocks();
	bool path = path_again(s);

	if (!exact_again(s) || !path) {
		turn_off(s);
		windows_give_up(&s->windows);
		return false;
	}
	s->attaching = since(began);
	windows_attached(&s->windows, now_ns());
	return true;
}

static int attach(struct session *s)
{
	int err;

	if (!attached_again(s))
		return 0;
	err = session_write_window(s, true);
	look_from_here(s);
	return err;
}

/* ---- functions for the loop -------------------------------------------------------------- */

void session_windows_begin(struct session *s)
{
	windows_begin(&s->windows, is_on(s) ? (double)s->cfg->budget_ppm / 1e6 : 0, now_ns());
	look_from_here(s);
	s->own_cpu_ns = own_cpu_ns(s);
}

void session_windows_open(struct session *s)
{
	(void)exact_again(s);
}

void session_windows_say(const struct session *s, double seconds)
{
	const struct windows *w = &s->windows;

	if (s->cfg->budget_all && !w->always && (double)w->period_ns > 1e9 * seconds)
		msg("the budget of %g %% is an average over periods of %.1f s; this recording was shorter and may have cost more",
		    100 * w->budget, (double)w->period_ns / 1e9);
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

	if (is_on(s))
		look(s, &seen);
	windows_decide(&s->windows, &seen, now_ns());
	if (is_on(s) && !s->windows.on)
		err = detach(s);
	else if (!is_on(s) && s->windows.on)
		err = attach(s);
	s->own_cpu_ns = own_cpu_ns(s);
	return err;
}
