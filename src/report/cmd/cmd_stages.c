// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report stages: packets' ways through the host, from stage to stage. */
#include "models.h"
#include "report.h"
#include "report/tables/stages_doc.h"

static int build(struct doc *d, const struct report_part *part)
{
	return stages_doc(d, part->m);
}

static const struct report stages = { .build = build, .csv = "rows", .keep = MODEL_STAGES };

static enum exit_status run(const struct config *cfg)
{
	return report_run(&stages, cfg);
}

static int describe(struct doc *d, const struct model *empty)
{
	const struct report_part p = { .m = empty, .part = d->part };

	return build(d, &p);
}

static const struct opt_desc opts[] = {
	OPT_FORMAT(struct report_options, report_formats),
	OPT_COLOR,
	OPT_WIDE("text as wide as that gets, where the terminal is narrower"),
	OPT_PART,
	OPT_MEMORY,
	OPT_TEXT(struct trace_options, from, "from", "TIME",
		 "only from this time on: 2.5, 500ms, 1m30s since the start, -10s before the end, or "
		 "mark:TEXT"),
	OPT_TEXT(struct trace_options, to, "to", "TIME", "only up to this time"),
};

const struct command command_stages = {
	.name = "stages",
	.help = "packets' ways through the host, from stage to stage (record --stages)",
	.run = run,
	.describe = describe,
	COMMAND_OPTIONS(struct report_options, opts),
};
