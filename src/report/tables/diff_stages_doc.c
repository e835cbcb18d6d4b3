// SPDX-License-Identifier: BSD-2-Clause
#include "diff_stages_doc.h"

#include "diff_quantile_doc.h"
#include "report/analysis/diff/diff_shown.h"
#include "report/analysis/stages.h"

/* ---- which path -------------------------------------------------------------------------- */

#define SHARE .decimals = 2, .precision = 6, .width = 10

static bool has_paths(const struct diff_stages *s, bool all)
{
	for (size_t i = 0; i < s->npaths; i++)
		if (all || diff_is_told_apart(s->path[i].verdict))
			return true;
	return false;
}

static void path(struct doc *d, const struct diff_stages_path *p, bool all)
{
	doc_row(d, 0, !all && !diff_is_told_apart(p->verdict) ? DOC_PROGRAMS : DOC_ALL);
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

static void paths(struct doc *d, const struct diff_stages *s, bool all)
{
	static const struct doc_column column[] = {
		{ .key = "path", .kind = DOC_STRING, .known = true, .choices = stages_path_keys },
		{ .title = "% of packets", .kind = DOC_STRING, .width = 41 },
		{ .key = "before_percent", .title = "before", SHARE },
		{ .key = "after_percent", .title = "after", SHARE },
		{ .key = "change_percent", .title = "change", SHARE, .sign = true },
		{ .key = "change_ci95_percent",
		  .title = "spread",
		  SHARE,
		  .about = "half the width of its 95 % interval; null: not known" },
		{ .key = "p", .precision = 9, .about = "null: not tested" },
		{ .key = "p_corrected",
		  .precision = 9,
		  .about = "corrected for the number of tests" },
		DIFF_VERDICT_COLUMNS,
	};
	const struct doc_table table = {
		.key = "paths",
		.caption = "Packets' ways",
		DOC_COLUMNS_OF(column),
		.about = "which share of the packets that were followed to their end went it",
		.only = has_paths(s, all) ? DOC_ALL : DOC_PROGRAMS
	};

	doc_table(d, &table);
	for (size_t i = 0; i < s->npaths; i++)
		path(d, &s->path[i], all);
	doc_table_end(d);
}

/* ---- from stage to stage ----------------------------------------------------------------- */

static bool is_hidden(const struct diff_stages_row *r, bool all)
{
	return !all && !diff_is_told_apart(r->c.verdict);
}

static void row(struct doc *d, const struct diff_stages_row *r, bool all)
{
	bool people = doc_is_for(d, DOC_PEOPLE);

	doc_row(d, 0, is_hidden(r, all) ? DOC_PROGRAMS : DOC_ALL);
	doc_string(d, stages_path_keys[r->path]);
	doc_string(d, !r->whole ? stages_keys[r->from] : people ? "all" : NULL);
	doc_string(d, !r->whole ? stages_keys[r->to] : people ? "" : NULL);
	diff_quantile_cells(d, r->quantile, &r->c);
	doc_row_end(d);
}

static void steps(struct doc *d, const struct diff_stages *s, bool all)
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
	const struct diff_stages_row *last = NULL; /* that people see */

	doc_table(d, &table);
	for (size_t i = 0; i < s->n; i++) {
		const struct diff_stages_row *r = &s->row[i];

		if (!is_hidden(r, all) && (!last || r->path != last->path))
			doc_section(d, stages_path_titles[r->path]);
		if (!is_hidden(r, all))
			last = r;
		row(d, r, all);
	}
	doc_table_end(d);
}

/* ---- all of it --------------------------------------------------------------------------- */

void diff_stages_doc(struct doc *d, const struct diff_stages *s, bool all)
{
	size_t apart = 0;

	if (doc_optional(d, s->there))
		paths(d, s, all);
	if (doc_optional(d, s->there))
		steps(d, s, all);
	if (!s->there)
		return;
	for (size_t i = 0; i < s->npaths; i++)
		apart += diff_is_told_apart(s->path[i].verdict);
	for (size_t i = 0; i < s->n; i++)
		apart += diff_is_told_apart(s->row[i].c.verdict);
	doc_note(
		d,
		"  %zu of %zu changes of packets' ways are more than noise: shares corrected for %zu, "
		"times for %zu, apart from the others",
		apart, s->tested_paths + s->tested, s->tested_paths, s->tested);
}
