// SPDX-License-Identifier: BSD-2-Clause
#include "stats_fit.h"

#include <math.h>

/* Where the points are. */
struct middle {
	double x, y, square_x,
		product; /* means; sums of squares and products of the distances from them */
};

static struct middle find_middle(const double *x, const double *y, size_t n)
{
	struct middle m = { 0 };

	for (size_t i = 0; i < n; i++) {
		m.x += x[i] / (double)n;
		m.y += y[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		m.square_x += (x[i] - m.x) * (x[i] - m.x);
		m.product += (x[i] - m.x) * (y[i] - m.y);
	}
	return m;
}

/*
 * A coefficient is a weighted sum of y, so its variance is that of the points times the squares of their weights.
 * A point pulls the line towards itself by its leverage: its own scatter is what is left, divided by 1 less that.
 */
static void find_errors(struct stats_fit *f, const double *x, const double *y, size_t n,
			const struct middle *m)
{
	double at_0 = 0, slope = 0, mean = 0;

	for (size_t i = 0; i < n; i++) {
		double from = x[i] - m->x;
		double leverage = 1 / (double)n + from * from / m->square_x;
		double scatter = (y[i] - f->at_0 - f->slope * x[i]) / fmax(1 - leverage, 1e-9);
		double weight = from / m->square_x;

		slope += weight * weight * scatter * scatter;
		weight = 1 / (double)n - m->x * weight;
		at_0 += weight * weight * scatter * scatter;
		mean += scatter * scatter;
	}
	f->at_0_se = sqrt(at_0);
	f->slope_se = sqrt(slope);
	f->mean_se = sqrt(mean) / (double)n;
}

static double mean_error(const double *y, size_t n, double mean)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (y[i] - mean) * (y[i] - mean);
	return n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : NAN;
}

struct stats_fit stats_fit(const double *x, const double *y, size_t n)
{
	struct stats_fit f = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	struct middle m = find_middle(x, y, n);

	if (n)
		f.least_x = f.most_x = x[0];
	for (size_t i = 1; i < n; i++) {
		f.least_x = fmin(f.least_x, x[i]);
		f.most_x = fmax(f.most_x, x[i]);
	}
	f.mean_se = mean_error(y, n, m.y);
	if (n < 3 || !(m.square_x > 0) || !(f.most_x > f.least_x))
		return f;
	f.slope = m.product / m.square_x;
	f.at_0 = m.y - f.slope * m.x;
	f.df = (double)n - 2;
	find_errors(&f, x, y, n, &m);
	return f;
}
