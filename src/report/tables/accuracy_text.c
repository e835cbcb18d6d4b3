// SPDX-License-Identifier: BSD-2-Clause
/* `netcost-report accuracy` as text. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model_doc.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/base/text.h"
#include "report/model/filter.h"

static const char *const basis_title[ACCURACY_BASES] = {
	[ACCURACY_REPORTED] =
		"As the reports use samples: for the time that was not idle, where that is known",
	[ACCURACY_ALONE] = "Samples alone, as if nothing exact were known",
};

/* "+0.12"; what rounds to 0 has no minus. */
static char *signed_num(char *buf, size_t size, double v, int decimals)
{
	if (isnan(v))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%+.*f", decimals, fabs(v) < 0.5 * pow(10, -decimals) ? 0 : v);
	return buf;
}

#define SIGNED(v, decimals) signed_num((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, decimals)

/* ---- exact against sampled --------------------------------------------------------------- */

static void left_out_text(FILE *out, const struct accuracy_side *side)
{
	char line[600] = "";
	int at = fprintf(out, "  %" PRIu64 " cells; left out:", side->taken);

	for (unsigned int r = 0; r < ACCURACY_REASONS; r++)
		if (side->left_out[r])
			snprintf(line + strlen(line), sizeof(line) - strlen(line),
				 "%s%" PRIu64 " %s", *line ? ", " : " ", side->left_out[r],
				 accuracy_reason_title[r]);
	text_wrap(out, at, 4, *line ? line : " none");
	fputc('\n', out);
}

static void item_name(FILE *out, unsigned int item)
{
	const char *mark = item < ACCURACY_OWN	    ? "" :
			   item < ACCURACY_WITH_ALL ? "own: " :
						      "with all: ";

	fprintf(out, "  %s%-*s", mark, (int)(28 - strlen(mark)), accuracy_title(item));
}

static void compared_row(FILE *out, const struct accuracy_item *item, unsigned int i)
{
	const struct accuracy_stat *s = &item->rate[0];
	char held[TEXT_SIZE];

	snprintf(held, sizeof(held), "%" PRIu64 "/%" PRIu64, s->held, s->pairs.n);
	item_name(out, i);
	fprintf(out, " %6s %15s %6s %6s %6s %6s %6s %11s\n", PERCENT(item->whole.exact, 2),
		SHARE(item->whole.sampled, item->whole.ci95), SIGNED(stats_bias(&s->pairs), 2),
		NUM(stats_mean_absolute_error(&s->pairs), 2),
		NUM(stats_root_mean_square_error(&s->pairs), 2), NUM(accuracy_theory(s), 2),
		SIGNED(stats_correlation(&s->pairs), 2), held);
}

static void mean_text(FILE *out, const struct accuracy *a, enum accuracy_basis basis)
{
	struct accuracy_mean m = accuracy_mean(a, basis);

	if (!m.events)
		return;
	fprintf(out, "  mean absolute difference over %u main event%s\n", m.events,
		m.events > 1 ? "s" : "");
	fprintf(out, "    in each cell          %6s points, by theory %s; most: %s %s\n",
		NUM(m.bins, 2), NUM(m.theory, 2), accuracy_title(m.worst_item), NUM(m.worst, 2));
	fprintf(out, "    of all cells as one   %6s points; most: %s %s\n", NUM(m.whole, 2),
		accuracy_title(m.worst_whole_item), NUM(m.worst_whole, 2));
}

/* Those that are in no table, in words. */
static void list_items(FILE *out, const struct accuracy_side *side, const char *what, bool exact)
{
	char line[600] = "";
	int at;

	for (unsigned int i = 0; i < ACCURACY_WITH_ALL; i++) {
		const struct accuracy_item *item = &side->item[i];

		if (i >= ACCURACY_OWN && (exact || !item->seen))
			continue;
		if (i == LEAF_TASK || item->exact != exact || item->seen == exact)
			continue;
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s%s",
			 *line ? ", " : "", accuracy_title(i));
	}
	if (!*line)
		return;
	at = fprintf(out, "  %s: ", what);
	text_wrap(out, at, 4, line);
	fputc('\n', out);
}

