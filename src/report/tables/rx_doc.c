// SPDX-License-Identifier: BSD-2-Clause
/* Parts of the RX softirq, exact. */
#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "inside_doc.h"
#include "report/base/text.h"
#include "colors.h"

static const struct doc_column columns[] = {
	{ .key = "part", .kind = DOC_STRING },
	{ .title = "part", .kind = DOC_STRING, .width = 22 },
	{ .kind = DOC_BAR },
	{ .key = "ns",
	  .title = "own ms",
	  .scale = 1e-6,
	  .decimals = 1,
	  .width = 12,
	  .about = "without what runs inside it" },
	{ .title = "% of RX", .decimals = 1, .width = 9 },
	{ .key = "inclusive_ns", .title = "with all ms", .scale = 1e-6, .decimals = 1, .width = 12 },
	{ .title = "% of RX", .decimals = 1, .width = 9 },
	{ .key = "calls", .title = "calls", .width = 12 },
	{ .title = "ns a call", .width = 9 },
};

/* A number that the row has, or nothing. */
static void number(struct doc *d, bool has, double v)
{
	if (has)
		doc_number(d, v);
	else
		doc_blank(d);
}

/* own: the row has its own time; all: it has the time with everything inside it, and calls. */
static void row(struct doc *d, const struct summary_rx *rx, const char *key, const char *title,
		const struct summary_rx_part *p, bool own, bool all, unsigned int only)
{
	doc_row(d, 0, only);
	doc_string(d, key);
	doc_string(d, title);
	doc_bar(d, own ? p->ns / rx->ns : 0, leaf_color[LEAF_RX_SOFTIRQ]);
	number(d, own, p->ns);
	number(d, own, 100 * (p->ns / rx->ns));
	number(d, all, p->total_ns);
	number(d, all, 100 * (p->total_ns / rx->ns));
	number(d, all, p->calls);
	number(d, own && all, p->total_ns / p->calls);
	doc_row_end(d);
}

/* Where it ran is of interest if not everything ran in softirqs. */
static void where_rows(struct doc *d, const struct summary *s)
{
	const struct summary_rx *rx = &s->rx;
	const struct {
		const char *title;
		double ns;
		enum netcost_event event;
	} where[] = {
		{ "in softirqs", rx->softirq_ns, NETCOST_EV_RX_SOFTIRQ },
		{ "in NAPI threads", rx->thread_ns, NETCOST_EV_RX_THREAD },
		{ "in busy polling", rx->busy_ns, NETCOST_EV_RX_BUSY_POLL },
	};

	if (!(rx->thread_ns > 0) && !(rx->busy_ns > 0))
		return;
	for (size_t i = 0; i < sizeof(where) / sizeof(*where); i++) {
		const struct summary_rx_part p = { .total_ns = where[i].ns,
						   .calls = s->event[where[i].event].calls };

		if (where[i].ns > 0)
			row(d, rx, NULL, where[i].title, &p, false, true, DOC_PEOPLE);
	}
}

static bool ran(const struct summary_rx_part *p)
{
	return !isnan(p->ns) && (p->calls > 0 || p->total_ns > 0);
}

static void part_rows(struct doc *d, const struct summary_rx *rx)
{
	const struct summary_rx_part outside = { .ns = rx->self_ns };

	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		row(d, rx, model_part_key(p), model_part_title(p), &rx->part[p], true, true,
		    ran(&rx->part[p]) && !isnan(rx->self_ns) ? DOC_ALL : DOC_PROGRAMS);
	if (!isnan(rx->self_ns))
		row(d, rx, NULL, "outside of these", &outside, true, false, DOC_PEOPLE);
}

/* Parts that are in no row: measured, but never entered; or not measured. */
static void list_parts(struct doc *d, const struct summary_rx *rx, bool measured, const char *what)
{
	char line[400] = "";

	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		bool known = !isnan(rx->part[p].ns);

		if (measured ? known && !ran(&rx->part[p]) : !known)
			text_append(line, sizeof(line), ", ", "%s", model_part_title(p));
	}
	if (*line)
		doc_note(d, "  %s: %s", what, line);
}

static void notes(struct doc *d, const struct summary_rx *rx)
{
	if (isnan(rx->self_ns))
		return;
	list_parts(d, rx, true, "never entered");
	list_parts(d, rx, false, "not measured separately, in the time of what is around them");
	if (rx->missed > 0)
		doc_note(d, "  %s ends were missed: the times of those calls may be too long",
			 NUM(rx->missed, 0));
}

void inside_rx(struct doc *d, const struct summary *s)
{
	const struct summary_rx *rx = &s->rx;
	bool any = rx->ns > 0 && (!isnan(rx->self_ns) || rx->thread_ns > 0 || rx->busy_ns > 0);
	const struct doc_table table = { .key = "parts",
					 .title = "Inside RX softirq, exact",
					 DOC_COLUMNS_OF(columns),
					 .keyed = true,
					 .only = any ? DOC_ALL : DOC_PROGRAMS };

	doc_object(d, "rx_exact");
	doc_field(d, "ns", rx->ns, 0);
	doc_field(d, "softirq_ns", rx->softirq_ns, 0);
	doc_field(d, "thread_ns", rx->thread_ns, 0);
	doc_field(d, "busy_poll_ns", rx->busy_ns, 0);
	doc_table(d, &table);
	where_rows(d, s);
	part_rows(d, rx);
	doc_table_end(d);
	if (any)
		notes(d, rx);
	if (any && s->split.all.leaf[LEAF_OWN].ns > 0)
		doc_note(d, "  as measured: netcost's own part is included");
	doc_about(d, "in none of the parts");
	doc_field(d, "self_ns", rx->self_ns, 0);
	doc_field(d, "missed_ends", rx->missed, 0);
	doc_field(d, "polls_outside", rx->polls_outside, 0);
	doc_object_end(d);
}
