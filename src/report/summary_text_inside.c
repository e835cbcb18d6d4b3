// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: what the leaves are made of, and what no category takes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classes.h"
#include "escape.h"
#include "inside_walk.h"
#include "summary_text.h"
#include "text.h"

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

struct function {
	const char *name;
	uint64_t samples;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct function *)a)->name, ((const struct function *)b)->name);
}

static int by_samples(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* The innermost functions of a leaf's own stacks, those of one name as one. Returns how many. */
static size_t count_functions(const struct model *m, unsigned int leaf, struct function *f)
{
	size_t n = 0, names = 0;

	for (uint32_t i = 0; i <= m->nsymbols; i++)
		f[i] = (struct function){ .name = model_string(m, m->symbol[i]) };
	for (uint32_t i = 1; i <= m->nstacks; i++)
		if (m->classes->at[m->class[i]].category == leaf)
			f[m->stack[i].symbol].samples += m->count[i];
	for (uint32_t i = 0; i <= m->nsymbols; i++)
		if (f[i].samples)
			f[n++] = f[i];
	qsort(f, n, sizeof(*f), by_name);
	for (size_t i = 0; i < n; i++) {
		if (names && !strcmp(f[names - 1].name, f[i].name))
			f[names - 1].samples += f[i].samples;
		else
			f[names++] = f[i];
	}
	qsort(f, names, sizeof(*f), by_samples);
	return names;
}

static void functions(FILE *out, const struct summary *s, unsigned int leaf, struct function *f)
{
	const struct inside_value *all = &s->inside.row[leaf].self;
	size_t n = count_functions(s->m, leaf, f);
	uint64_t rest = all->samples;

	fprintf(out, "\nIn %s, in none of its categories: %s %% of time\n", leaf_desc[leaf].title,
		PERCENT(all->share, 2));
	for (size_t i = 0; i < n && i < FUNCTIONS; i++) {
		fprintf(out, "  %-44s %9s %% of it\n", *f[i].name ? SAFE(f[i].name) : "[unknown]",
			PERCENT((double)f[i].samples / (double)all->samples, 2));
		rest -= f[i].samples;
	}
	if (n > FUNCTIONS)
		fprintf(out, "  %-44s %9s %% of it\n", "others",
			PERCENT((double)rest / (double)all->samples, 2));
}

bool text_other(FILE *out, const struct summary *s)
{
	struct function *f;

	if (!s->inside.rules)
		return true;
	f = calloc(s->m->nsymbols + 1u, sizeof(*f));
	if (!f)
		return false;
	functions(out, s, LEAF_OTHER_NETWORK, f);
	functions(out, s, LEAF_OTHER_KERNEL, f);
	free(f);
	return true;
}
