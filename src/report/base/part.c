// SPDX-License-Identifier: BSD-2-Clause
#include "part.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

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
