// SPDX-License-Identifier: BSD-2-Clause
#include "prices_doc.h"

#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "model_doc.h"
#include "report/base/text.h"
#include "report/model/filter.h"

static const char *const overs[] = { "ticks", "processes", NULL };

/* "kB and wake-up" */
static char *with_text(char *dst, size_t size, const struct price *r)
{
	*dst = '\0';
	for (size_t i = 0; i < STATS_REGRESSORS && r->with[i]; i++)
		text_append(dst, size, " and ", "%s", r->with[i]);
	return dst;
}

/* Then people do not see the price. */
static bool is_uncertain(const struct price *r)
{
	return r->ci95 > fabs(r->price);
}

/* What there is to say besides the price. */
static char *how_text(char *dst, size_t size, const struct price *r)
{
	char with[64];

	with_text(with, sizeof(with), r);
	*dst = '\0';
	if (r->joint)
		snprintf(dst, size, "with the %s that came along", with);
	else if (r->state == PRICE_TOGETHER)
		snprintf(dst, size, "cannot be told apart: %s varied along", with);
	else if (r->state == PRICE_STEADY)
		snprintf(dst, size, "cannot be told: the load did not vary it");
	else if (r->state == PRICE_SHORT)
		snprintf(dst, size, "cannot be told: too few %s%s",
			 r->over_processes ? "processes" : "ticks",
			 r->pieces < PRICES_LEAST ? "" : " with it");
	else if (r->state == PRICE_NOT_COUNTED)
		snprintf(dst, size, "not counted");
	else if (is_uncertain(r))
		snprintf(dst, size, "cannot be told: its interval includes 0");
	if (r->over_processes)
		text_append(dst, size, "; ", "over %zu processes", r->pieces);
	return dst;
}

/* People see no rows of what was not there, or not counted. */
static unsigned int seen_by(const struct price *r)
{
	return r->state == PRICE_NOT_COUNTED || r->state == PRICE_NONE ? DOC_PROGRAMS : DOC_ALL;
}

static void row(struct doc *d, const struct price *r)
{
	char unit[48], how[160], with[64];

	snprintf(unit, sizeof(unit), "%s %s %s", r->unit, strchr("aeiou", *r->per) ? "an" : "a",
		 r->per);
	doc_row(d, 0, seen_by(r));
	doc_string(d, r->title);
	doc_string(d, r->key);
	doc_string(d, r->per);
	doc_string(d, r->unit);
	doc_interval(d, r->price, r->ci95);
	doc_interval(d, is_uncertain(r) ? NAN : r->price, r->ci95);
	doc_string(d, unit);
	doc_number(d, 100 * r->share);
	doc_number(d, is_uncertain(r) ? NAN : 100 * r->share);
	doc_string(d, price_states[r->state]);
	doc_bool(d, r->joint);
	doc_string(d, *with_text(with, sizeof(with), r) ? with : NULL);
	doc_number(d, r->inflation);
	doc_number(d, 100 * r->explained);
	doc_string(d, overs[r->over_processes]);
	doc_number(d, (double)r->pieces);
	doc_number(d, (double)r->cpus);
	doc_string(d, how_text(how, sizeof(how), r));
	doc_row_end(d);
}

static void table(struct doc *d, const struct prices *p)
{
	static const struct doc_column column[] = {
		{ .title = "price of", .kind = DOC_STRING, .width = 18 },
		{ .key = "of", .kind = DOC_STRING, .known = true },
		{ .key = "per", .kind = DOC_STRING, .known = true },
		{ .key = "unit", .kind = DOC_STRING, .known = true },
		{ .key = "price", .ci_key = "price_ci95", .kind = DOC_INTERVAL, .precision = 6 },
		{ .title = "one more costs",
		  .kind = DOC_INTERVAL,
		  .decimals = 2,
		  .width = 24,
		  .ci_width = 8 },
		{ .title = "", .kind = DOC_STRING, .width = 14 },
		{ .key = "percent",
		  .precision = 4,
		  .about = "of all that the leaf took, or of all energy" },
		{ .title = "% of it", .decimals = 1, .width = 8 },
		{ .key = "state", .kind = DOC_STRING, .known = true, .choices = price_states },
		{ .key = "together",
		  .kind = DOC_BOOL,
		  .about = "the price has in it what came along: see with" },
		{ .key = "with",
		  .kind = DOC_STRING,
		  .about = "what varied along with it; null: it can be told apart" },
		{ .key = "variance_inflation",
		  .precision = 3,
		  .about = "above 10 it cannot be told apart; null: it did not vary" },
		{ .key = "explained_percent",
		  .precision = 4,
		  .about = "of the variance of what was paid, by this and the others of it" },
		{ .key = "over", .kind = DOC_STRING, .known = true, .choices = overs },
		{ .key = "rows",
		  .known = true,
		  .about = "pieces of time, or processes, that it rests on" },
		{ .key = "cpus",
		  .known = true,
		  .about = "that were taken one by one; 0: all of them together" },
		{ .title = "", .kind = DOC_STRING },
	};
	const struct doc_table rows = { .key = "rows",
					.title = "Prices at the margin",
					.above = true,
					DOC_COLUMNS_OF(column) };

	doc_table(d, &rows);
	for (size_t i = 0; i < p->n; i++)
		row(d, &p->row[i]);
	doc_table_end(d);
}

static size_t most_pieces(const struct prices *p)
{
	size_t most = 0;

	for (size_t i = 0; i < p->n; i++)
		if (!p->row[i].over_processes && p->row[i].pieces > most)
			most = p->row[i].pieces;
	return most;
}

/* More than by chance. */
static bool any_is_below_0(const struct prices *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->row[i].price + p->row[i].ci95 < 0)
			return true;
	return false;
}

#define MORE_THAN_ALL 1.2 /* of what a leaf took: by chance it may be a little more */

static bool any_has_more_than_all(const struct prices *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->row[i].share > MORE_THAN_ALL)
			return true;
	return false;
}

static void notes(struct doc *d, const struct prices *p, const struct model *m)
{
	doc_note(
		d,
		"By regression over %zu pieces of time; what does not depend on the load is in no price.",
		most_pieces(p));
	doc_note(
		d,
		"Intervals (95 %%) hold for scatter of any kind, and where neighbours in time are alike.");
	doc_note(
		d,
		"Packets and bytes: of interfaces, on each that a packet passes; of energy also what others do with a CPU.");
	if (any_has_more_than_all(p))
		doc_note(
			d,
			"More than 100 %% of it: cost did not grow with that alone; the load changed its kind, too.");
	if (any_is_below_0(p))
		doc_note(
			d,
			"A price below 0 is no cost: where there was more of that, something else was less, or cheaper.");
	if (filter_has_tasks(m->filter))
		doc_note(d, "Of tasks nothing is known: calls and packets are those of all.");
	else if (model_is_of_some_cpus(m))
		doc_note(d, "Packets and energy are those of all CPUs, and not used.");
}

void prices_section(struct doc *d, const struct prices *p, const struct model *m)
{
	table(d, p);
	notes(d, p, m);
}

void prices_doc(struct doc *d, const struct prices *p, const struct model *m)
{
	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_trace(d, m);
	prices_section(d, p, m);
	doc_object_end(d);
}
