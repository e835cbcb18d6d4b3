// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report recover: a clean trace of all that is sound in another one. */
#include <netcost/reasons.h>

#include "command.h"
#include "copy_files.h"

struct recover_options {
	struct config common;
	bool quiet;
};

static enum exit_status run(const struct config *cfg)
{
	const struct recover_options *o = (const struct recover_options *)cfg;
	const struct copy_input in = { cfg->operand[0],
				       { .memory = cfg->memory, .derived = reason_recover } };

	return copy_files(&in, 1, cfg->operand[1], o->quiet) ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	OPT_MEMORY,
	OPT_QUIET(struct recover_options, "do not report what was saved and what is missing"),
};

const struct command command_recover = {
	.name = "recover",
	.help = "a clean trace of everything that is intact in a cut or damaged one",
	.run = run,
	COMMAND_OPTIONS(struct recover_options, opts),
	.operands = "IN OUT",
	.min = 2,
	.max = 2,
};
