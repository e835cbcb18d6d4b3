// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: what was recorded, how, and how far it can be relied on. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cost.h"
#include "escape.h"
#include "filter.h"
#include "model_text.h"
#include "summary_text.h"
#include "text.h"

/* ---- heading ----------------------------------------------------------------------------- */

void text_heading(FILE *out, const struct summary *s)
{
	const struct model *m = s->m;
	const struct model_header *h = &m->header;
	char cpus[64], damage[400];

	if (!s->part->first)
		fputs("\n\n", out);
	fprintf(out, "%s: %s s on %" PRIu64 " CPU%s (%s)", PART_TITLE(s->part),
		NUM(s->duration_s, 2), h->ncpus, h->ncpus == 1 ? "" : "s",
		text_cpu_list(cpus, sizeof(cpus), m->header_cpus, h->ncpus));
	if (s->start_real_ns)
		fprintf(out, ", recorded %s", UTC(s->start_real_ns));
	fputc('\n', out);
	text_host(out, m);
	text_settings(out, m);
	if (m->status.damages)
		fprintf(out, "  DAMAGED   %s\n", model_damage(m, damage, sizeof(damage)));
	else if (!m->status.ended)
		fprintf(out, "  CUT       %s; the report goes as far as that\n", m->status.what);
	if (*m->note)
		fprintf(out, "  WRONG     %s\n", m->note);
	text_filter(out, m);
}

/* ---- the recording itself ---------------------------------------------------------------- */

static void samples(FILE *out, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	double busy = (double)s->m->samples - r->samples_idle;
	double busy_expected = r->samples_expected - r->samples_idle_expected;

	if (!s->m->header.sample_hz)
		return;
	if (filter_has_tasks(s->m->filter)) {
		fprintf(out,
			"  samples   %" PRIu64 " of these tasks, of %" PRIu64
			" in all; how many there should be is known of CPUs, not of tasks\n",
			s->m->samples, s->m->samples_in_all);
		return;
	}
	if (summary_samples_of(s->m) == SPLIT_OF_CYCLES)
		fprintf(out,
			"  samples   %" PRIu64 " of %" PRIu64
			" cycles each; how many there should be is not known; %s lost",
			s->m->samples, s->m->header.sample_period, NUM(r->samples_lost, 0));
	else
		fprintf(out, "  samples   %" PRIu64 " of %s expected%s (%s %%), %s lost",
			s->m->samples, NUM(r->samples_expected, 0),
			summary_samples_of(s->m) == SPLIT_OF_NETWORK ? " inside the network" : "",
			PERCENT((double)s->m->samples / r->samples_expected, 1),
			NUM(r->samples_lost, 0));
	if (!isnan(r->throttled))
		fprintf(out, ", throttled %s times", NUM(r->throttled, 0));
	fputc('\n', out);
	if (!isnan(r->samples_idle_expected))
		fprintf(out, "            busy: %s of %s (%s %%), idle: %s of %s (%s %%)\n",
			NUM(busy, 0), NUM(busy_expected, 0), PERCENT(busy / busy_expected, 1),
			NUM(r->samples_idle, 0), NUM(r->samples_idle_expected, 0),
			PERCENT(r->samples_idle / r->samples_idle_expected, 1));
}

/* CPUs that went offline: neither busy nor idle, and for some time longer without samples. */
static void offline(FILE *out, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	if (!(r->offline_ms > 0) && !(r->unsampled_ms > 0))
		return;
	fprintf(out,
		"  offline   CPUs for %s ms in all, which is in no time above; without a sampler for %s ms\n",
		NUM(r->offline_ms, 1), NUM(r->unsampled_ms, 1));
}

/* How many of the messages that the kernel saw passed inside a probe. */
static void coverage(FILE *out, const char *what, double inside, double outside)
{
	if (isnan(inside))
		return;
	fprintf(out, "  coverage  of %s: ", what);
	if (inside + outside > 0)
		fprintf(out, "%s %%, %s messages inside the probes, %s outside\n",
			PERCENT(inside / (inside + outside), 2), NUM(inside, 0), NUM(outside, 0));
	else
		fprintf(out, "the kernel saw no message\n");
}

static void exact(FILE *out, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	if (!s->m->records[TRACE_EXACT] || filter_has_tasks(s->m->filter))
		return;
	fprintf(out,
		"  exact     %s operations untracked, %s readings torn; leaves sum to %s %% of time\n",
		NUM(r->untracked, 0), NUM(r->torn, 0),
		PERCENT(s->split.all.sum_ns / s->split.all.wall_ns, 2));
	coverage(out, "sends", r->sends_inside, r->sends_outside);
	coverage(out, "receives", r->recvs_inside, r->recvs_outside);
}

static void moments(FILE *out, const struct model *m)
{
	for (size_t i = 0; i < m->nmoments && i < SUMMARY_MOMENTS; i++) {
		int at = fprintf(out, "  %-9s %s s  ", i ? "" : "marks",
				 NUM(model_seconds(m, m->moment[i].at_ns), 3));

		text_wrap(out, at, at, SAFE(model_string(m, m->moment[i].text)));
		fputc('\n', out);
	}
	if (m->records[TRACE_MARK] > SUMMARY_MOMENTS)
		fprintf(out, "            and %" PRIu64 " more; timeline shows them\n",
			m->records[TRACE_MARK] - SUMMARY_MOMENTS);
}

