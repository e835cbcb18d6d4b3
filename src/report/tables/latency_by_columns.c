// SPDX-License-Identifier: BSD-2-Clause
#include "latency_by_columns.h"

#include <inttypes.h>
#include <math.h>

#include "model_doc.h"
#include "process_title.h"
#include "report/base/doc.h"
#include "report/base/text.h"

struct latency_by_shown latency_by_shown(const struct model *m, enum netcost_latency_by by)
{
	struct latency_by_shown s = { .m = m, .by = by, .name_size = LATENCY_BY_NAME_SIZE };
	uint64_t netns = TRACE_NIL;

	for (size_t i = 0; i < m->latency_by.n; i++) {
		const struct model_latency_by *b = &m->latency_by.row[i];

		s.n += b->by == by;
		if (b->by != by || b->which != NETCOST_LATENCY_ONE)
			continue;
		s.namespaces |= netns != TRACE_NIL && netns != b->id;
		netns = b->id;
	}
	return s;
}

static void shown_name(char *dst, const struct latency_by_shown *s,
		       const struct model_latency_by *b)
{
	const char *name = model_string(s->m, b->name);

	if (b->which == NETCOST_LATENCY_NOT_KNOWN)
		snprintf(dst, s->name_size, "not known there");
	else if (b->which == NETCOST_LATENCY_REST)
		snprintf(dst, s->name_size, "everything else");
	else if (b->by == NETCOST_LATENCY_BY_CGROUP && *name)
		process_path(dst, s->name_size, SAFE(name));
	else if (b->by == NETCOST_LATENCY_BY_INTERFACE && s->namespaces)
		snprintf(dst, s->name_size, "%s in %" PRIu64, *name ? SAFE(name) : "not known",
			 b->id);
	else if (b->by == NETCOST_LATENCY_BY_PROCESS)
		snprintf(dst, s->name_size, "%s (%" PRIu64 ")", *name ? SAFE(name) : "not known",
			 b->number);
	else
		snprintf(dst, s->name_size, "%s", *name ? SAFE(name) : "not known");
}

static double number(uint64_t v, bool is)
{
	return is && v != TRACE_NIL ? (double)v : NAN;
}

void latency_by_cells(struct doc *d, const struct latency_by_shown *s,
		      const struct model_latency_by *b, char *name)
{
	const char *called = model_string(s->m, b->name);
	bool process = b->by == NETCOST_LATENCY_BY_PROCESS && b->id != TRACE_NIL;

	shown_name(name, s, b);
	doc_string(d, name);
	doc_string(d, latency_which_keys[b->which]);
	doc_string(d, *called ? called : NULL);
	doc_number(d, number(b->number, b->by == NETCOST_LATENCY_BY_INTERFACE));
	doc_number(d, number(b->id, b->by == NETCOST_LATENCY_BY_INTERFACE));
	doc_number(d, number(b->id, b->by == NETCOST_LATENCY_BY_CGROUP));
	doc_number(d, number(b->number, b->by == NETCOST_LATENCY_BY_PROCESS));
	doc_number(d, process ? model_seconds(s->m, b->id) : NAN);
}

void latency_by_fitted(struct doc *d, struct latency_by_shown *s, const struct doc_table *table,
		       size_t name, void (*rows)(struct doc *d, const void *ctx), const void *ctx)
{
	struct doc_table shown = *table;
	struct doc_column column[DOC_COLUMNS];

	latency_columns(column, table->column, table->ncolumns, d);
	column[name].title = latency_by_keys[s->by];
	shown.column = column;
	doc_fitted(d, &shown,
		   &(struct doc_rows){ .add = rows, .ctx = ctx, .name_size = &s->name_size });
}
