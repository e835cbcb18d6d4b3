// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report schema: what is printed as JSON, as a JSON schema. */
#include <string.h>

#include "models.h"
#include "report.h"
#include "report/base/part.h"

/* name: NULL: all commands. Returns how many there are of that name that print JSON; -1: no memory. */
static int describe(const struct config *cfg, const char *name, struct doc *d,
		    const struct model *empty)
{
	int n = 0;

	for (const struct command *const *c = cfg->commands; *c; c++) {
		int err;

		if (!((*c)->describe || (*c)->report) || (name && strcmp((*c)->name, name)))
			continue;
		doc_schema_report(d, (*c)->name);
		err = (*c)->describe ? (*c)->describe(d, empty) : report_describe(d, empty, *c);
		if (err)
			return -1;
		n++;
	}
	return n;
}

static enum exit_status print(void *ctx, const struct model *empty)
{
	const struct config *cfg = ctx;
	const char *name = cfg->noperands ? cfg->operand[0] : NULL;
	const struct part part = { .file = "", .alone = true, .first = true };
	struct doc d;
	int n = -1;

	if (!doc_begin_schema(&d, stdout, &part)) {
		n = describe(cfg, name, &d, empty);
		if (n > 0)
			doc_end(&d);
		doc_schema_free(&d);
	}
	if (n > 0)
		return command_close(stdout, NULL);
	if (n < 0)
		tell("schema", "out of memory");
	else
		fprintf(stderr,
			"netcost-report: schema: '%s' is not a command with --format=json\n", name);
	return n < 0 ? EXIT_FAILED : EXIT_USAGE;
}

static enum exit_status run(const struct config *cfg)
{
	struct config own = *cfg;

	return models_empty(print, &own);
}

const struct command command_schema = {
	.name = "schema",
	.help = "the JSON schema of what commands print with --format=json",
	.run = run,
	.operands = "[COMMAND]",
	.max = 1,
	.words = 1,
};
