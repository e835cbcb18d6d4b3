// SPDX-License-Identifier: BSD-2-Clause
/* The page: what was recorded, how, and how far it can be relied on. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "page.h"
#include "report/analysis/cost.h"
#include "report/analysis/weak.h"
#include "report/base/html.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/tables/summary_notes.h"

/* "-": not in the trace. */
static const char *or_dash(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : "-";
}

/* Strings of the trace, with what goes between them. Returns dst. */
static char *join(char *dst, size_t size, const struct model *m, struct model_strs strs)
{
	const char *s = model_string(m, strs.first);
	size_t n = 0;

	*dst = '\0';
	for (uint32_t i = 0; i < strs.n && n < size; i++, s += strlen(s) + 1)
		n += (size_t)snprintf(dst + n, size - n, "%s%s", i ? ", " : "", s);
	return dst;
}

/* ---- what is to be known before all else ------------------------------------------------- */

static void refused(const struct page *p)
{
	const struct model *m = p->m;

	for (size_t i = 0; i < m->nsources; i++)
		if (!strcmp(model_string(m, m->source[i].state), "refused"))
			html_paragraph(p->out, "alert", "NOT MEASURED, %s: %s.",
				       model_string(m, m->source[i].name),
				       or_dash(m, m->source[i].why));
}

static void filters(const struct page *p)
{
	const struct filter *f = p->m->filter;

	if (filter_has_cpus(f))
		html_paragraph(p->out, "alert note", "Only CPUs %s.", f->cpu_list);
	if (f && f->tasks)
		html_paragraph(p->out, "alert note", "Only samples of the tasks %s.", f->tasks);
	if (f && f->cgroup)
		html_paragraph(p->out, "alert note", "Only samples of the cgroup %s.", f->cgroup);
}

void page_alerts(const struct page *p)
{
	const struct model *m = p->m;
	struct weak weak[WEAK_MAX];
	size_t nweak = weak_make(weak, p->s);
	double lost = p->s->recording.samples_lost;
	char damage[400];

	if (m->status.damages)
		html_paragraph(p->out, "alert bad", "DAMAGED: %s.",
			       model_damage(m, damage, sizeof(damage)));
	else if (!m->status.ended)
		html_paragraph(p->out, "alert bad", "CUT: %s; the page goes as far as that.",
			       m->status.what);
	if (*m->note)
		html_paragraph(p->out, "alert bad", "WRONG: %s.", m->note);
	if (lost > 0)
		html_paragraph(p->out, "alert", "LOST: %s samples.", NUM(lost, 0));
	for (size_t i = 0; i < nweak; i++)
		html_paragraph(p->out, "alert", "WEAK, %s: %s.", weak[i].name, weak[i].text);
	if (m->backwards)
		html_paragraph(p->out, "alert",
			       "COUNTERS: %" PRIu64
			       " steps backwards, left out (the first: %s.%s).",
			       m->backwards, trace_type_desc(m->backwards_key->type)->name,
			       m->backwards_key->name);
	refused(p);
	filters(p);
}

void page_host(const struct page *p)
{
	const struct model *m = p->m;
	const struct model_header *h = &m->header;
	char line[512];

	html_list(p->out, "facts");
	html_item(p->out, "recorded", "%s%s%s s",
		  p->s->start_real_ns ? UTC(p->s->start_real_ns) : "",
		  p->s->start_real_ns ? ", " : "", NUM(p->s->duration_s, 2));
	if (h->host)
		html_item(p->out, "host", "%s", model_string(m, h->host));
	html_item(p->out, "kernel", "%s", or_dash(m, h->kernel));
	html_item(p->out, "machine", "%s", or_dash(m, h->machine));
	html_item(p->out, "CPU", "%s", or_dash(m, h->cpu_model));
	if (h->ncpus)
		html_item(p->out, "CPUs", "%" PRIu64 " recorded (%s), %" PRIu64 " possible",
			  h->ncpus, text_cpu_list(line, 128, m->header_cpus, h->ncpus),
			  h->cpus_possible);
	else
		html_item(p->out, "CPUs", "-");
	if (h->sample_hz)
		html_item(p->out, "samples", "%" PRIu64 " Hz, %s, %s%s%s", h->sample_hz,
			  or_dash(m, h->sampler), or_dash(m, h->sample_event),
			  h->sampled ? ", only of: " : "", model_string(m, h->sampled));
	else
		html_item(p->out, "samples", "none");
	html_item(p->out, "exact counters", "%s", or_dash(m, h->exact));
	html_item(p->out, "a tick each", "%s ms", NUM(h->tick_ms ? (double)h->tick_ms : NAN, 0));
	html_item(p->out, "recorder", "%s", or_dash(m, h->tool));
	if (h->derived.n)
		html_item(p->out, "derived by", "%s", join(line, sizeof(line), m, h->derived));
	html_list_end(p->out);
}

