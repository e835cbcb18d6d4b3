// SPDX-License-Identifier: BSD-2-Clause
/* What all subjects of a comparison have in common: rows are paired, compared, tested, sorted and hidden. */
#include "diff.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/known.h"

#define WRONG_AT_MOST 0.05

const struct diff_per_desc diff_per[DIFF_PERS] = {
	[DIFF_PER_CPU] = { "cpu", "percent_of_cpu_time", "CPU time, % of that of all CPUs",
			   "% of CPU time", 3 },
	[DIFF_PER_PACKET] = { "packet", "ns_per_packet",
			      "CPU time, ns an interface packet, rx + tx", "ns an interface packet",
			      1 },
	[DIFF_PER_SECOND] = { "second", "cpu_ms_per_second", "CPU time, ms a second", "ms a second",
			      3 },
};

const char *const diff_per_names[DIFF_PERS + 1] = { "cpu", "packet", "second", NULL };

const struct diff_verdict_desc diff_verdict[DIFF_VERDICTS] = {
	[DIFF_NOT_MEASURED] = { "not_measured", " ", "not measured in one of the two", 0 },
	[DIFF_NOT_COMPARABLE] = { "not_comparable", " ", "not measured in the same way", 0 },
	[DIFF_NOT_TESTED] = { "not_tested", "~", "too little to tell", 2 },
	[DIFF_SAME] = { "not_told_apart", "~", "", 2 },
	[DIFF_MORE] = { "more", "+", "more", 31 },
	[DIFF_LESS] = { "less", "-", "less", 32 },
};

static const struct diff_subject_desc *const subjects[DIFF_SUBJECTS] = {
	[DIFF_COSTS] = &diff_costs,	    [DIFF_FUNCTIONS] = &diff_functions,
	[DIFF_UNITS] = &diff_units,	    [DIFF_PROGRAMS] = &diff_programs,
	[DIFF_PROCESSES] = &diff_processes, [DIFF_FATES] = &diff_fates,
	[DIFF_LATENCY] = &diff_latency,	    [DIFF_PATHS] = &diff_paths,
	[DIFF_STAGES] = &diff_stages,	    [DIFF_COUNTS] = &diff_counts,
};

/* ---- pairs ------------------------------------------------------------------------------- */

static int by_key(const struct diff_row *a, const struct diff_row *b)
{
	int order;

	if (a->group != b->group)
		return diff_numbers(a->group, b->group);
	if (a->kind != b->kind)
		return diff_numbers(a->kind, b->kind);
	for (size_t i = 0; i < sizeof(a->id) / sizeof(*a->id); i++)
		if (a->id[i] != b->id[i])
			return diff_numbers(a->id[i], b->id[i]);
	order = diff_strings(a->name, b->name);
	return order ? order : diff_strings(a->of, b->of);
}

/* Values of one key are added up in the order of their rows. */
static int by_key_and_place(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order = by_key(a, b);

	if (order)
		return order;
	return a->seen != b->seen ? diff_numbers(a->seen, b->seen) :
				    diff_numbers(a->place, b->place);
}

static void merge(struct diff_row *to, const struct diff_row *r, size_t measures)
{
	for (unsigned int side = 0; side < DIFF_SIDES; side++) {
		if (!(r->seen & 1u << side))
			continue;
		for (size_t i = 0; i < measures; i++)
			if (to->seen & 1u << side)
				diff_value_add(&to->m[i].side[side], &r->m[i].side[side]);
			else
				to->m[i].side[side] = r->m[i].side[side];
	}
	to->seen |= r->seen;
	to->not_alike |= r->not_alike;
	if (r->place < to->place)
		to->place = r->place;
}

static void fill_absent(const struct diff_table *t, struct diff_row *r, size_t measures)
{
	for (unsigned int side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < measures && !(r->seen & 1u << side); i++)
			r->m[i].side[side] = t->absent[side][i];
}

static void pair(struct diff_table *t, size_t measures)
{
	size_t n = 0;

	if (t->n)
		qsort(t->row, t->n, sizeof(*t->row), by_key_and_place);
	for (size_t i = 0; i < t->n; i++)
		if (n && !by_key(&t->row[n - 1], &t->row[i]))
			merge(&t->row[n - 1], &t->row[i], measures);
		else
			t->row[n++] = t->row[i];
	t->n = n;
	for (size_t i = 0; i < n; i++)
		fill_absent(t, &t->row[i], measures);
}

/* ---- one change -------------------------------------------------------------------------- */

