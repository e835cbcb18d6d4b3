// SPDX-License-Identifier: BSD-2-Clause
#include "accuracy_rates.h"

#include <math.h>
#include <string.h>

const char *const accuracy_compared_with[] = { "full_rate", "exact", NULL };

#define RATE_COLUMNS 18

#define POINTS(key_, title_) .key = key_, .title = title_, .decimals = 2, .precision = 6, .width = 6

/* within: the heading of that column. */
static void rate_columns(struct doc_column to[RATE_COLUMNS], const char *within)
{
	const struct doc_column columns[RATE_COLUMNS] = {
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
			  "for each bin that is not empty: its middle in points, and the number of values" },
	};

	memcpy(to, columns, sizeof(columns));
}

static void rate_row(struct doc *d, const struct accuracy *a, unsigned int i, unsigned int factor)
{
	const struct accuracy_item *item = &a->item[i];
	const struct accuracy_stat *s = &item->rate[factor];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, accuracy_kind(i));
	doc_string(d, accuracy_key(i));
	doc_string(d, accuracy_compared_with[item->exact]);
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
 * Some rates have no values: the full one if the others are compared with it, and slower ones if there are too many
 * cells.
 */
static void rate_rows(struct doc *d, const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->item[i];

	for (unsigned int f = 0; item->rate && f < DECIMATE_FACTORS; f++)
		if (item->rate[f].judged)
			rate_row(d, a, i, f);
}

void accuracy_rates(struct doc *d, const struct accuracy *a, unsigned int i, const char *title)
{
	struct doc_column column[RATE_COLUMNS];
	const struct doc_table table = { .key = "rates",
					 .title = title,
					 .above = true,
					 .column = column,
					 .ncolumns = RATE_COLUMNS };
	char within[32];

	snprintf(within, sizeof(within), "within +-%g", a->precision);
	rate_columns(column, within);
	doc_table(d, &table);
	rate_rows(d, a, i);
	doc_table_end(d);
}

void accuracy_all_rates(struct doc *d, const struct accuracy *a)
{
	struct doc_column column[RATE_COLUMNS];
	const struct doc_table table = {
		.key = "rates", .column = column, .ncolumns = RATE_COLUMNS, .only = DOC_CSV
	};

	rate_columns(column, NULL);
	doc_table(d, &table);
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		rate_rows(d, a, i);
	doc_table_end(d);
}
