// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report summary: where the CPU time went, and what it bought. */
#include <string.h>

#include "command.h"
#include "every.h"
#include "filter_options.h"
#include "report/analysis/summary.h"
#include "report/base/tell.h"
#include "report/input/input.h"
#include "report/tables/by_doc.h"

/* In place of all that, a table with a row for each CPU, task … */
#define BY_NOTHING BY_KINDS

struct task {
	const struct config *cfg;
	enum by_kind by;
	struct intervals intervals;
};

static void print_all(const struct config *cfg, const struct summary *s, bool *ok)
{
	struct summary_text_options text = { .all_cpus = cfg->all_cpus,
					     .all = cfg->all,
					     .other = cfg->other };

	struct summary_json_options json = { .flat = !strcmp(cfg->format, "csv-all"),
					     .other = cfg->other };

	if (json.flat || !strcmp(cfg->format, "json"))
		*ok = summary_json(stdout, s, &json);
	else if (!strcmp(cfg->format, "csv"))
		summary_csv(stdout, s);
	else if (!strcmp(cfg->format, "csv-inside"))
		summary_csv_inside(stdout, s);
	else
		*ok = summary_text(stdout, s, &text);
}

static void print_by(const struct task *t, const struct summary *s, bool *ok)
{
	struct doc d;
	struct by by;

	*ok = !by_make(&by, s, t->by, t->cfg->rows, &t->intervals);
	if (!*ok)
		return;
	d = !strcmp(t->cfg->format, "json") ? doc_begin(&doc_json, stdout, s->part) :
	    !strcmp(t->cfg->format, "csv")  ? doc_begin_csv(stdout, s->part, "rows") :
					      doc_begin(&doc_text, stdout, s->part);
	by_doc(&d, &by);
	doc_end(&d);
	by_free(&by);
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	const struct task *t = ctx;
	struct summary s = { 0 };
	bool ok;

	if (t->by == BY_INTERVAL && !every_fits(&t->intervals, PART_TITLE(part)))
		return false;
	if (t->by == BY_CGROUP && !m->ncgroups) {
		tell(PART_TITLE(part), "has no cgroups: they were not recorded");
		return false;
	}
	ok = !summary_make(&s, m, part);
	if (ok && t->by == BY_NOTHING)
		print_all(t->cfg, &s, &ok);
	else if (ok)
		print_by(t, &s, &ok);
	if (!ok)
		tell(PART_TITLE(part), "out of memory");
	summary_free(&s);
	return ok;
}

/* Of options that do not go together; told. */
static bool is_wrong_usage(const struct config *cfg, enum by_kind by)
{
	const char *wrong = NULL;

	if (by == BY_NOTHING && (cfg->rows || cfg->every))
		wrong = "--rows and --every are for --by";
	else if (by != BY_NOTHING && !strncmp(cfg->format, "csv-", 4))
		wrong = "--format=csv-inside and csv-all are not for --by";
	else if (by != BY_INTERVAL && cfg->every)
		wrong = "--every is for --by=interval";
	else if (by != BY_NOTHING && (cfg->all || cfg->all_cpus || cfg->other))
		wrong = "--all, --all-cpus and --other are not for --by";
	if (wrong)
		fprintf(stderr, "netcost-report: %s\n", wrong);
	return wrong;
}

static enum exit_status report(struct task *t, const struct filter *filter)
{
	const struct config *cfg = t->cfg;
	bool tasks = t->by == BY_TASK || t->by == BY_PROCESS, intervals = t->by == BY_INTERVAL;
	bool cgroups = t->by == BY_CGROUP;
	const struct input_wanted wanted = {
		.file = cfg->file,
		.select = cfg->part,
		.rules = cfg->rules,
		.keep = tasks	? MODEL_TASKS | MODEL_CPU_TASKS :
			cgroups ? MODEL_CGROUPS | MODEL_CPU_CGROUPS :
				  0u,
		.filter = filter,
		.intervals = intervals ? &t->intervals : NULL,
	};
	bool ok = input_each_model(&wanted, print, t);

	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

static enum exit_status run(const struct config *cfg)
{
	struct task t = { .cfg = cfg, .by = BY_CPU };
	struct filter filter;
	enum exit_status status;
	uint64_t every_ns;

	while (t.by < BY_NOTHING && (!cfg->by || strcmp(cfg->by, by_names[t.by])))
		t.by++;
	if (is_wrong_usage(cfg, t.by) || !every_parse(cfg->every, &every_ns) ||
	    !filter_parse(&filter, cfg))
		return EXIT_USAGE;
	intervals_init(&t.intervals, every_ns);
	status = report(&t, &filter);
	intervals_free(&t.intervals);
	filter_free(&filter);
	return status;
}

static const char *const formats[] = { "text", "json", "csv", "csv-inside", "csv-all", NULL };

static const struct opt_desc opts[] = {
	OPT_FORMAT(formats),
	{ .name = "by",
	  .kind = OPT_CHOICE,
	  .arg = "KEY",
	  .offset = offsetof(struct config, by),
	  .choices = by_names,
	  .help = "instead, a row for each of these" },
	OPT_ROWS(struct config,
		 "with --by: so many rows, the others as one (20 tasks or processes)"),
	OPT_EVERY,
	OPT_PART,
	OPT_RULES,
	OPT_FILTER,
	{ .name = "all-cpus",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, all_cpus),
	  .help = "a row for each CPU, however many there are" },
	{ .name = "all",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, all),
	  .help = "all categories, those without samples, too" },
	{ .name = "other",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, other),
	  .help = "the functions that no category takes, the heaviest first" },
};

const struct command command_summary = {
	.name = "summary",
	.help = "where the CPU time went, and what the network did for its part",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
