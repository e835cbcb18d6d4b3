// SPDX-License-Identifier: BSD-2-Clause
/* Compares samples with exact times, and shows the errors that slower samplers would have. */
#include "tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/analysis/cost.h"
#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- rates of an item -------------------------------------------------------------------- */

/* Names of the reference with which a rate is compared, indexed by whether there is an exact value. */
static const char *const compared_with[] = { "full_rate", "exact", NULL };

#define POINTS(key_, title_) .key = key_, .title = title_, .decimals = 2, .precision = 6, .width = 6

static void rate_row(struct doc *d, const struct accuracy *a, unsigned int i, unsigned int factor)
{
	const struct accuracy_item *item = &a->item[i];
	const struct accuracy_stat *s = &item->rate[factor];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, accuracy_kind(i));
	doc_string(d, accuracy_key(i));
	doc_string(d, compared_with[item->exact]);
	doc_number(d, accuracy_hz(a, factor));
	doc_number(d, decimate_factor[factor]);
	doc_number(d, decimate_phases(factor));
	doc_number(d, (double)s->pairs.n);
	doc_number(d, (double)s->missing);
	doc_number(d, stats_bias(&s->pairs));
	doc_number(d, stats_mean_absolute_error(&s->pairs));
	doc_number(d, stats_root_mean_square_error(&s->pairs));
	doc_number(d, accuracy_theory(s));
	doc_number(d, histogram_quantile(&s->error, 0.025));
	doc_number(d, histogram_quantile(&s->error, 0.975));
	doc_number(d, s->judged ? 100 * ((double)s->within / (double)s->judged) : NAN);
	doc_number(d, (double)s->within);
	doc_number(d, (double)s->judged);
	doc_histogram(d, &s->error);
	doc_row_end(d);
}

/*
 * Adds the rows of an item's rates. The full rate has no row if other rates are compared with it.
 * Slower rates have no row if they have too many cells.
 */
static void rate_rows(struct doc *d, const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->item[i];

	for (unsigned int f = 0; item->rate && f < DECIMATE_FACTORS; f++)
		if (item->rate[f].judged)
			rate_row(d, a, i, f);
}

/* Shows the rates of the items in [first, end). title: for text only. */
static void rates(struct doc *d, const struct accuracy *a, unsigned int first, unsigned int end,
		  const char *title, unsigned int only)
{
	char within[32];
	const struct doc_column column[] = {
		{ .key = "kind", .kind = DOC_STRING, .only = DOC_CSV },
		{ .key = "name", .kind = DOC_STRING, .only = DOC_CSV },
		{ .key = "compared_with", .kind = DOC_STRING, .only = DOC_CSV },
		{ .key = "hz", .title = "Hz", .precision = 3, .width = 9 },
		{ .key = "every", .only = DOC_JSON, .known = true },
		{ .key = "phases", .title = "phases", .width = 7, .known = true },
		{ .key = "values", .title = "values", .width = 8, .known = true },
		{ .key = "missing", .title = "missing", .width = 8, .known = true },
		{ POINTS("bias_points", "bias"), .sign = true },
		{ POINTS("mean_absolute_error_points", "MAE") },
		{ POINTS("root_mean_square_error_points", "RMSE") },
		{ .key = "theory_root_mean_square_error_points", .precision = 6 },
		{ .title = "2.5 %", .decimals = 1, .width = 8, .sign = true },
		{ .title = "97.5 %", .decimals = 1, .width = 8, .sign = true },
		{ .title = within, .decimals = 1, .width = 11 },
		{ .key = "within_precision", .known = true },
		{ .key = "within_precision_of", .known = true },
		{ .key = "error_histogram",
		  .kind = DOC_HISTOGRAM,
		  .only = DOC_JSON,
		  .about =
			  "for each bin that is not empty, a pair: the middle of the bin in percentage points, and the number of values" },
	};
	const struct doc_table table = {
		.key = "rates", .title = title, .above = title, DOC_COLUMNS_OF(column), .only = only
	};

	snprintf(within, sizeof(within), "within +-%g", a->precision);
	doc_table(d, &table);
	for (unsigned int i = first; i < end; i++)
		rate_rows(d, a, i);
	doc_table_end(d);
}

