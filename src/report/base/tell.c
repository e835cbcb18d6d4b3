// SPDX-License-Identifier: BSD-2-Clause
#include "tell.h"

#include <stdarg.h>
#include <stdio.h>

#include "escape.h"
#include "text.h"

void tell(const char *file, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "netcost-report: %s: %s\n", SAFE(file), SAFE(text));
}
