// SPDX-License-Identifier: BSD-2-Clause
#include "diff_fates.h"

#include <math.h>
#include <string.h>

#include "diff_side.h"

static bool has(const struct diff_side *s)
{
	return model_fates(s->m) && model_is_of_all(s->m);
}

/* There is room for all rows of both. */
static struct diff_fate *row_of(struct diff_fates *f, const struct owners_row *r)
{
	struct diff_fate *row = f->row;

	while (row < &f->row[f->n] && (row->fate != r->fate || strcmp(row->what, r->what)))
		row++;
	if (row == &f->row[f->n])
		f->row[f->n++] = (struct diff_fate){ .fate = r->fate, .what = r->what };
	return row;
}

static void take(struct diff_fates *f, const struct diff_side *s, bool after)
{
	double base = diff_side_counted_base(s);
	struct owners o;

	owners_make(&o, s->m);
	f->every = fmax(f->every, o.every);
	for (size_t i = 0; i < o.nrows; i++) {
		const struct owners_row *r = &o.row[i];
		struct diff_fate *row = row_of(f, r);

		*(after ? &row->after : &row->before) = (r->ns + r->dealt_ns) / base;
		row->ci95 = hypot(row->ci95, owners_ci95(r->ns, r->ci95_ns, r->dealt_ns) / base);
	}
}

/* Kinds in their order, of one kind those with more first. */
static bool is_before(const struct diff_fate *a, const struct diff_fate *b)
{
	double ta = a->before + a->after, tb = b->before + b->after;

	if (a->fate != b->fate)
		return a->fate < b->fate;
	return ta != tb ? ta > tb : strcmp(a->what, b->what) < 0;
}

/* Few. */
static void sort(struct diff_fates *f)
{
	for (size_t i = 1; i < f->n; i++)
		for (size_t k = i; k && is_before(&f->row[k], &f->row[k - 1]); k--) {
			struct diff_fate swap = f->row[k];

			f->row[k] = f->row[k - 1];
			f->row[k - 1] = swap;
		}
}

void diff_fates_make(struct diff_fates *f, const struct diff_side *before,
		     const struct diff_side *after)
{
	*f = (struct diff_fates){ .there = has(before) && has(after) };
	if (!f->there)
		return;
	take(f, before, false);
	take(f, after, true);
	sort(f);
}
