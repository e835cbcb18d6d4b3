// SPDX-License-Identifier: BSD-2-Clause
#include "latency_by_times_doc.h"

#include "latency_by_columns.h"
#include "latency_doc.h"
#include "model_doc.h"
#include "report/analysis/latency_by_times.h"

#define SHOWN_AT (5 + DIST_QUANTILE_COUNT) /* the name for people, with a heading of its own */

static const struct doc_column columns[] = {
	LATENCY_PIECE,
	LATENCY_HOOK,
	LATENCY_PACKETS,
#define X(name, key, title, share) LATENCY_QUANTILE(name, key, title),
	DIST_QUANTILES(X)
#undef X
		LATENCY_MEAN,
	LATENCY_BY_NAME,
	LATENCY_BY_WHO,
};

struct shown {
	struct latency_by_shown by;
	const struct intervals *iv;
	const struct latency_by_times *t;
};

static void row(struct doc *d, const struct shown *s, const struct latency_times_row *r)
{
	const struct interval *piece = &s->iv->row[r->piece];
	char name[LATENCY_BY_NAME_SIZE];

	doc_row(d, 0, DOC_ALL);
	doc_number(d, model_seconds(s->by.m, piece->begin_ns));
	doc_number(d, model_seconds(s->by.m, piece->end_ns));
	doc_string(d, latency_keys[r->hook]);
	doc_number(d, r->packets);
	for (int i = 0; i < DIST_QUANTILE_COUNT; i++)
		doc_number(d, r->ns[i]);
	doc_number(d, r->mean_ns);
	latency_by_cells(d, &s->by, &s->t->keys.row[r->key], name);
	doc_row_end(d);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->t->rows.n; i++)
		row(d, s, &s->t->rows.at[i]);
}

static void table(struct doc *d, struct shown *s)
{
	static const char *const captions[] = { "By piece of time, hook and interface",
						"By piece of time, hook and cgroup",
						"By piece of time, hook and process" };
	const struct doc_table table = {
		.key = "rows",
		.caption = captions[s->by.by],
		DOC_COLUMNS_OF(columns),
		.only = s->t->rows.n ? DOC_ALL : DOC_PROGRAMS,
		.about = "of each piece, hook and interface, cgroup or process that packets came to"
	};

	latency_by_fitted(d, &s->by, &table, SHOWN_AT, rows, s);
}

void latency_by_times_doc(struct doc *d, const struct model *m, const struct intervals *iv,
			  const struct latency_by_times *t)
{
	struct shown s = { .by = latency_by_shown(m, t->by), .iv = iv, .t = t };

	doc_object(d, NULL);
	doc_heading(d, "for how long packets waited, as it changes");
	doc_trace(d, m);
	latency_only_field(d, m);
	doc_field_text(d, "by", latency_by_keys[t->by]);
	doc_field_uint(d, "pieces", iv->n);
	table(d, &s);
	latency_notes(d, m);
	doc_object_end(d);
}