#define LINE 600

static const char *item_name(char *buf, size_t size, unsigned int item)
{
	snprintf(buf, size, "%s%s",
		 item < ACCURACY_OWN	  ? "" :
		 item < ACCURACY_WITH_ALL ? "own: " :
					    "with all: ",
		 accuracy_title(item));
	return buf;
}

/* ---- exact against sampled, for people --------------------------------------------------- */

static bool is_compared(const struct accuracy_item *item)
{
	return item->rate && item->exact && item->seen && item->bins;
}

static void compared_row(struct doc *d, const struct accuracy_item *item, unsigned int i)
{
	const struct stats_pairs *pairs = &item->rate[0].pairs;
	char name[64];

	doc_row(d, 0, DOC_PEOPLE);
	doc_string(d, item_name(name, sizeof(name), i));
	doc_number(d, 100 * item->whole.exact);
	doc_interval(d, 100 * item->whole.sampled, 100 * item->whole.ci95);
	doc_number(d, stats_bias(pairs));
	doc_number(d, stats_mean_absolute_error(pairs));
	doc_number(d, stats_root_mean_square_error(pairs));
	doc_row_end(d);
}

static void compared(struct doc *d, const struct accuracy *a)
{
	static const struct doc_column column[] = {
		{ .title = "event", .kind = DOC_STRING, .width = 28 },
		{ .title = "exact", .decimals = 2, .width = 6 },
		{ .title = "by samples", .kind = DOC_INTERVAL, .decimals = 2, .width = 15 },
		{ .title = "bias", .decimals = 2, .width = 6, .sign = true },
		{ .title = "MAE", .decimals = 2, .width = 6 },
		{ .title = "RMSE", .decimals = 2, .width = 6 },
	};
	static const struct doc_table table = {
		.caption = "Exact against sampled, in percentage points of CPU time",
		.tight = true,
		DOC_COLUMNS_OF(column),
		.only = DOC_PEOPLE
	};
	bool any = false;

	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		any |= is_compared(&a->item[i]);
	if (!any)
		return;
	doc_table(d, &table);
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (is_compared(&a->item[i]))
			compared_row(d, &a->item[i], i);
	doc_table_end(d);
}

static void left_out(struct doc *d, const struct accuracy *a)
{
	char line[LINE] = "";

	for (unsigned int r = 0; r < ACCURACY_REASONS; r++)
		if (a->left_out[r])
			text_append(line, sizeof(line), ", ", "%" PRIu64 " %s", a->left_out[r],
				    accuracy_reason_title[r]);
	doc_note(d, "  %" PRIu64 " cells; left out: %s", a->taken, *line ? line : "none");
}

/* Lists the events that are in no table. */
static void not_compared(struct doc *d, const struct accuracy *a)
{
	char line[LINE] = "";

	for (unsigned int i = 0; i < ACCURACY_OWN; i++)
		if (leaf_is_sampled(i) && a->item[i].seen && !a->item[i].exact)
			text_append(line, sizeof(line), ", ", "%s", accuracy_title(i));
	if (filter_has_tasks(a->m->filter))
		doc_note(
			d,
			"  exact times are not compared with samples, because they cover all tasks");
	else if (*line)
		doc_note(d, "  not compared, because they have no exact times: %s", line);
	if (a->item[LEAF_HARDIRQ_NET].seen)
		doc_note(d, "  not compared, because no samples are taken during them: %s",
			 leaf_desc[LEAF_HARDIRQ_NET].title);
}

static bool has_exact(const struct accuracy *a)
{
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (a->item[i].exact)
			return true;
	return false;
}

/* ---- slower samplers, for people --------------------------------------------------------- */

