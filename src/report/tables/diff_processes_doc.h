/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NETCOST_REPORT_DIFF_PROCESSES_DOC_H
#define NETCOST_REPORT_DIFF_PROCESSES_DOC_H

#include "report/analysis/diff/diff_processes.h"
#include "report/base/doc.h"

/* decimals: of costs, for people. */
void diff_processes_doc(struct doc *d, const struct diff_processes *p, int decimals);

/* Its name as people see it. Returns dst. */
const char *diff_process_text(char *dst, size_t size, enum diff_processes_by by,
			      const struct diff_process *p);
#define DIFF_PROCESS_TEXT 37

#endif
