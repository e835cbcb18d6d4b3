// SPDX-License-Identifier: BSD-2-Clause
/* The page: exact times against samples, and what slower samplers would have given. */
#include <inttypes.h>
#include <math.h>

#include "page.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/base/html.h"
#include "report/base/text.h"

#define PRECISION 1 /* point of CPU time */

static const char *const caption[ACCURACY_BASES] = {
	[ACCURACY_REPORTED] =
		"As the reports use samples: for the time that was not idle, where that is known",
	[ACCURACY_ALONE] = "Samples alone, as if nothing exact were known",
};

static const char *item_name(char *buf, size_t size, unsigned int item)
{
	snprintf(buf, size, "%s%s",
		 item < ACCURACY_OWN	  ? "" :
		 item < ACCURACY_WITH_ALL ? "own: " :
					    "with all: ",
		 accuracy_title(item));
	return buf;
}

static void errors(const struct page *p, const struct accuracy_stat *s)
{
	html_cell(p->out, NUM(stats_bias(&s->pairs), 2));
	html_cell(p->out, NUM(stats_mean_absolute_error(&s->pairs), 2));
	html_cell(p->out, NUM(stats_root_mean_square_error(&s->pairs), 2));
	html_cell(p->out, NUM(accuracy_theory(s), 2));
}

/* ---- exact against sampled --------------------------------------------------------------- */

static bool is_compared(const struct accuracy_item *item)
{
	return item->rate && item->exact && item->seen && item->bins;
}

static void compared_row(const struct page *p, const struct accuracy_item *item, unsigned int i)
{
	const struct accuracy_stat *s = &item->rate[0];
	char text[64];

	html_row(p->out, 0, item_name(text, sizeof(text), i));
	html_cell(p->out, PERCENT(item->whole.exact, 2));
	html_cell_share(p->out, item->whole.sampled, item->whole.ci95);
	errors(p, s);
	html_cell(p->out, NUM(stats_correlation(&s->pairs), 2));
	snprintf(text, sizeof(text), "%" PRIu64 " of %" PRIu64, s->held, s->pairs.n);
	html_cell(p->out, text);
	html_row_end(p->out);
}

static void compared(const struct page *p, const struct accuracy *a, enum accuracy_basis basis)
{
	static const struct html_column columns[] = {
		{ "event", true },   { "exact %", false },     { "by samples %", false },
		{ "bias", false },   { "MAE", false },	       { "RMSE", false },
		{ "theory", false }, { "correlation", false }, { "95 % held", false },
	};
	struct accuracy_mean mean = accuracy_mean(a, basis);

	html_table(p->out, caption[basis], columns, sizeof(columns) / sizeof(*columns));
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (is_compared(&a->side[basis].item[i]))
			compared_row(p, &a->side[basis].item[i], i);
	html_table_end(p->out);
	if (mean.events)
		html_paragraph(
			p->out, NULL,
			"Mean absolute difference over %u main events: %s points in each cell "
			"(%s by theory), %s points of all cells as one.",
			mean.events, NUM(mean.bins, 2), NUM(mean.theory, 2), NUM(mean.whole, 2));
}

static bool any_compared(const struct accuracy *a, enum accuracy_basis basis)
{
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		if (is_compared(&a->side[basis].item[i]))
			return true;
	return false;
}

/* Why there is no table. */
static void none_compared(const struct page *p, const struct accuracy_side *side)
{
	bool told = false;

	for (unsigned int r = 0; r < ACCURACY_REASONS && !side->taken; r++) {
		if (side->left_out[r])
			html_paragraph(p->out, "note", "Cells left out: %" PRIu64 " %s.",
				       side->left_out[r], accuracy_reason_title[r]);
		told |= side->left_out[r] > 0;
	}
	if (!told)
		html_paragraph(p->out, "note", "No exact times to compare with.");
}

/* ---- slower samplers --------------------------------------------------------------------- */

