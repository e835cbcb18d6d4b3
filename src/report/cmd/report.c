// SPDX-License-Identifier: BSD-2-Clause
#include "report.h"

#include <errno.h>
#include <string.h>

#include "interval_option.h"
#include "filter_options.h"
#include "report/base/tell.h"
#include "report/input/input.h"

const char *const report_formats[] = { "text", "json", "csv", NULL };

struct job {
	const struct report *report;
	const struct config *cfg;
	struct intervals intervals;
};

struct doc report_begin(const char *format, const char *csv, const struct part *part)
{
	if (!strcmp(format, "text"))
		return doc_begin(&doc_text, stdout, part);
	if (!strcmp(format, "json"))
		return doc_begin(&doc_json, stdout, part);
	if (strcmp(format, "csv-all") && csv)
		return doc_begin_csv(stdout, part, csv);
	return doc_begin_flat(stdout, part);
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct job *job = ctx;
	const struct report *r = job->report;
	const struct report_part p = { .cfg = job->cfg,
				       .m = m,
				       .part = part,
				       .intervals = r->intervals ? &job->intervals : NULL,
				       .ctx = r->ctx };
	struct doc d;
	int err;

	if (r->intervals && !intervals_fit(&job->intervals, PART_TITLE(part)))
		return false;
	d = report_begin(job->cfg->format, r->csv, part);
	err = r->build(&d, &p);
	doc_end(&d);
	if (err == -ENOMEM)
		tell(PART_TITLE(part), "out of memory");
	return !err;
}

enum exit_status report_run(const struct report *r, const struct config *cfg)
{
	struct job job = { .report = r, .cfg = cfg };
	struct filter filter = { 0 };
	const struct input_wanted wanted = { .file = cfg->file,
					     .memory = cfg->memory,
					     .select = cfg->part,
					     .rules = cfg->rules,
					     .keep = r->keep,
					     .filter = r->filter ? &filter : NULL,
					     .intervals = r->intervals ? &job.intervals : NULL };
	uint64_t every_ns = 0;
	bool ok;

	if (!interval_parse(cfg->every, &every_ns) || (r->filter && !filter_parse(&filter, cfg)))
		return EXIT_USAGE;
	intervals_init(&job.intervals, every_ns);
	job.intervals.watch = r->watch;
	ok = input_each_model(&wanted, print, &job);
	intervals_free(&job.intervals);
	if (r->filter)
		filter_free(&filter);
	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

int report_describe(struct doc *d, const struct model *empty, const void *ctx,
		    int (*build)(struct doc *d, const struct report_part *p))
{
	struct intervals none = { 0 };
	const struct report_part p = { .m = empty, .part = d->part, .intervals = &none, .ctx = ctx };

	return build(d, &p);
}
