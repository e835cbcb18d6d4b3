// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report sql: a question to traces, as a SELECT; and export sqlite, the same as a file. */
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "report/export/sql.h"

struct sql_job {
	struct sql *sql;
	const struct options *o;
	struct intervals intervals;
};

static bool sql_take(void *ctx, const struct model *m, const struct part *part)
{
	struct sql_job *job = ctx;
	const struct export_source from = { .m = m, .part = part, .iv = &job->intervals };

	return sql_add(job->sql, &from, job->o->host);
}

/* Reads n files; without any, the default one. */
static enum exit_status sql_read(struct sql *sql, const struct options *o, const char *const *file,
				 size_t n)
{
	struct options asked = *o;
	struct sql_job job = { .sql = sql, .o = &asked };
	enum exit_status status = EXIT_DONE;

	asked.ask = sql_types(sql);
	for (size_t i = 0; i < (n ? n : 1) && !status; i++) {
		intervals_init(&job.intervals, o->every_ns);
		job.intervals.second = sql_watch(sql);
		status = models_each(&asked, n ? file[i] : o->file, sql_keep(sql), &job.intervals,
				     sql_take, &job);
		intervals_free(&job.intervals);
	}
	return status;
}

enum exit_status sql_run(const struct options *o)
{
	static const struct report report = { .name = NULL };
	const struct part part = { .file = "sql", .alone = true, .first = true };
	size_t files = o->noperands - 1;
	const char *query = o->operand[files];
	enum exit_status status = EXIT_USAGE;
	struct sql *sql;

	if (!access(query, F_OK)) {
		fprintf(stderr, "netcost-report: sql: %s is a file: the last word is the query\n",
			query);
		return EXIT_USAGE;
	}
	sql = sql_new(o->memory, false);
	if (!sql)
		return EXIT_FAILED;
	if (sql_ask(sql, query))
		status = sql_needs_traces(sql) ? sql_read(sql, o, o->operand, files) : EXIT_DONE;
	if (!status) {
		struct doc d = report_begin(&report, o, "", &part);

		status = sql_print(sql, &d) ? EXIT_DONE : EXIT_FAILED;
	}
	sql_free(sql);
	return command_close(stdout, NULL) ? EXIT_FAILED : status;
}

enum exit_status sql_export(const struct options *o)
{
	struct sql *sql = sql_new(o->memory, true);
	enum exit_status status = sql ? sql_read(sql, o, o->operand + 1, o->noperands - 1) :
					EXIT_FAILED;
	struct outfile file;
	FILE *out = status ? NULL : command_open(&file, o->output);

	if (out)
		status = command_end(&file, out, o->output, sql_write(sql, out));
	sql_free(sql);
	return out || status ? status : EXIT_FAILED;
}
