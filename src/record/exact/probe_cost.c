// SPDX-License-Identifier: BSD-2-Clause
#include "probe_cost.h"

#include <math.h>
#include <string.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "exact.h"
#include "hooks.h"
#include "ladder.h"

/*
 * Half-width of the 95 % interval of the model, as a share of the cost of a run. A program's entry is measured with
 * warm caches, but under load caches are not always warm. In tests/bench, the cost of a run differed by at most this
 * share from the cost that the loss of throughput showed.
 */
#define MODEL_CI95 0.1

/* Assumed cost of a run, for the budget, if the true cost is unknown. Most runs cost less. */
#define UNKNOWN_NS 200.0

#define Z95 1.96

/* ---- groups ------------------------------------------------------------------------------ */

#define CLASS(name) (1u << NETCOST_PROBE_##name)

enum group { CALLS, MESSAGES, SWITCHES, SOFTIRQS, HARDIRQS, STAGES, OWNERS };

/* The classes of each group, and the prefixes of the names of its programs. */
static const struct {
	unsigned int classes;
	const char *begins[4];
} groups[PROBE_COST_GROUPS] = {
	[CALLS] = { CLASS(SYSCALL) | CLASS(OPERATION) | CLASS(FUNCTION),
		    { "sys_", "fentry_", "fexit_", "kprobe_" } },
	[MESSAGES] = { CLASS(MESSAGE), { "sock_" } },
	[SWITCHES] = { CLASS(SWITCH), { "sched_switch" } },
	[SOFTIRQS] = { CLASS(SOFTIRQ) | CLASS(OTHER_SOFTIRQ), { "softirq_" } },
	[HARDIRQS] = { CLASS(HARDIRQ) | CLASS(OTHER_HARDIRQ), { "irq_" } },
	[STAGES] = { CLASS(STAGE), { "part_", "stage_" } },
	[OWNERS] = { CLASS(OWNERS), { "owners_" } },
};

static int group_of(const struct probe_costs *c, enum netcost_probe probe)
{
	if (probe == NETCOST_PROBE_OPERATION && c->operations_apart)
		return -1;
	for (int g = 0; g < PROBE_COST_GROUPS; g++)
		if (groups[g].classes >> probe & 1)
			return g;
	return -1;
}

int probe_costs_group(const struct ladder *l, const char *program)
{
	if (!strncmp(program, "napi_poll", strlen("napi_poll")))
		return ladder_polls_in_softirq(l) ? SOFTIRQS : STAGES;
	for (int g = 0; g < PROBE_COST_GROUPS; g++)
		for (size_t i = 0; i < 4 && groups[g].begins[i]; i++)
			if (!strncmp(program, groups[g].begins[i], strlen(groups[g].begins[i])))
				return g;
	for (unsigned int i = 0; i < hook_nprograms; i++)
		if (hook_programs[i].use == USE_STAGES && !strcmp(program, hook_programs[i].name))
			return STAGES;
	return -1;
}

/* ---- pieces ------------------------------------------------------------------------------ */

void probe_costs_init(struct probe_costs *c, const struct ladder *l)
{
	*c = (struct probe_costs){ .operations_apart = l->sockets == RUNG_TRACEPOINT,
				   .sample = { NAN, NAN, 0 } };
}

void probe_costs_add(struct probe_costs *c, int group, double ns)
{
	c->piece_ns[group] += ns;
}

static void add_piece(struct probe_cost_sums *s, double ns, double runs)
{
	s->ns += ns;
	s->runs += runs;
	s->ns2 += ns * ns;
	s->ns_runs += ns * runs;
	s->runs2 += runs * runs;
	s->pieces++;
}

static double group_runs(const struct probe_costs *c, int group,
			 const uint64_t runs[NETCOST_PROBE_COUNT])
{
	double sum = 0;

	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT; p++)
		if (group_of(c, p) == group && runs[p] > c->runs[p])
			sum += (double)(runs[p] - c->runs[p]);
	return sum;
}

void probe_costs_end(struct probe_costs *c, const uint64_t runs[NETCOST_PROBE_COUNT], bool counted)
{
	for (int g = 0; g < PROBE_COST_GROUPS; g++) {
		double more = counted ? group_runs(c, g, runs) : 0;

		if (more > 0)
			add_piece(&c->group[g], c->piece_ns[g] < 0 ? 0 : c->piece_ns[g], more);
		c->news |= more > 0;
		c->piece_ns[g] = 0;
	}
	memcpy(c->runs, runs, sizeof(c->runs));
}

/* ---- costs ------------------------------------------------------------------------------- */

/*
 * Returns the half-width of the 95 % interval of a ratio, from the variance of its pieces. Returns 0 if there are fewer
 * than three pieces, because the variance is then unknown.
 */
static double ratio_ci95(const struct probe_cost_sums *s, double ns)
{
	double n = s->pieces, squares = s->ns2 - 2 * ns * s->ns_runs + ns * ns * s->runs2;

	return n < 3 ? 0 : Z95 * sqrt(fmax(0, squares) * n / (n - 1)) / s->runs;
}

double probe_costs_of(const struct probe_costs *c, enum netcost_probe probe, double *ci95)
{
	int group = group_of(c, probe);
	double ns = NAN, ci = NAN;

	if (probe == NETCOST_PROBE_SAMPLE) {
		ns = c->sample.ns;
		ci = c->sample.ci95;
	} else if (probe == NETCOST_PROBE_OPERATION && c->operations_apart) {
		ns = ci = 0; /* the operation's cost is included in the cost of its system call */
	} else if (group >= 0 && c->group[group].runs > 0) { /* NaN if an entry cost is unknown */
		ns = c->group[group].ns / c->group[group].runs;
		ci = hypot(ratio_ci95(&c->group[group], ns), MODEL_CI95 * ns);
	}
	if (ci95)
		*ci95 = ci;
	return ns;
}

