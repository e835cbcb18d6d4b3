// SPDX-License-Identifier: BSD-2-Clause
#include "recording_doc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cost_doc.h"
#include "model_doc.h"
#include "outside_doc.h"
#include "report/analysis/caveats.h"
#include "report/base/text.h"
#include "report/model/filter.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- heading ----------------------------------------------------------------------------- */

static void title(struct doc *d, const struct summary *s)
{
	const struct model_header *h = &s->m->header;
	char cpus[64];

	doc_heading(d, "%s s on %" PRIu64 " CPU%s (%s)%s%s", NUM(s->duration_s, 2), h->ncpus,
		    h->ncpus == 1 ? "" : "s",
		    text_cpu_list(cpus, sizeof(cpus), s->m->header_cpus, h->ncpus),
		    s->start_real_ns ? ", recorded " : "",
		    s->start_real_ns ? UTC(s->start_real_ns) : "");
}

void recording_heading(struct doc *d, const struct summary *s)
{
	double start_s = s->start_real_ns ? (double)s->start_real_ns * 1e-9 : NAN;

	title(d, s);
	doc_host(d, s->m);
	doc_problems(d, s->m);
	doc_object(d, "trace");
	doc_trace(d, s->m);
	doc_field(d, "duration_s", s->duration_s, 6);
	doc_field(d, "start_unix_s", start_s, 6);
	doc_header(d, s->m);
	doc_object_end(d);
}

/* ---- losses, coverage, cost -------------------------------------------------------------- */

/* "510 of 520 expected (98.1 %)". Returns dst. */
static const char *samples_text(char *dst, size_t size, const struct summary *s)
{
	const struct model *m = s->m;
	double expected = s->recording.samples_expected;

	if (summary_samples_of(m) == SPLIT_OF_CYCLES)
		snprintf(dst, size,
			 "%" PRIu64 " of %" PRIu64
			 " cycles each; how many there should be is not known",
			 m->samples, m->header.sample_period);
	else
		snprintf(dst, size, "%" PRIu64 " of %s expected%s (%s %%)", m->samples,
			 NUM(expected, 0),
			 summary_samples_of(m) == SPLIT_OF_NETWORK ? " inside the network" : "",
			 PERCENT((double)m->samples / expected, 1));
	return dst;
}

static void samples(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	double busy = (double)s->m->samples - r->samples_idle;
	double busy_expected = r->samples_expected - r->samples_idle_expected;
	char text[128], throttled[64] = "";

	if (!s->m->header.sample_hz)
		return;
	if (filter_has_tasks(s->m->filter)) {
		doc_line(d, "samples",
			 "%" PRIu64 " of these tasks, of %" PRIu64
			 " in all; the number expected is known for CPUs, not for tasks",
			 s->m->samples, s->m->samples_in_all);
		return;
	}
	if (!isnan(r->throttled))
		snprintf(throttled, sizeof(throttled), ", throttled %s times",
			 NUM(r->throttled, 0));
	doc_line(d, "samples", "%s%s %s lost%s", samples_text(text, sizeof(text), s),
		 summary_samples_of(s->m) == SPLIT_OF_CYCLES ? ";" : ",", NUM(r->samples_lost, 0),
		 throttled);
	if (!isnan(r->samples_idle_expected))
		doc_line(d, "", "busy: %s of %s (%s %%), idle: %s of %s (%s %%)", NUM(busy, 0),
			 NUM(busy_expected, 0), PERCENT(busy / busy_expected, 1),
			 NUM(r->samples_idle, 0), NUM(r->samples_idle_expected, 0),
			 PERCENT(r->samples_idle / r->samples_idle_expected, 1));
}

/* How many of the messages that the kernel saw passed inside a probe. */
static void coverage(struct doc *d, const char *what, double inside, double outside)
{
	if (isnan(inside))
		return;
	if (inside + outside > 0)
		doc_line(d, "coverage", "of %s: %s %%, %s messages inside the probes, %s outside",
			 what, PERCENT(inside / (inside + outside), 2), NUM(inside, 0),
			 NUM(outside, 0));
	else
		doc_line(d, "coverage", "of %s: the kernel saw no messages", what);
}

