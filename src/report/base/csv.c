// SPDX-License-Identifier: BSD-2-Clause
#include "csv.h"

#include <math.h>

#include "escape.h"
#include "text.h"

void csv_num(FILE *out, double v, int decimals)
{
	fputc(',', out);
	if (isfinite(v))
		fprintf(out, "%.*f", decimals, v);
}

void csv_text(FILE *out, const char *s)
{
	fputc('"', out);
	for (s = SAFE(s); *s; s++)
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
