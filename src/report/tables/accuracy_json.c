// SPDX-License-Identifier: BSD-2-Clause
/* `netcost-report accuracy` as JSON and CSV. */
#include <inttypes.h>
#include <math.h>

#include "cost_doc.h"
#include "model_doc.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/base/csv.h"

/* ---- JSON -------------------------------------------------------------------------------- */

/* Bins that are not empty: [middle in points, values] each. */
static void json_histogram(struct json *j, const char *key, const struct histogram *h)
{
	bool compact = j->compact;

	json_array(j, key);
	j->compact = true;
	for (unsigned int i = 0; i < HISTOGRAM_BINS; i++) {
		if (!h->bin[i])
			continue;
		json_array(j, NULL);
		json_num(j, NULL, histogram_middle(i), 1);
		json_uint(j, NULL, h->bin[i]);
		json_array_end(j);
	}
	json_array_end(j);
	j->compact = compact;
}

static void json_rate(struct json *j, const struct accuracy *a, const struct accuracy_item *item,
		      unsigned int factor)
{
	const struct accuracy_stat *s = &item->rate[factor];

	json_object(j, NULL);
	json_num(j, "hz", accuracy_hz(a, factor), 3);
	json_uint(j, "every", decimate_factor[factor]);
	json_uint(j, "phases", decimate_phases(factor));
	json_uint(j, "values", s->pairs.n);
	json_uint(j, "missing", s->missing);
	json_num(j, "bias_points", stats_bias(&s->pairs), 6);
	json_num(j, "mean_absolute_error_points", stats_mean_absolute_error(&s->pairs), 6);
	json_num(j, "root_mean_square_error_points", stats_root_mean_square_error(&s->pairs), 6);
	json_num(j, "theory_root_mean_square_error_points", accuracy_theory(s), 6);
	json_num(j, "correlation", stats_correlation(&s->pairs), 6);
	json_uint(j, "ci95_held", s->held);
	json_uint(j, "within_precision", s->within);
	json_uint(j, "within_precision_of", s->judged);
	json_histogram(j, "error_histogram", &s->error);
	json_histogram(j, "value_histogram", &s->value);
	json_object_end(j);
}

/*
 * Rates that nothing was made of: the full one where it is what others are compared with, slower
 * ones where there are too many cells.
 */
static bool has_rate(const struct accuracy_item *item, unsigned int factor)
{
	return item->rate && item->rate[factor].judged;
}

static void json_item(struct json *j, const struct accuracy *a, enum accuracy_basis basis,
		      unsigned int i)
{
	const struct accuracy_item *item = &a->side[basis].item[i];
	struct accuracy_enough e = accuracy_enough(a, i);

	json_object(j, NULL);
	json_str(j, "kind", accuracy_kind(i));
	json_str(j, "name", accuracy_key(i));
	json_str(j, "compared_with", item->exact ? "exact" : "full_rate");
	json_bool(j, "seen", item->seen);
	json_bool(j, "main", accuracy_is_main(a, basis, i));
	json_uint(j, "cells", item->bins);
	json_num(j, "whole_exact_percent", 100 * item->whole.exact, 6);
	json_num(j, "whole_sampled_percent", 100 * item->whole.sampled, 6);
	json_num(j, "whole_sampled_ci95_points", 100 * item->whole.ci95, 6);
	if (basis == ACCURACY_REPORTED) {
		json_num(j, "enough_hz", e.hz, 3);
		json_num(j, "enough_hz_by_theory", e.by_theory, 3);
	}
	json_array(j, "rates");
	for (unsigned int f = 0; f < DECIMATE_FACTORS; f++)
		if (has_rate(item, f))
			json_rate(j, a, item, f);
	json_array_end(j);
	json_object_end(j);
}

static void json_means(struct json *j, const struct accuracy *a, enum accuracy_basis basis)
{
	struct accuracy_mean m = accuracy_mean(a, basis);

	json_uint(j, "main_events", m.events);
	json_num(j, "mean_absolute_difference_points", m.bins, 6);
	json_num(j, "theory_mean_absolute_difference_points", m.theory, 6);
	json_num(j, "whole_mean_absolute_difference_points", m.whole, 6);
}

