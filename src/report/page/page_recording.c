// SPDX-License-Identifier: BSD-2-Clause
/* The page: what was recorded, how, and how far it can be relied on. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "page.h"
#include "report/analysis/caveats.h"
#include "report/base/html.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/tables/cost_doc.h"
#include "report/tables/model_doc.h"
#include "report/tables/probes_doc.h"
#include "report/tables/recording_doc.h"

/* "-": not in the trace. */
static const char *or_dash(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : "-";
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
	struct caveat caveat[CAVEATS_MAX];
	size_t ncaveats = caveats_make(caveat, p->s);
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
	for (size_t i = 0; i < ncaveats; i++)
		html_paragraph(p->out, "alert", "WEAK, %s: %s.", caveat[i].name, caveat[i].text);
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
	const struct model_header *h = &p->m->header;
	struct doc d = doc_begin(&doc_html, p->out, p->part);
	char cpus[128];

	doc_line(&d, "recorded", "%s%s%s s", p->s->start_real_ns ? UTC(p->s->start_real_ns) : "",
		 p->s->start_real_ns ? ", " : "", NUM(p->s->duration_s, 2));
	doc_line(&d, "CPUs", "%" PRIu64 " recorded (%s), %" PRIu64 " possible", h->ncpus,
		 text_cpu_list(cpus, sizeof(cpus), p->m->header_cpus, h->ncpus), h->cpus_possible);
	doc_host(&d, p->m);
	doc_end(&d);
}

/* ---- sections ---------------------------------------------------------------------------- */

bool page_recording(const struct page *p)
{
	const struct trace_status *st = &p->m->status;
	struct doc d = doc_begin(&doc_html, p->out, p->part);

	recording_quality(&d, p->s);
	if (p->m->window)
		doc_line(&d, "trace", "format %" PRIu64 ".%" PRIu64 "; ended by: %s",
			 p->m->header.major, p->m->header.minor, or_dash(p->m, p->m->end.why));
	else
		doc_line(&d, "trace",
			 "format %" PRIu64 ".%" PRIu64 ", %" PRIu64 " bytes, %" PRIu64
			 " frames; ended by: %s",
			 p->m->header.major, p->m->header.minor, st->bytes, st->frames,
			 or_dash(p->m, p->m->end.why));
	recording_procstat(&d, p->s);
	doc_end(&d);
	return true;
}

bool page_probes(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);

	if (p->m->nprobes)
		probes_doc(&d, p->m);
	else
		doc_note(&d, "The trace names no probes.");
	cost_doc(&d, p->m);
	doc_end(&d);
	return true;
}

bool page_sources(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);

	if (p->m->nsources)
		sources_doc(&d, p->m);
	else
		doc_note(&d, "The trace names no sources.");
	doc_end(&d);
	return true;
}
