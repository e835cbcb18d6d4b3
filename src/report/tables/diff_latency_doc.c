// SPDX-License-Identifier: BSD-2-Clause
#include "diff_latency_doc.h"

#include "report/analysis/diff/diff.h"
#include "report/base/doc.h"

#define US .scale = 1e-3, .decimals = 2, .precision = 1, .width = 10
#define BOUNDS(key_)                                                                               \
	{ .key = key_ "_low_ns",                                                                   \
	  .precision = 1,                                                                          \
	  .about = "of its 95 % interval; null: not known" },                                      \
	{                                                                                          \
		.key = key_ "_high_ns", .precision = 1, .about = "likewise"                        \
	}

static const char *const quantile_keys[] = {
#define X(name, key, title, share) key,
	LATENCY_QUANTILES(X)
#undef X
		NULL
};

static const char *const quantile_titles[] = {
#define X(name, key, title, share) title,
	LATENCY_QUANTILES(X)
#undef X
};

static const struct doc_column columns[] = {
	{ .key = "hook",
	  .title = "Latency, us",
	  .kind = DOC_STRING,
	  .width = 23,
	  .known = true,
	  .choices = latency_keys },
	{ .key = "quantile", .kind = DOC_STRING, .known = true, .choices = quantile_keys },
	{ .title = "", .kind = DOC_STRING, .width = 5 },
	{ .key = "before_ns", .title = "before", US },
	BOUNDS("before"),
	{ .key = "after_ns", .title = "after", US },
	BOUNDS("after"),
	{ .key = "change_ns", .title = "change", US, .sign = true },
	{ .key = "change_low_ns",
	  .title = "from",
	  US,
	  .sign = true,
	  .about = "of its 95 % interval; null: not known" },
	{ .key = "change_high_ns", .title = "to", US, .sign = true, .about = "likewise" },
	{ .key = "p", .precision = 9, .about = "null: not tested" },
	{ .key = "p_corrected", .precision = 9, .about = "corrected for the number of tests" },
	{ .key = "verdict", .kind = DOC_STRING, .known = true },
	{ .title = "", .kind = DOC_STRING, .width = 1 },
	{ .title = "", .kind = DOC_STRING },
};

static void value(struct doc *d, const struct diff_latency_value *v)
{
	doc_number(d, v->ns);
	doc_number(d, v->low_ns);
	doc_number(d, v->high_ns);
}

static void row(struct doc *d, const struct diff_latency_row *r)
{
	const struct diff_verdict_desc *v = &diff_verdict[r->verdict];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, latency_keys[r->hook]);
	doc_string(d, quantile_keys[r->quantile]);
	doc_string(d, quantile_titles[r->quantile]);
	value(d, &r->before);
	value(d, &r->after);
	value(d, &r->change);
	doc_number(d, r->p);
	doc_number(d, r->p_adjusted);
	doc_string(d, v->key);
	doc_colored(d, v->mark, v->color);
	doc_string(d, v->text);
	doc_row_end(d);
}

static size_t told_apart(const struct diff_latency *latency)
{
	size_t n = 0;

	for (size_t i = 0; i < latency->n; i++)
		n += latency->row[i].verdict >= DIFF_MORE;
	return n;
}

void diff_latency_doc(struct doc *d, const struct diff_latency *latency)
{
	static const struct doc_table table = { .key = "latency",
						.caption = "For how long packets waited",
						DOC_COLUMNS_OF(columns),
						.about = "quantiles, by hook" };

	doc_table(d, &table);
	for (size_t i = 0; i < latency->n; i++)
		row(d, &latency->row[i]);
	doc_table_end(d);
	doc_note(
		d,
		"  %zu of %zu changes of latency are more than noise, corrected for so many, apart from "
		"the others; from, to: the 95 %% interval of the change",
		told_apart(latency), latency->tested);
}
