// SPDX-License-Identifier: BSD-2-Clause
#include "accuracy_doc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "accuracy_rates.h"
#include "cost_doc.h"
#include "model_doc.h"
#include "report/analysis/cost.h"
#include "report/base/text.h"
#include "report/model/filter.h"

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
	const struct accuracy_stat *s = &item->rate[0];
	char name[64], held[64];

	snprintf(held, sizeof(held), "%" PRIu64 "/%" PRIu64, s->held, s->pairs.n);
	doc_row(d, 0, DOC_PEOPLE);
	doc_string(d, item_name(name, sizeof(name), i));
	doc_number(d, 100 * item->whole.exact);
	doc_interval(d, 100 * item->whole.sampled, 100 * item->whole.ci95);
	doc_number(d, stats_bias(&s->pairs));
	doc_number(d, stats_mean_absolute_error(&s->pairs));
	doc_number(d, stats_root_mean_square_error(&s->pairs));
	doc_number(d, accuracy_theory(s));
	doc_number(d, stats_correlation(&s->pairs));
	doc_string(d, held);
	doc_row_end(d);
}

static void compared(struct doc *d, const struct accuracy_side *side)
{
	static const struct doc_column column[] = {
		{ .title = "event", .kind = DOC_STRING, .width = 28 },
		{ .title = "exact", .decimals = 2, .width = 6 },
		{ .title = "by samples", .kind = DOC_INTERVAL, .decimals = 2, .width = 15 },
		{ .title = "bias", .decimals = 2, .width = 6, .sign = true },
		{ .title = "MAE", .decimals = 2, .width = 6 },
		{ .title = "RMSE", .decimals = 2, .width = 6 },
		{ .title = "theory", .decimals = 2, .width = 6 },
		{ .title = "corr", .decimals = 2, .width = 6, .sign = true },
		{ .title = "95 % held", .kind = DOC_STRING },
	};
	static const struct doc_table table = { .caption =
							"Exact against sampled, in points of CPU",
						.tight = true,
						DOC_COLUMNS_OF(column),
						.only = DOC_PEOPLE };
	bool any = false;

	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		any |= is_compared(&side->item[i]);
	if (!any)
		return;
	doc_table(d, &table);
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (is_compared(&side->item[i]))
			compared_row(d, &side->item[i], i);
	doc_table_end(d);
}

static void left_out(struct doc *d, const struct accuracy_side *side)
{
	char line[LINE] = "";

	for (unsigned int r = 0; r < ACCURACY_REASONS; r++)
		if (side->left_out[r])
			text_append(line, sizeof(line), ", ", "%" PRIu64 " %s", side->left_out[r],
				    accuracy_reason_title[r]);
	doc_note(d, "  %" PRIu64 " cells; left out: %s", side->taken, *line ? line : "none");
}

static void means(struct doc *d, const struct accuracy *a, enum accuracy_basis basis)
{
	struct accuracy_mean m = accuracy_mean(a, basis);

	if (!m.events)
		return;
	doc_note(d, "  mean absolute difference over %u main event%s", m.events,
		 m.events > 1 ? "s" : "");
	doc_note(d, "    in each cell          %6s points, by theory %s; most: %s %s",
		 NUM(m.bins, 2), NUM(m.theory, 2), accuracy_title(m.worst_item), NUM(m.worst, 2));
	doc_note(d, "    of all cells as one   %6s points; most: %s %s", NUM(m.whole, 2),
		 accuracy_title(m.worst_whole_item), NUM(m.worst_whole, 2));
}

/* Lists those that are in no table. */
static void list_items(struct doc *d, const struct accuracy_side *side, const char *what,
		       bool exact)
{
	char line[LINE] = "";

	for (unsigned int i = 0; i < ACCURACY_WITH_ALL; i++) {
		const struct accuracy_item *item = &side->item[i];

		if (i >= ACCURACY_OWN && (exact || !item->seen))
			continue;
		if (!leaf_is_sampled(i) || item->exact != exact || item->seen == exact)
			continue;
		text_append(line, sizeof(line), ", ", "%s", accuracy_title(i));
	}
	if (*line)
		doc_note(d, "  %s: %s", what, line);
}

static bool has_exact(const struct accuracy_side *side)
{
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (side->item[i].exact)
			return true;
	return false;
}

static void side_tables(struct doc *d, const struct accuracy *a, enum accuracy_basis basis)
{
	static const char *const title[ACCURACY_BASES] = {
		[ACCURACY_REPORTED] =
			"As the reports use samples: for the time that was not idle, if that is known",
		[ACCURACY_ALONE] = "Only samples, as if nothing exact were known",
	};
	const struct accuracy_side *side = &a->side[basis];

	if (basis == ACCURACY_ALONE && !has_exact(side))
		return;
	doc_title(d, title[basis]);
	left_out(d, side);
	compared(d, side);
	if (has_exact(side) && cost_make(a->m).measured)
		doc_note(d, "  as measured: netcost's own part is included in both");
	means(d, a, basis);
	list_items(d, side, "nothing happened, and no sample says otherwise", true);
	if (filter_has_tasks(a->m->filter))
		doc_note(d, "  not compared: exact times are for all tasks");
	else
		list_items(d, side, "not compared, because there are no exact times", false);
	if (side->item[LEAF_HARDIRQ_NET].seen)
		doc_note(d, "  not compared, because no sample is taken there: %s",
			 leaf_desc[LEAF_HARDIRQ_NET].title);
}