static void enough_of_item(struct doc *d, const struct accuracy *a, unsigned int i)
{
	struct accuracy_enough e = accuracy_enough(a, i);

	if (!isnan(e.hz))
		doc_note(d, "  for +-%g points %s Hz is enough", a->precision, NUM(e.hz, 0));
	else if (!isnan(e.by_theory))
		doc_note(
			d,
			"  for +-%g points none of these rates is enough; theory predicts about %s Hz",
			a->precision, NUM(e.by_theory, 0));
	else
		doc_note(
			d,
			"  for +-%g points none of these rates is enough; a higher one may not help, because the errors are not only random",
			a->precision);
}

/*
 * Returns true if the errors of slower samplers are shown for the item. They are shown for leaves, and for parts as Netto
 * defines them, which include everything inside.
 */
static bool is_decimated(const struct accuracy *a, unsigned int i, bool all)
{
	const struct accuracy_item *item = &a->item[i];

	if (!all)
		return accuracy_is_asked_for(a, i);
	return (i < ACCURACY_OWN || i >= ACCURACY_WITH_ALL) && item->rate && item->seen &&
	       item->bins;
}

static void decimated(struct doc *d, const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->item[i];
	char name[64], title[120];

	snprintf(title, sizeof(title), "  %s, against %s", item_name(name, sizeof(name), i),
		 item->exact ? "the exact value" : "the value at the full sampling rate");
	rates(d, a, i, i + 1, title, 0);
	enough_of_item(d, a, i);
}

static void slower(struct doc *d, const struct accuracy *a, bool all)
{
	doc_title(d, "Errors at lower sampling rates");
	if (a->bins->tracks == 1) {
		doc_note(
			d,
			"  not computed: %zu cells are more than %u; select fewer cells with --every, --cpu, --from, --to",
			a->bins->n, ACCURACY_DECIMATED_MAX);
		return;
	}
	if (!all)
		doc_note(d, "  for the main events; --all shows all");
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (is_decimated(a, i, all))
			decimated(d, a, i);
}

static void enough(struct doc *d, const struct accuracy *a)
{
	unsigned int item;
	struct accuracy_enough e = accuracy_enough_all(a, &item);
	char theory[80] = "";

	if (item == ACCURACY_ITEMS)
		return;
	if (!isnan(e.by_theory))
		snprintf(theory, sizeof(theory), "; theory predicts about %s Hz",
			 NUM(e.by_theory, 0));
	else if (isnan(e.hz))
		snprintf(theory, sizeof(theory),
			 "; a higher rate may not help, because the errors are not only random");
	doc_title(d, "");
	doc_note(d, "%s Hz is %senough for +-%g point%s of CPU in 95 of 100 cells of %s s",
		 NUM(isnan(e.hz) ? accuracy_hz(a, 0) : e.hz, 0), isnan(e.hz) ? "not " : "",
		 a->precision, a->precision == 1 ? "" : "s", NUM(a->piece_s, 3));
	doc_note(d, "  by %" PRIu64 " cells; %s needs the highest rate%s", a->item[item].bins,
		 accuracy_title(item), theory);
}

/* ---- for programs ------------------------------------------------------------------------ */

static void item_fields(struct doc *d, const struct accuracy *a, unsigned int i)
{
	static const char *const kinds[] = { "event", "part", "part_with_all", NULL };
	const struct accuracy_item *item = &a->item[i];
	struct accuracy_enough e = accuracy_enough(a, i);

	doc_object(d, NULL);
	doc_field_choice(d, "kind", accuracy_kind(i), kinds);
	doc_field_text(d, "name", accuracy_key(i));
	doc_field_choice(d, "compared_with", compared_with[item->exact], compared_with);
	doc_field_bool(d, "seen", item->seen);
	doc_field_bool(d, "main", accuracy_is_main(a, i));
	doc_field_uint(d, "cells", item->bins);
	doc_field(d, "whole_exact_percent", 100 * item->whole.exact, 6);
	doc_field(d, "whole_sampled_percent", 100 * item->whole.sampled, 6);
	doc_field(d, "whole_sampled_ci95_points", 100 * item->whole.ci95, 6);
	doc_field(d, "enough_hz", e.hz, 3);
	doc_field(d, "enough_hz_by_theory", e.by_theory, 3);
	rates(d, a, i, i + 1, NULL, 0);
	doc_object_end(d);
}

