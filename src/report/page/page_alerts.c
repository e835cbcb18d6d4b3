// SPDX-License-Identifier: BSD-2-Clause
/* The page: warnings, and the host. */
#include <inttypes.h>
#include <string.h>

#include "page.h"
#include "report/analysis/caveats.h"
#include "report/base/html.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/tables/certificate_doc.h"
#include "report/tables/model_doc.h"
#include "report/tables/recording_doc.h"

/* "-": not in the trace. */
static const char *or_dash(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : "-";
}

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

/* A seal, or what is wrong. */
static void certificates(const struct page *p)
{
	const struct model *m = p->m;
	char text[1024];

	for (size_t i = 0; i < m->ncertificates; i++) {
		const struct model_certificate *c = &m->certificate[i];
		bool passed = certificate_is(m, c, "passed"),
		     failed = certificate_is(m, c, "failed");

		html_paragraph(p->out,
			       passed ? "alert seal" :
			       failed ? "alert bad" :
					"alert",
			       "%s, at the %s %s: %s.", passed ? "CERTIFIED" : "NOT CERTIFIED",
			       or_dash(m, c->when),
			       certificate_is_of_more(m) ? CERTIFICATE_OF_MORE : "of the recording",
			       certificate_text(m, c, text, sizeof(text)));
	}
}

void page_alerts(const struct page *p, struct doc *d)
{
	const struct model *m = p->m;
	struct caveat caveat[CAVEATS_MAX];
	size_t ncaveats = caveats_make(caveat, p->s);
	double lost = p->s->recording.samples_lost;

	doc_problems(d, m);
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
	certificates(p);
	filters(p);
}

void page_host(const struct page *p, struct doc *d)
{
	const struct model_header *h = &p->m->header;
	char cpus[128];

	doc_line(d, "recorded", "%s%s%s s", p->s->start_real_ns ? UTC(p->s->start_real_ns) : "",
		 p->s->start_real_ns ? ", " : "", NUM(p->s->duration_s, 2));
	doc_line(d, "CPUs", "%" PRIu64 " recorded (%s), %" PRIu64 " possible", h->ncpus,
		 text_cpu_list(cpus, sizeof(cpus), p->m->header_cpus, h->ncpus), h->cpus_possible);
	doc_host(d, p->m);
}
