// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report info: what is in a trace, and how it came about. */
#include "report.h"
#include "report/tables/info_doc.h"

static int build(struct doc *d, const struct report_part *p)
{
	info_doc(d, p->m);
	return 0;
}

static const struct report report = { .build = build };

static const struct opt_desc opts[] = {
	OPT_FORMAT(struct report_options, report_formats),
	OPT_PART,
	OPT_MEMORY,
};

const struct command command_info = {
	.name = "info",
	.help = "what is in a trace: settings, clocks, probes, sources, sizes, losses",
	.report = &report,
	COMMAND_OPTIONS(struct report_options, opts),
};
