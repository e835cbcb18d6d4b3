// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: what is inside the RX softirq, exactly. */
#include <math.h>
#include <string.h>

#include "report/base/text.h"
#include "summary_text.h"

static void where_row(FILE *out, const struct summary *s, const char *title, double ns,
		      enum netcost_event event)
{
	const struct summary_rx *rx = &s->rx;

	if (!(ns > 0))
		return;
	fprintf(out, "  %-22s %12s %9s %12s %9s %12s\n", title, "", "", NUM(ns / 1e6, 1),
		PERCENT(ns / rx->ns, 1), NUM(s->event[event].calls, 0));
}

/* Where it ran is of interest where it was not in softirqs alone. */
static void text_where(FILE *out, const struct summary *s)
{
	const struct summary_rx *rx = &s->rx;

	if (!(rx->thread_ns > 0) && !(rx->busy_ns > 0))
		return;
	where_row(out, s, "in softirqs", rx->softirq_ns, NETCOST_EV_RX_SOFTIRQ);
	where_row(out, s, "in NAPI threads", rx->thread_ns, NETCOST_EV_RX_THREAD);
	where_row(out, s, "in busy polling", rx->busy_ns, NETCOST_EV_RX_BUSY_POLL);
}

static void part_row(FILE *out, const struct summary_rx *rx, unsigned int part)
{
	const struct summary_rx_part *p = &rx->part[part];

	if (isnan(p->ns) || !(p->calls > 0 || p->total_ns > 0))
		return;
	fprintf(out, "  %-22s %12s %9s %12s %9s %12s %9s\n", model_part_title(part),
		NUM(p->ns / 1e6, 1), PERCENT(p->ns / rx->ns, 1), NUM(p->total_ns / 1e6, 1),
		PERCENT(p->total_ns / rx->ns, 1), NUM(p->calls, 0), NUM(p->total_ns / p->calls, 0));
}

void rx_quiet_parts(char *dst, size_t size, const struct summary_rx *rx, bool measured)
{
	*dst = '\0';
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++) {
		bool quiet = !isnan(rx->part[p].ns) && !(rx->part[p].calls > 0) &&
			     !(rx->part[p].total_ns > 0);

		if (measured ? quiet : isnan(rx->part[p].ns))
			snprintf(dst + strlen(dst), size - strlen(dst), "%s%s", *dst ? ", " : "",
				 model_part_title(p));
	}
}

static void list_parts(FILE *out, const struct summary_rx *rx, bool measured, const char *what)
{
	char line[400];
	int at;

	rx_quiet_parts(line, sizeof(line), rx, measured);
	if (!*line)
		return;
	at = fprintf(out, "  %s: ", what);
	text_wrap(out, at, 4, line);
	fputc('\n', out);
}

void text_rx(FILE *out, const struct summary *s)
{
	const struct summary_rx *rx = &s->rx;

	if (!(rx->ns > 0) || (isnan(rx->self_ns) && !(rx->thread_ns > 0) && !(rx->busy_ns > 0)))
		return;
	fprintf(out, "\n%-24s %12s %9s %12s %9s %12s %9s\n", "Inside RX softirq, exact", "own ms",
		"% of RX", "with all ms", "% of RX", "calls", "ns a call");
	text_where(out, s);
	if (isnan(rx->self_ns))
		return;
	for (unsigned int p = 0; p < NETCOST_PART_COUNT; p++)
		part_row(out, rx, p);
	fprintf(out, "  %-22s %12s %9s\n", "outside of these", NUM(rx->self_ns / 1e6, 1),
		PERCENT(rx->self_ns / rx->ns, 1));
	list_parts(out, rx, true, "never entered");
	list_parts(out, rx, false, "not told apart, in the time of what is around them");
	if (rx->missed > 0)
		fprintf(out, "  %s ends were missed: those calls' times may be too long\n",
			NUM(rx->missed, 0));
}
