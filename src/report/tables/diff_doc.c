// SPDX-License-Identifier: BSD-2-Clause
#include "diff_doc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "bill_doc.h"
#include "diff_largest_doc.h"
#include "diff_latency_doc.h"
#include "diff_stages_doc.h"
#include "diff_owners_doc.h"
#include "diff_processes_doc.h"
#include "diff_units_doc.h"
#include "model_doc.h"
#include "settings_doc.h"
#include "split_columns.h"
#include "report/analysis/diff/diff_shown.h"
#include "report/analysis/diff/diff_side.h"
#include "report/base/stats.h"
#include "report/base/text.h"

/* ---- the two ----------------------------------------------------------------------------- */

static void side(struct doc *d, const char *which, const struct diff_side *s)
{
	const struct model *m = s->m;
	const struct model_header *h = &m->header;
	const struct energy *e = &s->summary.energy;
	const char *exact = model_string(m, h->exact);
	char samples[64] = "no samples", packets[64] = "";

	if (h->sample_hz)
		snprintf(samples, sizeof(samples), "%" PRIu64 " samples at %" PRIu64 " Hz",
			 m->samples, h->sample_hz);
	if (!isnan(s->summary.packets))
		snprintf(packets, sizeof(packets), ", %s packets", NUM(s->summary.packets, 0));
	doc_note(d, "%-7s %s: %s s, %" PRIu64 " CPUs, exact %s, %s%s", which, PART_TITLE(s->part),
		 NUM(s->summary.ticks_s, 1), h->ncpus, *exact ? SAFE(exact) : "-", samples,
		 packets);
	if (!isnan(e->network_w.high))
		doc_note(d, "        %s W of packages and memory, of which the network %s to %s",
			 NUM(e->total_w, 2), NUM(e->network_w.low, 3), NUM(e->network_w.high, 3));
	doc_object(d, which);
	doc_part(d, s->part);
	doc_ended(d, m);
	doc_field(d, "seconds", s->summary.ticks_s, 6);
	doc_field_uint(d, "pieces", s->npieces);
	doc_model_string(d, "kernel", m, h->kernel);
	doc_model_string(d, "cpu_model", m, h->cpu_model);
	doc_field_uint(d, "cpus", h->ncpus);
	doc_model_string(d, "exact", m, h->exact);
	doc_field_uint(d, "sample_hz", h->sample_hz);
	doc_model_string(d, "sample_event", m, h->sample_event);
	doc_field_uint(d, "samples", m->samples);
	doc_field(d, "interface_packets", s->summary.packets, 0);
	doc_field(d, "package_and_dram_w", e->total_w, 6);
	doc_field(d, "network_low_w", e->network_w.low, 6);
	doc_field(d, "network_high_w", e->network_w.high, 6);
	doc_object_end(d);
}

static void notes(struct doc *d, const struct diff *diff)
{
	doc_array(d, "notes");
	for (size_t i = 0; i < diff->nnotes; i++) {
		doc_line(d, "note:", "%s", diff->note[i]);
		doc_field_text(d, NULL, diff->note[i]);
	}
	doc_array_end(d);
}

/* ---- how the hosts were set -------------------------------------------------------------- */

#define SETTINGS 50 /* so many are shown to people */

/* What a side has of it. NULL: nothing. */
static const char *set_to(char *dst, size_t size, const struct model *m,
			  const struct model_setting *s, bool all)
{
	if (!s)
		return NULL;
	if (!all)
		return setting_text(dst, size, m, s);
	snprintf(dst, size, "is there");
	return dst;
}