static void no_exact_text(FILE *out, const struct accuracy *a, const struct accuracy_side *side)
{
	if (filter_has_tasks(a->m->filter))
		fprintf(out, "  not compared: exact times are of all tasks\n");
	else
		list_items(out, side, "not compared, as there are no exact times", false);
}

static bool has_exact(const struct accuracy_side *side)
{
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (side->item[i].exact)
			return true;
	return false;
}

static void side_text(FILE *out, const struct accuracy *a, enum accuracy_basis basis)
{
	const struct accuracy_side *side = &a->side[basis];
	bool any = false;

	if (basis == ACCURACY_ALONE && !has_exact(side))
		return;
	fprintf(out, "\n%s\n", basis_title[basis]);
	left_out_text(out, side);
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++) {
		const struct accuracy_item *item = &side->item[i];

		if (!item->rate || !item->exact || !item->seen || !item->bins)
			continue;
		if (!any)
			fprintf(out, "  %-28s %6s %15s %6s %6s %6s %6s %6s %11s\n", "", "exact",
				"by samples", "bias", "MAE", "RMSE", "theory", "corr", "95 % held");
		any = true;
		compared_row(out, item, i);
	}
	mean_text(out, a, basis);
	list_items(out, side, "nothing happened, and no sample says otherwise", true);
	no_exact_text(out, a, side);
}

/* ---- slower samplers --------------------------------------------------------------------- */

static void rate_row(FILE *out, const struct accuracy *a, const struct accuracy_stat *s,
		     unsigned int factor)
{
	fprintf(out, "  %9s %7u %8" PRIu64 " %8" PRIu64 " %6s %6s %6s %6s %8s %8s %9s\n",
		NUM(accuracy_hz(a, factor), 0), decimate_phases(factor), s->pairs.n, s->missing,
		SIGNED(stats_bias(&s->pairs), 2), NUM(stats_mean_absolute_error(&s->pairs), 2),
		NUM(stats_root_mean_square_error(&s->pairs), 2), NUM(accuracy_theory(s), 2),
		SIGNED(histogram_quantile(&s->error, 0.025), 1),
		SIGNED(histogram_quantile(&s->error, 0.975), 1),
		PERCENT(s->judged ? (double)s->within / (double)s->judged : NAN, 1));
}

static void enough_item_text(FILE *out, const struct accuracy *a, unsigned int i)
{
	struct accuracy_enough e = accuracy_enough(a, i);

	fprintf(out, "  for +-%g points ", a->precision);
	if (!isnan(e.hz))
		fprintf(out, "%s Hz is enough\n", NUM(e.hz, 0));
	else if (!isnan(e.by_theory))
		fprintf(out, "none of these is enough; some %s Hz is by theory\n",
			NUM(e.by_theory, 0));
	else
		fprintf(out, "none of these is enough, nor may more be: errors are not by chance "
			     "alone\n");
}

