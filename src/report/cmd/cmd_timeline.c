// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report timeline: a row for each piece of time. */
#include <errno.h>
#include <stdio.h>

#include "models.h"
#include "report.h"
#include "report/analysis/latency.h"
#include "report/analysis/latency_times.h"
#include "report/tables/lacks.h"
#include "report/tables/processes_doc.h"
#include "report/tables/timeline_by_doc.h"
#include "report/tables/timeline_doc.h"

#define TOP 6

struct timeline_options {
	struct report_options report;
	const char *by, *latency;
	unsigned long top;
};

/* ctx: NULL: nothing of latency. */
static int build(struct doc *d, const struct report_part *p)
{
	return timeline_doc(d, p->intervals, p->m, p->ctx);
}

static enum exit_status run_all(const struct config *cfg)
{
	const struct timeline_options *o = (const struct timeline_options *)cfg;
	struct latency_track latency;
	const struct report report = { .build = build,
				       .csv = "rows",
				       .intervals = true,
				       .second = &latency.pieces.watch,
				       .ctx = &latency };
	enum exit_status status;

	latency_track_init(&latency, o->latency);
	status = report_run(&report, cfg);
	latency_track_free(&latency);
	return status;
}

/* ---- by process -------------------------------------------------------------------------- */

static int build_by(struct doc *d, const struct report_part *part)
{
	const struct timeline_options *o = (const struct timeline_options *)part->options;
	const struct process_times *times = part->ctx;
	size_t top = o->top ? o->top : TOP;
	struct timeline_by t;
	struct processes p;
	int err;

	if (times->too_many) {
		intervals_tell_too_many(PART_TITLE(part->part));
		return -ECANCELED;
	}
	err = processes_make(&p, part->m, processes_by_of(o->by), PROCESSES_SORT_CPU, top);
	if (err)
		return err;
	err = timeline_by_make(&t, part->intervals, &p, times, top);
	if (!err) {
		timeline_by_doc(d, &t);
		timeline_by_free(&t);
	}
	processes_free(&p);
	return err;
}

static const char *lacks(const struct model *m, const struct report_options *o, char *buf)
{
	(void)o;
	return lacks_processes(m, buf);
}

static enum exit_status run_by(const struct config *cfg)
{
	struct process_times times;
	const struct report report = { .build = build_by,
				       .lacks = lacks,
				       .csv = "rows",
				       .keep = MODEL_PROCESSES | MODEL_CGROUPS,
				       .intervals = true,
				       .second = &times.pieces.watch,
				       .ctx = &times };
	enum exit_status status;

	process_times_init(&times);
	status = report_run(&report, cfg);
	process_times_free(&times);
	return status;
}

/* ---- command ----------------------------------------------------------------------------- */

/* What is counted by process is about all CPUs and tasks. Reported. */
static bool is_wrong_usage(const struct timeline_options *o)
{
	const struct trace_options *t = &o->report.trace;
	const char *wrong = NULL;

	if (!o->by && (o->top || t->idle_watts))
		wrong = "--rows and --idle-watts are for --by";
	else if (o->by && o->latency)
		wrong = "--latency is not for --by";
	else if (o->by && (t->cpus || t->tasks || t->cgroup))
		wrong = "--by is about all CPUs and tasks: --cpu, --task and --cgroup are not for it";
	if (wrong)
		fprintf(stderr, "netcost-report: timeline: %s\n", wrong);
	return wrong;
}

static enum exit_status run(const struct config *cfg)
{
	const struct timeline_options *o = (const struct timeline_options *)cfg;

	if (is_wrong_usage(o))
		return EXIT_USAGE;
	return o->by ? run_by(cfg) : run_all(cfg);
}

/* The timeline, and the one that replaces it. */
static int describe(struct doc *d, const struct model *empty)
{
	const struct timeline_options o = { .by = processes_by_names[0] };
	const struct intervals none = { 0 };
	const struct process_times times = { 0 };
	const struct report_part p = {
		.m = empty, .part = d->part, .intervals = &none, .options = &o.report, .ctx = &times
	};
	int err = timeline_doc(d, &none, empty, NULL);

	if (err)
		return err;
	doc_schema_report(d, "timeline-by");
	return build_by(d, &p);
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WORD(struct timeline_options, by, "by", "WHAT", processes_by_names,
		 "CPU time of the processes, cgroups, containers, names of processes, or users with most "
		 "of it (record --processes)"),
	OPT_NUMBER(struct timeline_options, top, "rows", "N", TIMELINE_BY_MOST,
		   "with --by: this many; the others are one column (6)"),
	OPT_WIDE("text with all columns, names and digits, as wide as that gets"),
	OPT_INTERVAL(struct report_options),
	OPT_WORD(
		struct timeline_options, latency, "latency", "HOOK", latency_keys,
		"p50 and p99 of the time up to this hook (until packets are read; record --latency)"),
	OPT_PART,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
	OPT_IDLE_WATTS,
	OPT_MEMORY,
};

const struct command command_timeline = {
	.name = "timeline",
	.help = "CPU time, traffic and power as they change: a row for each tick",
	.run = run,
	.describe = describe,
	COMMAND_OPTIONS(struct timeline_options, opts),
};
