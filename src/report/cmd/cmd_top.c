// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report top: the functions that take the network's time, or all of it. */
#include <errno.h>

#include "report.h"
#include "report/analysis/top.h"
#include "report/tables/lacks.h"
#include "report/tables/top_doc.h"

#define ROWS 20

struct top_options {
	struct report_options report;
	bool all, network;
	unsigned long rows;
};

static int build(struct doc *d, const struct report_part *p)
{
	const struct top_options *o = (const struct top_options *)p->options;
	struct top t;

	if (top_make(&t, p->m, o->all ? LEAF_ALL : LEAF_NETWORK, o->rows ? o->rows : ROWS))
		return -ENOMEM;
	top_doc(d, &t, o->all);
	top_free(&t);
	return 0;
}

static const char *lacks(const struct model *m, const struct report_options *o, char *buf)
{
	(void)o;
	return lacks_samples(m, buf);
}

static const struct report report = { .build = build,
				      .lacks = lacks,
				      .csv = "functions",
				      .keep = MODEL_MODULES };

static enum exit_status run(const struct config *cfg)
{
	const struct top_options *o = (const struct top_options *)cfg;

	if (o->all && o->network) {
		fprintf(stderr, "netcost-report: --network and --all exclude each other\n");
		return EXIT_USAGE;
	}
	return report_run(&report, cfg);
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WIDE("text as wide as that gets, where the terminal is narrower"),
	OPT_SWITCH(struct top_options, network, "network",
		   "only the network's samples (the default)"),
	OPT_SWITCH(struct top_options, all, "all", "all samples, including idle and user mode"),
	OPT_ROWS(struct top_options, "show this many functions (20)"),
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
};

const struct command command_top = {
	.name = "top",
	.help = "the functions that take the network's time, themselves and with what they call",
	.run = run,
	.report = &report,
	COMMAND_OPTIONS(struct top_options, opts),
};
