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

#define DIGITS 4

char *text_brief(char *buf, size_t size, double v, int decimals)
{
	static const char unit[] = { '\0', 'k', 'M', 'G', 'T', 'P' };
	size_t n = 0;
	int digits;

	while (fabs(v) >= 9999.5 && n + 1 < sizeof(unit)) {
		v /= 1000;
		decimals = DIGITS - 1;
		n++;
	}
	digits = fabs(v) < 9.9995 ? 1 : fabs(v) < 99.995 ? 2 : fabs(v) < 999.95 ? 3 : DIGITS;
	if (decimals > DIGITS - digits)
		decimals = DIGITS - digits;
	text_num(buf, size, v, decimals);
	snprintf(buf + strlen(buf), size - strlen(buf), "%.1s", &unit[n]);
	return buf;
}

char *text_percent(char *buf, size_t size, double share, int decimals)
{
	return text_num(buf, size, 100 * share, decimals);
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

void text_wrap(FILE *out, int at, int indent, int columns, const char *s)
{
	const char *gap = "";

	while (*s) {
		int len = (int)strcspn(s, " ");

		if (*gap && at + 1 + len > columns) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
			gap = "";
		}
		at += fprintf(out, "%s%.*s", gap, len, s);
		s += len + (s[len] == ' ');
		gap = " ";
	}
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

/* ---- moments of a trace ------------------------------------------------------------------ */

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
