// SPDX-License-Identifier: BSD-2-Clause
/* What is compared of views (view.h): what they counted, a second, and how that varied from piece to piece of the recording. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "report/analysis/known.h"
#include "report/analysis/view.h"

/* A row of a piece. */
struct counted {
	const struct view_row *row;
	size_t piece;
};

/* By the first attribute: all pieces of it are next to each other. */
static int by_word(const void *pa, const void *pb)
{
	const struct counted *a = pa, *b = pb;
	int order = diff_strings(a->row->by[0].s, b->row->by[0].s);

	return order ? order : diff_numbers(a->piece, b->piece);
}

static struct counted *all_rows(const struct view_times *t, size_t *n)
{
	struct counted *all;
	size_t rows = 0;

	*n = 0;
	for (size_t i = 0; i < t->n; i++)
		rows += t->piece[i].n;
	all = malloc((rows + 1) * sizeof(*all));
	for (size_t i = 0; all && i < t->n; i++)
		for (size_t r = 0; r < t->piece[i].n; r++)
			all[(*n)++] = (struct counted){ &t->piece[i].row[r], i };
	if (all)
		qsort(all, *n, sizeof(*all), by_word);
	return all;
}

static double seconds_of(const struct interval *piece)
{
	return (double)(piece->end_ns - piece->begin_ns) * 1e-9;
}

/* n rows of one thing in all pieces that have it. `absent`: in the others it is 0. */
static struct diff_value value_of(const struct diff_side *s, const struct counted *of, size_t n,
				  size_t value, bool absent)
{
	double y[DIFF_PIECES], x[DIFF_PIECES], sum = NAN, seconds = 0;
	struct diff_value v = diff_nothing;
	size_t pieces = s->iv->n < DIFF_PIECES ? s->iv->n : DIFF_PIECES;

	for (size_t i = 0; i < pieces; i++) {
		y[i] = absent ? 0 : NAN;
		x[i] = seconds_of(&s->iv->row[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (of[i].piece < pieces)
			y[of[i].piece] = of[i].row->value[value];
	for (size_t i = 0; i < pieces; i++) {
		known_add(&sum, y[i]);
		seconds += isnan(y[i]) ? 0 : x[i];
	}
	v.value = known_ratio(sum, seconds);
	v.ci95 = 0;
	v.variance = stats_ratio_variance(y, x, pieces, &v.df);
	return isnan(v.value) ? diff_nothing : v;
}

static int add(struct diff_table *t, enum diff_side_number side, unsigned int use,
	       const struct counted *of, size_t n)
{
	const struct view *v = &t->side[side]->views[use].view;
	int err = 0;

	for (size_t i = 0; i < v->nvalues && !err; i++) {
		struct diff_row r = { .group = use,
				      .name = of->row->by[0].s ? of->row->by[0].s : "",
				      .of = v->value[i]->name,
				      .place = i };

		r.m[0].side[side] =
			value_of(t->side[side], of, n, i, view_uses[use].where & VIEW_ABSENT);
		if (!isnan(r.m[0].side[side].value))
			err = diff_add(t, side, &r);
	}
	return err;
}

static int walk_view(struct diff_table *t, enum diff_side_number side, unsigned int use)
{
	size_t n, end;
	struct counted *all = all_rows(&t->side[side]->views[use], &n);
	int err = all ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && !err; i = end) {
		for (end = i + 1; end < n;) {
			if (diff_strings(all[i].row->by[0].s, all[end].row->by[0].s))
				break;
			end++;
		}
		err = add(t, side, use, &all[i], end - i);
	}
	free(all);
	return err;
}

static int walk(struct diff_table *t, enum diff_side_number side)
{
	int err = 0;

	t->absent[side][0] = diff_nothing;
	for (unsigned int i = 0; i < VIEW_USES_COUNT && !err; i++) {
		if (t->side[side]->views[i].no_memory)
			err = -ENOMEM;
		else if (view_uses[i].where & VIEW_DIFF)
			err = walk_view(t, side, i);
	}
	return err;
}

/* Of a side that lacks it because it never happened. */
static void set_absent(struct diff_value *v, const struct diff_side *s, unsigned int use)
{
	if (isnan(v->value) && view_uses[use].where & VIEW_ABSENT &&
	    s->m->records[view_uses[use].type])
		*v = value_of(s, NULL, 0, 0, true);
}

static bool has_counts(const struct diff_side *s)
{
	bool any = false;

	for (size_t i = 0; i < VIEW_USES_COUNT; i++)
		any |= view_uses[i].where & VIEW_DIFF && s->m->records[view_uses[i].type];
	return any && s->views && model_is_of_all(s->m);
}

/* What is 0 on both sides is no row. */
static void finish(struct diff_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct diff_row *r = &t->row[i];
		bool moved = false;

		for (unsigned int side = 0; side < DIFF_SIDES; side++) {
			set_absent(&r->m[0].side[side], t->side[side], r->group);
			moved |= r->m[0].side[side].value > 0;
		}
		if (moved)
			t->row[n++] = *r;
	}
	t->n = n;
}

static int by_name(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order = a->group == b->group ? diff_by_name(a, b) : diff_numbers(a->group, b->group);

	return order;
}

const struct diff_subject_desc diff_counts = { .has = has_counts,
					       .walk = walk,
					       .finish = finish,
					       .order = by_name,
					       .measures = 1,
					       .test = DIFF_TEST_T,
					       .families = 1 };
