// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: what was recorded, how, and how far it can be relied on. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cost_tables.h"
#include "model_text.h"
#include "outside_doc.h"
#include "report/analysis/weak.h"
#include "report/base/escape.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "summary_notes.h"
#include "summary_text.h"

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
	char text[SUMMARY_NOTE_SIZE];

	if (!s->m->header.sample_hz)
		return;
	if (filter_has_tasks(s->m->filter)) {
		fprintf(out,
			"  samples   %" PRIu64 " of these tasks, of %" PRIu64
			" in all; how many there should be is known of CPUs, not of tasks\n",
			s->m->samples, s->m->samples_in_all);
		return;
	}
	fprintf(out, "  samples   %s%s %s lost", summary_samples_text(text, sizeof(text), s),
		summary_samples_of(s->m) == SPLIT_OF_CYCLES ? ";" : ",", NUM(r->samples_lost, 0));
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

static void exact(struct doc *d, const struct summary *s)
{
	FILE *out = d->out;
	const struct summary_recording *r = &s->recording;

	if (!s->m->records[TRACE_EXACT] || filter_has_tasks(s->m->filter))
		return;
	fprintf(out,
		"  exact     %s operations untracked, %s readings torn; leaves sum to %s %% of time\n",
		NUM(r->untracked, 0), NUM(r->torn, 0),
		PERCENT(s->split.all.sum_ns / s->split.all.wall_ns, 2));
	coverage(out, "sends", r->sends_inside, r->sends_outside);
	coverage(out, "receives", r->recvs_inside, r->recvs_outside);
	outside_lines(d, s);
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

void text_recording(struct doc *d, const struct summary *s)
{
	FILE *out = d->out;
	const struct summary_recording *r = &s->recording;
	struct cost cost = cost_make(s->m);

	fprintf(out, "\nThe recording itself\n");
	samples(out, s);
	exact(d, s);
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

/* Also what was measured, but not as well as it might. */
void text_not_measured(FILE *out, const struct summary *s)
{
	const struct model *m = s->m;
	struct weak weak[WEAK_MAX];
	size_t n = weak_make(weak, s);
	bool any = false;

	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *src = &m->source[i];

		if (!strcmp(model_string(m, src->state), "measured") && !src->why)
			continue;
		if (!any)
			fprintf(out, "\nNot measured, or weak\n");
		any = true;
		source(out, m, src);
	}
	if (!any && n)
		fprintf(out, "\nNot measured, or weak\n");
	for (size_t i = 0; i < n; i++) {
		int at = fprintf(out, "  %-9s weak: ", weak[i].name);

		text_wrap(out, at, 12, weak[i].text);
		fputc('\n', out);
	}
}
