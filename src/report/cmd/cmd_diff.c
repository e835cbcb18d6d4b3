// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report diff: two recordings, and what has changed more than noise does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "report.h"
#include "report/analysis/diff/diff_shown.h"
#include "report/analysis/diff/diff_side.h"
#include "report/analysis/latency_history.h"
#include "report/analysis/stages_history.h"
#include "report/base/part.h"
#include "report/base/text.h"
#include "report/tables/diff_doc.h"

#define ROWS 20

enum side { BEFORE, AFTER, SIDES };

struct diff_options {
	struct report_options report;
	const char *per, *fail_above, *only;
	bool network, all;
	unsigned long rows;
};

struct compared {
	const struct diff_options *o;
	char table[JSON_PATH]; /* that CSV prints */
	enum diff_per per;
	struct diff_watch watch;
	struct intervals intervals[SIDES];
	struct latency_history latency[SIDES];
	struct stages_history stages[SIDES];
	struct diff_side side[SIDES];
	unsigned int seen[SIDES]; /* parts */
	bool done;
	enum exit_status status;
};

/* ---- for CI ------------------------------------------------------------------------------ */

/* A category of the rules that has no samples has no row. */
static bool is_key(const struct diff_side *s, const char *key, size_t len)
{
	const struct rules *r = s->summary.inside.rules;

	for (unsigned int i = 0; i < LEAF_NODES; i++)
		if (strlen(leaf_node[i].key) == len && !memcmp(leaf_node[i].key, key, len))
			return true;
	for (unsigned int i = 0; r && i < r->ncategories; i++)
		if (strlen(r->category[i].key) == len && !memcmp(r->category[i].key, key, len))
			return true;
	for (unsigned int i = 0; i < NETCOST_PART_COUNT; i++)
		if (strlen(model_part_key(i)) == len && !memcmp(model_part_key(i), key, len))
			return true;
	return false;
}

/* Reported. */
static bool has_wrong_key(const struct compared *c)
{
	const char *key = c->watch.only;

	while (key) {
		size_t len = strcspn(key, ",");

		if (!is_key(&c->side[BEFORE], key, len)) {
			fprintf(stderr,
				"netcost-report: --only: '%.*s' is not a category; the rules name them, "
				"and there are network and kernel\n",
				(int)(len < 100 ? len : 100), key);
			return true;
		}
		key = key[len] ? key + len + 1 : NULL;
	}
	return false;
}

/* Without --only: at least the network as a whole must have been compared. */
static bool must_be_compared(const struct compared *c, const struct diff_row *r)
{
	return c->watch.only ? diff_is_watched(r, c->watch.only) : !strcmp(r->key, "network");
}

/* What was 0 before costs more by no percentage. */
static void report_worse(const struct compared *c, const struct diff_row *r)
{
	if (isnan(r->c.relative))
		fprintf(stderr, "netcost-report: %s cost nothing before, and does now\n", r->key);
	else
		fprintf(stderr, "netcost-report: %s costs %s %% more (spread %s), above %s %%\n",
			r->key, NUM(100 * r->c.relative, 1), NUM(100 * r->c.relative_ci95, 1),
			NUM(100 * c->watch.above, 1));
}

static enum exit_status judge(const struct compared *c, const struct diff *d)
{
	enum exit_status status = EXIT_DONE;

	for (size_t i = 0; i < d->nrows; i++) {
		const struct diff_row *r = &d->row[i];

		if (isnan(c->watch.above) || !diff_is_watched(r, c->watch.only))
			continue;
		if (diff_is_worse(&r->c, c->watch.above)) {
			report_worse(c, r);
			status = status == EXIT_FAILED ? status : EXIT_WORSE;
		} else if (!diff_is_compared(&r->c) && must_be_compared(c, r)) {
			fprintf(stderr,
				"netcost-report: %s: %s: --fail-above cannot be answered; record both "
				"alike, and for longer\n",
				r->key, diff_verdict[r->c.verdict].text);
			status = EXIT_FAILED;
		}
	}
	return status;
}

/* ---- output ------------------------------------------------------------------------------ */

static int build(struct doc *d, const struct report_part *p)
{
	return diff_describe(d, p->m);
}

static const struct report report = { .build = build, .csv = "categories" };

/* False: the two lack the table that is asked for; reported. */
static bool print(const struct compared *c, const struct diff *diff)
{
	struct doc d = report_begin(&report, &c->o->report, c->table, diff->before->part);

	diff_doc(&d, diff, &c->watch);
	return report_end(&d, &c->o->report);
}