static void setting(struct doc *d, const struct diff *diff, size_t i)
{
	const struct diff_setting *s = &diff->setting[i];
	const struct model *m = s->before ? diff->before->m : diff->after->m;
	const struct model_setting *any = s->before ? s->before : s->after;
	char before[SETTING_TEXT], after[SETTING_TEXT];
	const char *was = set_to(before, sizeof(before), diff->before->m, s->before, s->all);
	const char *is = set_to(after, sizeof(after), diff->after->m, s->after, s->all);

	doc_row(d, 0, i < SETTINGS ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, model_string(m, any->subject));
	doc_string(d, s->all ? "" : model_string(m, any->name));
	doc_string(d, s->all ? NULL : model_string(m, any->name));
	doc_string(d, was ? was : "-");
	doc_string(d, is ? is : "-");
	doc_string(d, was);
	doc_string(d, is);
	doc_row_end(d);
}

static void settings(struct doc *d, const struct diff *diff)
{
	static const struct doc_column column[] = {
		{ .key = "subject", .title = "of", .kind = DOC_STRING, .width = 20, .known = true },
		{ .title = "setting", .kind = DOC_STRING, .width = 28 },
		{ .key = "name",
		  .kind = DOC_STRING,
		  .about = "null: the subject itself is only in one of the two" },
		{ .title = "before", .kind = DOC_STRING, .width = 20 },
		{ .title = "after", .kind = DOC_STRING },
		{ .key = "before", .kind = DOC_STRING, .about = "null: it is not there" },
		{ .key = "after", .kind = DOC_STRING, .about = "null: it is not there" },
	};
	const struct doc_table table = { .key = "set_otherwise",
					 .about = "settings of the hosts",
					 .title = "Set otherwise",
					 .above = true,
					 DOC_COLUMNS_OF(column),
					 .only = diff->nsettings ? DOC_ALL : DOC_PROGRAMS };

	if (!doc_optional(d, diff->before->m->nsettings && diff->after->m->nsettings))
		return;
	doc_table(d, &table);
	for (size_t i = 0; i < diff->nsettings; i++)
		setting(d, diff, i);
	doc_table_end(d);
	if (diff->nsettings)
		doc_title(d, "");
	if (diff->nsettings > SETTINGS)
		doc_note(d, "  %zu others, which --format=json has", diff->nsettings - SETTINGS);
}

/* ---- a change ---------------------------------------------------------------------------- */

/* Its columns. in: what its keys begin with; spare: of those that show both sides, or the change. */
#define VALUE(in, title_, width_, spare_)                                                          \
	{ .key = in ".value",                                                                      \
	  .title = title_,                                                                         \
	  .decimals = 3,                                                                           \
	  .precision = 6,                                                                          \
	  .width = width_,                                                                         \
	  .spare = spare_ },                                                                       \
		{ .key = in ".ci95",                                                               \
		  .precision = 6,                                                                  \
		  .about = "the error of measuring; 0: exact" },                                   \
		{ .key = in ".spread",                                                             \
		  .precision = 6,                                                                  \
		  .about = "half the width of the 95 % interval that the test uses: that error, "  \
			   "or how the value varied between intervals of time if that is more" },  \
		{ .key = in ".samples" },                                                          \
	{                                                                                          \
		.key = in ".source", .kind = DOC_STRING, .choices = split_how_known                \
	}
#define CHANGE(in, title_, percent_title, width_, sides_spare, change_spare)                       \
	VALUE(in "before", "before", width_, sides_spare),                                         \
		VALUE(in "after", "after", width_, sides_spare),                                   \
		{ .key = in "change",                                                              \
		  .ci_key = in "change_ci95",                                                      \
		  .about = "with half the width of its 95 % interval, by the spread of both",      \
		  .title = title_,                                                                 \
		  .kind = DOC_INTERVAL,                                                            \
		  .decimals = 3,                                                                   \
		  .precision = 6,                                                                  \
		  .width = 11 + width_,                                                            \
		  .ci_width = width_ - 2,                                                          \
		  .spare = change_spare,                                                           \
		  .sign = true },                                                                  \
		{ .key = in "change_percent",                                                      \
		  .ci_key = in "change_percent_ci95",                                              \
		  .title = percent_title,                                                          \
		  .kind = DOC_INTERVAL,                                                            \
		  .decimals = 1,                                                                   \
		  .precision = 4,                                                                  \
		  .width = 17,                                                                     \
		  .sign = true },                                                                  \
		{ .key = in "p", .precision = 9, .about = "null: not tested" },                    \
		{ .key = in "p_corrected",                                                         \
		  .precision = 9,                                                                  \
		  .about = "corrected for the number of tests" },                                  \
	{                                                                                          \
		.key = in "verdict", .kind = DOC_STRING, .known = true                             \
	}

