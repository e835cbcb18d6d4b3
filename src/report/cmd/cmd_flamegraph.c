// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report flamegraph: the stacks as a picture for a browser. */
#include <stdio.h>

#include "command.h"
#include "filter_options.h"
#include "report/base/tell.h"
#include "report/input/input.h"
#include "report/stacks/flamegraph.h"

struct graph {
	const struct config *cfg;
	const struct filter *filter;
	const struct model *before; /* NULL: one trace alone */
	char before_title[PART_TITLE_SIZE];
	unsigned int drawn;
};

static bool draw(struct graph *g, const struct model *m, const struct part *part)
{
	const struct flamegraph_options options = {
		.title = PART_TITLE(part),
		.before = g->before ? g->before_title : NULL,
		.drop = g->cfg->idle ? 0 : LEAF_BIT(IDLE),
		.icicle = g->cfg->icicle,
	};
	FILE *out = command_open(g->cfg->output);
	int err;

	if (!out)
		return false;
	err = flamegraph_write(out, m, g->before, &options);
	if (err)
		tell(PART_TITLE(part), "out of memory");
	return !command_close(out, out == stdout ? NULL : g->cfg->output) && !err;
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct graph *g = ctx;

	if (g->drawn++) {
		if (g->drawn == 2)
			tell(part->file, "holds several traces: --part says which one to draw");
		return false;
	}
	if (!m->samples) {
		tell(PART_TITLE(part), "has no samples: there are no stacks to draw");
		return false;
	}
	return draw(g, m, part);
}

static bool each_model(struct graph *g, const char *file, input_model_fn *fn)
{
	const struct input_wanted wanted = {
		.file = file, .select = g->cfg->part, .rules = g->cfg->rules, .filter = g->filter
	};

	return input_each_model(&wanted, fn, g);
}

/* The trace before: drawn is the other one while this one is at hand. */
static bool compare(void *ctx, const struct model *m, const struct part *part)
{
	struct graph *g = ctx;

	if (g->before)
		return true;
	g->before = m;
	snprintf(g->before_title, sizeof(g->before_title), "%s", PART_TITLE(part));
	return each_model(g, g->cfg->operand[1], print);
}

static enum exit_status run(const struct config *cfg)
{
	struct filter filter;
	struct graph g = { .cfg = cfg, .filter = &filter };
	bool ok;

	if (!filter_parse(&filter, cfg))
		return EXIT_USAGE;
	ok = each_model(&g, cfg->file, cfg->noperands > 1 ? compare : print);
	filter_free(&filter);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	OPT_PART,
	OPT_RULES,
	OPT_FILTER,
	OPT_OUTPUT,
	{ .name = "icicle",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, icicle),
	  .help = "callers on top, what they call below" },
	{ .name = "idle",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, idle),
	  .help = "with the idle task's samples" },
};

const struct command command_flamegraph = {
	.name = "flamegraph",
	.help = "stacks as an SVG that zooms and searches; of two traces, what has changed",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
	.operands = "[FILE | BEFORE AFTER]",
	.max = 2,
};
