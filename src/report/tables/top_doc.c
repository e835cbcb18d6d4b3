// SPDX-License-Identifier: BSD-2-Clause
#include "top_doc.h"

#include <inttypes.h>
#include <math.h>

#include "model_doc.h"
#include "report/base/text.h"

static const struct doc_column columns[] = {
	{ DOC_PERCENT_INTERVAL("self.percent", "self.ci95_percent", "self", 14) },
	{ .key = "self.samples", .known = true },
	{ DOC_PERCENT_INTERVAL("inclusive.percent", "inclusive.ci95_percent", "inclusive", 15) },
	{ .key = "inclusive.samples", .known = true },
	{ .key = "function", .title = "function", .kind = DOC_STRING, .width = 32, .known = true },
	{ .key = "module",
	  .title = "module",
	  .kind = DOC_STRING,
	  .width = 6,
	  .spare = 1,
	  .about = "null: the kernel itself" },
	{ .key = "category",
	  .kind = DOC_STRING,
	  .known = true,
	  .about = "where the function was found most often" },
	{ .key = "category_percent", .precision = 4 },
	{ .title = "mostly (so much of it)", .kind = DOC_STRING },
};

static void row(struct doc *d, const struct top_row *r)
{
	char mostly[128];

	if (r->category_share < 0.995)
		snprintf(mostly, sizeof(mostly), "%s (%s %%)", r->category->title,
			 PERCENT(r->category_share, 0));
	else
		snprintf(mostly, sizeof(mostly), "%s", r->category->title);
	doc_row(d, 0, DOC_ALL);
	doc_interval(d, 100 * r->self.share, 100 * r->self.ci95);
	doc_number(d, (double)r->self.samples);
	doc_interval(d, 100 * r->inclusive.share, 100 * r->inclusive.ci95);
	doc_number(d, (double)r->inclusive.samples);
	doc_string(d, *r->name ? r->name : "[unknown]");
	doc_string(d, *r->module ? r->module : NULL);
	doc_string(d, r->category->key);
	doc_number(d, 100 * r->category_share);
	doc_string(d, mostly);
	doc_row_end(d);
}

static void others(struct doc *d, const struct top *t)
{
	char name[48];

	snprintf(name, sizeof(name), "%zu others", t->functions - t->n);
	doc_row(d, 0, DOC_PEOPLE);
	doc_interval(d, 100 * (double)t->rest / (double)t->samples, NAN);
	doc_blank(d);
	doc_blank(d);
	doc_blank(d);
	doc_string(d, name);
	doc_blank(d);
	doc_blank(d);
	doc_blank(d);
	doc_blank(d);
	doc_row_end(d);
}

void top_table(struct doc *d, const struct top *t)
{
	const struct doc_table table = { .key = "functions",
					 .caption = "Functions, % of the samples",
					 .tight = true,
					 DOC_COLUMNS_OF(columns),
					 .only = t->samples ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < t->n; i++)
		row(d, &t->row[i]);
	if (t->functions > t->n)
		others(d, t);
	doc_table_end(d);
}

void top_doc(struct doc *d, const struct top *t, bool all)
{
	static const char *const of[] = { "network", "all", NULL };

	doc_object(d, NULL);
	doc_heading(d, "%" PRIu64 " of %" PRIu64 " samples%s; shares of these, in %%", t->samples,
		    t->of, all ? "" : " are the network's");
	doc_trace(d, t->m);
	doc_field_choice(d, "of", of[all], of);
	doc_field_uint(d, "samples", t->samples);
	doc_field_uint(d, "samples_in_all", t->of);
	doc_field_uint(d, "functions_in_all", t->functions);
	doc_field_uint(d, "other_functions_self_samples", t->rest);
	top_table(d, t);
	doc_object_end(d);
}