static void value(struct doc *d, const struct diff_value *v)
{
	doc_number(d, v->value);
	doc_number(d, v->ci95);
	doc_number(d, stats_t95(v->df) * sqrt(v->variance));
	doc_number(d, v->samples);
	doc_string(d, v->how == SPLIT_NOT_MEASURED ? NULL : split_how_name(v->how));
}

static void change(struct doc *d, const struct diff_change *c)
{
	value(d, &c->before);
	value(d, &c->after);
	doc_interval(d, c->change, c->ci95);
	doc_interval(d, 100 * c->relative, 100 * c->relative_ci95);
	doc_number(d, c->p);
	doc_number(d, c->p_adjusted);
	doc_string(d, diff_verdict[c->verdict].key);
}

/* The columns have room for two or three decimals. */
static void set_decimals(struct doc_column *c, size_t n, enum diff_per per)
{
	for (; n; n--, c++)
		if (c->decimals == 3)
			c->decimals = (uint8_t)diff_per[per].decimals;
}

/* ---- rows -------------------------------------------------------------------------------- */

static const char *how_of(const struct diff_change *c)
{
	return split_how_name(isnan(c->after.value) ? c->before.how : c->after.how);
}

/* "more, exact" */
static char *verdict_text(char *dst, size_t size, const struct diff_row *r)
{
	const char *text = diff_verdict[r->c.verdict].text;
	bool how = r->table == DIFF_MAIN && r->c.verdict > DIFF_NOT_COMPARABLE;

	snprintf(dst, size, "%s%s%s", text, how && *text ? ", " : "", how ? how_of(&r->c) : "");
	return dst;
}

static const char *title_of_leaf(const char *key)
{
	unsigned int l = 0;

	while (l + 1 < LEAF_COUNT && strcmp(leaf_desc[l].key, key))
		l++;
	return leaf_desc[l].title;
}

static void row(struct doc *d, const struct diff_row *r, const struct diff_watch *watch)
{
	const struct diff_verdict_desc *v = &diff_verdict[r->c.verdict];
	char text[80];

	doc_row(d, r->depth, r->hidden ? DOC_PROGRAMS : DOC_ALL);
	doc_string(d, r->title);
	doc_string(d, diff_table_names[r->table]);
	doc_string(d, r->key);
	doc_string(d, r->leaf);
	doc_number(d, r->depth);
	change(d, &r->c);
	doc_colored(d, v->mark, v->color);
	doc_string(d, verdict_text(text, sizeof(text), r));
	doc_bool(d, diff_is_watched(r, watch->only));
	doc_row_end(d);
}

/* A leaf, above its categories. */
static void leaf_row(struct doc *d, const char *title)
{
	doc_row(d, 0, DOC_PEOPLE);
	doc_string(d, title);
	doc_blanks(d, d->table->ncolumns - 1);
	doc_row_end(d);
}

