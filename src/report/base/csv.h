/* SPDX-License-Identifier: BSD-2-Clause */
/* csv.h: cells of a row. What was not measured is NaN, and NaN is an empty cell. */
#ifndef NETCOST_REPORT_CSV_H
#define NETCOST_REPORT_CSV_H

#include <stdio.h>

#include "part.h"

/* Text of the trace between quotes, without a comma; with a "'" before what a spreadsheet would take for a formula. */
void csv_text(FILE *out, const char *s);
/* If there are several parts: the first cell, with its comma, and its heading. */
void csv_part(FILE *out, const struct part *part);
const char *csv_part_heading(const struct part *part);

#endif
