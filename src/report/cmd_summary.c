// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report summary: where the CPU time went, and what it bought. */
#include <string.h>

#include "command.h"
#include "input.h"
#include "summary.h"

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	const struct config *cfg = *(const struct config *const *)ctx;
	struct summary_text_options text = { .all_cpus = cfg->all_cpus,
					     .all = cfg->all,
					     .other = cfg->other };
	struct summary s = { 0 };
	bool ok = !summary_make(&s, m, part);

	if (ok && !strcmp(cfg->format, "json"))
		summary_json(stdout, &s);
	else if (ok && !strcmp(cfg->format, "csv"))
		summary_csv(stdout, &s);
	else if (ok && !strcmp(cfg->format, "csv-inside"))
		summary_csv_inside(stdout, &s);
	else if (ok)
		ok = summary_text(stdout, &s, &text);
	if (!ok)
		input_tell(PART_TITLE(part), "out of memory");
	summary_free(&s);
	return ok;
}

static enum exit_status run(const struct config *cfg)
{
	struct filter filter;
	const struct input_wanted wanted = {
		.file = cfg->file, .select = cfg->part, .rules = cfg->rules, .filter = &filter
	};
	bool ok;

	if (!filter_parse(&filter, cfg))
		return EXIT_USAGE;
	ok = input_each_model(&wanted, print, &cfg);
	filter_free(&filter);
	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

static const char *const formats[] = { "text", "json", "csv", "csv-inside", NULL };

static const struct opt_desc opts[] = {
	{ .name = "format",
	  .kind = OPT_CHOICE,
	  .offset = offsetof(struct config, format),
	  .choices = formats,
	  .help = "how to print it (text)" },
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
