// SPDX-License-Identifier: BSD-2-Clause
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "report/base/stats.h"
#include "report/base/tell.h"
#include "report/tables/lacks.h"

const char *const report_formats[] = { "text", "json", "csv", NULL };

struct job {
	const struct report *report;
	const struct report_options *options;
	struct intervals intervals;
	unsigned int printed; /* parts of the file that have data for the report */
};

struct doc report_begin(const char *format, const char *csv, const struct part *part)
{
	if (!format || !strcmp(format, "text"))
		return doc_begin(&doc_text, stdout, part);
	if (!strcmp(format, "json"))
		return doc_begin(&doc_json, stdout, part);
	if (strcmp(format, "csv-all") && csv)
		return doc_begin_csv(stdout, part, csv);
	return doc_begin_flat(stdout, part);
}

struct doc report_begin_as(const struct report_options *o, const char *csv, const struct part *part)
{
	struct doc d = report_begin(o->format, csv, part);

	d.wide = o->wide;
	d.terminal = terminal_of_stdout(o->color);
	return d;
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct job *job = ctx;
	const struct report *r = job->report;
	const struct report_part p = { .m = m,
				       .options = job->options,
				       .part = part,
				       .intervals = r->intervals ? &job->intervals : NULL,
				       .ctx = r->ctx };
	char buf[LACKS_SIZE];
	const char *lacks = r->lacks ? r->lacks(m, job->options, buf) : NULL;
	struct doc d;
	int err;

	if (lacks) {
		tell(PART_TITLE(part), "%s", lacks);
		return true;
	}
	job->printed++;
	if (r->intervals && !intervals_fit(&job->intervals, PART_TITLE(part)))
		return false;
	d = r->verbatim ? report_begin(job->options->format, r->csv, part) :
			  report_begin_as(job->options, r->csv, part);
	err = r->build(&d, &p);
	doc_end(&d);
	if (err == -ENOMEM)
		tell(PART_TITLE(part), "out of memory");
	return !err;
}

enum exit_status report_run(const struct report *r, const struct config *cfg)
{
	const struct report_options *o = (const struct report_options *)cfg;
	struct job job = { .report = r, .options = o };
	uint64_t every_ns = 0;
	enum exit_status status;

	if (!interval_parse(o->every, &every_ns))
		return EXIT_USAGE;
	intervals_init(&job.intervals, every_ns);
	job.intervals.watch = r->watch;
	job.intervals.second = r->second;
	job.intervals.window_ticks = r->window_ticks;
	status = models_each(&o->trace, cfg->file, r->keep,
			     r->intervals || r->second ? &job.intervals : NULL, print, &job);
	intervals_free(&job.intervals);
	if (!status && !job.printed)
		status = EXIT_FAILED;
	return command_close(stdout, NULL) ? EXIT_FAILED : status;
}

int report_describe(struct doc *d, const struct model *empty, const struct command *c)
{
	const struct intervals none = { 0 };
	struct report_options *options = calloc(1, c->options_size);
	const struct report_part p = {
		.m = empty, .part = d->part, .intervals = &none, .options = options
	};
	int err = options ? c->report->build(d, &p) : -ENOMEM;

	free(options);
	return err;
}
