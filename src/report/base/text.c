// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <netcost/units.h>
#include <netcost/utf8.h>

char *text_num(char *buf, size_t size, double v, int decimals)
{
	if (isnan(v))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%.*f", decimals, v);
	return buf;
}

char *text_brief(char *buf, size_t size, double v)
{
	static const char unit[] = { '\0', 'k', 'M', 'G', 'T', 'P' };
	size_t n = 0;
	int decimals;

	while (fabs(v) >= (n ? 999.5 : 9999.5) && n + 1 < sizeof(unit)) {
		v /= 1000;
		n++;
	}
	decimals = !n || fabs(v) >= 99.95 ? 0 : fabs(v) < 9.995 ? 2 : 1;
	text_num(buf, size, v, decimals);
	snprintf(buf + strlen(buf), size - strlen(buf), "%.1s", &unit[n]);
	return buf;
}

/* ---- measured values --------------------------------------------------------------------- */

/* Returns the power of ten of the first digit. */
static int text_magnitude(double v)
{
	return (int)floor(log10(fabs(v)));
}

#define VALUE_DIGITS 3
#define INTERVAL_DIGITS 2
#define TEXT_DECIMALS 6 /* largest number of decimals */

/*
 * Returns the number of decimals for a measured value: enough for three significant digits, but none after the second
 * significant digit of the interval. A negative result means rounding to tens, hundreds and so on. ci95: half-width; 0
 * for none.
 */
static int text_decimals(double v, double ci95)
{
	bool has_interval = ci95 > 0 && isfinite(ci95);
	int by_value = 0, by_interval = 0;

	if (isfinite(v) && v != 0) {
		by_value = VALUE_DIGITS - 1 - text_magnitude(v);
		/* Rounding may add a digit: 9.996 becomes 10.0, which has three digits. */
		by_value = VALUE_DIGITS - 1 -
			   text_magnitude(round(v * pow(10, by_value)) / pow(10, by_value));
	}
	if (has_interval)
		by_interval = INTERVAL_DIGITS - 1 - text_magnitude(ci95);
	if (has_interval && (v == 0 || by_interval < by_value))
		return by_interval;
	return by_value;
}

#define INEXACT 1e-9 /* largest error of the arithmetic, as a share of the value */

/*
 * Rounds a value to a number of decimals, which may be negative. A 0 has no minus sign. mark: '<' rounds up and '>'
 * down, so that the result is still a bound.
 */
static char *text_rounded(char *buf, size_t size, double v, int decimals, char mark)
{
	double to = pow(10, decimals), scaled = v * to, error = INEXACT * fabs(scaled);
	double rounded = (mark == '<' ? ceil(scaled - error) :
			  mark == '>' ? floor(scaled + error) :
					round(scaled)) /
			 to;

	return text_num(buf, size,
			rounded == 0	  ? 0 :
			isfinite(rounded) ? rounded :
					    v,
			decimals > 0 ? decimals : 0);
}

struct text_scale {
	double times;
	const char *name;
};

/* Returns the unit in which the value has one to three digits before the decimal point. */
static const struct text_scale *text_scale_of(double v, double ci95, enum text_unit unit)
{
	static const struct text_scale scales[][5] = {
		[TEXT_PLAIN] = { { 1, "" } },
		[TEXT_NS] = { { 1, " ns" }, { 1e-3, " us" }, { 1e-6, " ms" }, { 1e-9, " s" } },
		[TEXT_UJ] = { { 1, " uJ" }, { 1e-3, " mJ" }, { 1e-6, " J" } },
	};
	const struct text_scale *s = scales[unit];
	double to = pow(10, text_decimals(v, ci95));
	double rounded = fmax(fabs(round(v * to) / to), v == 0 ? ci95 : 0);

	while (s[1].name && rounded * s->times >= 1000)
		s++;
	return s;
}

/*
 * Returns '<' if only an upper bound of the value is shown, '>' if only a lower bound is shown, and 0 if the value is
 * shown. *v is set to the bound or value that is shown.
 */
static char text_bound(const struct text_measure *t, double *v)
{
	double limit = t->limit > 0 ? t->limit * (1 + INEXACT) : INFINITY;

	*v = t->v;
	if (!t->bound || !(t->v >= 0) || t->v > limit)
		return 0;
	if (t->v < t->ci95) {
		*v = t->v + t->ci95 > limit ? t->limit : t->v + t->ci95;
		return '<';
	}
	if (t->alone || !(t->v + t->ci95 > limit))
		return 0;
	/* a sum that is nearly exact: 100 +- 0.0002 is 100, not "> 99" */
	if (t->most >= 0 && t->ci95 * pow(10, t->most) < 0.5)
		return 0;
	*v = t->v - t->ci95;
	return '>';
}

