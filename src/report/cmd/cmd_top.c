// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report top: the functions that take the network's time, or all of it. */
#include <errno.h>

#include "report.h"
#include "report/analysis/top.h"
#include "report/base/tell.h"
#include "report/tables/top_doc.h"

#define ROWS 20

struct top_options {
	struct report_options report;
	bool all, network;
	unsigned long rows;
};

static int print(struct doc *d, const struct model *m, const struct top_options *o)
{
	struct top t;

	if (top_make(&t, m, o->all ? LEAF_ALL : LEAF_NETWORK, o->rows ? o->rows : ROWS))
		return -ENOMEM;
	top_doc(d, &t, o->all);
	top_free(&t);
	return 0;
}

static int build(struct doc *d, const struct report_part *p)
{
	if (!p->m->header.sample_hz && !p->m->samples)
		tell(PART_TITLE(p->part),
		     "was recorded without samples (-F 0): there are no functions");
	return print(d, p->m, p->ctx);
}

static enum exit_status run(const struct config *cfg)
{
	const struct top_options *o = (const struct top_options *)cfg;
	const struct report report = {
		.build = build, .csv = "functions", .keep = MODEL_MODULES, .ctx = o
	};

	if (o->all && o->network) {
		fprintf(stderr, "netcost-report: --network and --all exclude each other\n");
		return EXIT_USAGE;
	}
	return report_run(&report, cfg);
}

static int describe(struct doc *d, const struct model *empty)
{
	return print(d, empty, &(struct top_options){ 0 });
}

static const struct opt_desc opts[] = {
	OPT_FORMAT(struct report_options, report_formats),
	{ .name = "network",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct top_options, network),
	  .help = "of the network's samples only (that is so unless --all is given)" },
	{ .name = "all",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct top_options, all),
	  .help = "of all samples, idle ones and user mode too" },
	OPT_ROWS(struct top_options, "so many functions (20)"),
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
};

const struct command command_top = {
	.name = "top",
	.help = "the functions that take the network's time, themselves and with what they call",
	.run = run,
	.describe = describe,
	.options_size = sizeof(struct top_options),
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
