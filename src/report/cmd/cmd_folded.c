// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report folded: stacks for flamegraph.pl and its like. */
#include <string.h>

#include "command.h"
#include "filter_options.h"
#include "report/base/escape.h"
#include "report/base/tell.h"
#include "report/input/input.h"
#include "report/stacks/folded.h"

struct folded {
	const struct config *cfg;
	FILE *out; /* NULL: not opened yet */
	bool failed;
	char buffer[1 << 16]; /* of out: stdio's own takes a system call for every few lines */
};

/* Not before there is something to write: an older file stays where nothing can be read. */
static bool open_out(struct folded *f)
{
	if (f->out || f->failed)
		return !f->failed;
	f->out = command_open(f->cfg->output);
	f->failed = !f->out;
	if (f->out)
		setvbuf(f->out, f->buffer, _IOFBF, sizeof(f->buffer));
	return !f->failed;
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct folded *f = ctx;
	char root[sizeof(part->name)];
	int err;

	if (!open_out(f))
		return false;
	if (!m->header.sample_hz && !m->samples)
		tell(PART_TITLE(part), "was recorded without samples (-F 0): there are no stacks");
	memcpy(root, part->name, sizeof(root));
	escape_folded(root);
	err = folded_write(f->out, m, part->alone ? NULL : root,
			   f->cfg->no_idle ? LEAF_BIT(IDLE) : 0, f->cfg->per_cpu);
	if (err)
		tell(PART_TITLE(part), "out of memory");
	return !err;
}

static enum exit_status run(const struct config *cfg)
{
	struct folded f = { .cfg = cfg };
	unsigned int keep = (cfg->per_cpu ? MODEL_CPU_STACKS : 0u) |
			    (cfg->no_idle ? 0u : MODEL_ONLY_STACKS);
	struct filter filter;
	const struct input_wanted wanted = { .file = cfg->file,
					     .select = cfg->part,
					     .rules = cfg->rules,
					     .keep = keep,
					     .filter = &filter };
	bool ok;

	if (!filter_parse(&filter, cfg))
		return EXIT_USAGE;
	ok = input_each_model(&wanted, print, &f);
	filter_free(&filter);
	if (f.out && command_close(f.out, f.out == stdout ? NULL : cfg->output))
		ok = false;
	return ok ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	OPT_PART,
	OPT_RULES,
	OPT_FILTER,
	OPT_OUTPUT,
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
