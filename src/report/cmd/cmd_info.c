// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report info: what is in a trace, and how it came about. */
#include "report.h"
#include "report/tables/info_doc.h"

static int build(struct doc *d, const struct report_part *p)
{
	info_doc(d, p->m);
	return 0;
}

static enum exit_status run(const struct config *cfg)
{
	return report_run(&(struct report){ .build = build }, cfg);
}

static int describe(struct doc *d, const struct model *empty)
{
	return report_describe(d, empty, NULL, build);
}

static const struct opt_desc opts[] = {
	OPT_FORMAT(struct report_options, report_formats),
	OPT_PART,
	OPT_MEMORY,
};

const struct command command_info = {
	.name = "info",
	.help = "what is in a trace: settings, clocks, probes, sources, sizes, losses",
	.run = run,
	.options_size = sizeof(struct report_options),
	.describe = describe,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