/* ---- losses, coverage, cost -------------------------------------------------------------- */

static void samples(const struct page *p)
{
	const struct summary_recording *r = &p->s->recording;
	char text[SUMMARY_NOTE_SIZE];

	if (!p->m->header.sample_hz)
		return;
	if (filter_has_tasks(p->m->filter)) {
		html_item(p->out, "samples", "%" PRIu64 " of these tasks, of %" PRIu64 " in all",
			  p->m->samples, p->m->samples_in_all);
		return;
	}
	html_item(p->out, "samples", "%s", summary_samples_text(text, sizeof(text), p->s));
	if (!isnan(r->samples_idle_expected))
		html_item(p->out, "samples while busy", "%s of %s expected",
			  NUM((double)p->m->samples - r->samples_idle, 0),
			  NUM(r->samples_expected - r->samples_idle_expected, 0));
	html_item(p->out, "samples lost", "%s", NUM(r->samples_lost, 0));
	html_item(p->out, "throttled", "%s times", NUM(r->throttled, 0));
	if (r->offline_ms > 0 || r->unsampled_ms > 0)
		html_item(p->out, "CPUs offline", "%s ms in all; without a sampler %s ms",
			  NUM(r->offline_ms, 1), NUM(r->unsampled_ms, 1));
}

static void coverage(const struct page *p, const char *what, double inside, double outside)
{
	if (inside + outside > 0)
		html_item(p->out, what, "%s %%: %s messages inside the probes, %s outside",
			  PERCENT(inside / (inside + outside), 2), NUM(inside, 0), NUM(outside, 0));
	else
		html_item(p->out, what, "%s", isnan(inside) ? "-" : "the kernel saw no message");
}

static void exact(const struct page *p)
{
	const struct summary_recording *r = &p->s->recording;

	if (!p->m->records[TRACE_EXACT] || filter_has_tasks(p->m->filter))
		return;
	html_item(p->out, "untracked operations", "%s", NUM(r->untracked, 0));
	html_item(p->out, "torn readings", "%s", NUM(r->torn, 0));
	html_item(p->out, "leaves sum to", "%s %% of time",
		  PERCENT(p->s->split.all.sum_ns / p->s->split.all.wall_ns, 2));
	coverage(p, "coverage of sends", r->sends_inside, r->sends_outside);
	coverage(p, "coverage of receives", r->recvs_inside, r->recvs_outside);
}

static void cost(const struct page *p)
{
	struct cost c = cost_make(p->m);

	if (isnan(c.all))
		html_item(p->out, "cost of recording", "not known");
	else
		html_item(p->out, "cost of recording", "%s %% of CPU time", PERCENT(c.all, 2));
	if (c.has_programs && isnan(c.programs))
		html_item(p->out, "of it BPF programs", "not known");
	else if (c.has_programs)
		html_item(p->out, "of it BPF programs", "%s %%; %s of %s s counted",
			  PERCENT(c.programs, 2), NUM(c.counted_s, 1), NUM(c.of_s, 1));
	html_item(p->out, "of it the recorder", "%s %%; %s ms before the first tick",
		  PERCENT(c.recorder, 2), NUM(p->s->recording.self_start_ms, 1));
}

static void shares(const struct page *p, const char *title, const struct summary_shares *v)
{
	html_row(p->out, 0, title);
	html_cell(p->out, PERCENT(v->user, 2));
	html_cell(p->out, PERCENT(v->system, 2));
	html_cell(p->out, PERCENT(v->softirq, 2));
	html_cell(p->out, PERCENT(v->irq, 2));
	html_cell(p->out, PERCENT(v->idle, 2));
	html_cell(p->out, PERCENT(v->steal, 2));
	html_row_end(p->out);
}

static void procstat(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "by", true },	  { "user", false }, { "system", false }, { "softirq", false },
		{ "irq", false }, { "idle", false }, { "steal", false },
	};

	if (isnan(p->s->procstat.user))
		return;
	html_table(p->out, "Beside /proc/stat, % of CPU time", columns,
		   sizeof(columns) / sizeof(*columns));
	shares(p, "/proc/stat", &p->s->procstat);
	shares(p, "netcost", &p->s->ours);
	html_table_end(p->out);
}

