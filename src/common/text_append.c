// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/text_append.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
