// SPDX-License-Identifier: BSD-2-Clause
/* Finds the limits of what was measured. */
#include "caveats.h"

#include <inttypes.h>
#include <math.h>

#include "cost.h"
#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/spec/spec.h"

/*
 * Reports missing samples. The kernel throttles samples, and loses samples if a ring is full. Some kernels do not
 * sample a CPU around its idle time (seen on a 6.18 in a virtual machine, where `perf record` misses the same samples).
 */
static void missing_samples(char *text, size_t size, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	double missing = split_missing(&s->split.all);

	if (missing > 0)
		snprintf(
			text, size,
			"%s %% of the samples expected in busy time are missing (throttled %s, %s lost). The remaining samples are scaled up and confidence intervals are widened by that share; short-lived work may be underestimated",
			PERCENT(missing, 0), COUNT(r->throttled, "time"), NUM(r->samples_lost, 0));
}

#define LATE_LEAST_S 1.0
#define LATE_SHARE 0.1 /* of the recording */

/* Reports a recording that began to count late. Attaching programs can take long on a busy host. */
static void late_start(char *text, size_t size, const struct summary *s)
{
	double missing_s = s->duration_s - s->ticks_s;

	if (s->ticks_s > 0 && missing_s > fmax(LATE_LEAST_S, LATE_SHARE * s->duration_s))
		snprintf(
			text, size,
			"the counters cover the time from the first tick to the last, %s of %s; no figure includes the rest of the recording",
			MEASURED(1e9 * s->ticks_s, TEXT_NS),
			MEASURED(1e9 * s->duration_s, TEXT_NS));
}

#define CUT_TOO_MANY 0.001 /* fraction of all samples */

static void cut_stacks(char *text, size_t size, const struct summary *s)
{
	double share = s->recording.samples_cut;

	if (share > CUT_TOO_MANY)
		snprintf(
			text, size,
			"%s %% of the samples have no stack, or one that is truncated at kernel.perf_event_max_stack. Their outer "
			"functions, which decide the leaf, are missing, so these samples may be in a wrong leaf. Raise that sysctl and record again",
			PERCENT(share, 0));
}

static void cut_user_stacks(char *text, size_t size, const struct summary *s)
{
	if (s->recording.user_cut > CUT_TOO_MANY)
		snprintf(
			text, size,
			"%s %% of the user-space stacks are truncated in code without frame pointers: callers are missing, so the inclusive times of functions there are too small",
			PERCENT(s->recording.user_cut, 0));
}

#define OUTSIDE_TOO_MUCH                                                                           \
	0.001 /* fraction of the messages; a smaller fraction is due to calls that began before attaching */

static bool messages_outside(const struct summary_recording *r)
{
	return r->sends_outside > OUTSIDE_TOO_MUCH * (r->sends_inside + r->sends_outside) ||
	       r->recvs_outside > OUTSIDE_TOO_MUCH * (r->recvs_inside + r->recvs_outside);
}

static void outside_probes(char *text, size_t size, const struct summary *s)
{
	if (messages_outside(&s->recording))
		snprintf(
			text, size,
			"messages passed outside all probes (see coverage): their time is counted as user or other, not as socket send or receive");
}

/*
 * Reports exact times that do not sum to the elapsed time. This is an error of the trace, because correct readings
 * always sum to the elapsed time.
 */
static void wrong_sums(char *text, size_t size, const struct summary *s)
{
	struct sums_cpu all = { 0 }, c;
	const struct model_cpu *cpu;

	if (!s->m->sums || filter_has_tasks(s->m->filter))
		return;
	model_for_each_cpu(s->m, cpu)
	{
		c = sums_cpu(s->m->sums, cpu->cpu);
		if (!all.wrong)
			all = (struct sums_cpu){ all.pairs, 0, c.wrong_ns, c.of_ns };
		all.pairs += c.pairs;
		all.wrong += c.wrong;
	}
	if (all.wrong)
		snprintf(
			text, size,
			"in %" PRIu64 " of %" PRIu64
			" readings the exact times do not sum to the elapsed time (the first sum: %s of %s): figures based on these readings are wrong",
			all.wrong, all.pairs, MEASURED((double)all.wrong_ns, TEXT_NS),
			MEASURED((double)all.of_ns, TEXT_NS));
}

#define TOO_MUCH 1.02

static void too_much_time(char *text, size_t size, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	if (all->sum_ns > TOO_MUCH * all->wall_ns && !filter_has_tasks(s->m->filter))
		snprintf(
			text, size,
			"the leaves have %s %% of the time of the CPUs: readings contradict each other, and no time here can be trusted",
			PERCENT(all->sum_ns / all->wall_ns, 0));
}

static void missed_runs(char *text, size_t size, const struct summary *s)
{
	cost_misses(s->m, text, size);
}

