// SPDX-License-Identifier: BSD-2-Clause
#include "latency_times_doc.h"

#include "latency_columns.h"
#include "latency_doc.h"
#include "model_doc.h"
#include "report/analysis/latency_times.h"
#include "report/base/doc.h"

static const struct doc_column columns[] = {
	LATENCY_PIECE,
	LATENCY_HOOK,
	LATENCY_PACKETS,
#define X(name, key, title, share) LATENCY_QUANTILE(name, key, title),
	DIST_QUANTILES(X)
#undef X
		LATENCY_MEAN,
	LATENCY_ENDS,
};

static void row(struct doc *d, const struct model *m, const struct interval *piece,
		const struct latency_times_row *r)
{
	doc_row(d, 0, DOC_ALL);
	doc_number(d, model_seconds(m, piece->begin_ns));
	doc_number(d, model_seconds(m, piece->end_ns));
	doc_string(d, latency_keys[r->hook]);
	doc_number(d, r->packets);
	for (int i = 0; i < DIST_QUANTILE_COUNT; i++)
		doc_number(d, r->ns[i]);
	doc_number(d, r->mean_ns);
	doc_number(d, r->min_ns);
	doc_number(d, r->max_ns);
	doc_row_end(d);
}

struct shown {
	const struct model *m;
	const struct intervals *iv;
	const struct latency_times *t;
};

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->t->rows.n; i++)
		row(d, s->m, &s->iv->row[s->t->rows.at[i].piece], &s->t->rows.at[i]);
}

void latency_times_doc(struct doc *d, const struct model *m, const struct intervals *iv,
		       const struct latency_times *t)
{
	const struct doc_table table = { .key = "rows",
					 .caption = "By piece of time and hook",
					 DOC_COLUMNS_OF(columns),
					 .only = t->rows.n ? DOC_ALL : DOC_PROGRAMS,
					 .about = "of each piece and hook that packets came to" };

	const struct shown s = { m, iv, t };

	doc_object(d, NULL);
	doc_heading(d, "for how long packets waited, as it changes");
	doc_trace(d, m);
	latency_only_field(d, m);
	doc_field_uint(d, "pieces", iv->n);
	doc_fitted(d, &table, &(struct doc_rows){ .add = rows, .ctx = &s });
	latency_notes(d, m);
	doc_object_end(d);
}
