// SPDX-License-Identifier: BSD-2-Clause
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "report/base/part.h"
#include "report/base/stats.h"
#include "report/tables/lacks.h"

const char *const report_formats[] = { "text", "json", "csv", NULL };

struct job {
	const struct report *report;
	const struct report_options *options;
	char table[JSON_PATH];
	struct intervals intervals;
	unsigned int printed; /* parts of the file that have data for the report */
};

/* ---- the table that CSV prints ----------------------------------------------------------- */

struct table_wanted {
	const struct report *report;
	const struct report_options *options;
	char *path;
};

static enum exit_status find_table(void *ctx, const struct model *empty)
{
	const struct table_wanted *w = ctx;
	const struct part part = { .file = "", .alone = true, .first = true };
	const struct intervals none = { 0 };
	const struct report_part p = { .m = empty,
				       .part = &part,
				       .intervals = &none,
				       .options = w->options,
				       .ctx = w->report->ctx };
	struct doc_tables tables;
	struct doc d = doc_begin_tables(&part, &tables);
	const char *path;

	if (w->report->build(&d, &p)) {
		tell("--table", "out of memory");
		return EXIT_FAILED;
	}
	path = doc_tables_find(&tables, w->options->table);
	if (path) {
		snprintf(w->path, JSON_PATH, "%s", path);
		return EXIT_DONE;
	}
	fprintf(stderr, "netcost-report: --table: '%s' is not one of ", w->options->table);
	doc_tables_print(&tables, stderr);
	fputs(", or " REPORT_ALL "\n", stderr);
	return EXIT_USAGE;
}

enum exit_status report_table(const struct report *r, const struct report_options *o,
			      char path[JSON_PATH])
{
	const char *table = o->table ? o->table : r->csv;

	*path = '\0';
	if (!table || !strcmp(table, REPORT_ALL))
		return EXIT_DONE;
	if (o->table)
		return models_empty(find_table, &(struct table_wanted){ r, o, path });
	snprintf(path, JSON_PATH, "%s", table);
	return EXIT_DONE;
}

static struct doc begin(const char *format, const char *table, const struct part *part)
{
	if (!format || !strcmp(format, "text"))
		return doc_begin(&doc_text, stdout, part);
	if (!strcmp(format, "json"))
		return doc_begin(&doc_json, stdout, part);
	return *table ? doc_begin_csv(stdout, part, table) : doc_begin_flat(stdout, part);
}

struct doc report_begin(const struct report *r, const struct report_options *o, const char *table,
			const struct part *part)
{
	struct doc d = begin(o->format, table, part);

	if (!r->verbatim) {
		d.wide = o->wide;
		d.terminal = terminal_of_stdout(o->color);
	}
	return d;
}

bool report_end(struct doc *d, const struct report_options *o)
{
	bool lacks = o->table && d->csv_table && !d->csv_seen;

	doc_end(d);
	if (lacks)
		tell(PART_TITLE(d->part),
		     "has nothing for --table=%s: it was not recorded, or another option is needed",
		     d->csv_table);
	return !lacks;
}

/* ---- a report ---------------------------------------------------------------------------- */

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct job *job = ctx;
	const struct report *r = job->report;
	struct part shown = *part;
	const struct report_part p = { .m = m,
				       .options = job->options,
				       .part = &shown,
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
	shown.first =
		!job->printed; /* the headings of CSV come before the first one that has data */
	if (r->intervals && !intervals_fit(&job->intervals, PART_TITLE(part)))
		return false;
	d = report_begin(r, job->options, job->table, &shown);
	err = r->build(&d, &p);
	job->printed += report_end(&d, job->options);
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
	status = report_table(r, o, job.table);
	if (status)
		return status;
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
