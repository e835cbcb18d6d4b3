// SPDX-License-Identifier: BSD-2-Clause
#include "latency_times_doc.h"

#include "latency_doc.h"
#include "model_doc.h"
#include "report/analysis/latency_times.h"
#include "report/base/doc.h"

#define US .scale = 1e-3, .decimals = 2, .precision = 1, .width = 10

static const struct doc_column columns[] = {
	{ .key = "begin_s", .title = "from s", .decimals = 3, .precision = 6, .width = 8 },
	{ .key = "end_s", .title = "to s", .decimals = 3, .precision = 6, .width = 10 },
	{ .key = "hook",
	  .title = "us",
	  .kind = DOC_STRING,
	  .width = 23,
	  .known = true,
	  .choices = latency_keys },
	{ .key = "packets", .title = "packets", .width = 10, .known = true },
#define X(name, key_, title_, share) { .key = key_ "_ns", .title = title_, US },
	LATENCY_QUANTILES(X)
#undef X
		{ .key = "mean_ns", .title = "mean", US },
	{ .key = "min_ns", .title = "min", US },
	{ .key = "max_ns", .title = "max", US },
};

static void row(struct doc *d, const struct model *m, const struct interval *piece,
		const struct latency_times_row *r)
{
	doc_row(d, 0, DOC_ALL);
	doc_number(d, model_seconds(m, piece->begin_ns));
	doc_number(d, model_seconds(m, piece->end_ns));
	doc_string(d, latency_keys[r->hook]);
	doc_number(d, r->packets);
	for (int i = 0; i < LATENCY_QUANTILE_COUNT; i++)
		doc_number(d, r->ns[i]);
	doc_number(d, r->mean_ns);
	doc_number(d, r->min_ns);
	doc_number(d, r->max_ns);
	doc_row_end(d);
}

void latency_times_doc(struct doc *d, const struct model *m, const struct intervals *iv,
		       const struct latency_times *t)
{
	const struct doc_table table = { .key = "rows",
					 .caption = "By piece of time and hook",
					 DOC_COLUMNS_OF(columns),
					 .only = t->n ? DOC_ALL : DOC_PROGRAMS,
					 .about = "of each piece and hook that packets came to" };

	doc_object(d, NULL);
	doc_heading(d, "for how long packets waited, as it changes");
	doc_trace(d, m);
	doc_field_uint(d, "pieces", iv->n);
	doc_table(d, &table);
	for (size_t i = 0; i < t->n; i++)
		row(d, m, &iv->row[t->row[i].piece], &t->row[i]);
	doc_table_end(d);
	latency_notes(d, m);
	doc_object_end(d);
}