/*
 * Adds decimals to a value that would be rounded up to the limit. Returns '>' if even `most` decimals do not show that
 * the value is below the limit, '<' if it would be rounded to 0, otherwise 0.
 */
static char text_edge(const struct text_measure *t, double v, int *decimals, int most)
{
	double to = pow(10, *decimals), rest = t->limit - t->v;

	if (!t->sign && v > 0 && v * to < 0.5)
		return '<';
	if (t->unit != TEXT_PLAIN || !(rest > INEXACT * t->limit) || rest <= t->ci95 ||
	    round(v * to) / to < t->limit)
		return 0;
	*decimals = -text_magnitude(rest) < most ? -text_magnitude(rest) : most;
	to = pow(10, *decimals);
	return round(v * to) / to < t->limit ? 0 : '>';
}

char *text_measured(char *buf, size_t size, const struct text_measure *t)
{
	double v, ci95 = isnan(t->ci95) ? 0 : t->ci95;
	int most = t->most >= 0 && t->most < TEXT_DECIMALS ? t->most : TEXT_DECIMALS, decimals;
	char mark = text_bound(t, &v), half[TEXT_SIZE];
	const struct text_scale *s;
	bool interval;
	size_t n;

	if (isnan(v))
		return text_num(buf, size, v, 0);
	if (mark == '<' && v < ci95) /* the bound is the limit, which has no interval */
		ci95 = 0;
	s = text_scale_of(v, ci95, t->unit);
	decimals = text_decimals(v * s->times, ci95 * s->times);
	if (decimals > most)
		decimals = most;
	text_rounded(half, sizeof(half), ci95 * s->times, decimals, 0);
	interval = !mark && !t->alone && strpbrk(half, "123456789");
	if (!mark && !interval)
		mark = text_edge(t, v * s->times, &decimals, most);
	n = (size_t)snprintf(buf, size, "%s",
			     mark == '<'       ? "< " :
			     mark	       ? "> " :
			     t->sign && v >= 0 ? "+" :
						 "");
	text_rounded(buf + n, size - n, v * s->times, decimals, mark);
	n = strlen(buf);
	if (interval)
		n += (size_t)snprintf(buf + n, size - n, " +- %*s", t->ci_width, half);
	else if (t->ci_width)
		n += (size_t)snprintf(buf + n, size - n, "    %*s", t->ci_width, "");
	if (n < size && (t->v != 0 || t->ci95 > 0))
		snprintf(buf + n, size - n, "%s", s->name);
	return buf;
}

char *text_value(char *buf, size_t size, double v, enum text_unit unit)
{
	return text_within(buf, size, v, 0, unit);
}

char *text_within(char *buf, size_t size, double v, double ci95, enum text_unit unit)
{
	return text_measured(
		buf, size,
		&(struct text_measure){ .v = v, .ci95 = ci95, .unit = unit, .most = -1 });
}

char *text_digits(char *buf, size_t size, double v, double ci95)
{
	return text_measured(
		buf, size,
		&(struct text_measure){ .v = v, .ci95 = ci95, .most = -1, .alone = true });
}

char *text_half(char *text)
{
	char *half = strstr(text, " +- ");

	if (!half)
		return NULL;
	*half = '\0';
	return half + strlen(" +- ");
}

char *text_count(char *buf, size_t size, double n, const char *noun)
{
	text_num(buf, size, n, 0);
	snprintf(buf + strlen(buf), size - strlen(buf), " %s%s", noun, n == 1 ? "" : "s");
	return buf;
}

char *text_percent(char *buf, size_t size, double share, double ci95, bool alone)
{
	return text_measured(buf, size,
			     &(struct text_measure){ .v = 100 * share,
						     .ci95 = 100 * ci95,
						     .most = 2,
						     .limit = 100,
						     .bound = true,
						     .alone = alone });
}

char *text_cpu_list(char *buf, size_t size, const uint32_t *cpu, size_t n)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < n && len < size;) {
		size_t j = i;

		while (j + 1 < n && cpu[j + 1] == cpu[j] + 1)
			j++;
		len += (size_t)snprintf(buf + len, size - len, "%s%" PRIu32, i ? "," : "", cpu[i]);
		if (j > i && len < size)
			len += (size_t)snprintf(buf + len, size - len, "-%" PRIu32, cpu[j]);
		i = j + 1;
	}
	return buf;
}

