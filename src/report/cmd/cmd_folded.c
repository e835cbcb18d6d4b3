// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report folded: stacks for flamegraph.pl and its like. */
#include <string.h>

#include "models.h"
#include "report/base/escape.h"
#include "report/base/tell.h"
#include "report/stacks/folded.h"

struct folded_options {
	struct trace_options trace;
	const char *output;
	bool per_cpu, no_idle;
};

struct folded {
	const struct folded_options *o;
	FILE *out; /* NULL: not opened yet */
	bool failed;
	char buffer[1 << 16]; /* of out: stdio's own takes a system call for every few lines */
};

/* Only once there is something to write: if nothing can be read, an older file stays. */
static bool open_out(struct folded *f)
{
	if (f->out || f->failed)
		return !f->failed;
	f->out = command_open(f->o->output);
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
	err = folded_write(f->out, m, part->alone ? NULL : root, f->o->no_idle ? LEAF_BIT(IDLE) : 0,
			   f->o->per_cpu);
	if (err)
		tell(PART_TITLE(part), "out of memory");
	f->failed |= err;
	return !err;
}

static enum exit_status run(const struct config *cfg)
{
	const struct folded_options *o = (const struct folded_options *)cfg;
	struct folded f = { .o = o };
	unsigned int keep = (o->per_cpu ? MODEL_CPU_STACKS : 0u) |
			    (o->no_idle ? 0u : MODEL_ONLY_STACKS);
	enum exit_status status = models_each(&o->trace, cfg->file, keep, NULL, print, &f);

	if (f.out && command_end(f.out, o->output, !f.failed))
		status = EXIT_FAILED;
	return status;
}

static const struct opt_desc opts[] = {
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	OPT_OUTPUT(struct folded_options),
	OPT_SWITCH(struct folded_options, per_cpu, "per-cpu",
		   "write a tree for each CPU, below cpuN"),
	OPT_SWITCH(struct folded_options, no_idle, "no-idle", "leave out the idle task's samples"),
};

const struct command command_folded = {
	.name = "folded",
	.help = "stacks as folded lines, for flamegraph.pl, inferno and speedscope",
	.run = run,
	COMMAND_OPTIONS(struct folded_options, opts),
};