static void moments(const struct page *p)
{
	static const struct html_column columns[] = { { "at s", true }, { "mark", true } };
	const struct model *m = p->m;

	if (!m->nmoments)
		return;
	html_table(p->out, "Marks", columns, 2);
	for (size_t i = 0; i < m->nmoments; i++) {
		html_row(p->out, 0, NUM(model_seconds(m, m->moment[i].at_ns), 3));
		html_cell_text(p->out, model_string(m, m->moment[i].text));
		html_row_end(p->out);
	}
	html_table_end(p->out);
	if (m->records[TRACE_MARK] > m->nmoments)
		html_paragraph(p->out, "note", "%" PRIu64 " more marks are not shown.",
			       m->records[TRACE_MARK] - m->nmoments);
}

bool page_recording(const struct page *p)
{
	const struct trace_status *st = &p->m->status;

	html_list(p->out, "facts");
	samples(p);
	exact(p);
	cost(p);
	html_item(p->out, "trace",
		  "format %" PRIu64 ".%" PRIu64 ", %" PRIu64 " bytes, %" PRIu64
		  " frames; ended by: %s",
		  p->m->header.major, p->m->header.minor, st->bytes, st->frames,
		  or_dash(p->m, p->m->end.why));
	if (st->unknown_types || st->unknown_keys || p->m->unknown_events)
		html_item(p->out, "of a newer format, skipped",
			  "%" PRIu64 " records, %" PRIu64 " fields, %" PRIu64 " events",
			  st->unknown_types, st->unknown_keys, p->m->unknown_events);
	html_list_end(p->out);
	procstat(p);
	moments(p);
	return true;
}

/* ---- probes ------------------------------------------------------------------------------ */

static const char *probe_title(const struct model_probe *p)
{
	const char *t = p->part == TRACE_NIL ? model_event_title(p->event) :
					       model_part_title(p->part);

	return t ? t : p->part == TRACE_NIL ? "(unknown event)" : "(unknown part)";
}

static void probe_row(const struct page *p, const struct model_probe *probe)
{
	char text[1024];

	html_row(p->out, 0, probe_title(probe));
	html_cell_text(p->out, or_dash(p->m, probe->rung));
	html_cell_text(p->out, join(text, sizeof(text), p->m, probe->hooks));
	snprintf(text, sizeof(text), "%" PRIu64 " of %" PRIu64, probe->seen, probe->tested);
	html_cell(p->out, probe->tested ? text : "-");
	html_cell_text(p->out, join(text, sizeof(text), p->m, probe->unseen));
	html_cell_text(p->out, probe->why ? model_string(p->m, probe->why) :
					    join(text, sizeof(text), p->m, probe->refused));
	html_row_end(p->out);
}

static void programs(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "program", true },   { "runs", false },     { "ns a run", false },
		{ "% of CPU", false }, { "left out", false }, { "missed", false },
		{ "function", true },
	};

	html_table(p->out, "BPF programs", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < p->m->nprograms; i++) {
		const struct model_program *g = &p->m->program[i];
		struct cost_program c = cost_program(p->m, g);

		html_row(p->out, 0, model_string(p->m, g->name));
		html_cell(p->out, NUM(c.runs, 0));
		html_cell(p->out, NUM(c.ns_per_run, 1));
		html_cell(p->out, PERCENT(c.share, 4));
		html_cell(p->out, NUM(c.recursion, 0));
		html_cell(p->out, NUM(c.missed, 0));
		html_cell_text(p->out, model_string(p->m, g->function));
		html_row_end(p->out);
	}
	html_table_end(p->out);
}

bool page_probes(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "event", true },	 { "how", true },      { "hooks", true },
		{ "calls seen", false }, { "not seen", true }, { "refused", true },
	};

	if (p->m->nprobes) {
		html_table(p->out, "What was attached, and kinds of calls that a test saw", columns,
			   sizeof(columns) / sizeof(*columns));
		for (size_t i = 0; i < p->m->nprobes; i++)
			probe_row(p, &p->m->probe[i]);
		html_table_end(p->out);
	} else {
		html_paragraph(p->out, "note", "The trace names no probes.");
	}
	if (p->m->nprograms)
		programs(p);
	return true;
}

/* ---- sources ----------------------------------------------------------------------------- */

bool page_sources(const struct page *p)
{
	static const struct html_column columns[] = {
		{ "source", true }, { "state", true }, { "via", true }, { "why", true }
	};
	const struct model *m = p->m;

	if (!m->nsources) {
		html_paragraph(p->out, "note", "The trace names no sources.");
		return true;
	}
	html_table(p->out, "What was measured, and what was not", columns, 4);
	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *s = &m->source[i];

		html_row(p->out, 0, model_string(m, s->name));
		html_cell_text(p->out, model_string(m, s->state));
		html_cell_text(p->out, model_string(m, s->via));
		html_cell_text(p->out, model_string(m, s->why));
		html_row_end(p->out);
	}
	html_table_end(p->out);
	return true;
}
