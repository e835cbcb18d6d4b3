// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report folded: stacks for flamegraph.pl and its like. */
#include <math.h>
#include <string.h>

#include "models.h"
#include "report/analysis/energy.h"
#include "report/base/part.h"
#include "report/base/text.h"
#include "report/stacks/folded.h"
#include "report/tables/lacks.h"

struct folded_options {
	struct trace_options trace;
	const char *output;
	const char *weight; /* NULL: samples */
	bool per_cpu, no_idle;
};

static const char *const weights[] = { "samples", "energy", NULL };

static bool is_energy(const struct folded_options *o)
{
	return o->weight && !strcmp(o->weight, "energy");
}

struct folded {
	const struct folded_options *o;
	struct outfile file;
	FILE *out; /* NULL: not opened yet */
	bool failed;
	char buffer[1 << 16]; /* of out: stdio's own takes a system call for every few lines */
};

/* Only once there is something to write: if nothing can be read, an older file stays. */
static bool open_out(struct folded *f)
{
	if (f->out || f->failed)
		return !f->failed;
	f->out = command_open(&f->file, f->o->output);
	f->failed = !f->out;
	if (f->out)
		setvbuf(f->out, f->buffer, _IOFBF, sizeof(f->buffer));
	return !f->failed;
}

/* 0: lines are counts of samples. */
static double microjoules(const struct folded_options *o, const struct model *m)
{
	return is_energy(o) ? round(1e6 * energy_joules(m)) : 0;
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct folded *f = ctx;
	char root[sizeof(part->name)], lacks[LACKS_SIZE];
	double sum = microjoules(f->o, m);
	int err;

	if (isnan(sum)) {
		tell(PART_TITLE(part), "has no energy: see `summary`");
		f->failed = true;
		return false;
	}
	if (lacks_samples(m, lacks)) {
		tell(PART_TITLE(part), "%s", lacks);
		return true;
	}
	if (!open_out(f))
		return false;
	memcpy(root, part->name, sizeof(root));
	escape_folded(root);
	err = folded_write(f->out, m, part->alone ? NULL : root,
			   f->o->no_idle || sum > 0 ? LEAF_BIT(IDLE) : 0, f->o->per_cpu, sum);
	if (err)
		tell(PART_TITLE(part), "out of memory");
	f->failed |= err;
	return !err;
}

static enum exit_status run(const struct config *cfg)
{
	const struct folded_options *o = (const struct folded_options *)cfg;
	struct folded f = { .o = o };
	/* Which stacks are the recorder's own, and which the idle task's, is known of leaves. */
	bool no_leaves = o->trace.with_own_cost && !o->no_idle && !is_energy(o);
	unsigned int keep = (o->per_cpu ? MODEL_CPU_STACKS : 0u) |
			    (no_leaves ? MODEL_ONLY_STACKS : 0u);
	enum exit_status status;

	if (is_energy(o) && (o->trace.cpus || o->trace.tasks || o->trace.cgroup)) {
		fprintf(stderr,
			"netcost-report: --weight=energy is of all CPUs and tasks: not with "
			"--cpu, --task or --cgroup\n");
		return EXIT_USAGE;
	}
	status = models_each(&o->trace, cfg->file, keep, NULL, print, &f);

	if (!f.out || command_end(&f.file, f.out, o->output, !f.failed))
		status = status ? status : EXIT_FAILED;
	return status;
}

static const struct opt_desc opts[] = {
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
	OPT_OUTPUT(struct folded_options),
	OPT_WORD(struct folded_options, weight, "weight", "WHAT", weights,
		 "samples, or the energy of packages and memory in uJ, spread over those that are "
		 "not idle"),
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
