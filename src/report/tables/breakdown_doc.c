// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <inttypes.h>
#include <math.h>

#include "report/base/stats.h"
#include "report/base/text.h"

/* ---- the split ----------------------------------------------------------------------------------- */

/* Writes the name of a row. Returns buf. */
static const char *row_name(const struct breakdown *b, const struct breakdown_row *r, char *buf,
			    size_t size)
{
	const char *name = r->name && *r->name ? r->name : PROCESS_UNKNOWN;

	if (b->kind == BREAKDOWN_INTERVAL)
		snprintf(buf, size, "%.3f - %.3f s", r->begin_s, r->end_s);
	else if (b->kind == BREAKDOWN_CPU)
		snprintf(buf, size, "CPU %" PRIu64, r->id);
	else if (b->kind == BREAKDOWN_CGROUP)
		snprintf(buf, size, "%s", name);
	else
		process_named(buf, size, name, r->id, false);
	return buf;
}

#define BEFORE 7 /* number of columns before the columns of the split */

static size_t columns(struct doc_column to[BEFORE + SPLIT_COLUMNS], const struct breakdown *b)
{
	bool interval = b->kind == BREAKDOWN_INTERVAL;
	unsigned int absent = LEAF_ALL;
	const struct doc_column before[BEFORE] = {
		{ .title = breakdown_names[b->kind], .kind = DOC_STRING, .width = 24 },
		{ .key = interval ? NULL : breakdown_names[b->kind], .whole = true },
		{ .key = interval ? NULL : "name",
		  .kind = DOC_STRING,
		  .about =
			  "name of the task, cgroup or other group; the last row sums the rows that are not shown, such as: 3 others" },
		{ .key = interval ? "begin_s" : NULL, .precision = 6 },
		{ .key = interval ? "end_s" : NULL, .precision = 6 },
		{ .key = "samples", .title = "samples", .width = 8, .known = true },
		{ .key = "ns",
		  .title = "CPU time",
		  .unit = TEXT_NS,
		  .width = 10,
		  .about = "CPU time of the row in ns" },
	};

	for (size_t i = 0; i < BEFORE; i++)
		to[i] = before[i];
	for (size_t i = 0; i < b->n; i++)
		absent &= split_unknown(&b->row[i].split);
	absent |= split_absent(&b->all.split);
	split_columns(to + BEFORE, absent);
	return BEFORE + SPLIT_COLUMNS;
}

/* Adds a row. id, name: for programs; NULL if unknown. */
static void row(struct doc *d, const struct breakdown *b, const char *shown, double id,
		const char *name, const struct breakdown_row *r, unsigned int only)
{
	doc_row(d, 0, only);
	doc_string(d, shown);
	doc_number(d, id);
	doc_string(d, name);
	doc_number(d, r->begin_s);
	doc_number(d, r->end_s);
	doc_number(d, (double)r->samples);
	doc_number(d, r->split.wall_ns);
	split_cells(d, &r->split, breakdown_network_ci95_ns(b, r),
		    r->samples || !breakdown_is_sampled(b->kind));
	doc_row_end(d);
}

static void rows(struct doc *d, const struct breakdown *b)
{
	char name[SAFE_SIZE];

	for (size_t i = 0; i < b->n; i++) {
		const struct breakdown_row *r = &b->row[i];

		row(d, b, row_name(b, r, name, sizeof(name)),
		    r->id == TRACE_NIL ? NAN : (double)r->id, r->name, r, DOC_ALL);
	}
	snprintf(name, sizeof(name), "%s", COUNT(b->nothers, "other"));
	if (b->nothers)
		row(d, b, name, NAN, name, &b->others, DOC_ALL);
	row(d, b, "all", NAN, NULL, &b->all, DOC_PEOPLE);
}

static void notes(struct doc *d, const struct breakdown *b)
{
	doc_note(d, "Columns from idle to other, and network: %% of the row's CPU time.");
	if (!breakdown_is_sampled(b->kind)) {
		if (b->samples_outside)
			doc_note(d,
				 "%" PRIu64
				 " samples before the first tick or after the last are in no row.",
				 b->samples_outside);
		return;
	}
	doc_note(
		d,
		"%s times are distributed by samples, because exact counters are per CPU, not per task.",
		breakdown_is_of_all_cpus(b) ? "All CPUs'" : "Each CPU's");
	if (isnan(b->s->split.all.leaf[LEAF_IDLE].sampled))
		doc_note(d, "Idle time%s is not in any row.",
			 b->s->split.all.leaf[LEAF_OWN].ns > 0 ? ", like netcost's own," : "");
}

