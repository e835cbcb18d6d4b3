// SPDX-License-Identifier: BSD-2-Clause
#include "diff_latency_doc.h"

#include "diff_quantile_doc.h"
#include "report/analysis/diff/diff.h"

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
		n += latency->row[i].c.verdict >= DIFF_MORE;
	return n;
}

void diff_latency_doc(struct doc *d, const struct diff_latency *latency)
{
	static const struct doc_table table = { .key = "latency",
						.caption = "For how long packets waited",
						DOC_COLUMNS_OF(columns),
						.about = "quantiles, by hook" };

	doc_table(d, &table);
	for (size_t i = 0; i < latency->n; i++) {
		doc_row(d, 0, DOC_ALL);
		doc_string(d, latency_keys[latency->row[i].hook]);
		diff_quantile_cells(d, latency->row[i].quantile, &latency->row[i].c);
		doc_row_end(d);
	}
	doc_table_end(d);
	doc_note(
		d,
		"  %zu of %zu changes of latency are more than noise, corrected for so many, apart from "
		"the others; from, to: the 95 %% interval of the change",
		told_apart(latency), latency->tested);
}
