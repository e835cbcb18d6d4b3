// SPDX-License-Identifier: BSD-2-Clause
#include "stats_regress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define K STATS_REGRESSORS
#define VARIES 0.02    /* standard deviation, of the mean */
#define SINGULAR 1e-10 /* a regressor of which the others leave that little */
#define HUGE_INFLATION 1e6

/* Of a unit. */
struct middle {
	double rows, y, x[K];
};

struct fit {
	const struct stats_row *row;
	size_t n, units, k;
	unsigned int use[K]; /* the regressors, k of them */
	struct middle *middle;
	double size[K];	      /* of each: root of the sum of squares within units */
	double inverse[K][K]; /* of their correlations */
	double product[K];    /* of each with y */
	double square_y;
	double beta[K]; /* prices of x / size */
};

/* ---- within units ------------------------------------------------------------------------ */

static int find_middles(struct fit *f)
{
	f->middle = calloc(f->units + 1, sizeof(*f->middle));
	if (!f->middle)
		return -ENOMEM;
	for (size_t i = 0; i < f->n; i++) {
		struct middle *m = &f->middle[f->row[i].unit];

		m->rows++;
		m->y += (f->row[i].y - m->y) / m->rows;
		for (unsigned int j = 0; j < K; j++)
			m->x[j] += (f->row[i].x[j] - m->x[j]) / m->rows;
	}
	return 0;
}

static double from_middle(const struct fit *f, const struct stats_row *r, unsigned int j)
{
	return r->x[j] - f->middle[r->unit].x[j];
}

/* Those of the row that are in use, in units of their size. */
static void standard(const struct fit *f, const struct stats_row *r, double z[K])
{
	for (size_t j = 0; j < f->k; j++)
		z[j] = from_middle(f, r, f->use[j]) / f->size[j];
}

static void find_sizes(struct fit *f, struct stats_regression *r, unsigned int use)
{
	for (unsigned int j = 0; j < K; j++) {
		double squares = 0, mean = 0;

		for (size_t i = 0; i < f->n; i++) {
			squares += from_middle(f, &f->row[i], j) * from_middle(f, &f->row[i], j);
			mean += fabs(f->row[i].x[j]) / (double)f->n;
		}
		r->varies[j] = use >> j & 1 && sqrt(squares / (double)f->n) > VARIES * mean;
		if (!r->varies[j])
			continue;
		f->size[f->k] = sqrt(squares);
		f->use[f->k++] = j;
	}
}

/* ---- prices ------------------------------------------------------------------------------ */

static void find_products(struct fit *f, double correlation[K][K])
{
	double z[K];

	for (size_t i = 0; i < f->n; i++) {
		double y = f->row[i].y - f->middle[f->row[i].unit].y;

		standard(f, &f->row[i], z);
		f->square_y += y * y;
		for (size_t a = 0; a < f->k; a++) {
			f->product[a] += z[a] * y;
			for (size_t b = 0; b < f->k; b++)
				correlation[a][b] += z[a] * z[b];
		}
	}
}

/* By Gauss and Jordan; what is left of a pivot is what the others do not say. False: nothing. */
static bool invert(double a[K][K], double to[K][K], size_t k)
{
	memset(to, 0, sizeof(double[K][K]));
	for (size_t i = 0; i < k; i++)
		to[i][i] = 1;
	for (size_t p = 0; p < k; p++) {
		double pivot = a[p][p];

		if (!(pivot > SINGULAR))
			return false;
		for (size_t j = 0; j < k; j++) {
			a[p][j] /= pivot;
			to[p][j] /= pivot;
		}
		for (size_t i = 0; i < k; i++) {
			double times = i == p ? 0 : a[i][p];

			for (size_t j = 0; j < k; j++) {
				a[i][j] -= times * a[p][j];
				to[i][j] -= times * to[p][j];
			}
		}
	}
	return true;
}

/* By correlations that are a little less than they are there is an inverse, and it is huge for those that are sums of others. */
static void find_entangled(struct fit *f, double correlation[K][K], struct stats_regression *r)
{
	for (size_t a = 0; a < f->k; a++)
		correlation[a][a] += 10 * SINGULAR;
	if (!invert(correlation, f->inverse, f->k))
		return;
	for (size_t a = 0; a < f->k; a++)
		r->inflation[f->use[a]] = f->inverse[a][a] < HUGE_INFLATION ? f->inverse[a][a] :
									      INFINITY;
}

