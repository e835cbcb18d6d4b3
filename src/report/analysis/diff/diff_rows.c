// SPDX-License-Identifier: BSD-2-Clause
/* Rows of the sides of a comparison, and their values, as all subjects use them. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <netcost/array.h>

#include "diff.h"
#include "report/analysis/known.h"

const struct diff_value diff_nothing = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, SPLIT_NOT_MEASURED };

/* ---- rows of a side ---------------------------------------------------------------------- */

int diff_add(struct diff_table *t, enum diff_side_number side, const struct diff_row *r)
{
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 64;

		if (array_resize(&t->row, room, sizeof(*t->row)))
			return -ENOMEM;
		t->room = room;
	}
	t->row[t->n] = *r;
	t->row[t->n++].seen = 1u << side;
	return 0;
}

void diff_value_add(struct diff_value *to, const struct diff_value *v)
{
	known_add(&to->value, v->value);
	known_add(&to->ci95, v->ci95);
	known_add(&to->low, v->low);
	known_add(&to->high, v->high);
}

int diff_larger_first(double a, double b)
{
	return (a < b) - (a > b);
}

int diff_strings(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

int diff_numbers(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

int diff_by_name(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order = diff_strings(a->name, b->name);

	return order ? order : diff_strings(a->of, b->of);
}

int diff_by_place(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;

	if (a->group != b->group)
		return diff_numbers(a->group, b->group);
	return a->kind != b->kind ? diff_numbers(a->kind, b->kind) :
				    diff_numbers(a->place, b->place);
}

/* ---- more than noise? -------------------------------------------------------------------- */

bool diff_is_apart(const struct diff_change *c)
{
	return c->verdict == DIFF_MORE || c->verdict == DIFF_LESS;
}

bool diff_row_is_apart(const struct diff_row *r)
{
	for (size_t i = 0; i < DIFF_MEASURES; i++)
		if (diff_is_apart(&r->m[i]))
			return true;
	return false;
}
