// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report rules: what stacks are sorted by, and what of that a trace has. */
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "report/rules/rules.h"
#include "report/tables/rules_doc.h"

/* The whole file. */
static bool print_text(const char *file)
{
	struct rules *rules = rules_load(file); /* reports what is wrong with it */
	size_t len = 0;
	char *text = rules ? rules_read(file, &len) : NULL;

	if (text)
		fwrite(text, 1, len, stdout);
	rules_free(rules);
	free(text);
	return text != NULL;
}

static int build(struct doc *d, const struct report_part *p)
{
	return rules_doc(d, p->m);
}

static const struct report report = { .build = build, .csv = "functions", .verbatim = true };

static enum exit_status run(const struct config *cfg)
{
	const struct report_options *o = (const struct report_options *)cfg;
	bool ok;

	if (cfg->noperands)
		return report_run(&report, cfg);
	if (o->format && strcmp(o->format, "text")) {
		fprintf(stderr, "netcost-report: --format needs a FILE\n");
		return EXIT_USAGE;
	}
	ok = print_text(o->trace.rules);
	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

static const struct opt_desc opts[] = { OPT_FORMAT, OPT_RULES, OPT_PART, OPT_MEMORY };

const struct command command_rules = {
	.name = "rules",
	.help = "the rules that stacks are sorted by; for a trace, which of their functions it has",
	.run = run,
	.report = &report,
	COMMAND_OPTIONS(struct report_options, opts),
};
