/* SPDX-License-Identifier: BSD-2-Clause */
/* cost_tables.h: what the recording itself cost, for people and as JSON. */
#ifndef NETCOST_REPORT_COST_TABLES_H
#define NETCOST_REPORT_COST_TABLES_H

#include <stdio.h>

#include "report/analysis/cost.h"
#include "report/base/json.h"

/* Lines of the summary's "The recording itself"; the table of programs, or nothing. */
void cost_text(FILE *out, const struct cost *c);
void cost_programs_text(FILE *out, const struct model *m);
void cost_json(struct json *j, const struct model *m);

#endif
