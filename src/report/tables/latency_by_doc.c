// SPDX-License-Identifier: BSD-2-Clause
#include "latency_by_doc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "latency_columns.h"
#include "latency_doc.h"
#include "model_doc.h"
#include "process_title.h"
#include "report/base/doc_fit.h"
#include "report/base/escape.h"
#include "report/base/text.h"

#define NAME_SIZE (SAFE_SIZE + 64)

const char *const latency_by_names[] = {
#define X(id, name, key) [id] = key,
	NETCOST_LATENCY_BYS(X)
#undef X
		NULL
};

const char *const latency_which_names[] = {
#define X(id, name, key) [id] = key,
	NETCOST_LATENCY_WHICHES(X)
#undef X
		NULL
};

/* A table that is being made. */
struct shown {
	const struct model *m;
	enum netcost_latency_by by;
	struct latency_by_row {
		const struct model_latency_by *b;
		struct latency_row r;
	} * row;
	size_t n;
	bool namespaces; /* interfaces of several */
	size_t name_size;
};

/* ---- rows, by hook, those with the most packets first ------------------------------------- */

static int compare(const void *va, const void *vb)
{
	const struct latency_by_row *a = va, *b = vb;

	if (a->b->hook != b->b->hook)
		return a->b->hook < b->b->hook ? -1 : 1;
	if (a->b->which != b->b->which)
		return a->b->which < b->b->which ? -1 : 1;
	if (a->r.packets != b->r.packets)
		return a->r.packets > b->r.packets ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b; /* as the trace has them */
}

static int collect(struct shown *s)
{
	uint64_t netns = TRACE_NIL;

	s->row = calloc(s->m->nlatency_by + 1, sizeof(*s->row));
	if (!s->row)
		return -ENOMEM;
	for (size_t i = 0; i < s->m->nlatency_by; i++) {
		const struct model_latency_by *b = &s->m->latency_by[i];

		if (b->by != s->by)
			continue;
		s->row[s->n].b = b;
		latency_row_of(&s->row[s->n++].r, &b->l);
		if (b->which != NETCOST_LATENCY_ONE)
			continue;
		s->namespaces |= netns != TRACE_NIL && netns != b->id;
		netns = b->id;
	}
	qsort(s->row, s->n, sizeof(*s->row), compare);
	return 0;
}

/* ---- the table --------------------------------------------------------------------------- */

#define SHOWN_AT                                                                                   \
	(3 + 4 * LATENCY_QUANTILE_COUNT) /* the name for people, with a heading of its own */

static const struct doc_column columns[] = {
	LATENCY_HOOK,
	LATENCY_PACKETS,
#define X(name, key, title, share) LATENCY_QUANTILE(name, key, title), LATENCY_BOUNDS(key),
	LATENCY_QUANTILES(X)
#undef X
		LATENCY_MEAN,
#define X(name, key, title, share) LATENCY_INTERVAL(title),
	LATENCY_QUANTILES(X)
#undef X
		{ .title = "", .kind = DOC_STRING },
	{ .key = "which",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = latency_which_names,
	  .about =
		  "one; not-known: it is not known there which one; rest: all that there was no room to "
		  "keep apart" },
	{ .key = "name", .kind = DOC_STRING, .about = "null: not known" },
	{ .key = "ifindex", .whole = true },
	{ .key = "netns", .whole = true, .about = "inode of the interface's network namespace" },
	{ .key = "cgroup_id", .whole = true, .about = "inode" },
	{ .key = "pid", .whole = true },
	{ .key = "start_s", .precision = 6, .about = "when the process began, since the start" },
};

static void shown_name(char *dst, const struct shown *s, const struct model_latency_by *b)
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

static void who(struct doc *d, const struct shown *s, const struct model_latency_by *b)
{
	const char *name = model_string(s->m, b->name);
	bool process = b->by == NETCOST_LATENCY_BY_PROCESS && b->id != TRACE_NIL;

	doc_string(d, latency_which_names[b->which]);
	doc_string(d, *name ? name : NULL);
	doc_number(d, number(b->number, b->by == NETCOST_LATENCY_BY_INTERFACE));
	doc_number(d, number(b->id, b->by == NETCOST_LATENCY_BY_INTERFACE));
	doc_number(d, number(b->id, b->by == NETCOST_LATENCY_BY_CGROUP));
	doc_number(d, number(b->number, b->by == NETCOST_LATENCY_BY_PROCESS));
	doc_number(d, process ? model_seconds(s->m, b->id) : NAN);
}

static void row(struct doc *d, const struct shown *s, const struct latency_by_row *row)
{
	const struct latency_row *r = &row->r;
	struct latency_texts texts;
	char name[NAME_SIZE];

	shown_name(name, s, row->b);
	doc_row(d, 0, DOC_ALL);
	doc_string(d, latency_keys[row->b->hook]);
	doc_number(d, r->packets);
	for (int i = 0; i < LATENCY_QUANTILE_COUNT; i++) {
		doc_number(d, r->ns[i]);
		doc_number(d, r->low_ns[i]);
		doc_number(d, r->high_ns[i]);
	}
	doc_number(d, r->mean_ns);
	latency_intervals(d, r, &texts);
	doc_string(d, name);
	who(d, s, row->b);
	doc_row_end(d);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->n; i++)
		row(d, s, &s->row[i]);
}

static void table(struct doc *d, struct shown *s)
{
	static const char *const captions[] = { "By hook and interface", "By hook and cgroup",
						"By hook and process" };
	struct doc_column column[sizeof(columns) / sizeof(*columns)];
	const struct doc_table table = { .key = "rows",
					 .caption = captions[s->by],
					 DOC_COLUMNS_OF(column),
					 .only = s->n ? DOC_ALL : DOC_PROGRAMS,
					 .about = "of each hook and interface, cgroup or process" };
	struct doc_fit fit;

	latency_columns(column, columns, sizeof(columns) / sizeof(*columns), d);
	column[SHOWN_AT].title = latency_by_names[s->by];
	doc_fit(&fit, d, &table, rows, s);
	if (fit.room < NAME_SIZE)
		s->name_size = fit.room + 1;
	doc_table(d, &fit.table);
	rows(d, s);
	doc_table_end(d);
	doc_fit_note(d, &fit);
}

int latency_by_doc(struct doc *d, const struct model *m, enum netcost_latency_by by)
{
	struct shown s = { .m = m, .by = by, .name_size = NAME_SIZE };

	if (collect(&s))
		return -ENOMEM;
	doc_object(d, NULL);
	doc_heading(d, "for how long packets waited");
	doc_trace(d, m);
	latency_only_field(d, m);
	doc_field_text(d, "by", latency_by_names[by]);
	table(d, &s);
	if (!s.n)
		doc_note(d, "It was not counted by %s: netcost-record --latency-by=%s does that.",
			 latency_by_names[by], latency_by_names[by]);
	latency_notes(d, m);
	doc_object_end(d);
	free(s.row);
	return 0;
}
