// SPDX-License-Identifier: BSD-2-Clause
#include "prices.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "prices_rows.h"
#include "report/base/stats.h"

const char *const price_states[PRICE_STATES + 1] = {
	[PRICE_TOLD] = "told",		 [PRICE_TOGETHER] = "cannot be told apart",
	[PRICE_STEADY] = "did not vary", [PRICE_NONE] = "there was none",
	[PRICE_SHORT] = "too few ticks", [PRICE_NOT_COUNTED] = "not counted",
};

/* ---- an equation ------------------------------------------------------------------------- */

/* Its rows, and what can be used of them. */
struct equation {
	const struct prices_equation *of;
	struct stats_row *row;
	size_t n, units;
	size_t cpus;	      /* units with rows */
	unsigned int counted; /* regressors */
};

/* Rows without y tell nothing; a regressor that most others lack is left out, and then a row that lacks another. */
static void keep_complete(struct equation *e)
{
	size_t lacks[STATS_REGRESSORS] = { 0 }, n = 0, paid = 0;

	for (size_t i = 0; i < e->n; i++) {
		paid += isfinite(e->row[i].y);
		for (unsigned int j = 0; j < STATS_REGRESSORS; j++)
			lacks[j] += isfinite(e->row[i].y) && !isfinite(e->row[i].x[j]);
	}
	for (unsigned int j = 0; j < STATS_REGRESSORS && e->of->x[j]; j++)
		e->counted |= paid && 2 * lacks[j] <= paid ? 1u << j : 0;
	for (size_t i = 0; i < e->n; i++) {
		bool whole = isfinite(e->row[i].y);

		for (unsigned int j = 0; j < STATS_REGRESSORS; j++)
			whole &= !(e->counted >> j & 1) || isfinite(e->row[i].x[j]);
		if (whole)
			e->row[n++] = e->row[i];
	}
	e->n = n;
}

/* -ENOMEM. */
static int count_cpus(struct equation *e)
{
	bool *seen = calloc(e->units + 1, sizeof(*seen));

	for (size_t i = 0; seen && i < e->n; i++) {
		e->cpus += !seen[e->row[i].unit];
		seen[e->row[i].unit] = true;
	}
	if (!seen)
		return -ENOMEM;
	free(seen);
	return 0;
}

static unsigned int entangled(const struct stats_regression *r)
{
	unsigned int set = 0;

	for (unsigned int j = 0; j < STATS_REGRESSORS; j++)
		if (r->varies[j] && !(r->inflation[j] <= PRICES_INFLATION))
			set |= 1u << j;
	return set;
}

static unsigned int first_of(unsigned int set)
{
	return set & -set;
}

static int regress(struct stats_regression *r, const struct equation *e, unsigned int use)
{
	return stats_regress(r, e->row, e->n, e->units, use);
}

/* What can be said of it. */
struct told {
	struct stats_regression apart, /* with all that do not make others uncertain … */
		together; /* … and with the first alone of those that cannot be told apart */
	unsigned int dropped, entangled;
};

/* What is only a refinement goes if it makes others uncertain. */
static int regress_apart(struct told *t, const struct equation *e)
{
	int err = regress(&t->apart, e, e->counted);

	if (err || t->apart.moments < PRICES_LEAST)
		return err;
	t->dropped = entangled(&t->apart) & e->of->refines;
	if (t->dropped)
		err = regress(&t->apart, e, e->counted & ~t->dropped);
	t->entangled = entangled(&t->apart);
	return err;
}

static int regress_all(struct told *t, const struct equation *e)
{
	unsigned int gone;
	int err;

	*t = (struct told){ 0 };
	err = regress_apart(t, e);
	gone = t->dropped | (t->entangled & ~first_of(t->entangled));
	t->together = t->apart;
	return err || !t->entangled ? err : regress(&t->together, e, e->counted & ~gone);
}

/* ---- prices ------------------------------------------------------------------------------ */

static double share_of(const struct equation *e, double price, unsigned int j)
{
	double x = 0, y = 0;

	for (size_t i = 0; i < e->n; i++) {
		x += e->row[i].x[j];
		y += e->row[i].y;
	}
	return known_ratio(price * x, y);
}

