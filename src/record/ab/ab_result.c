// SPDX-License-Identifier: BSD-2-Clause
/*
 * Compares phases with and without recording by the differences of the pairs, one pair a round, so that what differs
 * between rounds does not count. Intervals are Student's.
 */
#include "ab_impl.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <netcost/student.h>

/* The rows of the result: the rates in the order of enum ab_counter, then ratios of two rates. */
static const struct ab_row {
	const char *name, *unit;
	double scale;
	enum ab_counter of;
	int per;	  /* enum ab_counter, or -1 */
	const char *zero; /* what the reader has to know if it is 0 */
} ab_rows[] = {
	{ "CPU time, of a CPU", "%", 1e-7, AB_CPU_NS, -1, "" },
	{ "read and write calls", "/s", 1, AB_CALLS, -1, " (send and recv are not measured)" },
	{ "bytes of these calls", "B/s", 1, AB_CALL_BYTES, -1, "" },
	{ "IP packets (namespace)", "/s", 1, AB_PACKETS, -1, "" },
	{ "IP bytes (namespace)", "B/s", 1, AB_PACKET_BYTES, -1, "" },
	{ "voluntary switches", "/s", 1, AB_SLEEPS, -1, "" },
	{ "involuntary switches", "/s", 1, AB_PREEMPTIONS, -1, "" },
	{ "CPU time a call", "s", 1e-9, AB_CPU_NS, AB_CALLS, "" },
	{ "CPU time an IP packet", "s", 1e-9, AB_CPU_NS, AB_PACKETS, "" },
};

#define AB_NROWS (sizeof(ab_rows) / sizeof(ab_rows[0]))

/* Returns the half-width of the interval of the mean of values on - ratio off, which have the mean `mean`. */
static double ab_ci95(const double *off, const double *on, size_t n, double ratio, double mean,
		      size_t known)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(on[i] - off[i]))
			squares += pow(on[i] - ratio * off[i] - mean, 2);
	return student_t95((double)known - 1) * sqrt(squares / (double)(known - 1) / (double)known);
}

struct ab_change ab_compare(const double *off, const double *on, size_t n)
{
	struct ab_change c = { NAN, NAN, NAN, NAN, NAN, NAN };
	double sum_off = 0, sum_on = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(on[i] - off[i])) {
			sum_off += off[i];
			sum_on += on[i];
			known++;
		}
	if (known < AB_ROUNDS_LEAST)
		return c;
	c.off = sum_off / (double)known;
	c.on = sum_on / (double)known;
	c.by = c.on - c.off;
	c.by_ci95 = ab_ci95(off, on, n, 1, c.by, known);
	if (!(c.off > 0))
		return c;
	c.relative = c.on / c.off - 1;
	/* the error of the ratio, linearized; it would be 0 if all values with recording were 0 */
	c.relative_ci95 = fmax(c.by_ci95, ab_ci95(off, on, n, c.on / c.off, 0, known)) / c.off;
	return c;
}

static struct ab_change ab_row_change(const struct ab_row *row, const struct ab_round *round,
				      size_t n, double *v)
{
	for (size_t i = 0; i < n; i++)
		for (size_t on = 0; on < 2; on++) {
			const double *rate = round[i].rate[on];
			double per = row->per < 0 ? 1 : rate[row->per];

			v[on * n + i] = per > 0 ? rate[row->of] * row->scale / per : NAN;
		}
	return ab_compare(v, v + n, n);
}

/* Writes a value with the prefix of its unit; percentages have none, and only seconds have small ones. */
static const char *ab_amount(double v, const char *unit, char *dst, size_t size)
{
	static const struct {
		double of;
		const char *name;
	} prefix[] = { { 1e9, "G" },  { 1e6, "M" },  { 1e3, "k" }, { 1, "" },
		       { 1e-3, "m" }, { 1e-6, "u" }, { 1e-9, "n" } };
	size_t i = *unit == '%' ? 3 : 0, last = *unit == 's' ? 6 : 3;

	while (i < last && v < prefix[i].of)
		i++;
	if (isnan(v))
		snprintf(dst, size, "-");
	else
		snprintf(dst, size, "%.4g %s%s", v / prefix[i].of, prefix[i].name, unit);
	return dst;
}

/* Writes a change, in percent of `of`. The interval gets two significant digits. */
static const char *ab_change_text(double by, double ci95, const char *of, char *dst, size_t size)
{
	int digits = ci95 > 0 ? (int)fmin(fmax(1 - floor(log10(ci95)), 0), 6) : 2;

	if (isnan(by) || isnan(ci95))
		snprintf(dst, size, "-");
	else if (fabs(by) <= ci95)
		snprintf(dst, size, "no change (+- %.*f %%%s)", digits, ci95, of);
	else
		snprintf(dst, size, "%+.*f +- %.*f %%%s", digits, by, digits, ci95, of);
	return dst;
}

static void ab_print_row(FILE *out, const struct ab_row *row, const struct ab_change *c)
{
	char off[64], on[64], by[64];

	if (row->per >= 0 && isnan(c->off))
		return; /* there is no such unit of work */
	if (isnan(c->off))
		snprintf(by, sizeof(by), "not measured");
	else if (c->off == 0 && c->on == 0)
		snprintf(by, sizeof(by), "none%s", row->zero);
	else
		ab_change_text(100 * c->relative, 100 * c->relative_ci95, "", by, sizeof(by));
	fprintf(out, "  %-22s  %14s  %14s  %s\n", row->name,
		ab_amount(c->off, row->unit, off, sizeof(off)),
		ab_amount(c->on, row->unit, on, sizeof(on)), by);
}

/* Prints the most important changes: CPU time, and the work that can be counted. */
static void ab_print_summary(FILE *out, const struct ab_change *change)
{
	static const enum ab_counter works[] = { AB_PACKETS, AB_CALLS, AB_SLEEPS };
	char text[64];

	fprintf(out, "  CPU time: %s",
		ab_change_text(change[AB_CPU_NS].by, change[AB_CPU_NS].by_ci95, " of a CPU", text,
			       sizeof(text)));
	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++) {
		const struct ab_change *c = &change[works[i]];

		if (!(c->off > 0))
			continue;
		fprintf(out, "; %s: %s", ab_rows[works[i]].name,
			ab_change_text(100 * c->relative, 100 * c->relative_ci95, "", text,
				       sizeof(text)));
		break;
	}
	fputs("\n\n", out);
}

int ab_print(FILE *out, const struct ab_round *round, size_t n)
{
	double *v = calloc(2 * n, sizeof(*v));
	struct ab_change change[AB_NROWS];

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < AB_NROWS; i++)
		change[i] = ab_row_change(&ab_rows[i], round, n, v);
	free(v);
	ab_print_summary(out, change);
	fprintf(out, "  %-22s  %14s  %14s  %s\n", "", "not recorded", "recorded", "change");
	for (size_t i = 0; i < AB_NROWS; i++)
		ab_print_row(out, &ab_rows[i], &change[i]);
	return 0;
}
