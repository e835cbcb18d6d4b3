// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report folded and flamegraph: stacks, for programs and as a picture for a browser. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "report/analysis/energy.h"
#include "report/base/escape.h"
#include "report/base/tell.h"
#include "report/stacks/flamegraph.h"
#include "report/stacks/folded.h"
#include "report/tables/lacks.h"

/* ---- folded ------------------------------------------------------------------------------ */

enum { WEIGHT_SAMPLES = 1, WEIGHT_ENERGY };
const char *const folded_weights[] = { "samples", "energy", NULL };

struct folded {
	const struct options *o;
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
static double microjoules(const struct options *o, const struct model *m)
{
	return o->weight == WEIGHT_ENERGY ? round(1e6 * energy_joules(m)) : 0;
}

static bool print_folded(void *ctx, const struct model *m, const struct part *part)
{
	struct folded *f = ctx;
	char root[sizeof(part->name)], lacks[LACKS_SIZE];
	double sum = microjoules(f->o, m);
	bool no_idle = f->o->no_idle || sum > 0;
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
	err = folded_write(f->out, m, part->alone ? NULL : root, no_idle ? LEAF_BIT(IDLE) : 0,
			   f->o->per_cpu, sum);
	if (err)
		tell(PART_TITLE(part), "out of memory");
	f->failed |= err;
	return !err;
}

const char *folded_wrong(const struct options *o)
{
	bool selects = o->filter.cpu_list || filter_has_tasks(&o->filter);

	if (o->weight == WEIGHT_ENERGY && selects)
		return "--weight=energy is of all CPUs and tasks: not with --cpu, --task or --cgroup";
	return NULL;
}

enum exit_status folded_run(const struct options *o)
{
	struct folded f = { .o = o };
	/* Which stacks are the recorder's own, and which the idle task's, is known of leaves. */
	bool no_leaves = o->filter.with_own_cost && !o->no_idle && o->weight != WEIGHT_ENERGY;
	unsigned int keep = (o->per_cpu ? MODEL_CPU_STACKS : 0u) |
			    (no_leaves ? MODEL_ONLY_STACKS : 0u);
	enum exit_status status = models_each(o, o->file, keep, NULL, print_folded, &f);

	if (!f.out || command_end(&f.file, f.out, o->output, !f.failed))
		status = status ? status : EXIT_FAILED;
	return status;
}

/* ---- flamegraph -------------------------------------------------------------------------- */

struct graph {
	const struct options *o;
	const struct model *before; /* NULL: one trace alone */
	char before_title[PART_TITLE_SIZE];
	unsigned int drawn;
};

static bool draw(struct graph *g, const struct model *m, const struct part *part)
{
	const struct flamegraph_options options = {
		.title = PART_TITLE(part),
		.before = g->before ? g->before_title : NULL,
		.drop = g->o->idle ? 0 : LEAF_BIT(IDLE),
		.icicle = g->o->icicle,
	};
	struct outfile file;
	FILE *out = command_open(&file, g->o->output);
	int err;

	if (!out)
		return false;
	err = flamegraph_write(out, m, g->before, &options);
	if (err)
		tell(PART_TITLE(part), "out of memory");
	return !command_end(&file, out, g->o->output, !err);
}

static bool print_graph(void *ctx, const struct model *m, const struct part *part)
{
	struct graph *g = ctx;

	if (!models_is_first(&g->drawn, part, "draw"))
		return false;
	if (!m->samples) {
		tell(PART_TITLE(part), "has no samples: there are no stacks to draw");
		return false;
	}
	return draw(g, m, part);
}

/* The trace before; the other one is drawn while this model exists. */
static bool compare(void *ctx, const struct model *m, const struct part *part)
{
	struct graph *g = ctx;

	if (g->before)
		return true;
	g->before = m;
	snprintf(g->before_title, sizeof(g->before_title), "%s", PART_TITLE(part));
	return !models_each(g->o, g->o->operand[1], 0, NULL, print_graph, g);
}

enum exit_status flamegraph_run(const struct options *o)
{
	struct graph g = { .o = o };

	return models_each(o, o->file, 0, NULL, o->noperands > 1 ? compare : print_graph, &g);
}