static void decimated_text(FILE *out, const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->side[ACCURACY_REPORTED].item[i];

	fprintf(out, "\n  %s%s, against %s\n",
		i < ACCURACY_OWN ? "" : "with all: ", accuracy_title(i),
		item->exact ? "the exact value" : "the full rate's value");
	fprintf(out, "  %9s %7s %8s %8s %6s %6s %6s %6s %8s %8s  within +-%g\n", "Hz", "phases",
		"values", "missing", "bias", "MAE", "RMSE", "theory", "2.5 %", "97.5 %",
		a->precision);
	for (unsigned int f = item->exact ? 0 : 1; f < DECIMATE_FACTORS; f++)
		if (item->rate[f].judged)
			rate_row(out, a, &item->rate[f], f);
	enough_item_text(out, a, i);
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

static void slower_text(FILE *out, const struct accuracy *a, bool all)
{
	fprintf(out, "\nWhat slower samplers would have given, as the reports use samples\n");
	if (a->bins->tracks == 1) {
		fprintf(out,
			"  not worked out: %zu cells are more than %u; ask for fewer with --every, "
			"--cpu, --from, --to\n",
			a->bins->n, ACCURACY_DECIMATED_MAX);
		return;
	}
	fprintf(out, a->by_time ?
			     "  of each period of theirs the first sample that there is; none: no "
			     "sample\n" :
			     "  each 2nd, 5th … 100th sample of a CPU, in their order\n");
	if (!all)
		fprintf(out, "  of the main events; --all: of all\n");
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (is_decimated(a, i, all))
			decimated_text(out, a, i);
}

static void enough_text(FILE *out, const struct accuracy *a)
{
	unsigned int item;
	struct accuracy_enough e = accuracy_enough_all(a, &item);

	if (item == ACCURACY_ITEMS)
		return;
	fprintf(out, "\nIn 95 of 100 cells of %s s, for +-%g point%s of CPU: ", NUM(a->piece_s, 3),
		a->precision, a->precision == 1 ? "" : "s");
	if (!isnan(e.hz))
		fprintf(out, "%s Hz is enough\n", NUM(e.hz, 0));
	else
		fprintf(out, "%s Hz is not enough\n", NUM(accuracy_hz(a, 0), 0));
	fprintf(out, "  by %" PRIu64 " cells; %s asks for most",
		a->side[ACCURACY_REPORTED].item[item].bins, accuracy_title(item));
	if (!isnan(e.by_theory))
		fprintf(out, ", some %s Hz by theory", NUM(e.by_theory, 0));
	else if (isnan(e.hz))
		fprintf(out, ", and errors are not by chance alone: more may not help");
	fputc('\n', out);
}

/* ---- what it costs ----------------------------------------------------------------------- */

static void cost_lines(FILE *out, const struct model *m)
{
	struct accuracy_cost c = accuracy_cost(m);
	bool off = !strcmp(model_string(m, m->header.exact), "off");

	fprintf(out, "\nWhat the methods themselves cost, %% of CPU time\n");
	if (off)
		fprintf(out, "  FFT       was off\n");
	else if (isnan(c.fft))
		fprintf(out, "  FFT       BPF programs: not known\n");
	else
		fprintf(out,
			"  FFT       BPF programs %s, without entry and exit of each run; %s of %s "
			"s counted\n",
			PERCENT(c.fft, 2), NUM(c.cost.counted_s, 1), NUM(c.cost.of_s, 1));
	if (!m->header.sample_hz)
		fprintf(out, "  NSS       was off\n");
	else if (c.nss_programs != 0)
		fprintf(out,
			"  NSS       interrupts that take samples: not measured; BPF program in "
			"them %s\n",
			PERCENT(c.nss_programs, 2));
	else
		fprintf(out, "  NSS       interrupts that take samples: not measured\n");
	fprintf(out, "  recorder  %s, for both", PERCENT(c.recorder, 2));
	if (!isnan(c.ns_per_sample))
		fprintf(out, ": %s us a sample, with what ticks take",
			NUM(c.ns_per_sample / 1e3, 2));
	fputc('\n', out);
}

void accuracy_text(FILE *out, const struct accuracy *a, const struct part *part, bool all)
{
	struct doc d = doc_begin(&doc_text, out, part);

	if (!part->first)
		fputs("\n\n", out);
	fprintf(out, "%s\n", PART_TITLE(part));
	doc_filter(&d, a->m);
	if (a->none) {
		fprintf(out, "\nNothing to compare: %s\n", a->none);
	} else {
		fprintf(out,
			"\nExact times (FFT) against samples (NSS) of %s Hz, in points of CPU\n"
			"  a cell: one CPU in %s s on average, from tick to tick\n",
			NUM(accuracy_hz(a, 0), 0), NUM(a->piece_s, 3));
		for (unsigned int b = 0; b < ACCURACY_BASES; b++)
			side_text(out, a, b);
		slower_text(out, a, all);
		enough_text(out, a);
	}
	cost_lines(out, a->m);
}
