// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report recover: a clean trace of all that is sound in another one. */
#include "command.h"
#include "copy_files.h"

static enum exit_status run(const struct config *cfg)
{
	const struct copy_input in = { cfg->operand[0], { .derived = "recover" } };

	return copy_files(&in, 1, cfg->operand[1], cfg->quiet) ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	{ .name = "quiet",
	  .short_name = 'q',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, quiet),
	  .help = "do not say what was saved and what is missing" },
};

const struct command command_recover = {
	.name = "recover",
	.help = "a clean trace of all that is sound in a cut or damaged one",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
	.operands = "IN OUT",
	.min = 2,
	.max = 2,
};
