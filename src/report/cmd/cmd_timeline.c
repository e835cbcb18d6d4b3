// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report timeline: a row for each piece of time. */
#include "interval_option.h"
#include "report.h"
#include "report/tables/timeline_doc.h"

static int build(struct doc *d, const struct report_part *p)
{
	return timeline_doc(d, p->intervals, p->m);
}

static enum exit_status run(const struct config *cfg)
{
	return report_run(&(struct report){ .build = build, .csv = "rows", .intervals = true },
			  cfg);
}

static int describe(struct doc *d, const struct model *empty)
{
	return report_describe(d, empty, NULL, build);
}

static const struct opt_desc opts[] = {
	OPT_FORMAT(struct report_options, report_formats),
	OPT_INTERVAL(struct report_options),
	OPT_PART,
	OPT_RULES,
	OPT_FILTER,
	OPT_MEMORY,
};

const struct command command_timeline = {
	.name = "timeline",
	.help = "CPU time, traffic and power as they change: a row a tick",
	.run = run,
	.options_size = sizeof(struct report_options),
	.describe = describe,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
