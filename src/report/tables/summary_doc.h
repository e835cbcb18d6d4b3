/* SPDX-License-Identifier: BSD-2-Clause */
/* summary_doc.h: the summary. */
#ifndef NETCOST_REPORT_SUMMARY_DOC_H
#define NETCOST_REPORT_SUMMARY_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

struct summary_shown {
	bool all_cpus; /* people see them all */
	bool all;      /* and categories with little or nothing, too */
	bool other;    /* the functions that no category takes */
};

/* -ENOMEM. */
int summary_doc(struct doc *d, const struct summary *s, const struct summary_shown *o);

#endif
