// SPDX-License-Identifier: BSD-2-Clause
#include "latency_by_doc.h"

#include <errno.h>
#include <stdlib.h>

#include "latency_by_columns.h"
#include "latency_doc.h"
#include "model_doc.h"

/* A table that is being made. */
struct shown {
	struct latency_by_shown by;
	struct latency_by_row {
		const struct model_latency_by *b;
		struct dist_summary r;
	} * row;
	size_t n;
};

/* ---- rows, by hook, those with the most packets first ------------------------------------- */

static int compare(const void *va, const void *vb)
{
	const struct latency_by_row *a = va, *b = vb;

	if (a->b->hook != b->b->hook)
		return a->b->hook < b->b->hook ? -1 : 1;
	if (a->b->which != b->b->which)
		return a->b->which < b->b->which ? -1 : 1;
	if (a->r.count != b->r.count)
		return a->r.count > b->r.count ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b; /* as the trace has them */
}

static int collect(struct shown *s)
{
	const struct model_latency_bys *bys = &s->by.m->latency_by;

	s->row = calloc(bys->n + 1, sizeof(*s->row));
	if (!s->row)
		return -ENOMEM;
	for (size_t i = 0; i < bys->n; i++) {
		const struct model_latency_by *b = &bys->row[i];

		if (b->by != s->by.by)
			continue;
		s->row[s->n].b = b;
		dist_summarize(&s->row[s->n++].r, &b->dist);
	}
	qsort(s->row, s->n, sizeof(*s->row), compare);
	return 0;
}

/* ---- the table --------------------------------------------------------------------------- */

#define SHOWN_AT (3 + 4 * DIST_QUANTILE_COUNT) /* the name for people, with a heading of its own */

static const struct doc_column columns[] = {
	LATENCY_HOOK,
	LATENCY_PACKETS,
#define X(name, key, title, share) LATENCY_QUANTILE(name, key, title), LATENCY_BOUNDS(key),
	DIST_QUANTILES(X)
#undef X
		LATENCY_MEAN,
#define X(name, key, title, share) LATENCY_INTERVAL(title),
	DIST_QUANTILES(X)
#undef X
		LATENCY_BY_NAME,
	LATENCY_BY_WHO,
};

static void row(struct doc *d, const struct shown *s, const struct latency_by_row *row)
{
	const struct dist_summary *r = &row->r;
	struct latency_texts texts;
	char name[LATENCY_BY_NAME_SIZE];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, latency_keys[row->b->hook]);
	doc_number(d, r->count);
	for (int i = 0; i < DIST_QUANTILE_COUNT; i++) {
		doc_number(d, r->ns[i]);
		doc_number(d, r->low_ns[i]);
		doc_number(d, r->high_ns[i]);
	}
	doc_number(d, r->mean_ns);
	latency_intervals(d, r, &texts);
	latency_by_cells(d, &s->by, row->b, name);
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
	const struct doc_table table = { .key = "rows",
					 .caption = captions[s->by.by],
					 DOC_COLUMNS_OF(columns),
					 .only = s->n ? DOC_ALL : DOC_PROGRAMS,
					 .about = "of each hook and interface, cgroup or process" };

	latency_by_fitted(d, &s->by, &table, SHOWN_AT, rows, s);
}

int latency_by_table(struct doc *d, const struct model *m, enum netcost_latency_by by)
{
	struct shown s = { .by = latency_by_shown(m, by) };

	if (collect(&s))
		return -ENOMEM;
	table(d, &s);
	free(s.row);
	return 0;
}

size_t latency_by_rows(const struct model *m, enum netcost_latency_by by)
{
	return latency_by_shown(m, by).n;
}

int latency_by_doc(struct doc *d, const struct model *m, enum netcost_latency_by by)
{
	int err;

	doc_object(d, NULL);
	doc_heading(d, "for how long packets waited");
	doc_trace(d, m);
	latency_only_field(d, m);
	doc_field_text(d, "by", latency_by_keys[by]);
	err = latency_by_table(d, m, by);
	latency_notes(d, m);
	doc_object_end(d);
	return err;
}
