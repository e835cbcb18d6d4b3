// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report stages: packets' ways through the host, from stage to stage. */
#include <string.h>

#include "models.h"
#include "report.h"
#include "report/analysis/stages.h"
#include "report/tables/lacks.h"
#include "report/tables/stages_by_doc.h"
#include "report/tables/stages_doc.h"

struct stages_options {
	struct report_options report;
	const char *by;
};

static int build(struct doc *d, const struct report_part *part)
{
	return stages_doc(d, part->m);
}

static enum stages_by by_of(const struct stages_options *o)
{
	enum stages_by by = 0;

	while (o->by && strcmp(o->by, stages_by_names[by]))
		by++;
	return by;
}

static int build_by(struct doc *d, const struct report_part *part)
{
	return stages_by_doc(d, part->m, by_of((const struct stages_options *)part->options));
}

static const char *lacks(const struct model *m, const struct report_options *o, char *buf)
{
	(void)o;
	return lacks_stages(m, buf);
}

static enum exit_status run(const struct config *cfg)
{
	const struct stages_options *o = (const struct stages_options *)cfg;
	const struct report report = {
		.build = o->by ? build_by : build,
		.lacks = lacks,
		.csv = "rows",
		.keep = MODEL_STAGES | (o->by ? (unsigned int)MODEL_STAGES_BY << by_of(o) : 0u)
	};

	return report_run(&report, cfg);
}

/* Both of its reports. */
static int describe(struct doc *d, const struct model *empty)
{
	const struct stages_options o = { .by = NULL };
	const struct report_part p = { .m = empty, .part = d->part, .options = &o.report };
	int err = build(d, &p);

	if (err)
		return err;
	doc_schema_report(d, "stages-by");
	return build_by(d, &p);
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WORD(struct stages_options, by, "by", "WHAT", stages_by_names,
		 "by interface, netns (network namespace) or flow"),
	OPT_WIDE("text with all columns, as wide as that gets (100 columns)"),
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
	COMMAND_OPTIONS(struct stages_options, opts),
};
