// SPDX-License-Identifier: BSD-2-Clause
#include "part.h"

#include <stdio.h>
#include <string.h>

#include "escape.h"
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
