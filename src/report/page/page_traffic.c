// SPDX-License-Identifier: BSD-2-Clause
/* The page: what the network did for its time, and the energy. */
#include "page.h"
#include "report/base/html.h"
#include "report/tables/traffic.h"

bool page_costs(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);

	traffic_costs(&d, p->s);
	traffic_calls(&d, p->s);
	doc_end(&d);
	return true;
}

bool page_interfaces(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);

	if (!p->m->nnetdevs)
		html_paragraph(p->out, "note", "The trace names no interfaces.");
	traffic_interfaces(&d, p->s);
	doc_end(&d);
	return true;
}

bool page_energy(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);

	if (!p->m->nzones)
		html_paragraph(p->out, "note", "Energy was not measured.");
	traffic_energy(&d, p->s);
	doc_end(&d);
	return true;
}
