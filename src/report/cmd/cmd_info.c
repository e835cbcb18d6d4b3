// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report info: what is in a trace, and how it came about. */
#include "report.h"
#include "report/tables/info_doc.h"
#include "report/tables/settings_doc.h"

struct info_options {
	struct report_options report;
	bool context;
};

static int build(struct doc *d, const struct report_part *p)
{
	const struct info_options *o = (const struct info_options *)p->options;

	if (o->context)
		settings_doc(d, p->m);
	else
		info_doc(d, p->m);
	return 0;
}

static enum exit_status run(const struct config *cfg)
{
	const struct info_options *o = (const struct info_options *)cfg;
	const struct report report = { .build = build, .csv = o->context ? "settings" : NULL };

	return report_run(&report, cfg);
}

/* What is in a trace, and the table that replaces it. */
static int describe(struct doc *d, const struct model *empty)
{
	info_doc(d, empty);
	doc_schema_report(d, "info-context");
	settings_doc(d, empty);
	return 0;
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WIDE("text as wide as that gets, where the terminal is narrower"),
	OPT_SWITCH(struct info_options, context, "context",
		   "print instead how the host was set: sysctls, interfaces, CPUs"),
	OPT_PART,
	OPT_MEMORY,
};

const struct command command_info = {
	.name = "info",
	.help = "what is in a trace: settings, clocks, probes, sources, sizes, losses",
	.run = run,
	.describe = describe,
	COMMAND_OPTIONS(struct info_options, opts),
};
