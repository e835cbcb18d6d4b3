// SPDX-License-Identifier: BSD-2-Clause
#include "msg.h"

#include <stdarg.h>
#include <stdio.h>

#include <netcost/reasons.h>

void msg(const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "netcost-record: %s\n", line);
}

void msg_reasons(const char *why, const char *after)
{
	char text[1024];

	msg("%s%s", reason_text(why, text, sizeof(text)), after);
}