char *text_utc(char *buf, size_t size, uint64_t real_ns)
{
	time_t t = (time_t)(real_ns / 1000000000u);
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(buf, size, "%Y-%m-%d %H:%M:%S UTC", &tm))
		snprintf(buf, size, "?");
	return buf;
}

static char *text_time(char *buf, size_t size, uint64_t real_ns, const char *format)
{
	time_t t = (time_t)(real_ns / 1000000000u);
	struct tm tm;

	if (!localtime_r(&t, &tm) || !strftime(buf, size, format, &tm))
		snprintf(buf, size, "?");
	return buf;
}

char *text_local(char *buf, size_t size, uint64_t real_ns)
{
	return text_time(buf, size, real_ns, "%Y-%m-%d %H:%M:%S %Z");
}

char *text_clock(char *buf, size_t size, uint64_t real_ns)
{
	return text_time(buf, size, real_ns, "%H:%M:%S");
}

/* ---- escapes ----------------------------------------------------------------------------- */

static void json_ascii(FILE *out, unsigned char c)
{
	static const char shorts[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
				       ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\' };

	if (c < sizeof(shorts) && shorts[c]) {
		fputc('\\', out);
		fputc(shorts[c], out);
	} else if (c < 0x20 || c == 0x7f) {
		fprintf(out, "\\u%04x", c);
	} else {
		fputc(c, out);
	}
}

void escape_json(FILE *out, const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + n;

	fputc('"', out);
	while (p < end) {
		size_t len = utf8_len(p, (size_t)(end - p));

		if (len == 0)
			fputs("\\ufffd", out);
		else if (len == 1)
			json_ascii(out, *p);
		else if (utf8_is_control(p, len))
			fprintf(out, "\\u%04x", utf8_code(p, len));
		else
			fwrite(p, 1, len, out);
		p += len ? len : utf8_bad_len(p, (size_t)(end - p));
	}
	fputc('"', out);
}

char *escape_text(char *dst, size_t size, const char *s)
{
	size_t i = 0;

	for (; s[i] && i + 1 < size; i++)
		dst[i] = s[i] < 0x20 || s[i] > 0x7e ? '?' : s[i];
	dst[i] = '\0';
	return dst;
}

void escape_xml(FILE *out, const char *s, size_t n)
{
	static const struct {
		char c;
		const char *entity;
	} markup[] = {
		{ '<', "&lt;" },   { '>', "&gt;" },   { '&', "&amp;" },
		{ '"', "&quot;" }, { '\'', "&#39;" },
	};

	for (size_t i = 0; i < n && s[i]; i++) {
		size_t k = 0;

		while (k < sizeof(markup) / sizeof(*markup) && markup[k].c != s[i])
			k++;
		if (k < sizeof(markup) / sizeof(*markup))
			fputs(markup[k].entity, out);
		else
			fputc(s[i] < 0x20 || s[i] > 0x7e ? '?' : s[i], out);
	}
}

void escape_folded(char *s)
{
	for (; *s; s++)
		if (*s <= 0x20 || *s > 0x7e || *s == ';')
			*s = '_';
}

/* ---- times of a trace --------------------------------------------------------------- */

bool time_arg_parse(const char *text, struct time_arg *t)
{
	*t = (struct time_arg){ .anchor = TIME_SINCE_START };
	if (!strncmp(text, "mark:", 5)) {
		t->anchor = TIME_AT_MARK;
		t->mark = text + 5;
		return *t->mark;
	}
	if (*text == '-') {
		t->anchor = TIME_BEFORE_END;
		text++;
	}
	return units_parse(UNITS_TIME, text, UNITS_SECOND, &t->ns);
}

/* ---- parts of a file ---------------------------------------------------------------------- */

char *part_title(const struct part *p, char *dst, size_t size)
{
	char number[32];

	snprintf(number, sizeof(number), "part %u", p->number);
	if (!p->number)
		snprintf(dst, size, "%s", p->file);
	else if (!strcmp(p->name, number))
		snprintf(dst, size, "%s: %s", p->file, number);
	else
		snprintf(dst, size, "%s: %s (%s)", p->file, SAFE(p->name), number);
	return dst;
}

void tell(const char *file, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "netcost-report: %s: %s\n", SAFE(file), SAFE(text));
}
