// SPDX-License-Identifier: BSD-2-Clause
#include "diff_stages_doc.h"

#include "diff_quantile_doc.h"
#include "report/analysis/diff/diff.h"
#include "report/analysis/stages.h"

/* ---- which path -------------------------------------------------------------------------- */

#define SHARE .decimals = 2, .precision = 6, .width = 10

static void paths(struct doc *d, const struct diff_stages *s)
{
	static const struct doc_column column[] = {
		{ .key = "path", .kind = DOC_STRING, .known = true, .choices = stages_path_keys },
		{ .title = "% of packets", .kind = DOC_STRING, .width = 41 },
		{ .key = "before_percent", .title = "before", SHARE },
		{ .key = "after_percent", .title = "after", SHARE },
		{ .key = "change_percent", .title = "change", SHARE, .sign = true },
		{ .key = "change_ci95_percent",
		  .title = "+-",
		  SHARE,
		  .about = "half of its 95 % interval; null: not known" },
		{ .key = "p", .precision = 9, .about = "null: not tested" },
		{ .key = "p_corrected",
		  .precision = 9,
		  .about = "corrected for the number of tests" },
		DIFF_VERDICT_COLUMNS,
	};
	static const struct doc_table table = {
		.key = "paths",
		.caption = "Packets' ways",
		DOC_COLUMNS_OF(column),
		.about = "which share of the packets that were followed to their end went it"
	};

	doc_table(d, &table);
	for (size_t i = 0; i < s->npaths; i++) {
		const struct diff_stages_path *p = &s->path[i];

		doc_row(d, 0, DOC_ALL);
		doc_string(d, stages_path_keys[p->path]);
		doc_string(d, stages_path_titles[p->path]);
		doc_number(d, 100 * p->before.value);
		doc_number(d, 100 * p->after.value);
		doc_number(d, 100 * p->change.change);
		doc_number(d, 100 * p->change.ci95);
		doc_number(d, p->change.p);
		doc_number(d, p->p_adjusted);
		diff_verdict_cells(d, p->verdict);
		doc_row_end(d);
	}
	doc_table_end(d);
}

/* ---- from stage to stage ----------------------------------------------------------------- */

static void row(struct doc *d, const struct diff_stages_row *r)
{
	bool people = doc_is_for(d, DOC_PEOPLE);

	doc_row(d, 0, DOC_ALL);
	doc_string(d, stages_path_keys[r->path]);
	doc_string(d, !r->whole ? stages_keys[r->from] : people ? "all" : NULL);
	doc_string(d, !r->whole ? stages_keys[r->to] : people ? "" : NULL);
	diff_quantile_cells(d, r->quantile, &r->c);
	doc_row_end(d);
}

static void steps(struct doc *d, const struct diff_stages *s)
{
	static const struct doc_column column[] = {
		{ .key = "path", .kind = DOC_STRING, .known = true, .choices = stages_path_keys },
		{ .key = "from",
		  .title = "us from",
		  .kind = DOC_STRING,
		  .width = 10,
		  .choices = stages_keys,
		  .about = "null: the whole way" },
		{ .key = "to",
		  .title = "to",
		  .kind = DOC_STRING,
		  .width = 10,
		  .choices = stages_keys },
		DIFF_QUANTILE_COLUMNS,
	};
	static const struct doc_table table = { .key = "stages",
						.caption = "From stage to stage",
						.sections = true,
						.above = true,
						DOC_COLUMNS_OF(column),
						.about = "quantiles, by step of a path" };

	doc_table(d, &table);
	for (size_t i = 0; i < s->n; i++) {
		if (!i || s->row[i].path != s->row[i - 1].path)
			doc_section(d, stages_path_titles[s->row[i].path]);
		row(d, &s->row[i]);
	}
	doc_table_end(d);
}

/* ---- all of it --------------------------------------------------------------------------- */

void diff_stages_doc(struct doc *d, const struct diff_stages *s)
{
	size_t apart = 0;

	if (doc_optional(d, s->there))
		paths(d, s);
	if (doc_optional(d, s->there))
		steps(d, s);
	if (!s->there)
		return;
	for (size_t i = 0; i < s->npaths; i++)
		apart += s->path[i].verdict >= DIFF_MORE;
	for (size_t i = 0; i < s->n; i++)
		apart += s->row[i].c.verdict >= DIFF_MORE;
	doc_note(
		d,
		"  %zu of %zu changes of packets' ways are more than noise: shares corrected for %zu, "
		"times for %zu, apart from the others",
		apart, s->tested_paths + s->tested, s->tested_paths, s->tested);
}
