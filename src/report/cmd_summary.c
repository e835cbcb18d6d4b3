// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report summary: where the CPU time went, and what it bought. */
#include <string.h>

#include "command.h"
#include "input.h"
#include "summary.h"

static void print(const struct summary *s, const struct config *cfg)
{
	struct summary_text_options text = { .all_cpus = cfg->all_cpus };

	if (!strcmp(cfg->format, "json"))
		summary_json(stdout, s);
	else if (!strcmp(cfg->format, "csv"))
		summary_csv(stdout, s);
	else
		summary_text(stdout, s, &text);
}

static enum exit_status run(const struct config *cfg)
{
	struct model *m = input_model(cfg->file, 0);
	struct summary s;

	if (!m)
		return EXIT_FAILED;
	if (summary_make(&s, m, input_name(cfg->file))) {
		input_tell(cfg->file, "out of memory");
		model_free(m);
		return EXIT_FAILED;
	}
	print(&s, cfg);
	summary_free(&s);
	model_free(m);
	return command_close(stdout, NULL);
}

static const char *const formats[] = { "text", "json", "csv", NULL };

static const struct opt_desc opts[] = {
	{ .name = "format",
	  .kind = OPT_CHOICE,
	  .offset = offsetof(struct config, format),
	  .choices = formats,
	  .help = "how to print it (text)" },
	{ .name = "all-cpus",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, all_cpus),
	  .help = "a row for each CPU, however many there are" },
};

const struct command command_summary = {
	.name = "summary",
	.help = "where the CPU time went, and what the network did for its part",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
