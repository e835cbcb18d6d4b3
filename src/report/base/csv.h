/* SPDX-License-Identifier: BSD-2-Clause */
/* csv.h: cells of a row. What was not measured is NaN, and NaN is an empty cell. */
#ifndef NETCOST_REPORT_CSV_H
#define NETCOST_REPORT_CSV_H

#include <stdio.h>

#include "part.h"

/* A comma, then the number. */
void csv_num(FILE *out, double v, int decimals);
/* Text of the trace between quotes, without a comma. */
void csv_text(FILE *out, const char *s);
/* The first cell, and its comma, where there are several parts; and its heading. */
void csv_part(FILE *out, const struct part *part);
const char *csv_part_heading(const struct part *part);

#endif
