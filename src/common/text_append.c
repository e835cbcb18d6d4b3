// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/text_append.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void text_append(char *list, size_t size, const char *between, const char *fmt, ...)
{
	size_t n = strlen(list);
	va_list ap;

	if (n)
		n += (size_t)snprintf(list + n, size - n, "%s", between);
	if (n >= size)
		return;
	va_start(ap, fmt);
	vsnprintf(list + n, size - n, fmt, ap);
	va_end(ap);
}

unsigned int text_columns(int fd)
{
	const char *given = getenv("COLUMNS");
	struct winsize size = { 0 };

	if (isatty(fd))
		return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
	return given ? (unsigned int)strtoul(given, NULL, 10) : 0;
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