void breakdown_table(struct doc *d, const struct breakdown *b)
{
	struct doc_column column[BEFORE + SPLIT_COLUMNS];
	char caption[80];
	const struct doc_table table = { .key = "rows",
					 .title = "",
					 .caption = caption,
					 .column = column,
					 .ncolumns = columns(column, b) };

	snprintf(caption, sizeof(caption), "By %s, %% of the row's CPU time",
		 breakdown_names[b->kind]);
	doc_table(d, &table);
	rows(d, b);
	doc_table_end(d);
	notes(d, b);
}

void breakdown_doc(struct doc *d, const struct breakdown *b)
{
	doc_object(d, NULL);
	if (doc_is_for(d, DOC_TEXT))
		recording_heading(d, b->s);
	else
		doc_trace(d, b->s->m);
	doc_field_constant(d, "by", breakdown_names[b->kind]);
	doc_about(d, "in no interval");
	doc_field_uint(d, "samples_outside", b->samples_outside);
	breakdown_table(d, b);
	doc_object_end(d);
}

/* ---- functions ----------------------------------------------------------------------------------- */

struct shown {
	struct top_row r;
	const char *category;
	char mostly[128];
};

#define AT(member) DOC_AT(struct shown, member)
#define AT_SHARE(of, prefix, title_, width_)                                                       \
	DOC_AT_INTERVAL(struct shown, r.of.share, r.of.ci95),                                      \
		.times = 100,                                                                      \
		DOC_PERCENT_INTERVAL(prefix ".percent", prefix ".ci95_percent", title_, width_)

static const struct doc_column function_columns[] = {
	{ AT_SHARE(self, "self", "self", 14) },
	{ AT(r.self.samples), .key = "self.samples", .known = true },
	{ AT_SHARE(inclusive, "inclusive", "inclusive", 15), .single = true },
	{ AT(r.inclusive.samples), .key = "inclusive.samples", .known = true },
	{ AT(r.name), .key = "function", .title = "function", .kind = DOC_STRING, .width = 32,
	  .known = true, .empty = "[unknown]" },
	{ AT(r.module), .key = "module", .title = "module", .kind = DOC_STRING, .width = 6,
	  .spare = 1, .single = true,
	  .about = "kernel module of the function; null: built into the kernel" },
	{ AT(category), .key = "category", .kind = DOC_STRING, .known = true,
	  .about = "category of most of the function's samples" },
	{ AT(r.category_share), .times = 100, .key = "category_percent", .precision = 4 },
	{ AT(mostly), .title = "mostly (share of samples)", .kind = DOC_STRING, .single = true },
};

static void function_row(struct doc *d, const struct top_row *r)
{
	struct shown s = { .r = *r, .category = r->category->key };

	if (r->category_share < 0.995)
		snprintf(s.mostly, sizeof(s.mostly), "%s (%s %%)", r->category->title,
			 SHARE_OF(r->category_share,
				  stats_share_ci95(r->category_share, (double)r->self.samples)));
	else
		snprintf(s.mostly, sizeof(s.mostly), "%s", r->category->title);
	doc_put_row(d, 0, DOC_ALL, &s);
}

static void other_functions(struct doc *d, const struct top *t)
{
	char name[48];
	double share = (double)t->rest / (double)t->samples;
	struct shown s = { .r = { .name = name, .self = { .share = share, .ci95 = NAN } } };

	snprintf(name, sizeof(name), "%s", COUNT(t->functions - t->n, "other"));
	doc_put_sum(d, &s);
}

void top_table(struct doc *d, const struct top *t)
{
	const struct doc_table table = { .key = "functions",
					 .caption = "Functions, % of the samples",
					 .tight = true,
					 DOC_COLUMNS_OF(function_columns),
					 .only = t->samples ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < t->n; i++)
		function_row(d, &t->row[i]);
	if (t->functions > t->n)
		other_functions(d, t);
	doc_table_end(d);
}

void top_doc(struct doc *d, const struct top *t, bool all, const char *only)
{
	static const char *const of[] = { "network", "all", NULL };

	doc_object(d, NULL);
	if (only)
		doc_heading(d,
			    "%s: %" PRIu64 " of %" PRIu64 " samples; shares in %% of these samples",
			    only, t->samples, t->of);
	else
		doc_heading(d,
			    "%" PRIu64 " of %" PRIu64 " samples%s; shares in %% of these samples",
			    t->samples, t->of, all ? "" : " are the network's");
	doc_trace(d, t->m);
	doc_field_choice(d, "of", of[all], of);
	doc_field_uint(d, "samples", t->samples);
	doc_field_uint(d, "samples_in_all", t->of);
	doc_field_uint(d, "functions_in_all", t->functions);
	doc_field_uint(d, "other_functions_self_samples", t->rest);
	top_table(d, t);
	doc_object_end(d);
}
