// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report diff: compares two recordings and reports the changes that exceed noise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "report/analysis/latency.h"
#include "report/analysis/view.h"
#include "report/base/text.h"
#include "report/tables/tables.h"

#define ROWS 20

struct compared {
	const struct options *o;
	char table[JSON_PATH]; /* name of the table that CSV prints */
	enum diff_per per;
	struct diff_options asked;
	struct intervals intervals[DIFF_SIDES];
	struct latency_history latency[DIFF_SIDES], stages[DIFF_SIDES];
	struct view_times views[DIFF_SIDES][VIEW_USES_COUNT];
	struct diff_side side[DIFF_SIDES];
	const struct model *model[DIFF_SIDES];
	const struct part *part[DIFF_SIDES];
	char *only;		       /* the keys of --only, separated by commas */
	unsigned int seen[DIFF_SIDES]; /* number of parts of each file so far */
	enum exit_status status;
};

/* ---- for CI ------------------------------------------------------------------------------ */

/*
 * Returns the key of the first item of --only, or NULL if the item is wrong: a leaf, a sum of leaves, a category, or an
 * exact part. Rows are not searched, because a category without samples has no row.
 */
static const char *key_of(const struct rules *r, const char *list, struct rules_item *item)
{
	*item = rules_find(r, list);
	for (unsigned int i = 0; i < NETCOST_PART_COUNT && !item->n; i++)
		if ((strlen(model_part_key(i)) == item->len &&
		     !strncasecmp(model_part_key(i), list, item->len)) ||
		    (strlen(model_part_title(i)) == item->len &&
		     !strncasecmp(model_part_title(i), list, item->len)))
			return model_part_key(i);
	return item->n == 1 ? item->key : NULL;
}

/* Makes a list of keys from --only, in c->only. Returns false if an item is wrong, or out of memory; this is reported. */
static bool take_only(struct compared *c)
{
	const struct rules *r = c->side[DIFF_BEFORE].summary.inside.rules;
	const char *list = c->asked.only;
	size_t size = list ? (strlen(list) + 1) * (RULES_MAX_KEY + 1) + 1 : 0;
	char wrong[300];

	if (!list)
		return true;
	c->only = calloc(size, 1);
	while (c->only && list) {
		struct rules_item item;
		const char *key = key_of(r, list, &item);

		if (!key) {
			fprintf(stderr, "netcost-report: %s\n",
				only_error(wrong, sizeof(wrong), r, list));
			return false;
		}
		text_append(c->only, size, ",", "%s", key);
		list = rules_next_item(list, &item);
	}
	if (c->only)
		only_explain(r, c->asked.only);
	else
		tell("--only", "out of memory");
	c->asked.only = c->only;
	return c->only;
}

/* Reports a cost that grew. A cost that was 0 before has no percentage of change. */
static void report_worse(const struct diff_row *r, double above, const char *of)
{
	const struct diff_change *c = &r->m[0];

	if (isnan(c->relative))
		fprintf(stderr, "netcost-report: %s had no cost before, but has a cost after\n",
			r->name);
	else if (diff_is_vague(c))
		fprintf(stderr,
			"netcost-report: %s costs %s more (spread %s): from %s to %s %s, above %g %%\n",
			r->name, DIGITS(c->change, c->ci95), DIGITS(c->ci95, c->ci95),
			WITHIN(c->side[DIFF_BEFORE].value, c->side[DIFF_BEFORE].ci95, TEXT_PLAIN),
			WITHIN(c->side[DIFF_AFTER].value, c->side[DIFF_AFTER].ci95, TEXT_PLAIN), of,
			100 * above);
	else
		fprintf(stderr, "netcost-report: %s costs %s %% more (spread %s), above %g %%\n",
			r->name, DIGITS(100 * c->relative, 100 * c->relative_ci95),
			DIGITS(100 * c->relative_ci95, 100 * c->relative_ci95), 100 * above);
}

/*
 * Returns advice on how to get a smaller spread: a longer recording, or a recording that loses fewer samples. times:
 * the measured spread divided by the spread that would allow a decision. A spread is inversely proportional to the
 * square root of the duration.
 */
static const char *advice(char dst[80], const struct compared *c, double times)
{
	if (diff_misses_samples(&c->side[DIFF_BEFORE]) || diff_misses_samples(&c->side[DIFF_AFTER]))
		return "record again without missing samples, for example with a lower -F";
	snprintf(dst, 80, "record both for about %s times as long", NUM(ceil(times * times), 0));
	return dst;
}