static void rows(struct doc *d, const struct diff *diff, const struct diff_watch *watch)
{
	static const char *const titles[DIFF_TABLES] = {
		[DIFF_MAIN] = "Where the CPU time went",
		[DIFF_CATEGORY] = "What is inside, by samples",
		[DIFF_PART] = "Parts of the RX softirq, exact",
	};
	unsigned int width = split_title_width(split_absent(&diff->before->summary.split.all) &
					       split_absent(&diff->after->summary.split.all));
	struct doc_column column[] = {
		{ .title = "category", .kind = DOC_STRING, .width = width, .cut = 40 },
		{ .key = "table", .kind = DOC_STRING, .known = true },
		{ .key = "key", .kind = DOC_STRING, .known = true },
		{ .key = "leaf",
		  .kind = DOC_STRING,
		  .about = "the leaf that it is a part of; null: it is a leaf itself, or a sum" },
		{ .key = "depth", .known = true },
		CHANGE("", "change", "change, %", 9, 0, 1),
		{ .title = "", .kind = DOC_STRING, .width = 1 },
		{ .title = "", .kind = DOC_STRING },
		{ .key = "watched", .kind = DOC_BOOL },
	};
	size_t n = sizeof(column) / sizeof(*column);
	const struct doc_table table = {
		.key = "categories", .title = titles[DIFF_MAIN], .column = column, .ncolumns = n
	};
	const struct diff_row first = { .table = DIFF_MAIN }, *last = &first; /* that people see */

	set_decimals(column, n, diff->per);
	doc_table(d, &table);
	for (size_t i = 0; i < diff->nrows; i++) {
		const struct diff_row *r = &diff->row[i];

		if (!r->hidden && r->table != last->table)
			doc_section(d, titles[r->table]);
		if (!r->hidden && r->leaf && r->leaf != last->leaf)
			leaf_row(d, title_of_leaf(r->leaf));
		row(d, r, watch);
		if (!r->hidden)
			last = r;
	}
	doc_table_end(d);
}

/* ---- functions --------------------------------------------------------------------------- */

static void function(struct doc *d, const struct diff_function *f, bool all)
{
	const struct diff_verdict_desc *self = &diff_verdict[f->self.verdict];
	const struct diff_verdict_desc *inclusive = &diff_verdict[f->inclusive.verdict];

	doc_row(d, 0, !all && !diff_function_is_told_apart(f) ? DOC_PROGRAMS : DOC_ALL);
	change(d, &f->self);
	doc_colored(d, self->mark, self->color);
	change(d, &f->inclusive);
	doc_colored(d, inclusive->mark, inclusive->color);
	doc_string(d, *f->name ? f->name : "[unknown]");
	doc_string(d, *f->module ? f->module : NULL);
	doc_row_end(d);
}

/* So many are for people: those told apart from noise are the first. */
static size_t functions_for_people(const struct diff *diff)
{
	size_t n = 0;

	while (n < diff->nfunctions &&
	       (diff->all || diff_function_is_told_apart(&diff->function[n])))
		n++;
	return n;
}

static void functions(struct doc *d, const struct diff *diff)
{
	size_t people = functions_for_people(diff);
	struct doc_column column[] = {
		CHANGE("self.", "self change", NULL, 8, 1, 0),
		{ .title = "", .kind = DOC_STRING, .width = 1 },
		CHANGE("inclusive.", "inclusive change", NULL, 8, 2, 0),
		{ .title = "", .kind = DOC_STRING, .width = 1 },
		{ .key = "function",
		  .title = "function",
		  .kind = DOC_STRING,
		  .width = 32,
		  .known = true },
		{ .key = "module", .title = "module", .kind = DOC_STRING, .spare = 3 },
	};
	size_t n = sizeof(column) / sizeof(*column);
	const struct doc_table table = {
		.key = "functions",
		.title = "Functions, by samples; self, and with what they call",
		.caption = "Functions, by samples",
		.above = true,
		.column = column,
		.ncolumns = n,
		.only = people ? DOC_ALL : DOC_PROGRAMS
	};

	set_decimals(column, n, diff->per);
	doc_table(d, &table);
	for (size_t i = 0; i < diff->nshown; i++)
		function(d, &diff->function[i], diff->all);
	doc_table_end(d);
	if (diff->nshown < people)
		doc_note(d, "  %zu others", people - diff->nshown);
}

/* ---- other BPF programs ------------------------------------------------------------------ */

static void programs(struct doc *d, const struct diff *diff)
{
	if (doc_optional(d, diff->before->m->records[TRACE_OTHER_STATS] ||
				    diff->after->m->records[TRACE_OTHER_STATS]))
		bill_pairs_doc(d, &diff->programs);
}

