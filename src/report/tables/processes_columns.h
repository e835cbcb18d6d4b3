/* SPDX-License-Identifier: BSD-2-Clause */
/* processes_columns.h: the columns of the table of processes: for people first, then all that was counted. */
#ifndef NETCOST_REPORT_PROCESSES_COLUMNS_H
#define NETCOST_REPORT_PROCESSES_COLUMNS_H

#include "report/analysis/processes_energy.h"
#include "report/base/doc.h"

#define PROCESSES_BEFORE_NAME 23 /* columns, of what text shows last, and a page first */

/*
 * How many there are. People see energy only where there is any, and text that is not wide has a process's number where a
 * row is a process.
 */
size_t processes_columns(struct doc_column to[DOC_COLUMNS], const struct doc *d,
			 enum processes_by by, const struct processes_energy *e);
/* The cells of those that are only for programs, which are the last ones. */
void processes_cells_last(struct doc *d, const struct processes_values *v);

#endif
