// SPDX-License-Identifier: BSD-2-Clause
#include "latency_tail_doc.h"

#include <math.h>
#include <string.h>

#include "latency_doc.h"
#include "model_doc.h"
#include "report/analysis/known.h"
#include "report/analysis/latency.h"
#include "report/analysis/tail.h"
#include "report/base/doc.h"
#include "report/base/escape.h"
#include "report/base/text.h"

static bool is_measured(const struct model *m)
{
	return m->tail.defined && strcmp(model_string(m, m->tail.rung), "off") != 0;
}

/* ---- hooks ------------------------------------------------------------------------------- */

/* People have it above the rows. */
static void hooks(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
		{ .key = "packets", .known = true, .about = "the slowest of the ticks" },
		{ .key = "mean_ns", .precision = 1, .about = "for how long they waited" },
		{ .key = "p99_9_ns", .precision = 1, .about = "of all packets, not of these" },
	};
	static const struct doc_table table = { .key = "hooks",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };

	doc_table(d, &table);
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		struct tail t;

		if (!m->tail.hook[h].packets)
			continue;
		tail_of(&t, m, h);
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, latency_keys[h]);
		doc_number(d, t.packets);
		doc_number(d, t.mean_ns);
		doc_number(d, t.p99_9_ns);
		doc_row_end(d);
	}
	doc_table_end(d);
}

/* ---- what it was ------------------------------------------------------------------------- */

static const struct doc_column columns[] = {
	{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
	{ .title = "", .kind = DOC_STRING, .width = 64 },
	{ DOC_PERCENT("share_percent", "%", 8), .about = "of the time that they waited" },
	{ .key = "ns", .known = true },
	{ .key = "packets", .known = true, .about = "of how many of them it took a part" },
	{ .key = "first",
	  .title = "first in",
	  .width = 9,
	  .known = true,
	  .about = "of how many of them it took most of the time" },
	{ .key = "reader",
	  .kind = DOC_BOOL,
	  .about = "while its reader was waited for; not: on its way to a queue" },
	{ .key = "what", .kind = DOC_STRING, .known = true, .choices = tail_keys },
	{ .key = "number",
	  .whole = true,
	  .about = "of the softirq, of the interrupt, or a scheduling policy" },
	{ .key = "name", .kind = DOC_STRING, .about = "of the task" },
};

static void row(struct doc *d, const struct model *m, const struct tail *t,
		const struct model_culprit *c)
{
	const char *name = model_string(m, c->name);
	char text[TAIL_TEXT_SIZE];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, latency_keys[c->hook]);
	doc_string(d, tail_text(text, sizeof(text), m, c));
	doc_number(d, 100 * known_ratio((double)c->ns, t->ns));
	doc_number(d, (double)c->ns);
	doc_number(d, (double)c->packets);
	doc_number(d, (double)c->first);
	doc_bool(d, c->reader);
	doc_string(d, tail_keys[c->what]);
	doc_number(d, c->number == TRACE_NIL ? NAN : (double)c->number);
	doc_string(d, *name ? name : NULL);
	doc_row_end(d);
}

static void section(struct doc *d, enum netcost_latency hook, const struct tail *t)
{
	char title[160];

	snprintf(title, sizeof(title),
		 "%s: %s slow packets waited %s us on average; p99.9 of all is %s us",
		 latency_keys[hook], NUM(t->packets, 0), NUM(t->mean_ns / 1000, 2),
		 NUM(t->p99_9_ns / 1000, 2));
	doc_section(d, title);
}

static void rows(struct doc *d, const struct model *m)
{
	static const struct doc_table table = {
		.key = "rows", .above = true, .sections = true, DOC_COLUMNS_OF(columns)
	};

	doc_table(d, &table);
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		struct tail t;

		if (!m->tail.hook[h].packets)
			continue;
		tail_of(&t, m, h);
		section(d, h, &t);
		for (size_t i = 0; i < t.n; i++)
			row(d, m, &t, t.row[i]);
	}
	doc_table_end(d);
}

/* ---- all of it --------------------------------------------------------------------------- */

static void notes(struct doc *d, const struct model *m)
{
	if (is_measured(m))
		doc_note(d,
			 "Slow packets of one tick and hook: as many as four, of different CPUs.");
	else if (m->tail.defined)
		doc_note(d, "It could not be measured what CPUs did while packets waited: %s",
			 SAFE(model_string(m, m->tail.why)));
	else
		doc_note(
			d,
			"It was not measured what CPUs did while packets waited: netcost-record --tail does that.");
}

void latency_tail_table(struct doc *d, const struct model *m)
{
	rows(d, m);
	notes(d, m);
}

void latency_tail_doc(struct doc *d, const struct model *m)
{
	doc_object(d, NULL);
	doc_heading(d, "what the slowest packets waited for");
	doc_trace(d, m);
	doc_field_text(d, "of", "slowest"); /* of no other report */
	hooks(d, m);
	rows(d, m);
	doc_title(d, "");
	notes(d, m);
	doc_object_end(d);
}
