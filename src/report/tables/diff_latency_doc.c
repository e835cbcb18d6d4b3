// SPDX-License-Identifier: BSD-2-Clause
#include "diff_latency_doc.h"

#include "diff_quantile_doc.h"
#include "report/analysis/diff/diff_shown.h"

static const struct doc_column columns[] = { { .key = "hook",
					       .title = "Latency, us",
					       .kind = DOC_STRING,
					       .width = 23,
					       .known = true,
					       .choices = latency_keys },
					     DIFF_QUANTILE_COLUMNS };

static size_t told_apart(const struct diff_latency *latency)
{
	size_t n = 0;

	for (size_t i = 0; i < latency->n; i++)
		n += diff_is_told_apart(latency->row[i].c.verdict);
	return n;
}

static bool is_hidden(const struct diff_latency_row *r, bool all)
{
	return !all && !diff_is_told_apart(r->c.verdict);
}

static bool has_rows(const struct diff_latency *latency, bool all)
{
	for (size_t i = 0; i < latency->n; i++)
		if (!is_hidden(&latency->row[i], all))
			return true;
	return false;
}

void diff_latency_doc(struct doc *d, const struct diff_latency *latency, bool all)
{
	const struct doc_table table = { .key = "latency",
					 .caption = "For how long packets waited",
					 DOC_COLUMNS_OF(columns),
					 .about = "quantiles, by hook",
					 .only = has_rows(latency, all) ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < latency->n; i++) {
		const struct diff_latency_row *r = &latency->row[i];

		doc_row(d, 0, is_hidden(r, all) ? DOC_PROGRAMS : DOC_ALL);
		doc_string(d, latency_keys[r->hook]);
		diff_quantile_cells(d, r->quantile, &r->c);
		doc_row_end(d);
	}
	doc_table_end(d);
	doc_note(
		d,
		"  %zu of %zu changes of latency are more than noise, corrected for so many, apart from "
		"the others; from, to: the 95 %% interval of the change",
		told_apart(latency), latency->tested);
}
