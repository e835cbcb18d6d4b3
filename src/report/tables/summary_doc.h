/* SPDX-License-Identifier: BSD-2-Clause */
/* summary_doc.h: the summary. */
#ifndef NETCOST_REPORT_SUMMARY_DOC_H
#define NETCOST_REPORT_SUMMARY_DOC_H

#include "report/analysis/summary.h"
#include "report/base/doc.h"

struct summary_shown {
	bool all_cpus; /* people see them all */
	bool all;      /* also categories with little or nothing */
	bool other;    /* the functions that are in no category */
};

/* -ENOMEM. */
int summary_doc(struct doc *d, const struct summary *s, const struct summary_shown *o);

#endif
