// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report latency: for how long packets waited. */
#include <string.h>

#include "report.h"
#include "report/analysis/latency.h"
#include "report/tables/latency_doc.h"

struct latency_options {
	struct report_options report;
	const char *histogram;
};

static int build(struct doc *d, const struct report_part *part)
{
	const struct latency_options *o = (const struct latency_options *)part->options;
	enum netcost_latency shown = 0;

	while (latency_keys[shown] && (!o->histogram || strcmp(o->histogram, latency_keys[shown])))
		shown++;
	latency_doc(d, part->m, shown);
	return 0;
}

static const struct report report = { .build = build, .csv = "rows", .keep = MODEL_LATENCY };

static const struct opt_desc opts[] = {
	OPT_FORMAT(struct report_options, report_formats),
	OPT_WORD(struct latency_options, histogram, "histogram", "HOOK", latency_keys,
		 "also how many packets waited for how long, at this hook"),
	OPT_PART,
	OPT_MEMORY,
	OPT_TEXT(struct trace_options, from, "from", "TIME",
		 "only from this time on: 2.5, 500ms, 1m30s since the start, -10s before the end, or "
		 "mark:TEXT"),
	OPT_TEXT(struct trace_options, to, "to", "TIME", "only up to this time"),
};

const struct command command_latency = {
	.name = "latency",
	.help = "for how long packets waited, on their way in and out (record --latency)",
	.report = &report,
	COMMAND_OPTIONS(struct latency_options, opts),
};