static void report_unsure(const struct compared *of, const struct diff_row *r, double above)
{
	const struct diff_change *c = &r->m[0];
	double spread = c->relative_ci95;
	char text[80];

	if (spread > above)
		fprintf(stderr,
			"netcost-report: %s: the spread is %s %%, so a rise of %g %% would go unnoticed; %s\n",
			r->name, DIGITS(100 * spread, 100 * spread), 100 * above,
			advice(text, of, spread / above));
	else
		fprintf(stderr,
			"netcost-report: %s costs %s %% more (spread %s), above %g %%, but that may be "
			"noise; %s\n",
			r->name, DIGITS(100 * c->relative, 100 * spread),
			DIGITS(100 * spread, 100 * spread), 100 * above,
			advice(text, of, spread / (c->relative - above)));
}

/* Sorts by rise, the largest first. Costs that were 0 before come first of all. */
static int by_rise(const void *pa, const void *pb)
{
	const struct diff_row *const *a = pa, *const *b = pb;
	double rise_a = (*a)->m[0].relative, rise_b = (*b)->m[0].relative;
	int order = !!isnan(rise_b) - !!isnan(rise_a);

	if (!order)
		order = diff_larger_first(rise_a, rise_b);
	return order ? order : diff_numbers((*a)->place, (*b)->place);
}

static enum exit_status judge(const struct compared *c, const struct diff_table *t)
{
	const struct diff_row **worse = calloc(t->n + 1, sizeof(*worse));
	double above = c->asked.above;
	enum exit_status status = EXIT_DONE;
	size_t n = 0;

	if (!worse)
		return EXIT_FAILED;
	for (size_t i = 0; i < t->n && !isnan(above); i++) {
		const struct diff_row *r = &t->row[i];

		if (diff_is_watched(r, c->asked.only) && diff_is_worse(&r->m[0], above))
			worse[n++] = r;
	}
	qsort(worse, n, sizeof(*worse), by_rise);
	for (size_t i = 0; i < n; i++)
		report_worse(worse[i], above, diff_per[c->per].of);
	free(worse);
	if (n)
		status = EXIT_WORSE;
	for (size_t i = 0; i < t->n && !isnan(above); i++) {
		const struct diff_row *r = &t->row[i];
		enum diff_verdict verdict = r->m[0].verdict;

		if (!diff_must_be_known(r, c->asked.only))
			continue;
		if (verdict < DIFF_SAME) {
			fprintf(stderr,
				"netcost-report: %s: %s: --fail-above is undecided; record both in the same way, and for longer\n",
				r->name, diff_verdict[verdict].text);
			status = EXIT_FAILED;
		} else if (!n && diff_is_unsure(&r->m[0], above)) {
			report_unsure(c, r, above);
			status = status == EXIT_FAILED ? status : EXIT_UNSURE;
		}
	}
	return status;
}

/* ---- output ------------------------------------------------------------------------------ */

static int build(struct doc *d, const struct report_part *p)
{
	return diff_describe(d, p->m);
}

const struct report diff_reports[] = {
	{ "diff", .build = build, .csv = "categories" },
	{ 0 },
};

/*
 * Prints the comparison. Returns false if both recordings lack the requested table, which is
 * reported.
 */
static bool print(const struct compared *c, const struct diff *diff)
{
	struct doc d = report_begin(diff_reports, c->o, c->table, diff->side[DIFF_BEFORE]->part);

	diff_doc(&d, diff);
	return report_end(&d, c->o);
}

static bool compare(struct compared *c)
{
	struct diff d;

	if (!take_only(c)) {
		c->status = EXIT_USAGE;
		return true;
	}
	if (diff_make(&d, &c->side[DIFF_BEFORE], &c->side[DIFF_AFTER], &c->asked)) {
		tell(c->side[DIFF_AFTER].part->file, "out of memory");
		return false;
	}
	c->status = print(c, &d) ? EXIT_DONE : EXIT_FAILED;
	fflush(stdout);
	if (!c->status)
		c->status = judge(c, &d.table[DIFF_COSTS]);
	diff_free(&d);
	return true;
}

/* ---- input ------------------------------------------------------------------------------- */

struct taken {
	struct compared *c;
	enum diff_side_number side;
};

static input_model_fn take;

static enum exit_status each_model(struct compared *c, enum diff_side_number side)
{
	return models_each(c->o, c->o->operand[side], DIFF_SIDE_KEEP, &c->intervals[side], take,
			   &(struct taken){ c, side });
}