static void exact(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	if (!s->m->records[TRACE_EXACT] || filter_has_tasks(s->m->filter))
		return;
	doc_line(d, "exact",
		 "%s operations untracked, %s readings torn; leaves sum to %s %% of time",
		 NUM(r->untracked, 0), NUM(r->torn, 0),
		 PERCENT(s->split.all.sum_ns / s->split.all.wall_ns, 2));
	coverage(d, "sends", r->sends_inside, r->sends_outside);
	coverage(d, "receives", r->recvs_inside, r->recvs_outside);
	outside_lines(d, s);
}

/* What is exact is of the time in which the probes were attached; the shares of CPU time are of all of it. */
static void windows(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	if (!(r->paused_s > 0))
		return;
	doc_line(d, "windows",
		 "counted exactly for %s of %s s, to keep to %s %% of a CPU; by samples otherwise",
		 NUM(s->ticks_s - r->paused_s, 1), NUM(s->ticks_s, 1),
		 NUM((double)s->m->header.budget_ppm / 1e4, 2));
	doc_line(d, "", "calls, and costs a call, are of the time counted exactly");
}

/* CPUs that went offline: neither busy nor idle then, and without samples for a little longer. */
static void offline(struct doc *d, const struct summary_recording *r)
{
	if (r->offline_ms > 0 || r->unsampled_ms > 0)
		doc_line(
			d, "offline",
			"CPUs for %s ms in all, which no time above includes; without a sampler for %s ms",
			NUM(r->offline_ms, 1), NUM(r->unsampled_ms, 1));
}

static void recorder(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	char memory[48] = "";

	if (isnan(r->self_start_ms))
		return;
	if (s->m->self_maxrss_kib)
		snprintf(memory, sizeof(memory), "; %" PRIu64 " KiB", s->m->self_maxrss_kib);
	doc_line(d, "recorder", "%s ms CPU time, %s %% of one CPU; %s ms before the first tick%s",
		 NUM(r->self_ms, 1), NUM(r->self_percent, 2), NUM(r->self_start_ms, 1), memory);
}

static void marks(struct doc *d, const struct model *m)
{
	for (size_t i = 0; i < m->nmoments && i < SUMMARY_MOMENTS; i++)
		doc_line(d, i ? "" : "marks", "%s s  %s",
			 NUM(model_seconds(m, m->moment[i].at_ns), 3),
			 model_string(m, m->moment[i].text));
	if (m->records[TRACE_MARK] > SUMMARY_MOMENTS)
		doc_line(d, "", "and %" PRIu64 " more; timeline shows them",
			 m->records[TRACE_MARK] - SUMMARY_MOMENTS);
	doc_field_uint(d, "marks_in_all", m->records[TRACE_MARK]);
	doc_marks(d, m, SUMMARY_MOMENTS);
}

static void fields(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	doc_object(d, "quality");
	doc_field_uint(d, "samples", s->m->samples);
	doc_field_uint(d, "samples_in_all", s->m->samples_in_all);
	doc_field(d, "samples_expected", r->samples_expected, 0);
	doc_field(d, "samples_idle", r->samples_idle, 0);
	doc_field(d, "samples_idle_expected", r->samples_idle_expected, 0);
	doc_field(d, "samples_lost", r->samples_lost, 0);
	doc_field(d, "throttled_times", r->throttled, 0);
	doc_field(d, "unsampled_ms", r->unsampled_ms, 3);
	doc_field(d, "offline_ms", r->offline_ms, 3);
	doc_field(d, "paused_s", r->paused_s, 3);
	doc_field(d, "untracked_operations", r->untracked, 0);
	doc_field(d, "torn_readings", r->torn, 0);
	doc_field(d, "sends_inside_probes", r->sends_inside, 0);
	doc_field(d, "sends_outside_probes", r->sends_outside, 0);
	doc_field(d, "receives_inside_probes", r->recvs_inside, 0);
	doc_field(d, "receives_outside_probes", r->recvs_outside, 0);
	outside_table(d, s);
	doc_field(d, "recorder_cpu_ms", r->self_ms, 3);
	doc_field(d, "recorder_percent_of_one_cpu", r->self_percent, 4);
	doc_field(d, "recorder_start_cpu_ms", r->self_start_ms, 3);
	doc_skipped(d, s->m);
	doc_object_end(d);
}