static bool compare(struct compared *c)
{
	struct diff d;

	if (has_wrong_key(c)) {
		c->status = EXIT_USAGE;
		return true;
	}
	if (diff_make(&d, &c->side[BEFORE], &c->side[AFTER], c->o->rows ? c->o->rows : ROWS)) {
		tell(c->side[AFTER].part->file, "out of memory");
		return false;
	}
	diff_hide(&d, c->watch.only, c->o->all);
	c->status = print(c, &d) ? EXIT_DONE : EXIT_FAILED;
	fflush(stdout);
	if (!c->status)
		c->status = judge(c, &d);
	diff_free(&d);
	return true;
}

/* ---- input ------------------------------------------------------------------------------- */

struct taken {
	struct compared *c;
	enum side side;
};

static input_model_fn take;

static enum exit_status each_model(struct compared *c, enum side side)
{
	const struct trace_options *o = &c->o->report.trace;

	return models_each(o, o->common.operand[side], DIFF_SIDE_KEEP, &c->intervals[side], take,
			   &(struct taken){ c, side });
}

/* Makes a side, and does what comes next while its model exists. */
static bool take(void *ctx, const struct model *m, const struct part *part)
{
	const struct taken *t = ctx;
	struct compared *c = t->c;
	struct diff_side *side = &c->side[t->side];
	unsigned int leaves = c->o->network ? LEAF_NETWORK : LEAF_ALL & ~LEAF_BIT(IDLE);
	bool ok;

	if (!models_is_first(&c->seen[t->side], part, "compare"))
		return false;
	if (c->latency[t->side].no_memory || c->stages[t->side].no_memory ||
	    diff_side_make(side, m, part, &c->intervals[t->side], c->per, leaves)) {
		tell(part->file, "out of memory");
		return false;
	}
	side->latency = &c->latency[t->side];
	side->stages = &c->stages[t->side];
	ok = t->side == BEFORE ? !each_model(c, AFTER) : compare(c);
	diff_side_free(side);
	return ok;
}

/* ---- command ----------------------------------------------------------------------------- */

/* NULL: not given. */
static bool parse_percent(const char *text, double *share)
{
	char *end;

	*share = NAN;
	if (!text)
		return true;
	*share = strtod(text, &end) / 100;
	end += end != text && *end == '%';
	if (end != text && !*end && *share >= 0 && *share <= 1e6)
		return true;
	fprintf(stderr,
		"netcost-report: --fail-above: '%s' is not a percentage such as 5%% or 2.5\n",
		text);
	return false;
}

static enum exit_status run(const struct config *cfg)
{
	const struct diff_options *o = (const struct diff_options *)cfg;
	struct compared c = { .o = o, .watch.only = o->only };
	enum exit_status status;

	while (o->per && strcmp(o->per, diff_per[c.per].name))
		c.per++;
	if (o->only && !o->fail_above) {
		fprintf(stderr, "netcost-report: --only needs --fail-above\n");
		return EXIT_USAGE;
	}
	if (!parse_percent(o->fail_above, &c.watch.above))
		return EXIT_USAGE;
	status = report_table(&report, &o->report, c.table);
	if (status)
		return status;
	for (enum side s = BEFORE; s < SIDES; s++) {
		latency_history_init(&c.latency[s]);
		stages_history_init(&c.stages[s]);
		c.intervals[s] = (struct intervals){ .most = DIFF_PIECES,
						     .wants_stacks = true,
						     .watch = &c.stages[s].watch,
						     .second = &c.latency[s].pieces.watch };
	}
	status = each_model(&c, BEFORE);
	for (enum side s = BEFORE; s < SIDES; s++) {
		intervals_free(&c.intervals[s]);
		latency_history_free(&c.latency[s]);
		stages_history_free(&c.stages[s]);
	}
	if (command_close(stdout, NULL))
		return EXIT_FAILED;
	return status ? status : c.status;
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WIDE("text as wide as that gets, where the terminal is narrower"),
	OPT_WORD(struct diff_options, per, "per", "WHAT", diff_per_names,
		 "show costs as a share of CPU time, per packet on interfaces, or per second (cpu)"),
	OPT_TEXT(struct diff_options, fail_above, "fail-above", "PERCENT",
		 "exit with 4 if a category costs this much more, and it is not noise"),
	OPT_TEXT(struct diff_options, only, "only", "CATEGORY,...",
		 "with --fail-above: only these (the network and the categories it is the sum of)"),
	OPT_SWITCH(struct diff_options, network, "network",
		   "take functions from the network's samples only"),
	OPT_SWITCH(struct diff_options, all, "all",
		   "show also what cannot be told apart from noise"),
	OPT_ROWS(struct diff_options, "show this many functions (20)"),
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
};

const struct command command_diff = {
	.name = "diff",
	.help = "two recordings: what costs more or less than before, and is not noise",
	.run = run,
	.report = &report,
	COMMAND_OPTIONS(struct diff_options, opts),
	.operands = "BEFORE AFTER",
	.min = 2,
	.max = 2,
};