static void slowed_down(char *text, size_t size, const struct summary *s)
{
	if (cost_slowed(s->m))
		snprintf(
			text, size,
			"while BPF statistics are enabled, a load of mostly system calls slows down; the true "
			"overhead may be up to twice the figure shown");
}

/*
 * Thresholds: a difference is worth a caveat if it exceeds both this number of half-widths and this share of the larger
 * value.
 */
#define INTERVALS_APART 2
#define SHARE_APART 0.05

static bool are_apart(double a, double b, double ci95)
{
	double apart = fabs(a - b);

	return apart > INTERVALS_APART * ci95 && apart > SHARE_APART * fmax(fabs(a), fabs(b));
}

/* Reports an impossible result: a leaf with less time than the recorder's own part of it. */
static void own_too_large(char *text, size_t size, const struct summary *s)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (s->split.all.leaf[l].ns < 0 && !(s->measured.all.leaf[l].ns < 0) &&
		    are_apart(s->split.all.leaf[l].ns, 0, s->split.all.leaf[l].ci95_ns)) {
			snprintf(
				text, size,
				"the recorder's own cost is larger than the time of \"%s\", which includes it; --with-own-cost shows times as measured",
				leaf_desc[l].title);
			return;
		}
}

/* The leaves of the network that samples can find. No sample is taken in hard interrupts. */
#define NETWORK_IN_SAMPLES (LEAF_NETWORK & ~LEAF_BIT(HARDIRQ_NET))

static void samples_disagree(char *text, size_t size, const struct summary *s)
{
	const struct split_cpu *c = &s->split.counted;
	struct split_value v = split_sum(c, NETWORK_IN_SAMPLES);

	if (s->m->records[TRACE_EXACT] && v.sampled_ci95 > 0 &&
	    are_apart(v.ns / c->wall_ns, v.sampled, v.sampled_ci95))
		snprintf(
			text, size,
			"by exact counters the network has %s %% of the CPU time, by samples %s %%%s.%s Samples are delayed while interrupts are disabled, and may be synchronous with timers of the load",
			SHARE_OF(v.ns / c->wall_ns, v.sampled_ci95),
			PERCENT(v.sampled, v.sampled_ci95),
			c->leaf[LEAF_HARDIRQ_NET].ns > 0 ? ", both without hard interrupts" : "",
			c->leaf[LEAF_OWN].ns > 0 ? "" :
						   " Exact times include the probes' own cost.");
}

/*
 * Factor that widens the 95 % intervals so that they hold jointly for six leaves. By chance, the largest of six
 * differences exceeds its widened interval in 1 of 20 recordings.
 */
#define BIASED 1.35

/* Reports the leaf whose samples are biased most. The caveat is needed only if samples alone represent the pauses. */
static void windows_disagree(char *text, size_t size, const struct summary *s)
{
	const struct split_cpu *c = &s->split.counted;
	double most_ns = 0;

	for (unsigned int l = 0; s->split.all.wall_ns > c->wall_ns && l < LEAF_COUNT; l++) {
		const struct split_value *v = &c->leaf[l];
		double apart_ns = fabs(v->ns - v->sampled * c->wall_ns);

		if (v->how != SPLIT_EXACT || !(apart_ns > most_ns) ||
		    apart_ns < BIASED * hypot(v->sampled_ci95 * c->wall_ns, v->own_ci95_ns))
			continue;
		most_ns = apart_ns;
		snprintf(
			text, size,
			"\"%s\" had %s %% of the time by exact counters, but %s %% by samples, in the %s in which both ran. The rest of the time is known only from samples, which may be as wrong there",
			leaf_desc[l].title, SHARE_OF(v->ns / c->wall_ns, v->sampled_ci95),
			PERCENT(v->sampled, v->sampled_ci95),
			MEASURED(1e9 * (s->ticks_s - s->recording.paused_s), TEXT_NS));
	}
}

size_t caveats_make(struct caveat caveat[CAVEATS_MAX], const struct summary *s)
{
	static const struct {
		const char *name;
		void (*say)(char *text, size_t size, const struct summary *s);
	} kinds[CAVEATS_MAX] = {
		{ "samples", missing_samples },	 { "stacks", cut_stacks },
		{ "exact", wrong_sums },	 { "time", too_much_time },
		{ "exact", outside_probes },	 { "programs", missed_runs },
		{ "cost", slowed_down },	 { "cost", own_too_large },
		{ "network", samples_disagree }, { "windows", windows_disagree },
		{ "time", late_start },		 { "stacks", cut_user_stacks },
	};
	size_t n = 0;

	for (size_t i = 0; i < CAVEATS_MAX; i++) {
		caveat[n] = (struct caveat){ .name = kinds[i].name };
		kinds[i].say(caveat[n].text, sizeof(caveat[n].text), s);
		n += *caveat[n].text != '\0';
	}
	return n;
}
