// SPDX-License-Identifier: BSD-2-Clause
/*
 * Compares phases with and without recording. Only phases of the same round are compared, so differences between rounds
 * do not matter. Intervals use Student's distribution.
 */
#include "ab_impl.h"

#include <math.h>

#include <netcost/student.h>

/* The rates in the order of enum ab_counter, then the CPU time per unit of work. */
static const struct ab_figure ab_figures[] = {
	{ "CPU time, of a CPU", "%", 1e-7, AB_CPU_NS, -1, "none", "not measured" },
	{ "read and write calls", "/s", 1, AB_CALLS, -1, "none (send and recv are not measured)",
	  "not measured" },
	{ "bytes of these calls", "B/s", 1, AB_CALL_BYTES, -1, "none", "not measured" },
	{ "IP packets (namespace)", "/s", 1, AB_PACKETS, -1, "none", "not measured" },
	{ "IP bytes (namespace)", "B/s", 1, AB_PACKET_BYTES, -1, "none", "not measured" },
	{ "voluntary switches", "/s", 1, AB_SLEEPS, -1, "none",
	  "not measured: threads came or went" },
	{ "involuntary switches", "/s", 1, AB_PREEMPTIONS, -1, "none",
	  "not measured: threads came or went" },
	{ "CPU time per call", "s", 1e-9, AB_CPU_NS, AB_CALLS, "none", NULL },
	{ "CPU time per IP packet", "s", 1e-9, AB_CPU_NS, AB_PACKETS, "none", NULL },
};

#define AB_NFIGURES (sizeof(ab_figures) / sizeof(ab_figures[0]))

/* Returns the figure of a phase; NaN if the figure is unknown, or if the process did no work of this kind. */
static double ab_value(const struct ab_figure *f, const double *rate)
{
	double per = f->per < 0 ? 1 : rate[f->per];

	return per > 0 ? rate[f->of] * f->scale / per : NAN;
}

/* Sums over rounds: of the values without and with recording, and of the squares of (on - ratio * off - mean). */
struct ab_sums {
	double off, on, squares, n;
};

static struct ab_sums ab_sum(const struct ab_figure *f, const struct ab_round *round, size_t n,
			     double ratio, double mean)
{
	struct ab_sums s = { 0 };

	for (size_t i = 0; i < n; i++) {
		double off = ab_value(f, round[i].rate[0]), on = ab_value(f, round[i].rate[1]);

		if (isnan(on - off))
			continue;
		s.off += off;
		s.on += on;
		s.squares += pow(on - ratio * off - mean, 2);
		s.n++;
	}
	return s;
}

static double ab_ci95(double squares, double n)
{
	return student_t95(n - 1) * sqrt(squares / (n - 1) / n);
}

struct ab_change ab_compare(const struct ab_figure *f, const struct ab_round *round, size_t n)
{
	struct ab_change c = { NAN, NAN, NAN, NAN, NAN, NAN };
	struct ab_sums s = ab_sum(f, round, n, 1, 0);
	double of_ratio;

	if (s.n < AB_ROUNDS_LEAST)
		return c;
	c.off = s.off / s.n;
	c.on = s.on / s.n;
	c.by = c.on - c.off;
	c.by_ci95 = ab_ci95(ab_sum(f, round, n, 1, c.by).squares, s.n);
	if (!(c.off > 0))
		return c;
	c.relative = 100 * c.by / c.off;
	/*
	 * linearized error of the ratio; 0 if all values with recording are 0, so it is only a lower bound of the error
	 */
	of_ratio = ab_ci95(ab_sum(f, round, n, c.on / c.off, 0).squares, s.n);
	c.relative_ci95 = 100 * fmax(c.by_ci95, of_ratio) / c.off;
	return c;
}

/* Prints a value with an SI prefix. Percentages have no prefix, and only seconds have prefixes of small values. */
static void ab_print_value(FILE *out, double v, const char *unit)
{
	static const char prefix[][2] = { "G", "M", "k", "", "m", "u", "n" };
	int i = *unit == '%' ? 3 : 0, last = *unit == 's' ? 6 : 3;
	char text[64] = "-";

	while (i < last && v < pow(1000, 3 - i))
		i++;
	if (!isnan(v))
		snprintf(text, sizeof(text), "%.4g %s%s", v / pow(1000, 3 - i), prefix[i], unit);
	fprintf(out, "%16s", text);
}

/* Prints a change in percent. The interval gets two significant digits. */
static void ab_print_change(FILE *out, double by, double ci95, const char *of)
{
	int digits = ci95 > 0 ? (int)fmin(fmax(1 - floor(log10(ci95)), 0), 6) : 0;

	if (isnan(by) || isnan(ci95))
		fputs("-", out);
	else if (fabs(by) <= ci95)
		fprintf(out, "no change (+- %.*f %%%s)", digits, ci95, of);
	else
		fprintf(out, "%+.*f +- %.*f %%%s", digits, by, digits, ci95, of);
}

static void ab_print_figure(FILE *out, const struct ab_figure *f, const struct ab_change *c)
{
	if (isnan(c->off) && !f->unknown)
		return;
	fprintf(out, "  %-22s", f->name);
	ab_print_value(out, c->off, f->unit);
	ab_print_value(out, c->on, f->unit);
	fputs("  ", out);
	if (isnan(c->off))
		fputs(f->unknown, out);
	else if (c->off == 0 && c->on == 0)
		fputs(f->zero, out);
	else
		ab_print_change(out, c->relative, c->relative_ci95, "");
	fputc('\n', out);
}

void ab_print(FILE *out, const struct ab_round *round, size_t n)
{
	static const enum ab_counter works[] = { AB_PACKETS, AB_CALLS, AB_SLEEPS };
	struct ab_change change[AB_NFIGURES];
	size_t work = 0;

	for (size_t i = 0; i < AB_NFIGURES; i++)
		change[i] = ab_compare(&ab_figures[i], round, n);
	while (work < 2 && !(change[works[work]].off > 0))
		work++;
	work = works[work];
	fputs("  CPU time: ", out);
	ab_print_change(out, change[AB_CPU_NS].by, change[AB_CPU_NS].by_ci95, " of a CPU");
	if (change[work].off > 0) {
		fprintf(out, "; %s: ", ab_figures[work].name);
		ab_print_change(out, change[work].relative, change[work].relative_ci95, "");
	}
	fprintf(out, "\n\n  %-22s%16s%16s  %s\n", "", "not recorded", "recorded", "change");
	for (size_t i = 0; i < AB_NFIGURES; i++)
		ab_print_figure(out, &ab_figures[i], &change[i]);
}
