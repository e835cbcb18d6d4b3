// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report latency: for how long packets waited. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "models.h"
#include "report.h"
#include "report/analysis/latency_times.h"
#include "report/analysis/tail_seen.h"
#include "report/tables/lacks.h"
#include "report/tables/latency.h"
#include "report/tables/latency_tail_doc.h"

struct latency_options {
	struct report_options report;
	const char *histogram, *by;
	bool tail;
};

static enum netcost_latency_by by_of(const struct latency_options *o)
{
	enum netcost_latency_by by = 0;

	while (o->by && strcmp(o->by, latency_by_keys[by]))
		by++;
	return o->by ? by : LATENCY_ALL;
}

static const char *lacks(const struct model *m, const struct report_options *o, char *buf)
{
	enum netcost_latency_by by = by_of((const struct latency_options *)o);

	return by == LATENCY_ALL ? lacks_latency(m, buf) : lacks_latency_by(m, by, buf);
}

/* ctx: struct latency_times; NULL: of all of the time. */
static int build(struct doc *d, const struct report_part *part)
{
	const struct latency_options *o = (const struct latency_options *)part->options;
	struct latency_view v = { .by = by_of(o), .times = part->ctx };

	while (latency_keys[v.histogram] &&
	       (!o->histogram || strcmp(o->histogram, latency_keys[v.histogram])))
		v.histogram++;
	if (!v.times)
		return latency_doc(d, part->m, &v);
	if (v.times->no_memory)
		return -ENOMEM;
	if (v.times->too_many) {
		intervals_tell_too_many(PART_TITLE(part->part));
		return -ECANCELED;
	}
	v.iv = part->intervals;
	return latency_doc(d, part->m, &v);
}

static enum exit_status run_view(const struct latency_options *o)
{
	struct latency_times times;
	struct report report = { .build = build,
				 .lacks = lacks,
				 .csv = "rows",
				 .keep = MODEL_LATENCY | (o->by ? MODEL_LATENCY_BY : 0u) };
	enum exit_status status;

	latency_times_init(&times, by_of(o));
	if (o->report.every) {
		report.intervals = true;
		report.second = &times.pieces.watch;
		report.ctx = &times;
	}
	status = report_run(&report, &o->report.trace.common);
	latency_times_free(&times);
	return status;
}

/* ---- the slowest ones -------------------------------------------------------------------- */

static const char *no_tail(const struct model *m, const struct report_options *o, char *buf)
{
	(void)o;
	return lacks_tail(m, buf);
}

static int build_tail(struct doc *d, const struct report_part *part)
{
	return latency_tail_doc(d, part->m, part->ctx);
}

static enum exit_status run_tail(const struct config *cfg)
{
	struct tail_seen seen;
	const struct report report = { .build = build_tail,
				       .lacks = no_tail,
				       .csv = "rows",
				       .keep = MODEL_LATENCY,
				       .second = &seen.watch,
				       .ctx = &seen };
	enum exit_status status;

	tail_seen_init(&seen);
	status = report_run(&report, cfg);
	tail_seen_free(&seen);
	return status;
}

/* ---- command ----------------------------------------------------------------------------- */

static enum exit_status run(const struct config *cfg)
{
	const struct latency_options *o = (const struct latency_options *)cfg;
	const char *wrong = NULL;

	if (o->histogram && o->report.every)
		wrong = "--histogram is of all of the time: not with --every";
	else if (o->by && o->histogram)
		wrong = "--histogram is of all packets of a hook: not with --by";
	else if (o->tail && (o->by || o->histogram || o->report.every))
		wrong = "--tail: not with --by, --every or --histogram";
	if (!wrong)
		return o->tail ? run_tail(cfg) : run_view(o);
	fprintf(stderr, "netcost-report: latency: %s\n", wrong);
	return EXIT_USAGE;
}

static int describe_tail(struct doc *d, const struct report_part *part)
{
	return latency_tail_doc(d, part->m, NULL);
}

/* All of its reports. */
static int describe(struct doc *d, const struct model *empty)
{
	static const struct latency_times times = { .n = 0 };
	static const struct {
		const char *name; /* NULL: that of the command */
		int (*build)(struct doc *d, const struct report_part *part);
		const char *by;
		bool every;
	} reports[] = {
		{ .build = build },
		{ .name = "latency-every", .build = build, .every = true },
		{ .name = "latency-tail", .build = describe_tail },
		{ .name = "latency-by", .build = build, .by = "interface" },
		{ "latency-by-every", build, "interface", true },
	};
	struct latency_options o = { .histogram = NULL };
	const struct intervals none = { 0 };
	struct report_part p = {
		.m = empty, .part = d->part, .intervals = &none, .options = &o.report
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(reports) / sizeof(*reports); i++) {
		if (reports[i].name)
			doc_schema_report(d, reports[i].name);
		o.by = reports[i].by;
		p.ctx = reports[i].every ? &times : NULL;
		err = reports[i].build(d, &p);
	}
	return err;
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_TEXT(struct report_options, every, "every", "TIME",
		 "as it changes: rows for each 1s, 500ms ..., as near as ticks allow"),
	OPT_WORD(struct latency_options, histogram, "histogram", "HOOK", latency_keys,
		 "also how many packets waited for how long, at this hook"),
	OPT_WORD(struct latency_options, by, "by", "WHAT", latency_by_keys,
		 "by interface, cgroup or process (record --latency-by)"),
	OPT_WIDE("text with all columns, as wide as that gets (100 columns)"),
	OPT_SWITCH(struct latency_options, tail, "tail",
		   "what CPUs did while the slowest packets waited (record --tail)"),
	OPT_PART,
	OPT_MEMORY,
	OPT_TEXT(struct trace_options, from, "from", "TIME",
		 "only from this time on: 2.5, 500ms, 1m30s since the start, -10s before the end, or "
		 "mark:TEXT"),
	OPT_TEXT(struct trace_options, to, "to", "TIME", "only up to this time"),
};

const struct command command_latency = {
	.name = "latency",
	.help = "for how long packets waited, on their way in and out (record --latency)",
	.run = run,
	.describe = describe,
	COMMAND_OPTIONS(struct latency_options, opts),
};
