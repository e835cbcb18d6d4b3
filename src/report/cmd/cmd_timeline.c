// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report timeline: a row for each piece of time. */
#include "models.h"
#include "report.h"
#include "report/tables/timeline_doc.h"

static int build(struct doc *d, const struct report_part *p)
{
	return timeline_doc(d, p->intervals, p->m);
}

static const struct report report = { .build = build, .csv = "rows", .intervals = true };

static const struct opt_desc opts[] = {
	OPT_FORMAT(struct report_options, report_formats),
	OPT_INTERVAL(struct report_options),
	OPT_PART,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
	OPT_MEMORY,
};

const struct command command_timeline = {
	.name = "timeline",
	.help = "CPU time, traffic and power as they change: a row for each tick",
	.report = &report,
	COMMAND_OPTIONS(struct report_options, opts),
};