static void rate_row(const struct page *p, const struct accuracy *a, unsigned int i,
		     unsigned int factor)
{
	const struct accuracy_stat *s = &a->side[ACCURACY_REPORTED].item[i].rate[factor];
	char name[64];

	html_row(p->out, 0, item_name(name, sizeof(name), i));
	html_cell(p->out, NUM(accuracy_hz(a, factor), 0));
	html_cell(p->out, NUM((double)s->pairs.n, 0));
	errors(p, s);
	html_cell(p->out, PERCENT(s->judged ? (double)s->within / (double)s->judged : NAN, 1));
	html_row_end(p->out);
}

static void slower(const struct page *p, const struct accuracy *a)
{
	static const struct html_column columns[] = {
		{ "event", true },   { "Hz", false },
		{ "values", false }, { "bias", false },
		{ "MAE", false },    { "RMSE", false },
		{ "theory", false }, { "% within 1 point", false },
	};

	html_table(p->out, "What slower samplers would have given, in points of CPU time", columns,
		   sizeof(columns) / sizeof(*columns));
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		for (unsigned int f = 0; accuracy_is_asked_for(a, i) && f < DECIMATE_FACTORS; f++)
			if (a->side[ACCURACY_REPORTED].item[i].rate[f].judged)
				rate_row(p, a, i, f);
	html_table_end(p->out);
}

static void enough(const struct page *p, const struct accuracy *a)
{
	unsigned int item;
	struct accuracy_enough e = accuracy_enough_all(a, &item);

	if (item == ACCURACY_ITEMS)
		return;
	if (!isnan(e.hz))
		html_paragraph(p->out, NULL,
			       "To be within one point of CPU in 95 of 100 cells, %s Hz is enough.",
			       NUM(e.hz, 0));
	else
		html_paragraph(p->out, NULL,
			       "To be within one point of CPU in 95 of 100 cells, %s Hz is not "
			       "enough (%s asks for most)%s%s.",
			       NUM(accuracy_hz(a, 0), 0), accuracy_title(item),
			       isnan(e.by_theory) ? ", and more may not help" : "; by theory, Hz: ",
			       isnan(e.by_theory) ? "" : NUM(e.by_theory, 0));
}

/* ---- the section ------------------------------------------------------------------------- */

static void costs(const struct page *p)
{
	struct accuracy_cost c = accuracy_cost(p->m);

	html_list(p->out, "facts");
	html_item(p->out, "exact counters cost, % of CPU time", "%s", PERCENT(c.fft, 2));
	html_item(p->out, "sampling costs", "the interrupts are not measured%s%s",
		  c.nss_programs > 0 ? "; BPF program, %: " : "",
		  c.nss_programs > 0 ? PERCENT(c.nss_programs, 2) : "");
	html_item(p->out, "the recorder, for both, % of CPU time", "%s", PERCENT(c.recorder, 2));
	html_list_end(p->out);
}

static void comparison(const struct page *p, const struct accuracy *a)
{
	html_paragraph(
		p->out, "note",
		"Exact times against samples of %s Hz, in points of CPU time. A cell: one CPU in "
		"%s s on average, from tick to tick. MAE: mean absolute error; RMSE: root mean square error, "
		"and what theory expects it to be.",
		NUM(accuracy_hz(a, 0), 0), NUM(a->piece_s, 3));
	for (unsigned int b = 0; b < ACCURACY_BASES; b++)
		if (any_compared(a, b))
			compared(p, a, b);
	if (!any_compared(a, ACCURACY_REPORTED))
		none_compared(p, &a->side[ACCURACY_REPORTED]);
	if (a->bins->tracks > 1 && a->side[ACCURACY_REPORTED].taken)
		slower(p, a);
	enough(p, a);
}

bool page_accuracy(const struct page *p)
{
	struct accuracy *a;

	if (!p->intervals->n || !p->bins->tracks) {
		html_paragraph(
			p->out, "note", "%s",
			p->intervals->n || p->intervals->too_many ?
				"There are too many cells; --every asks for longer pieces of time." :
				"There are fewer than two ticks: nothing to compare.");
		return true;
	}
	if (accuracy_make(&a, p->m, p->bins, PRECISION))
		return false;
	if (a->none)
		html_paragraph(p->out, "note", "Nothing to compare: %s.", a->none);
	else
		comparison(p, a);
	accuracy_free(a);
	costs(p);
	return true;
}