/*
 * An event's time is the time between two clock readings, each in the middle of a program. So half of the time of both
 * programs, including their entries and exits, is in the event's time.
 */
double probe_costs_inside(const struct probe_costs *c, enum netcost_probe probe)
{
	switch (probe) {
	case NETCOST_PROBE_OPERATION:
		if (c->operations_apart)
			probe = NETCOST_PROBE_SYSCALL;
		break;
	case NETCOST_PROBE_SOFTIRQ:
	case NETCOST_PROBE_HARDIRQ:
		break;
	default:
		return NAN;
	}
	return probe_costs_of(c, probe, NULL) / 2;
}

uint64_t probe_costs_ns(const struct probe_costs *c, const struct exact_reading *from,
			const struct exact_reading *to)
{
	double ns = 0;

	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT; p++) {
		double one = probe_costs_of(c, p, NULL);

		if (isnan(one))
			one = UNKNOWN_NS;
		for (int e = 0; e < NETCOST_EV_COUNT; e++)
			ns += one * (double)(to->runs_of[p][e] - from->runs_of[p][e]);
	}
	return (uint64_t)ns;
}

/* ---- classes that run -------------------------------------------------------------------- */

static bool has_operations(const struct ladder *l)
{
	return l->sockets != RUNG_SAMPLES && !l->calls;
}

static bool is_attached(const struct ladder *l, enum netcost_probe probe)
{
	switch (probe) {
	case NETCOST_PROBE_SYSCALL:
		return has_operations(l) && l->sockets == RUNG_TRACEPOINT;
	case NETCOST_PROBE_OPERATION:
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
	case NETCOST_PROBE_LOOK: /* only older recorders have this class */
	case NETCOST_PROBE_STORAGE:
	case NETCOST_PROBE_SAMPLE:
		return false;
	default:
		return true;
	}
}

/*
 * Returns true if runs of the class may be counted for the event, because they occur during the event or are charged to
 * it.
 */
static bool can_be_in(enum netcost_probe probe, enum netcost_event event)
{
	bool operation = event == NETCOST_EV_SOCK_SEND || event == NETCOST_EV_SOCK_RECV ||
			 event == NETCOST_EV_SOCK_LOCAL || event == NETCOST_EV_RX_BUSY_POLL;

	switch (probe) {
	case NETCOST_PROBE_SYSCALL:
		return event == NETCOST_EV_TASK;
	case NETCOST_PROBE_OPERATION:
		return operation;
	case NETCOST_PROBE_SWITCH:
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

static unsigned int measured_runs(const struct probe_costs *c, enum netcost_probe probe)
{
	int group = group_of(c, probe);

	return probe == NETCOST_PROBE_SAMPLE ? c->sample.samples :
	       group < 0		     ? 0 :
					       (unsigned int)fmin(c->group[group].runs, UINT32_MAX);
}

static const char *why_not(const struct probe_costs *c, enum netcost_probe probe)
{
	if (probe == NETCOST_PROBE_SAMPLE)
		return c->sample_why;
	return measured_runs(c, probe) ? reason_no_entry : reason_not_run;
}

static int write_cost(const struct probe_costs *c, enum netcost_probe probe, struct trace_writer *w)
{
	double ci95, ns = probe_costs_of(c, probe, &ci95), inside = probe_costs_inside(c, probe);
	bool known = !isnan(ns), has_inside = known && !isnan(inside);

	trace_writer_begin(w, TRACE_PROBE_COST);
	trace_writer_uint(w, TRACE_PROBE_COST_PROBE, probe);
	if (known) {
		trace_writer_uint(w, TRACE_PROBE_COST_PS, ps(ns));
		trace_writer_uint(w, TRACE_PROBE_COST_CI95_PS, ps(ci95));
	}
	if (has_inside) {
		trace_writer_uint(w, TRACE_PROBE_COST_INSIDE_PS, ps(inside));
		trace_writer_uint(w, TRACE_PROBE_COST_INSIDE_CI95_PS, ps(inside / 2));
	}
	if (known)
		trace_writer_uint(w, TRACE_PROBE_COST_MEASURED, measured_runs(c, probe));
	else
		trace_writer_str(w, TRACE_PROBE_COST_WHY, why_not(c, probe));
	return trace_writer_end(w);
}

int probe_costs_write(struct probe_costs *c, const struct ladder *ladder, bool samples, bool all,
		      struct trace_writer *w)
{
	int err = 0;

	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT && !err && (all || c->news); p++)
		if (p == NETCOST_PROBE_SAMPLE ? samples && all : ladder && is_attached(ladder, p))
			err = write_cost(c, p, w);
	c->news = false;
	return err;
}

/* Returns true if a class is written. After the first tick, classes without runs on any CPU are skipped. */
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

int probe_costs_write_runs(const struct ladder *ladder, const struct exact_reading *reading,
			   size_t n, bool first, uint64_t *column, struct trace_writer *w)
{
	int err = 0;

	for (enum netcost_probe p = 0; p < NETCOST_PROBE_COUNT && !err; p++)
		if (is_attached(ladder, p))
			err = write_runs(p, reading, n, first, column, w);
	return err;
}