static void compare_by_t(struct diff_change *c)
{
	const struct diff_value *a = &c->side[DIFF_BEFORE], *b = &c->side[DIFF_AFTER];
	const struct stats_change s =
		stats_compare(&(struct stats_value){ a->value, a->variance, a->df },
			      &(struct stats_value){ b->value, b->variance, b->df });

	c->change = s.change;
	c->ci95 = s.ci95;
	c->p = s.p;
	if (a->value > 0) {
		c->relative = s.relative;
		c->relative_ci95 = s.relative_ci95;
	}
}

/*
 * Zou and Donner's method (MOVER): the interval of the difference of two values that have an interval each, not symmetric.
 * p is by the end that is nearer to no change.
 */
static void compare_intervals(struct diff_change *c)
{
	const struct diff_value *a = &c->side[DIFF_BEFORE], *b = &c->side[DIFF_AFTER];
	double half;

	c->change = b->value - a->value;
	c->low = c->change - hypot(b->value - b->low, a->high - a->value);
	c->high = c->change + hypot(b->high - b->value, a->value - a->low);
	half = c->change > 0 ? c->change - c->low : c->high - c->change;
	if (!isnan(half))
		c->p = half > 0 ? erfc(STATS_Z95 * fabs(c->change) / half / sqrt(2)) : 1;
}

static void subtract(struct diff_change *c)
{
	const struct diff_value *a = &c->side[DIFF_BEFORE], *b = &c->side[DIFF_AFTER];

	c->change = b->value - a->value;
	c->ci95 = hypot(a->ci95, b->ci95);
}

static void (*const compare_by[])(struct diff_change *c) = {
	[DIFF_TEST_T] = compare_by_t,
	[DIFF_TEST_INTERVAL] = compare_intervals,
	[DIFF_DIFFERENCE] = subtract
};

/* A time that is exactly the same needs no test, and does not count in the correction of others. */
static bool is_exactly_equal(const struct diff_change *c)
{
	return c->change == 0 && c->side[DIFF_BEFORE].how != SPLIT_NOT_MEASURED &&
	       c->side[DIFF_BEFORE].variance == 0 && c->side[DIFF_AFTER].variance == 0;
}

static bool has_few_samples(const struct diff_change *c)
{
	return c->side[DIFF_BEFORE].samples + c->side[DIFF_AFTER].samples < DIFF_LEAST_SAMPLES;
}

/* As long as p is not corrected. */
static enum diff_verdict verdict_of(const struct diff_change *c, bool not_alike)
{
	if (isnan(c->side[DIFF_BEFORE].value) || isnan(c->side[DIFF_AFTER].value))
		return DIFF_NOT_MEASURED;
	if (not_alike)
		return DIFF_NOT_COMPARABLE;
	if (is_exactly_equal(c))
		return DIFF_SAME;
	return isnan(c->p) || has_few_samples(c) ? DIFF_NOT_TESTED : DIFF_SAME;
}

static void compare(struct diff_change *c, enum diff_test test, bool not_alike)
{
	c->change = c->ci95 = c->low = c->high = c->relative = c->relative_ci95 = NAN;
	c->p = c->p_adjusted = NAN;
	if (!not_alike)
		compare_by[test](c);
	c->verdict = verdict_of(c, not_alike);
	if (c->verdict != DIFF_SAME || is_exactly_equal(c))
		c->p = NAN;
}

/* ---- what is more than noise ------------------------------------------------------------- */

static void judge(struct diff_table *t, struct diff_change *c, double p)
{
	c->p_adjusted = fmin(1, p);
	if (!(c->p_adjusted < WRONG_AT_MOST))
		return;
	c->verdict = c->change > 0 ? DIFF_MORE : DIFF_LESS;
	t->apart++;
}

static int correct(struct diff_table *t, const struct diff_subject_desc *s)
{
	size_t n = t->n * s->measures, k = 0;
	double *p = calloc(n + 1, sizeof(*p));
	int err = p ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < n; i++) {
		const struct diff_change *c = &t->row[i / s->measures].m[i % s->measures];

		if (!isnan(c->p))
			p[t->tested++] = c->p;
	}
	if (!err)
		err = stats_holm(p, t->tested);
	for (size_t i = 0; !err && i < n; i++) {
		struct diff_change *c = &t->row[i / s->measures].m[i % s->measures];

		if (!isnan(c->p))
			judge(t, c, p[k++] * s->families);
	}
	for (size_t i = 0; i < t->n; i++)
		t->rows_apart += diff_row_is_apart(&t->row[i]);
	free(p);
	return err;
}

/* ---- a subject --------------------------------------------------------------------------- */

