/* SPDX-License-Identifier: BSD-2-Clause */
/* ddl.h: the statements that make the tables of rows.h, for those databases that have a row in ddl.c. */
#ifndef NETCOST_REPORT_DDL_H
#define NETCOST_REPORT_DDL_H

#include <stdio.h>

extern const char *const ddl_engines[]; /* the last one NULL */

/* All tables. engine: one of those. */
void ddl_write(FILE *out, const char *engine);

#endif