static bool make_side(struct compared *c, enum diff_side_number n)
{
	struct diff_side *side = &c->side[n];
	/* The recorder's own calls are not part of the load. */
	unsigned int leaves = c->o->of == SAMPLES_NETWORK ?
				      LEAF_NETWORK :
				      LEAF_ALL & ~(LEAF_BIT(IDLE) | LEAF_BIT(OWN));

	if (c->latency[n].no_memory || c->stages[n].no_memory ||
	    diff_side_make(side, c->model[n], c->part[n], &c->intervals[n], c->per, leaves)) {
		tell(c->part[n]->file, "out of memory");
		return false;
	}
	side->latency = &c->latency[n];
	side->stages = &c->stages[n];
	side->views = c->views[n];
	return true;
}

/* Makes both sides, with the same basis of traffic, and compares them. */
static bool make_and_compare(struct compared *c)
{
	enum interfaces_basis before = c->intervals[DIFF_BEFORE].basis,
			      after = c->intervals[DIFF_AFTER].basis,
			      both = before > after ? before : after;
	bool ok;

	c->intervals[DIFF_BEFORE].basis = c->intervals[DIFF_AFTER].basis = both;
	if (!make_side(c, DIFF_BEFORE))
		return false;
	ok = make_side(c, DIFF_AFTER);
	if (ok) {
		ok = compare(c);
		diff_side_free(&c->side[DIFF_AFTER]);
	}
	diff_side_free(&c->side[DIFF_BEFORE]);
	return ok;
}

/* Takes a model. While the model of BEFORE exists, reads AFTER. */
static bool take(void *ctx, const struct model *m, const struct part *part)
{
	const struct taken *t = ctx;
	struct compared *c = t->c;

	if (!models_is_first(&c->seen[t->side], part, "compare"))
		return false;
	c->model[t->side] = m;
	c->part[t->side] = part;
	return t->side == DIFF_BEFORE ? !each_model(c, DIFF_AFTER) : make_and_compare(c);
}

/* ---- command ----------------------------------------------------------------------------- */

void diff_explain(FILE *out)
{
	fputs("BEFORE and AFTER are one file each; `merge` joins the files of a rotated recording first.\nExit status with --fail-above: 4: a cost rose by more than this; 5: no such rise was found, but the spread could hide one.\n",
	      out);
}

const char *diff_wrong(const struct options *o)
{
	return o->only && o->fail_above == OPTION_UNSET ? "--only needs --fail-above" : NULL;
}

/*
 * Sets up the views that are compared. Each view has a row for each value of its first attribute. The watches of the
 * views are added after `before`.
 */
static void views_init(struct view_times views[VIEW_USES_COUNT], struct intervals_watch *before)
{
	struct intervals_watch *last = before;

	for (size_t i = 0; i < VIEW_USES_COUNT; i++) {
		struct view_order order;
		struct view v;

		if (!(view_uses[i].where & VIEW_DIFF) || !view_usual(&v, &order, view_uses[i].type))
			continue;
		order.sort = VIEW_UNSORTED;
		order.nby = 1;
		view_times_init(&views[i], &v, &order);
		last->more = &views[i].pieces.watch;
		last = &views[i].pieces.watch;
	}
}

enum exit_status diff_run(const struct options *o)
{
	struct compared c = {
		.o = o,
		.per = word_index(o->per),
		.asked = { .rows = o->rows ? o->rows : ROWS,
			   .all = o->all,
			   .only = o->only,
			   .above = o->fail_above == OPTION_UNSET ? NAN :
								    (double)o->fail_above / 1e6 },
	};
	enum exit_status status;

	status = report_table(diff_reports, o, c.table);
	if (status)
		return status;
	for (enum diff_side_number s = 0; s < DIFF_SIDES; s++) {
		latency_history_init(&c.latency[s], MODEL_STORE_LATENCY, 1);
		latency_history_init(&c.stages[s], MODEL_STORE_STEPS, 1);
		views_init(c.views[s], &c.latency[s].watch);
		c.intervals[s] = (struct intervals){ .most = DIFF_PIECES,
						     .wants_stacks = true,
						     .watch = &c.stages[s].watch,
						     .second = &c.latency[s].watch };
	}
	status = each_model(&c, DIFF_BEFORE);
	free(c.only);
	for (enum diff_side_number s = 0; s < DIFF_SIDES; s++) {
		intervals_free(&c.intervals[s]);
		latency_history_free(&c.latency[s]);
		latency_history_free(&c.stages[s]);
		for (size_t i = 0; i < VIEW_USES_COUNT; i++)
			view_times_free(&c.views[s][i]);
	}
	if (command_close(stdout, NULL))
		return EXIT_FAILED;
	return status ? status : c.status;
}
