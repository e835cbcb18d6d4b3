// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report folded: stacks for flamegraph.pl and its like. */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "folded.h"
#include "input.h"

static enum exit_status print(const struct model *m, const struct config *cfg)
{
	FILE *out = stdout;
	int err;

	if (cfg->output && strcmp(cfg->output, "-"))
		out = fopen(cfg->output, "we");
	if (!out) {
		input_tell(cfg->output, "cannot write: %s; check the path", strerror(errno));
		return EXIT_FAILED;
	}
	err = folded_write(out, m, cfg->no_idle ? LEAF_BIT(IDLE) : 0, cfg->per_cpu);
	if (err)
		input_tell(cfg->file, "out of memory");
	return command_close(out, out == stdout ? NULL : cfg->output) || err ? EXIT_FAILED :
									       EXIT_DONE;
}

static enum exit_status run(const struct config *cfg)
{
	struct model *m = input_model(cfg->file, cfg->per_cpu ? MODEL_CPU_STACKS : 0);
	enum exit_status status;

	if (!m)
		return EXIT_FAILED;
	if (!m->header.sample_hz && !m->samples)
		input_tell(cfg->file, "was recorded without samples (-F 0): there are no stacks");
	status = print(m, cfg);
	model_free(m);
	return status;
}

static const struct opt_desc opts[] = {
	{ .name = "output",
	  .short_name = 'o',
	  .kind = OPT_STR,
	  .arg = "FILE",
	  .offset = offsetof(struct config, output),
	  .help = "write there (stdout)" },
	{ .name = "per-cpu",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, per_cpu),
	  .help = "a tree for each CPU, below cpuN" },
	{ .name = "no-idle",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, no_idle),
	  .help = "leave out the idle task's samples" },
};

const struct command command_folded = {
	.name = "folded",
	.help = "stacks as folded lines, for flamegraph.pl, inferno and speedscope",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