static void fields(struct doc *d, const struct accuracy *a)
{
	unsigned int item;
	struct accuracy_enough e = accuracy_enough_all(a, &item);

	doc_field_uint(d, "sample_hz", a->m->header.sample_hz);
	doc_field(d, "piece_s", a->piece_s, 6);
	doc_about(d, "why");
	doc_field_string(d, "nothing_compared", a->none);
	doc_field_bool(d, "decimated", a->bins->tracks > 1);
	doc_field_uint(d, "cells", a->taken);
	doc_object(d, "left_out");
	for (unsigned int r = 0; r < ACCURACY_REASONS; r++)
		doc_field_uint(d, accuracy_reason_key[r], a->left_out[r]);
	doc_object_end(d);
	doc_array(d, "items");
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (a->item[i].rate)
			item_fields(d, a, i);
	doc_array_end(d);
	doc_object(d, "enough");
	doc_field(d, "precision_points", a->precision, 6);
	doc_field(d, "hz", e.hz, 3);
	doc_field(d, "hz_by_theory", e.by_theory, 3);
	doc_field_string(d, "asks_for_most", item < ACCURACY_ITEMS ? accuracy_key(item) : NULL);
	doc_object_end(d);
}

/* ---- the report -------------------------------------------------------------------------- */

void accuracy_tables(struct doc *d, const struct accuracy *a, bool all)
{
	const char *method = model_string(a->m, a->m->header.exact);
	bool named = *method && strcmp(method, "off");
	char title[160];

	if (a->none) {
		doc_title(d, "");
		doc_note(d, "Nothing to compare: %s", a->none);
		return;
	}
	snprintf(title, sizeof(title),
		 "Exact times%s%s%s against samples of %s Hz, in percentage points of CPU time",
		 named ? " (" : "", named ? SAFE(method) : "", named ? ")" : "",
		 NUM(accuracy_hz(a, 0), 0));
	doc_title(d, title);
	doc_note(d, "  a cell: one CPU in %s s on average, from tick to tick", NUM(a->piece_s, 3));
	doc_note(
		d,
		"  MAE: mean absolute error of all cells; RMSE: root mean square error of all cells");
	left_out(d, a);
	compared(d, a);
	if (has_exact(a) && cost_make(a->m).measured)
		doc_note(d, "  exact times and samples include netcost's own part");
	not_compared(d, a);
	slower(d, a, all);
	enough(d, a);
}

void accuracy_doc(struct doc *d, const struct accuracy *a, bool all)
{
	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_trace(d, a->m);
	if (doc_is_for(d, DOC_JSON))
		fields(d, a);
	rates(d, a, 0, ACCURACY_ITEMS, NULL, DOC_CSV);
	if (doc_is_for(d, DOC_PEOPLE))
		accuracy_tables(d, a, all);
	doc_object_end(d);
}

/* Builds the report for the schema, with one element in each array. */
int accuracy_describe(struct doc *d, const struct model *empty)
{
	struct accuracy *a = calloc(1, sizeof(*a));
	struct accuracy_bins *bins = calloc(1, sizeof(*bins));
	struct accuracy_stat *rate = calloc(DECIMATE_FACTORS, sizeof(*rate));
	int err = a && bins && rate ? 0 : -ENOMEM;

	if (!err) {
		a->m = empty;
		a->bins = bins;
		rate->judged = 1;
		a->item[0].rate = rate;
		accuracy_doc(d, a, true);
	}
	free(rate);
	free(bins);
	free(a);
	return err;
}