/* Nothing of that was done, or nothing was paid for it. */
static bool is_nothing(const struct equation *e, unsigned int j)
{
	bool done = false, paid = false;

	for (size_t i = 0; i < e->n; i++) {
		done |= e->row[i].x[j] != 0;
		paid |= e->row[i].y != 0;
	}
	return !done || !paid;
}

static struct price *add(struct prices *p, const struct equation *e, unsigned int j,
			 const struct told *t)
{
	const struct stats_regression *r = &t->apart;
	struct price *to = &p->row[p->n++];

	*to = (struct price){
		.key = e->of->key,
		.title = e->of->title,
		.unit = e->of->unit,
		.per = prices_x[e->of->x[j]].per,
		.price = NAN,
		.ci95 = NAN,
		.inflation = r->varies[j] ? r->inflation[j] : NAN,
		.share = NAN,
		.explained = t->together.explained,
		.pieces = r->moments,
		.cpus = e->of->over == PRICES_OVER_CPUS ? e->cpus : 0,
		.over_processes = e->of->over == PRICES_OVER_PROCESSES,
	};
	return to;
}

static void tell(struct price *to, const struct equation *e, unsigned int j, const struct told *t)
{
	const struct stats_regression *r = &t->together;

	to->price = r->price[j];
	to->df = r->df;
	to->ci95 = stats_t95(r->df) * r->se[j];
	to->share = share_of(e, to->price, j);
}

static void name_others(struct price *to, const struct equation *e, unsigned int set)
{
	size_t n = 0;

	for (unsigned int j = 0; j < STATS_REGRESSORS; j++)
		if (set >> j & 1)
			to->with[n++] = prices_x[e->of->x[j]].per;
}

static void add_one(struct prices *p, const struct equation *e, unsigned int j,
		    const struct told *t)
{
	unsigned int bit = 1u << j;
	struct price *to = add(p, e, j, t);

	if (!(e->counted & bit) || !e->n) {
		to->state = PRICE_NOT_COUNTED;
	} else if (is_nothing(e, j)) {
		to->state = PRICE_NONE;
	} else if (t->apart.moments < PRICES_LEAST) {
		to->state = PRICE_SHORT;
	} else if ((t->entangled | t->dropped) & bit) {
		to->state = PRICE_TOGETHER;
		name_others(to, e, t->dropped & bit ? first_of(e->counted) : t->entangled & ~bit);
	} else if (!t->apart.varies[j]) {
		to->state = PRICE_STEADY;
	} else if (!(t->together.alone[j] <= PRICES_ALONE)) {
		to->state = PRICE_SHORT;
	} else {
		tell(to, e, j, t);
	}
}

/* One of them for all. */
static void add_joint(struct prices *p, const struct equation *e, const struct told *t)
{
	unsigned int first = first_of(t->entangled), j = 0;
	struct price *to;

	while (!(first >> j & 1))
		j++;
	if (is_nothing(e, j))
		return;
	to = add(p, e, j, t);
	to->joint = true;
	tell(to, e, j, t);
	name_others(to, e, t->entangled & ~first);
}

static int add_prices(struct prices *p, const struct equation *e)
{
	struct told t;
	int err = regress_all(&t, e);

	for (unsigned int j = 0; !err && j < STATS_REGRESSORS && e->of->x[j]; j++)
		add_one(p, e, j, &t);
	if (!err && t.entangled)
		add_joint(p, e, &t);
	return err;
}

static int add_equation(struct prices *p, const struct prices_rows *rows,
			const struct prices_equation *of)
{
	struct equation e = { .of = of };
	int err = prices_rows_of(rows, of, &e.row, &e.n, &e.units);

	if (err)
		return err;
	keep_complete(&e);
	err = count_cpus(&e);
	if (!err)
		err = add_prices(p, &e);
	free(e.row);
	return err;
}

int prices_make(struct prices *p, const struct intervals *iv, const struct model *m)
{
	struct prices_rows rows;
	int err = prices_rows_make(&rows, iv, m);

	*p = (struct prices){ 0 };
	for (size_t i = 0; !err && i < PRICES_EQUATIONS; i++)
		err = add_equation(p, &rows, &prices_equation[i]);
	prices_rows_free(&rows);
	return err;
}