static bool is_there(const struct diff_table *t, const struct diff_subject_desc *s)
{
	bool before = !s->has || s->has(t->side[DIFF_BEFORE]);
	bool after = !s->has || s->has(t->side[DIFF_AFTER]);

	return s->any ? before || after : before && after;
}

static int compare_rows(struct diff_table *t, const struct diff_subject_desc *s)
{
	int err = 0;

	pair(t, s->measures);
	if (s->finish && t->n)
		s->finish(t);
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < s->measures; k++)
			compare(&t->row[i].m[k], s->test, t->row[i].not_alike);
	if (s->families)
		err = correct(t, s);
	if (t->n)
		qsort(t->row, t->n, sizeof(*t->row), s->order ? s->order : diff_by_place);
	t->all = t->n;
	if (s->cut && t->n > t->most)
		t->n = t->most;
	return err;
}

int diff_table_make(struct diff_table *t, enum diff_subject subject, const struct diff_side *before,
		    const struct diff_side *after, size_t most)
{
	const struct diff_subject_desc *s = subjects[subject];
	int err = 0;

	*t = (struct diff_table){ .subject = subject, .side = { before, after }, .most = most };
	for (size_t i = 0; i < DIFF_MEASURES; i++)
		t->absent[DIFF_BEFORE][i] = t->absent[DIFF_AFTER][i] = diff_nothing;
	t->there = is_there(t, s);
	for (enum diff_side_number side = 0; t->there && !err && side < DIFF_SIDES; side++)
		err = s->walk(t, side);
	if (!err)
		err = compare_rows(t, s);
	if (err)
		diff_table_free(t);
	return err;
}

void diff_table_free(struct diff_table *t)
{
	free(t->row);
	for (unsigned int side = 0; side < DIFF_SIDES; side++)
		free(t->owned[side]);
	*t = (struct diff_table){ 0 };
}

/* ---- what people do not see -------------------------------------------------------------- */

static bool is_asked_for(const struct diff *d, const struct diff_table *t, const struct diff_row *r)
{
	if (t->subject != DIFF_COSTS)
		return false;
	return !strcmp(r->name, "network") || (d->o.only && diff_is_watched(r, d->o.only));
}

/* Backwards: a row stays if one that stays is a part of it. */
static void hide(struct diff *d, struct diff_table *t)
{
	size_t last = subjects[t->subject]->measures - 1;
	const struct diff_row *below = NULL; /* the last one that stays */

	for (size_t i = t->n; i-- > 0;) {
		struct diff_row *r = &t->row[i];
		bool is_part = below && below->group == r->group && below->of == r->of &&
			       below->depth > r->depth;

		r->hidden = !diff_row_is_apart(r) && !is_part && !is_asked_for(d, t, r);
		if (!r->hidden)
			below = r;
		else if (r->m[last].verdict >= DIFF_NOT_TESTED)
			d->within_noise++;
		else
			d->not_alike++;
	}
}

/* ---- all of it --------------------------------------------------------------------------- */

int diff_make(struct diff *d, const struct diff_side *before, const struct diff_side *after,
	      const struct diff_options *o)
{
	int err;

	*d = (struct diff){ .o = *o, .per = before->per, .side = { before, after } };
	err = diff_take_settings(d);
	for (enum diff_subject s = 0; !err && s < DIFF_SUBJECTS; s++) {
		err = diff_table_make(&d->table[s], s, before, after, o->rows);
		if (!err && !o->all && subjects[s]->families)
			hide(d, &d->table[s]);
	}
	if (err)
		diff_free(d);
	else
		diff_take_notes(d);
	return err;
}

void diff_free(struct diff *d)
{
	for (enum diff_subject s = 0; s < DIFF_SUBJECTS; s++)
		diff_table_free(&d->table[s]);
	free(d->setting);
	d->setting = NULL;
}

/* ---- for CI ------------------------------------------------------------------------------ */

bool diff_is_worse(const struct diff_change *c, double above)
{
	return c->verdict == DIFF_MORE && (isnan(c->relative) || c->relative > above);
}

static bool is_named(const char *key, const char *list)
{
	size_t n = strlen(key);

	for (;; list++) {
		size_t len = strcspn(list, ",");

		if (len == n && !memcmp(list, key, n))
			return true;
		list += len;
		if (!*list)
			return false;
	}
}

bool diff_is_watched(const struct diff_row *r, const char *only)
{
	if (only)
		return is_named(r->name, only);
	return r->group == DIFF_MAIN &&
	       is_named(r->name, "network,sock_send,sock_recv,rx_softirq,tx_softirq,hardirq_net,"
				 "other_network");
}
