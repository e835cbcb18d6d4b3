// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report summary: where the CPU time went, and what it bought. */
#include <errno.h>
#include <string.h>

#include "models.h"
#include "report.h"
#include "report/base/part.h"
#include "report/tables/breakdown_doc.h"
#include "report/tables/summary_doc.h"

/* Or instead a table with a row for each CPU, task, ... */
#define BREAKDOWN_NOTHING BREAKDOWN_KINDS

struct summary_options {
	struct report_options report;
	struct summary_shown shown;
	unsigned long rows;
	const char *by;
};

static enum breakdown_kind by_of(const struct summary_options *o)
{
	enum breakdown_kind by = 0;

	while (by < BREAKDOWN_NOTHING && (!o->by || strcmp(o->by, breakdown_names[by])))
		by++;
	return by;
}

static int build_by(struct doc *d, const struct summary *s, const struct report_part *p)
{
	const struct summary_options *o = (const struct summary_options *)p->options;
	struct breakdown b;
	int err = breakdown_make(&b, s, by_of(o), o->rows, p->intervals);

	if (err)
		return err;
	breakdown_doc(d, &b);
	breakdown_free(&b);
	return 0;
}

static int build(struct doc *d, const struct report_part *p)
{
	const struct summary_options *o = (const struct summary_options *)p->options;
	enum breakdown_kind by = by_of(o);
	struct summary s = { 0 };
	int err;

	if (by == BREAKDOWN_CGROUP && !p->m->ncgroups && !doc_is_schema(d)) {
		tell(PART_TITLE(p->part), "has no cgroups: they were not recorded");
		return -ECANCELED;
	}
	err = summary_make(&s, p->m, p->part);
	if (err)
		return err;
	if (by != BREAKDOWN_NOTHING)
		err = build_by(d, &s, p);
	else
		err = summary_doc(d, &s, &o->shown);
	summary_free(&s);
	return err;
}

/* Options that do not go together; reported. */
static bool is_wrong_usage(const struct summary_options *o, enum breakdown_kind by)
{
	const char *wrong = NULL;

	if (by == BREAKDOWN_NOTHING && (o->rows || o->report.every))
		wrong = "--rows and --every are for --by";
	else if (by != BREAKDOWN_INTERVAL && o->report.every)
		wrong = "--every is for --by=interval";
	else if (by != BREAKDOWN_NOTHING && (o->shown.all || o->shown.all_cpus || o->shown.other))
		wrong = "--all, --all-cpus and --other are not for --by";
	if (wrong)
		fprintf(stderr, "netcost-report: %s\n", wrong);
	return wrong;
}

static enum exit_status run(const struct config *cfg)
{
	const struct summary_options *o = (const struct summary_options *)cfg;
	enum breakdown_kind by = by_of(o);
	const struct report report = {
		.build = build,
		.csv = by == BREAKDOWN_NOTHING ? "leaves" : "rows",
		.keep = by == BREAKDOWN_TASK || by == BREAKDOWN_PROCESS ?
				MODEL_TASKS | MODEL_CPU_TASKS :
			by == BREAKDOWN_CGROUP ? MODEL_CGROUPS | MODEL_CPU_CGROUPS :
						 0u,
		.intervals = by == BREAKDOWN_INTERVAL,
	};

	return is_wrong_usage(o, by) ? EXIT_USAGE : report_run(&report, cfg);
}

/* The summary, and each of the tables that replace it. */
static int describe(struct doc *d, const struct model *empty)
{
	const struct intervals none = { 0 };
	struct summary_options o = { 0 };
	const struct report_part p = {
		.m = empty, .part = d->part, .intervals = &none, .options = &o.report
	};
	struct summary s;
	char name[32];
	int err = summary_make(&s, empty, d->part);

	if (err)
		return err;
	err = summary_doc(d, &s, &o.shown);
	for (enum breakdown_kind by = 0; !err && by < BREAKDOWN_NOTHING; by++) {
		snprintf(name, sizeof(name), "by-%s", breakdown_names[by]);
		doc_schema_report(d, name);
		o.by = breakdown_names[by];
		err = build_by(d, &s, &p);
	}
	summary_free(&s);
	return err;
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WIDE("text as wide as that gets, where the terminal is narrower"),
	OPT_WORD(struct summary_options, by, "by", "KEY", breakdown_names,
		 "print instead a row for each of these"),
	OPT_ROWS(struct summary_options,
		 "with --by: show this many rows, and the others as one (20 tasks or processes)"),
	OPT_INTERVAL(struct report_options),
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
	OPT_IDLE_WATTS,
	OPT_PER,
	OPT_SWITCH(struct summary_options, shown.all_cpus, "all-cpus",
		   "show all CPUs, however many there are"),
	OPT_SWITCH(struct summary_options, shown.all, "all",
		   "show all categories, including those without samples"),
	OPT_SWITCH(struct summary_options, shown.other, "other",
		   "show the functions that are in no category, the heaviest first"),
};

const struct command command_summary = {
	.name = "summary",
	.help = "where the CPU time went, and what the network did with its part",
	.run = run,
	.describe = describe,
	COMMAND_OPTIONS(struct summary_options, opts),
};