/* ---- slower samplers, for people --------------------------------------------------------- */

static void enough_of_item(struct doc *d, const struct accuracy *a, unsigned int i)
{
	struct accuracy_enough e = accuracy_enough(a, i);

	if (!isnan(e.hz))
		doc_note(d, "  for +-%g points %s Hz is enough", a->precision, NUM(e.hz, 0));
	else if (!isnan(e.by_theory))
		doc_note(d, "  for +-%g points none of these is enough; by theory some %s Hz is",
			 a->precision, NUM(e.by_theory, 0));
	else
		doc_note(
			d,
			"  for +-%g points none of these is enough, and more may not help: errors are not only by chance",
			a->precision);
}

/* Leaves, and parts with all that runs inside them, as Netto has them. */
static bool is_decimated(const struct accuracy *a, unsigned int i, bool all)
{
	const struct accuracy_item *item = &a->side[ACCURACY_REPORTED].item[i];

	if (!all)
		return accuracy_is_asked_for(a, i);
	return (i < ACCURACY_OWN || i >= ACCURACY_WITH_ALL) && item->rate && item->seen &&
	       item->bins;
}

static void decimated(struct doc *d, const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->side[ACCURACY_REPORTED].item[i];
	char name[64], title[120];

	snprintf(title, sizeof(title), "  %s, against %s", item_name(name, sizeof(name), i),
		 item->exact ? "the exact value" : "the full rate's value");
	accuracy_rates(d, a, ACCURACY_REPORTED, i, title);
	enough_of_item(d, a, i);
}

static void slower(struct doc *d, const struct accuracy *a, bool all)
{
	doc_title(d, "What slower samplers would have given, as the reports use samples");
	if (a->bins->tracks == 1) {
		doc_note(
			d,
			"  not computed: %zu cells are more than %u; select fewer with --every, --cpu, --from, --to",
			a->bins->n, ACCURACY_DECIMATED_MAX);
		return;
	}
	if (a->by_time)
		doc_note(d, "  the first sample in each of their periods, if there is one");
	else
		doc_note(d, "  each 2nd, 5th ... 100th sample of a CPU, in their order");
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
		snprintf(theory, sizeof(theory), ", some %s Hz by theory", NUM(e.by_theory, 0));
	else if (isnan(e.hz))
		snprintf(theory, sizeof(theory),
			 ", and errors are not only by chance: more may not help");
	doc_title(d, "");
	doc_note(d, "In 95 of 100 cells of %s s, for +-%g point%s of CPU: %s Hz is %senough",
		 NUM(a->piece_s, 3), a->precision, a->precision == 1 ? "" : "s",
		 NUM(isnan(e.hz) ? accuracy_hz(a, 0) : e.hz, 0), isnan(e.hz) ? "not " : "");
	doc_note(d, "  by %" PRIu64 " cells; %s needs the most%s",
		 a->side[ACCURACY_REPORTED].item[item].bins, accuracy_title(item), theory);
}

/* ---- what it costs ----------------------------------------------------------------------- */

void accuracy_costs(struct doc *d, const struct model *m)
{
	struct accuracy_cost c = accuracy_cost(m);
	char sampler[64] = "", sample[80] = "";

	if (c.nss_programs != 0)
		snprintf(sampler, sizeof(sampler), "; BPF program in them %s",
			 PERCENT(c.nss_programs, 2));
	if (!isnan(c.ns_per_sample))
		snprintf(sample, sizeof(sample), ": %s us a sample, with what ticks take",
			 NUM(c.ns_per_sample / 1e3, 2));
	doc_title(d, "What the methods themselves cost, % of CPU time");
	if (!strcmp(model_string(m, m->header.exact), "off"))
		doc_line(d, "FFT", "was off");
	else if (isnan(c.fft))
		doc_line(d, "FFT", "BPF programs: not known");
	else
		doc_line(d, "FFT",
			 "BPF programs %s, without entry and exit of each run; %s of %s s counted",
			 PERCENT(c.fft, 2), NUM(c.cost.counted_s, 1), NUM(c.cost.of_s, 1));
	if (m->header.sample_hz)
		doc_line(d, "NSS", "interrupts that take samples: not measured%s", sampler);
	else
		doc_line(d, "NSS", "was off");
	doc_line(d, "recorder", "%s, for both%s", PERCENT(c.recorder, 2), sample);
	doc_object(d, "method_cost");
	doc_field(d, "fft_programs_percent", 100 * c.fft, 6);
	doc_field(d, "nss_programs_percent", 100 * c.nss_programs, 6);
	doc_field(d, "nss_interrupts_percent", NAN, 6);
	doc_field(d, "recorder_percent", 100 * c.recorder, 6);
	doc_field(d, "recorder_ns_per_sample", c.ns_per_sample, 1);
	doc_object_end(d);
}

