// SPDX-License-Identifier: BSD-2-Clause
/* The page: functions; the split by task, process, cgroup, CPU and piece of time; accuracy. */
#include "page.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/analysis/breakdown.h"
#include "report/analysis/top.h"
#include "report/base/html.h"
#include "report/tables/accuracy_doc.h"
#include "report/tables/breakdown_doc.h"
#include "report/tables/timeline_doc.h"
#include "report/tables/top_doc.h"

#define FUNCTIONS 20
#define ROWS 20
#define CPU_ROWS 256

bool page_functions(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);
	struct top t;

	if (top_make(&t, p->m, LEAF_NETWORK, FUNCTIONS))
		return false;
	top_table(&d, &t);
	doc_end(&d);
	if (!t.samples)
		html_paragraph(p->out, "note", "No samples of the network.");
	top_free(&t);
	return true;
}

/* ---- by CPU, task, process, cgroup ------------------------------------------------------- */

static bool by_section(const struct page *p, enum breakdown_kind kind, size_t n)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);
	struct breakdown b;

	if (breakdown_make(&b, p->s, kind, n, NULL))
		return false;
	if (b.n)
		breakdown_table(&d, &b);
	doc_end(&d);
	breakdown_free(&b);
	return true;
}

bool page_tasks(const struct page *p)
{
	if (p->m->samples)
		return by_section(p, BREAKDOWN_PROCESS, ROWS) &&
		       by_section(p, BREAKDOWN_TASK, ROWS);
	html_paragraph(p->out, "note", "There are no samples: tasks are known by those.");
	return true;
}

bool page_cgroups(const struct page *p)
{
	if (p->m->ncgroups && p->m->samples)
		return by_section(p, BREAKDOWN_CGROUP, ROWS);
	html_paragraph(p->out, "note", "%s",
		       p->m->samples ? "Cgroups were not recorded." :
				       "There are no samples: cgroups are known by those.");
	return true;
}

bool page_cpus(const struct page *p)
{
	if (!p->s->split.ncpus)
		html_paragraph(p->out, "note", "Of no CPU there is any time.");
	return by_section(p, BREAKDOWN_CPU, CPU_ROWS);
}

/* ---- pieces of time ---------------------------------------------------------------------- */

bool page_timeline(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);
	bool ok;

	if (!p->intervals->n) {
		html_paragraph(p->out, "note", "%s",
			       p->intervals->too_many ?
				       "There are too many ticks; --every asks for longer rows." :
				       "There are fewer than two ticks: nothing to make rows of.");
		return true;
	}
	ok = !timeline_table(&d, p->intervals, p->m);
	doc_end(&d);
	return ok;
}

/* ---- accuracy ---------------------------------------------------------------------------- */

#define PRECISION 1 /* point of CPU time */

bool page_accuracy(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);
	struct accuracy *a;

	if (!p->intervals->n || !p->bins->tracks) {
		doc_note(
			&d, "%s",
			p->intervals->n || p->intervals->too_many ?
				"There are too many cells; --every asks for longer pieces of time." :
				"There are fewer than two ticks: nothing to compare.");
		return true;
	}
	if (accuracy_make(&a, p->m, p->bins, PRECISION))
		return false;
	accuracy_tables(&d, a, false);
	accuracy_costs(&d, p->m);
	accuracy_free(a);
	doc_end(&d);
	return true;
}