void recording_quality(struct doc *d, const struct summary *s)
{
	doc_title(d, "The recording itself");
	samples(d, s);
	exact(d, s);
	windows(d, s);
	offline(d, &s->recording);
	recorder(d, s);
	cost_line(d, s->m);
	fields(d, s);
	marks(d, s->m);
}

/* ---- /proc/stat -------------------------------------------------------------------------- */

static void shares(struct doc *d, const char *key, const char *by, const struct summary_shares *v)
{
	const double share[] = { v->user, v->system, v->softirq, v->irq, v->idle, v->steal };

	doc_row(d, 0, isnan(v->user) ? DOC_PROGRAMS : DOC_ALL);
	doc_string(d, key);
	doc_string(d, by);
	for (size_t i = 0; i < COUNT(share); i++)
		doc_number(d, 100 * share[i]);
	doc_row_end(d);
}

#define SHARE_COLUMN(name)                                                                         \
	{                                                                                          \
		.key = name "_percent", .title = name, .decimals = 2, .precision = 4, .width = 8   \
	}

void recording_procstat(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "key", .kind = DOC_STRING },
		{ .title = "by", .kind = DOC_STRING, .width = 22 },
		SHARE_COLUMN("user"),
		SHARE_COLUMN("system"),
		SHARE_COLUMN("softirq"),
		SHARE_COLUMN("irq"),
		SHARE_COLUMN("idle"),
		SHARE_COLUMN("steal"),
	};
	const struct doc_table table = { .key = "procstat",
					 .title = "Compared with /proc/stat, %",
					 DOC_COLUMNS_OF(column),
					 .keyed = true,
					 .only = isnan(s->procstat.user) ? DOC_PROGRAMS : DOC_ALL };

	if (filter_has_tasks(s->m->filter))
		doc_title(d, "Not compared with /proc/stat, which counts CPUs, not tasks");
	doc_table(d, &table);
	shares(d, "procstat", "/proc/stat", &s->procstat);
	shares(d, "netcost", "netcost", &s->ours);
	doc_table_end(d);
	if (!isnan(s->procstat.user))
		doc_note(
			d,
			"  /proc/stat guesses by ticks, and counts all softirqs; netcost's are the network's.%s",
			s->split.all.leaf[LEAF_OWN].ns > 0 ? " Both include netcost's own part." :
							     "");
}

/* ---- what is not there ------------------------------------------------------------------- */

static bool is_weak(const struct model *m, const struct model_source *source)
{
	return strcmp(model_string(m, source->state), "measured") || source->why;
}

static void source(struct doc *d, const struct model *m, const struct model_source *src)
{
	doc_line(d, model_string(m, src->name), "%s%s%s", model_string(m, src->state),
		 src->why ? ": " : "", model_string(m, src->why));
}

static void caveats_table(struct doc *d, const struct caveat *caveat, size_t n)
{
	static const struct doc_column column[] = {
		{ .key = "of", .kind = DOC_STRING, .known = true },
		{ .key = "text", .kind = DOC_STRING, .known = true },
	};
	static const struct doc_table table = {
		.key = "weaknesses",
		.about = "what was measured, but less well than possible",
		.column = column,
		.ncolumns = 2,
		.only = DOC_PROGRAMS
	};

	doc_table(d, &table);
	for (size_t i = 0; i < n; i++) {
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, caveat[i].name);
		doc_string(d, caveat[i].text);
		doc_row_end(d);
	}
	doc_table_end(d);
}

void recording_caveats(struct doc *d, const struct summary *s)
{
	const struct model *m = s->m;
	struct caveat caveat[CAVEATS_MAX];
	size_t n = caveats_make(caveat, s);
	bool any = n > 0;

	for (size_t i = 0; i < m->nsources; i++)
		any |= is_weak(m, &m->source[i]);
	if (any)
		doc_title(d, "Not measured, or weak");
	for (size_t i = 0; i < m->nsources; i++)
		if (is_weak(m, &m->source[i]))
			source(d, m, &m->source[i]);
	for (size_t i = 0; i < n; i++)
		doc_line(d, caveat[i].name, "weak: %s", caveat[i].text);
	caveats_table(d, caveat, n);
}
