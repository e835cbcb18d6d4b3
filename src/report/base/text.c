// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

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