static bool find_prices(struct fit *f, struct stats_regression *r)
{
	double correlation[K][K] = { { 0 } }, pivots[K][K];

	find_products(f, correlation);
	memcpy(pivots, correlation, sizeof(pivots));
	if (!invert(pivots, f->inverse, f->k)) {
		find_entangled(f, correlation, r);
		return false;
	}
	r->explained = 0;
	for (size_t a = 0; a < f->k; a++) {
		for (size_t b = 0; b < f->k; b++)
			f->beta[a] += f->inverse[a][b] * f->product[b];
		r->price[f->use[a]] = f->beta[a] / f->size[a];
		r->inflation[f->use[a]] = f->inverse[a][a];
		r->explained += f->beta[a] * f->product[a] / f->square_y;
	}
	return true;
}

/* ---- their errors ------------------------------------------------------------------------ */

/* What the rows of a moment add to each coefficient, and how much they have to say in it. */
struct score {
	double scatter[K], weight[K];
};

/* A row's scatter is as large as if the row had not drawn the plane to itself. */
static void add_score(const struct fit *f, const struct stats_row *r, struct score *to)
{
	const struct middle *m = &f->middle[r->unit];
	double z[K], pull[K] = { 0 }, leverage = 1 / m->rows, scatter = r->y - m->y;

	standard(f, r, z);
	for (size_t a = 0; a < f->k; a++) {
		for (size_t b = 0; b < f->k; b++)
			pull[a] += f->inverse[a][b] * z[b];
		leverage += z[a] * pull[a];
		scatter -= f->beta[a] * z[a];
	}
	for (size_t a = 0; a < f->k; a++) {
		to->scatter[a] += pull[a] * scatter / fmax(1 - leverage, 1e-3);
		to->weight[a] += pull[a] * pull[a];
	}
}

/* Newey and West's rule of 1994, for Bartlett's weights. */
static size_t lags_of(size_t moments)
{
	size_t lags = (size_t)(4 * pow((double)moments / 100, 2.0 / 9));

	return lags < moments ? lags : moments - 1;
}

static double variance_of(const struct score *score, size_t moments, size_t a)
{
	size_t lags = lags_of(moments);
	double alone = 0, all;

	for (size_t t = 0; t < moments; t++)
		alone += score[t].scatter[a] * score[t].scatter[a];
	all = alone;
	for (size_t lag = 1; lag <= lags; lag++) {
		double weight = 2 * (1 - (double)lag / (double)(lags + 1));

		for (size_t t = lag; t < moments; t++)
			all += weight * score[t].scatter[a] * score[t - lag].scatter[a];
	}
	return fmax(alone, all);
}

static double alone_of(const struct score *score, size_t moments, size_t a)
{
	double sum = 0, most = 0;

	for (size_t t = 0; t < moments; t++) {
		sum += score[t].weight[a];
		most = fmax(most, score[t].weight[a]);
	}
	return most / sum;
}

static int find_errors(const struct fit *f, struct stats_regression *r)
{
	struct score *score = calloc(r->moments + 1, sizeof(*score));
	size_t t = 0;

	if (!score)
		return -ENOMEM;
	for (size_t i = 0; i < f->n; i++) {
		t += i && f->row[i].moment != f->row[i - 1].moment;
		add_score(f, &f->row[i], &score[t]);
	}
	for (size_t a = 0; a < f->k; a++) {
		r->se[f->use[a]] = sqrt(variance_of(score, r->moments, a)) / f->size[a];
		r->alone[f->use[a]] = alone_of(score, r->moments, a);
	}
	free(score);
	return 0;
}

/* ---- all of it --------------------------------------------------------------------------- */

static size_t count_moments(const struct stats_row *row, size_t n)
{
	size_t moments = n > 0;

	for (size_t i = 1; i < n; i++)
		moments += row[i].moment != row[i - 1].moment;
	return moments;
}

int stats_regress(struct stats_regression *r, const struct stats_row *row, size_t n, size_t units,
		  unsigned int use)
{
	struct fit f = { .row = row, .n = n, .units = units };
	int err;

	*r = (struct stats_regression){ .explained = NAN, .moments = count_moments(row, n) };
	for (unsigned int j = 0; j < K; j++) {
		r->price[j] = r->se[j] = NAN;
		r->inflation[j] = use >> j & 1 ? INFINITY : NAN;
	}
	err = find_middles(&f);
	if (!err)
		find_sizes(&f, r, use);
	r->df = (double)r->moments - (double)f.k - 1;
	if (!err && f.k && r->df > 0 && find_prices(&f, r))
		err = find_errors(&f, r);
	free(f.middle);
	return err;
}