/* ---- for programs ------------------------------------------------------------------------ */

static void item_fields(struct doc *d, const struct accuracy *a, enum accuracy_basis basis,
			unsigned int i)
{
	static const char *const kinds[] = { "event", "part", "part_with_all", NULL };
	const struct accuracy_item *item = &a->side[basis].item[i];
	struct accuracy_enough e = accuracy_enough(a, i);

	doc_object(d, NULL);
	doc_field_choice(d, "kind", accuracy_kind(i), kinds);
	doc_field_text(d, "name", accuracy_key(i));
	doc_field_choice(d, "compared_with", accuracy_compared_with[item->exact],
			 accuracy_compared_with);
	doc_field_bool(d, "seen", item->seen);
	doc_field_bool(d, "main", accuracy_is_main(a, basis, i));
	doc_field_uint(d, "cells", item->bins);
	doc_field(d, "whole_exact_percent", 100 * item->whole.exact, 6);
	doc_field(d, "whole_sampled_percent", 100 * item->whole.sampled, 6);
	doc_field(d, "whole_sampled_ci95_points", 100 * item->whole.ci95, 6);
	if (basis == ACCURACY_REPORTED) {
		doc_field(d, "enough_hz", e.hz, 3);
		doc_field(d, "enough_hz_by_theory", e.by_theory, 3);
	}
	accuracy_rates(d, a, basis, i, NULL);
	doc_object_end(d);
}

static void side_fields(struct doc *d, const struct accuracy *a, enum accuracy_basis basis)
{
	const struct accuracy_side *side = &a->side[basis];
	struct accuracy_mean m = accuracy_mean(a, basis);

	doc_object(d, NULL);
	doc_field_choice(d, "basis", accuracy_basis_key[basis], accuracy_basis_key);
	doc_field_uint(d, "cells", side->taken);
	doc_object(d, "left_out");
	for (unsigned int r = 0; r < ACCURACY_REASONS; r++)
		doc_field_uint(d, accuracy_reason_key[r], side->left_out[r]);
	doc_object_end(d);
	doc_field_uint(d, "main_events", m.events);
	doc_field(d, "mean_absolute_difference_points", m.bins, 6);
	doc_field(d, "theory_mean_absolute_difference_points", m.theory, 6);
	doc_field(d, "whole_mean_absolute_difference_points", m.whole, 6);
	doc_array(d, "items");
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (side->item[i].rate)
			item_fields(d, a, basis, i);
	doc_array_end(d);
	doc_object_end(d);
}

static void fields(struct doc *d, const struct accuracy *a)
{
	static const char *const decimated_by[] = { "order", "time", NULL };
	unsigned int item;
	struct accuracy_enough e = accuracy_enough_all(a, &item);

	doc_field_uint(d, "sample_hz", a->m->header.sample_hz);
	doc_field(d, "piece_s", a->piece_s, 6);
	doc_about(d, "why");
	doc_field_string(d, "nothing_compared", a->none);
	doc_field_bool(d, "decimated", a->bins->tracks > 1);
	doc_field_choice(d, "decimated_by", decimated_by[a->by_time], decimated_by);
	doc_array(d, "bases");
	for (unsigned int b = 0; !a->none && b < ACCURACY_BASES; b++)
		side_fields(d, a, b);
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
	char title[100];

	if (a->none) {
		doc_title(d, "");
		doc_note(d, "Nothing to compare: %s", a->none);
		return;
	}
	snprintf(title, sizeof(title),
		 "Exact times (FFT) against samples (NSS) of %s Hz, in points of CPU",
		 NUM(accuracy_hz(a, 0), 0));
	doc_title(d, title);
	doc_note(d, "  a cell: one CPU in %s s on average, from tick to tick", NUM(a->piece_s, 3));
	doc_note(
		d,
		"  MAE: mean absolute error; RMSE: root mean square error, and what theory expects it to be");
	for (unsigned int b = 0; b < ACCURACY_BASES; b++)
		side_tables(d, a, b);
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
	accuracy_all_rates(d, a);
	if (doc_is_for(d, DOC_PEOPLE))
		accuracy_tables(d, a, all);
	accuracy_costs(d, a->m);
	if (doc_is_for(d, DOC_PROGRAMS))
		cost_doc(d, a->m);
	doc_object_end(d);
}

/* With one element in each array. */
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
		for (unsigned int b = 0; b < ACCURACY_BASES; b++)
			a->side[b].item[0].rate = rate;
		accuracy_doc(d, a, true);
	}
	free(rate);
	free(bins);
	free(a);
	return err;
}