/* ---- what it says ------------------------------------------------------------------------ */

/* How many rows people do not see, and why. */
static void hidden(struct doc *d, const struct diff *diff)
{
	char text[160] = "";

	if (diff->within_noise)
		text_append(text, sizeof(text), ", ", "%zu row%s within noise", diff->within_noise,
			    diff->within_noise > 1 ? "s" : "");
	if (diff->not_alike)
		text_append(text, sizeof(text), ", ", "%zu%s not measured alike in both",
			    diff->not_alike,
			    *text		? "" :
			    diff->not_alike > 1 ? " rows" :
						  " row");
	if (*text)
		doc_note(d, "%s; --all shows them.", text);
}

static void legend(struct doc *d, const struct diff *diff)
{
	doc_title(d, "");
	hidden(d, diff);
	doc_note(
		d,
		"%zu of %zu %schanges are more than noise, marked + or -. The others are ~: no different from noise.",
		diff_told_apart(diff), diff->tested_rows + diff->tested_functions,
		diff->latency.there || diff->stages.there ? "other " : "");
	doc_note(
		d,
		"Spread: the errors of measuring, or how the load varied between intervals of time if that is more. It is about its row only.");
	doc_note(
		d,
		"Marks are corrected for many rows: if nothing has changed, 95 of 100 comparisons have none.");
}

static void worse(struct doc *d, const struct diff *diff, const struct diff_watch *w)
{
	doc_field(d, "fail_above_percent", 100 * w->above, 4);
	doc_array(d, "failed");
	for (size_t i = 0; i < diff->nrows; i++)
		if (diff_is_watched(&diff->row[i], w->only) &&
		    diff_is_worse(&diff->row[i].c, w->above))
			doc_field_text(d, NULL, diff->row[i].key);
	doc_array_end(d);
}

void diff_doc(struct doc *d, const struct diff *diff, const struct diff_watch *watch)
{
	doc_object(d, NULL);
	diff_largest_doc(d, diff);
	side(d, "before", diff->before);
	side(d, "after", diff->after);
	doc_filter(d, diff->before->m);
	settings(d, diff);
	notes(d, diff);
	doc_note(d, "%s; change +- spread (95 %%)", diff_per[diff->per].title);
	doc_field_choice(d, "per", diff_per[diff->per].name, diff_per_names);
	doc_field_text(d, "unit", diff_per[diff->per].key);
	doc_field_uint(d, "categories_tested", diff->tested_rows);
	rows(d, diff, watch);
	doc_field_uint(d, "functions_in_all", diff->nfunctions);
	doc_field_uint(d, "functions_tested", diff->tested_functions);
	functions(d, diff);
	diff_units_doc(d, &diff->units);
	programs(d, diff);
	if (doc_optional(d, diff->processes.there))
		diff_processes_doc(d, &diff->processes, diff_per[diff->per].decimals);
	if (doc_optional(d, diff->fates.there))
		diff_owners_doc(d, diff);
	if (doc_optional(d, diff->latency.there))
		diff_latency_doc(d, &diff->latency, diff->all);
	diff_stages_doc(d, &diff->stages, diff->all);
	worse(d, diff, watch);
	legend(d, diff);
	doc_object_end(d);
}

/* With one element in each array. */
int diff_describe(struct doc *d, const struct model *empty)
{
	const struct diff_watch watch = { .above = 0 };
	struct diff_row network = { .key = "network",
				    .title = "",
				    .c = { .verdict = DIFF_MORE, .relative = 1 } };
	struct diff_side *side = calloc(1, sizeof(*side));
	struct diff *diff = calloc(1, sizeof(*diff));
	int err = side && diff ? 0 : -ENOMEM;

	if (!err) {
		side->m = empty;
		side->part = d->part;
		diff->before = diff->after = side;
		diff->row = &network;
		diff->nrows = diff->nnotes = 1;
		diff_doc(d, diff, &watch);
	}
	free(diff);
	free(side);
	return err;
}