void text_recording(FILE *out, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	struct cost cost = cost_make(s->m);

	fprintf(out, "\nThe recording itself\n");
	samples(out, s);
	exact(out, s);
	offline(out, s);
	if (!isnan(r->self_start_ms)) {
		fprintf(out,
			"  recorder  %s ms CPU time, %s %% of one CPU; %s ms before the first tick",
			NUM(r->self_ms, 1), NUM(r->self_percent, 2), NUM(r->self_start_ms, 1));
		if (s->m->self_maxrss_kib)
			fprintf(out, "; %" PRIu64 " KiB", s->m->self_maxrss_kib);
		fputc('\n', out);
	}
	cost_text(out, &cost);
	moments(out, s->m);
	if (s->m->records[TRACE_EXACT])
		text_probes(out, s->m);
	text_oddities(out, s->m);
}

/* ---- /proc/stat -------------------------------------------------------------------------- */

static void shares(FILE *out, const char *title, const struct summary_shares *v)
{
	fprintf(out, "  %-22s %8s %8s %8s %8s %8s %8s\n", title, PERCENT(v->user, 2),
		PERCENT(v->system, 2), PERCENT(v->softirq, 2), PERCENT(v->irq, 2),
		PERCENT(v->idle, 2), PERCENT(v->steal, 2));
}

void text_procstat(FILE *out, const struct summary *s)
{
	if (filter_has_tasks(s->m->filter))
		fprintf(out, "\nNot beside /proc/stat, which counts CPUs, not tasks\n");
	if (isnan(s->procstat.user))
		return;
	fprintf(out, "\n%-24s %8s %8s %8s %8s %8s %8s\n", "Beside /proc/stat, %", "user", "system",
		"softirq", "irq", "idle", "steal");
	shares(out, "/proc/stat", &s->procstat);
	shares(out, "netcost", &s->ours);
	fprintf(out,
		"  /proc/stat guesses by ticks, and counts all softirqs; netcost's are the network's.\n");
}

/* ---- what is not there ------------------------------------------------------------------- */

static void source(FILE *out, const struct model *m, const struct model_source *src)
{
	int at = fprintf(out, "  %-9s %s", SAFE(model_string(m, src->name)),
			 SAFE(model_string(m, src->state)));

	if (src->why) {
		at += fprintf(out, ": ");
		text_wrap(out, at, 12, SAFE(model_string(m, src->why)));
	}
	fputc('\n', out);
}

/*
 * Not every kernel samples a CPU around its idle time (seen on a 6.18 in a virtual machine, where `perf
 * record` misses the same): who runs briefly is sampled too seldom there.
 */
#define ENOUGH_BUSY_SAMPLES 0.9

static bool busy_samples_missing(const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	double busy = (double)s->m->samples - r->samples_idle;
	double expected = r->samples_expected - r->samples_idle_expected;

	return expected > 0 && busy < ENOUGH_BUSY_SAMPLES * expected;
}

/* A few calls are under way when the probes are attached, and their messages outside. */
#define OUTSIDE_TOO_MUCH 0.001

static bool messages_outside(const struct summary_recording *r)
{
	return r->sends_outside > OUTSIDE_TOO_MUCH * (r->sends_inside + r->sends_outside) ||
	       r->recvs_outside > OUTSIDE_TOO_MUCH * (r->recvs_inside + r->recvs_outside);
}

/* By how many of the samples' half-widths exact and sampled network time differ; 0: not both are there. */
static double disagreement(const struct summary *s, double *exact, double *sampled, double *ci95)
{
	struct split_value v = split_sum(&s->split.all, LEAF_NETWORK);

	*exact = v.ns / s->split.all.wall_ns;
	*sampled = v.sampled;
	*ci95 = v.sampled_ci95;
	return s->m->records[TRACE_EXACT] && v.sampled_ci95 > 0 ?
		       fabs(*exact - *sampled) / v.sampled_ci95 :
		       0;
}

static void weak(FILE *out, const char *name, const char *text)
{
	int at = fprintf(out, "  %-9s weak: ", name);

	text_wrap(out, at, 12, text);
	fputc('\n', out);
}

static const char *disagreement_text(char *buf, size_t size, double exact, double sampled,
				     double ci95)
{
	snprintf(
		buf, size,
		"%s %% of time by exact counters, %s +- %s by samples. Exact times hold the probes' own cost; "
		"samples are put off where interrupts are disabled, and taken in step with timers of the load",
		PERCENT(exact, 2), PERCENT(sampled, 2), PERCENT(ci95, 2));
	return buf;
}

/* Also what was measured, but not as well as it might. */
void text_not_measured(FILE *out, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	const struct model *m = s->m;
	double apart, exact, sampled, ci95;
	char text[320], misses[480];
	bool any = false, slowed;

	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *src = &m->source[i];

		if (!strcmp(model_string(m, src->state), "measured") && !src->why)
			continue;
		if (!any)
			fprintf(out, "\nNot measured, or weak\n");
		any = true;
		source(out, m, src);
	}
	apart = disagreement(s, &exact, &sampled, &ci95);
	cost_misses(m, misses, sizeof(misses));
	slowed = cost_slowed(m);
	if (!any &&
	    (busy_samples_missing(s) || messages_outside(r) || apart > 2 || *misses || slowed))
		fprintf(out, "\nNot measured, or weak\n");
	if (busy_samples_missing(s))
		weak(out, "samples",
		     "the kernel took fewer than the time that was not idle asks for; shares by samples are "
		     "less sure than their intervals say, what runs briefly is too small in them");
	if (messages_outside(r))
		weak(out, "exact",
		     "messages passed outside every probe (see coverage): their time is in user or other, not "
		     "in socket send or receive");
	if (*misses)
		weak(out, "programs", misses);
	if (slowed)
		weak(out, "cost",
		     "the statistics slow programs down while their runs are counted: a load of little but "
		     "system calls makes fewer then, and the programs may cost twice as much as is said");
	if (apart > 2)
		weak(out, "network", disagreement_text(text, sizeof(text), exact, sampled, ci95));
}
