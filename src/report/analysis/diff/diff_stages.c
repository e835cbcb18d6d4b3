// SPDX-License-Identifier: BSD-2-Clause
#include "diff_stages.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "diff_side.h"
#include "report/analysis/stages.h"
#include "report/analysis/stages_history.h"

#define LAST (NETCOST_LATENCY_BUCKETS - 1)

static const enum dist_quantile quantiles[] = { DIST_P50, DIST_P99 };

#define QUANTILES (sizeof(quantiles) / sizeof(*quantiles))

static bool has(const struct diff_side *s)
{
	return s->stages && s->m->stages && model_is_of_all(s->m);
}

/* ---- which path -------------------------------------------------------------------------- */

/* In all pieces as in this one: as uncertain as that of packets that have nothing to do with each other. */
static struct stats_value share_of(const struct diff_side *s, enum stages_path path)
{
	const struct stages_history *h = s->stages;
	double y[DIFF_PIECES], x[DIFF_PIECES], all = stages_finished(s->m->stages);
	struct stats_value v = { NAN, NAN, NAN };
	size_t n = h->n <= DIFF_PIECES ? h->n : 0;

	if (!(all > 0))
		return v;
	v.value = (double)s->m->stages->finished[path] / all;
	for (size_t i = 0; i < n; i++) {
		x[i] = y[i] = 0;
		for (unsigned int p = 0; p < STAGES_PATH_COUNT; p++)
			if (h->bucket[p])
				x[i] += dist_upto(h->bucket[p] + i * NETCOST_LATENCY_BUCKETS, LAST);
		if (h->bucket[path])
			y[i] = dist_upto(h->bucket[path] + i * NETCOST_LATENCY_BUCKETS, LAST);
	}
	v.variance = stats_ratio_variance(y, x, n, &v.df);
	v.variance = isnan(v.variance) ? NAN : fmax(v.variance, v.value * (1 - v.value) / all);
	return v;
}

static void add_path(struct diff_stages *d, const struct diff_side *before,
		     const struct diff_side *after, enum stages_path path)
{
	struct diff_stages_path *p = &d->path[d->npaths];

	if (!before->m->stages->finished[path] && !after->m->stages->finished[path])
		return;
	d->npaths++;
	*p = (struct diff_stages_path){ .path = path, .p_adjusted = NAN };
	p->before = share_of(before, path);
	p->after = share_of(after, path);
	p->change = stats_compare(&p->before, &p->after);
	p->verdict = isnan(p->change.change) ? DIFF_NOT_MEASURED :
		     isnan(p->change.p)	     ? DIFF_NOT_TESTED :
					       DIFF_SAME;
}

static int correct_paths(struct diff_stages *d)
{
	double p[STAGES_PATH_COUNT];
	int err;

	for (size_t i = 0; i < d->npaths; i++)
		if (!isnan(d->path[i].change.p))
			p[d->tested_paths++] = d->path[i].change.p;
	err = stats_holm(p, d->tested_paths);
	for (size_t i = 0, k = 0; !err && i < d->npaths; i++) {
		struct diff_stages_path *path = &d->path[i];

		if (isnan(path->change.p))
			continue;
		path->p_adjusted = fmin(1, p[k++]);
		if (path->p_adjusted < DIFF_WRONG_AT_MOST)
			path->verdict = path->change.change > 0 ? DIFF_MORE : DIFF_LESS;
	}
	return err;
}

/* ---- steps ------------------------------------------------------------------------------- */

static const struct stages_step *find(const struct model_stages *s, const struct stages_step *like)
{
	for (size_t i = 0; i < s->all.nsteps; i++)
		if (s->all.step[i].path == like->path && s->all.step[i].from == like->from &&
		    s->all.step[i].to == like->to)
			return &s->all.step[i];
	return NULL;
}

/* like: of either side; NULL: the whole way. */
static struct diff_quantile value_of(const struct diff_side *s, enum stages_path path,
				     const struct stages_step *like, enum dist_quantile quantile)
{
	const struct model_stages *stages = s->m->stages;
	const struct stages_step *step = like ? find(stages, like) : NULL;
	const struct dist *l = step ? &step->times : &stages->all.whole[path];
	size_t i = step ? STAGES_PATH_COUNT + (size_t)(step - stages->all.step) : path;

	if ((like && !step) || !l->bucket)
		return (struct diff_quantile){ NAN, NAN, NAN };
	return diff_quantile_of(l, i < STAGES_HISTORIES ? s->stages->bucket[i] : NULL, s->stages->n,
				quantile);
}

static void add(struct diff_stages *d, const struct diff_side *before,
		const struct diff_side *after, enum stages_path path,
		const struct stages_step *step)
{
	for (size_t i = 0; i < QUANTILES; i++) {
		struct diff_stages_row *r = &d->row[d->n++];

		*r = (struct diff_stages_row){ .path = path,
					       .whole = !step,
					       .from = step ? step->from : 0,
					       .to = step ? step->to : 0,
					       .quantile = quantiles[i] };
		r->c.before = value_of(before, path, step, quantiles[i]);
		r->c.after = value_of(after, path, step, quantiles[i]);
		diff_quantile_compare(&r->c);
	}
}

/* Those before in the order of the way, then those that are new. */
static void add_steps(struct diff_stages *d, const struct diff_side *before,
		      const struct diff_side *after, const struct stages_step *const *first,
		      const struct stages_step *const *second)
{
	for (size_t p = 0; p < d->npaths; p++) {
		enum stages_path path = d->path[p].path;

		for (size_t i = 0; i < before->m->stages->all.nsteps; i++)
			if (first[i]->path == path)
				add(d, before, after, path, first[i]);
		for (size_t i = 0; i < after->m->stages->all.nsteps; i++)
			if (second[i]->path == path && !find(before->m->stages, second[i]))
				add(d, before, after, path, second[i]);
		add(d, before, after, path, NULL);
	}
}

static int correct(struct diff_stages *d)
{
	struct diff_quantile_change **all = calloc(d->n + 1, sizeof(*all));
	int err;

	for (size_t i = 0; all && i < d->n; i++)
		all[i] = &d->row[i].c;
	err = all ? diff_quantile_correct(all, d->n, &d->tested) : -ENOMEM;
	free(all);
	return err;
}

static int make_rows(struct diff_stages *d, const struct diff_side *before,
		     const struct diff_side *after)
{
	const struct stages_step **first = stages_in_order(&before->m->stages->all),
				 **second = stages_in_order(&after->m->stages->all);
	size_t most =
		before->m->stages->all.nsteps + after->m->stages->all.nsteps + STAGES_PATH_COUNT;
	int err = -ENOMEM;

	d->row = calloc(most * QUANTILES, sizeof(*d->row));
	if (first && second && d->row) {
		add_steps(d, before, after, first, second);
		err = correct(d);
	}
	free(first);
	free(second);
	return err;
}

int diff_stages_make(struct diff_stages *d, const struct diff_side *before,
		     const struct diff_side *after)
{
	int err;

	*d = (struct diff_stages){ .there = has(before) && has(after) };
	if (!d->there)
		return 0;
	for (enum stages_path p = 0; p < STAGES_PATH_COUNT; p++)
		add_path(d, before, after, p);
	err = correct_paths(d);
	if (!err)
		err = make_rows(d, before, after);
	if (err)
		diff_stages_free(d);
	return err;
}

void diff_stages_free(struct diff_stages *d)
{
	free(d->row);
	d->row = NULL;
	d->n = 0;
}
