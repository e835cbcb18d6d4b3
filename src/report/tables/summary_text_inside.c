// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: what the leaves are made of, and what no category takes. */
#include <math.h>

#include "report/analysis/inside_walk.h"
#include "report/analysis/other.h"
#include "report/base/escape.h"
#include "report/base/text.h"
#include "report/rules/classes.h"
#include "summary_text.h"

#define FUNCTIONS 15 /* of a leaf, that no category takes */

/* "50.02 +- 0.97", or "-" */
static void value_text(char *buf, size_t size, const struct inside_value *v)
{
	if (isnan(v->share))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%s +- %5s", PERCENT(v->share, 2), PERCENT(v->ci95, 2));
}

struct table {
	FILE *out;
	double wall_ns;
	bool exact; /* there are exact times */
};

static void row(void *ctx, const struct inside_line *l)
{
	const struct table *t = ctx;
	char text[2][64] = { "", "" };

	value_text(text[0], sizeof(text[0]), l->exclusive);
	if (l->inclusive)
		value_text(text[1], sizeof(text[1]), l->inclusive);
	fprintf(t->out, "  %*s%-*s %17s", (int)(2 * l->depth), "", (int)(42 - 2 * l->depth),
		l->title, text[0]);
	if (l->inclusive || l->has_exact)
		fprintf(t->out, " %17s", text[1]);
	if (l->has_exact)
		fprintf(t->out, " %8s %8s", PERCENT(l->exact.ns / t->wall_ns, 2),
			PERCENT(l->exact.total_ns / t->wall_ns, 2));
	fputc('\n', t->out);
}

static void notes(FILE *out, const struct summary *s, unsigned int hidden)
{
	if (s->inside.rules->file)
		fprintf(out, "Sorted by the rules in %s.\n", SAFE(s->inside.rules->file));
	if (hidden)
		fprintf(out,
			"%u categories with less than %g %% of their leaf; --all shows them.\n",
			hidden, 100 * INSIDE_LEAST);
	if (s->m->classes->full)
		fprintf(out, "More than %u kinds of stacks: inclusive figures are not known.\n",
			CLASSES_MAX);
}

void text_inside(FILE *out, const struct summary *s, bool all)
{
	struct table t = { .out = out,
			   .wall_ns = s->split.all.wall_ns,
			   .exact = !isnan(s->rx.self_ns) };

	if (!s->inside.rules)
		return;
	fprintf(out, "\n%-44s %17s %17s%s\n", "Where it goes inside, % of time by samples",
		"exclusive", "inclusive", t.exact ? "    exact    incl." : "");
	notes(out, s, inside_walk(s, all, row, &t));
}

/* ---- what no category takes -------------------------------------------------------------- */

static void functions(FILE *out, const struct summary *s, const struct other *o)
{
	const struct inside_value *all = &s->inside.row[o->leaf].self;
	uint64_t rest = all->samples;

	fprintf(out, "\nIn %s, in none of its categories: %s %% of time\n",
		leaf_desc[o->leaf].title, PERCENT(all->share, 2));
	for (size_t i = 0; i < o->n && i < FUNCTIONS; i++) {
		fprintf(out, "  %-44s %9s %% of it\n",
			*o->function[i].name ? SAFE(o->function[i].name) : "[unknown]",
			PERCENT((double)o->function[i].samples / (double)all->samples, 2));
		rest -= o->function[i].samples;
	}
	if (o->n > FUNCTIONS)
		fprintf(out, "  %-44s %9s %% of it\n", "others",
			PERCENT((double)rest / (double)all->samples, 2));
}

bool text_other(FILE *out, const struct summary *s)
{
	struct other other;

	if (!s->inside.rules)
		return true;
	for (size_t i = 0; i < OTHER_LEAVES; i++) {
		if (other_make(&other, s->m, other_leaf[i]))
			return false;
		functions(out, s, &other);
		other_free(&other);
	}
	return true;
}