static void json_side(struct json *j, const struct accuracy *a, enum accuracy_basis basis)
{
	const struct accuracy_side *side = &a->side[basis];

	json_object(j, NULL);
	json_str(j, "basis", accuracy_basis_key[basis]);
	json_uint(j, "cells", side->taken);
	json_object(j, "left_out");
	for (unsigned int r = 0; r < ACCURACY_REASONS; r++)
		json_uint(j, accuracy_reason_key[r], side->left_out[r]);
	json_object_end(j);
	json_means(j, a, basis);
	json_array(j, "items");
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (side->item[i].rate)
			json_item(j, a, basis, i);
	json_array_end(j);
	json_object_end(j);
}

static void json_enough(struct json *j, const struct accuracy *a)
{
	unsigned int item;
	struct accuracy_enough e = accuracy_enough_all(a, &item);

	json_object(j, "enough");
	json_num(j, "precision_points", a->precision, 6);
	json_num(j, "hz", e.hz, 3);
	json_num(j, "hz_by_theory", e.by_theory, 3);
	if (item < ACCURACY_ITEMS)
		json_str(j, "asks_for_most", accuracy_key(item));
	else
		json_null(j, "asks_for_most");
	json_object_end(j);
}

static void json_costs(struct doc *d, const struct model *m)
{
	struct json *j = &d->json;
	struct accuracy_cost c = accuracy_cost(m);

	json_object(j, "method_cost");
	json_num(j, "fft_programs_percent", 100 * c.fft, 6);
	json_num(j, "nss_programs_percent", 100 * c.nss_programs, 6);
	json_null(j, "nss_interrupts_percent");
	json_num(j, "recorder_percent", 100 * c.recorder, 6);
	json_num(j, "recorder_ns_per_sample", c.ns_per_sample, 1);
	json_object_end(j);
	cost_doc(d, m);
}

void accuracy_json(FILE *out, const struct accuracy *a, const struct part *part)
{
	struct doc d = doc_begin(&doc_json, out, part);
	struct json *j = &d.json;

	doc_object(&d, NULL);
	doc_trace(&d, a->m);
	json_uint(j, "sample_hz", a->m->header.sample_hz);
	json_num(j, "piece_s", a->piece_s, 6);
	doc_field_string(&d, "nothing_compared", a->none);
	json_bool(j, "decimated", a->bins->tracks > 1);
	json_str(j, "decimated_by", a->by_time ? "time" : "order");
	json_array(j, "bases");
	for (unsigned int b = 0; !a->none && b < ACCURACY_BASES; b++)
		json_side(j, a, b);
	json_array_end(j);
	json_enough(j, a);
	json_costs(&d, a->m);
	doc_object_end(&d);
	doc_end(&d);
}

/* ---- CSV --------------------------------------------------------------------------------- */

static void csv_row(FILE *out, const struct accuracy *a, const struct part *part,
		    enum accuracy_basis basis, unsigned int i, unsigned int factor)
{
	const struct accuracy_item *item = &a->side[basis].item[i];
	const struct accuracy_stat *s = &item->rate[factor];

	csv_part(out, part);
	fprintf(out, "%s,%s,%s,%s", accuracy_basis_key[basis], accuracy_kind(i), accuracy_key(i),
		item->exact ? "exact" : "full_rate");
	csv_num(out, accuracy_hz(a, factor), 3);
	fprintf(out, ",%u,%" PRIu64 ",%" PRIu64, decimate_phases(factor), s->pairs.n, s->missing);
	csv_num(out, stats_bias(&s->pairs), 6);
	csv_num(out, stats_mean_absolute_error(&s->pairs), 6);
	csv_num(out, stats_root_mean_square_error(&s->pairs), 6);
	csv_num(out, accuracy_theory(s), 6);
	csv_num(out, stats_correlation(&s->pairs), 6);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", s->held, s->within, s->judged);
}

void accuracy_csv(FILE *out, const struct accuracy *a, const struct part *part)
{
	if (part->first)
		fprintf(out,
			"%sbasis,kind,name,compared_with,hz,phases,values,missing,bias_points,"
			"mean_absolute_error_points,root_mean_square_error_points,"
			"theory_root_mean_square_error_points,correlation,ci95_held,"
			"within_precision,within_precision_of\n",
			csv_part_heading(part));
	for (unsigned int b = 0; !a->none && b < ACCURACY_BASES; b++)
		for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
			for (unsigned int f = 0; f < DECIMATE_FACTORS; f++)
				if (has_rate(&a->side[b].item[i], f))
					csv_row(out, a, part, b, i, f);
}
