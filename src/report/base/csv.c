// SPDX-License-Identifier: BSD-2-Clause
#include "csv.h"

#include <stdbool.h>
#include <string.h>

#include "escape.h"
#include "text.h"

/* A spreadsheet runs a cell that begins like a formula, and whoever names a task chooses it. (SAFE() leaves no tab.) */
static bool is_formula(const char *s)
{
	return *s && strchr("=+-@", *s);
}

void csv_text(FILE *out, const char *s)
{
	s = SAFE(s);
	fputs(is_formula(s) ? "\"'" : "\"", out);
	for (; *s; s++)
		fprintf(out, *s == '"' ? "\"\"" : "%c", *s);
	fputc('"', out);
}

void csv_part(FILE *out, const struct part *part)
{
	if (part->alone)
		return;
	csv_text(out, part->name);
	fputc(',', out);
}

const char *csv_part_heading(const struct part *part)
{
	return part->alone ? "" : "part,";
}
