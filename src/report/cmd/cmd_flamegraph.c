// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report flamegraph: the stacks as a picture for a browser. */
#include <stdio.h>

#include "models.h"
#include "report/base/part.h"
#include "report/stacks/flamegraph.h"

struct graph_options {
	struct trace_options trace;
	const char *output;
	bool icicle, idle;
};

struct graph {
	const struct graph_options *o;
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

static bool print(void *ctx, const struct model *m, const struct part *part)
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
	return !models_each(&g->o->trace, g->o->trace.common.operand[1], 0, NULL, print, g);
}

static enum exit_status run(const struct config *cfg)
{
	const struct graph_options *o = (const struct graph_options *)cfg;
	struct graph g = { .o = o };

	return models_each(&o->trace, cfg->file, 0, NULL, cfg->noperands > 1 ? compare : print, &g);
}

static const struct opt_desc opts[] = {
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
	OPT_OUTPUT(struct graph_options),
	OPT_SWITCH(struct graph_options, icicle, "icicle",
		   "draw callers on top, what they call below"),
	OPT_SWITCH(struct graph_options, idle, "idle", "include the idle task's samples"),
};

const struct command command_flamegraph = {
	.name = "flamegraph",
	.help = "stacks as an SVG that zooms and searches; for two traces, what has changed",
	.run = run,
	COMMAND_OPTIONS(struct graph_options, opts),
	.operands = "[FILE | BEFORE AFTER]",
	.max = 2,
};
