/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_doc.h: a comparison of two recordings. */
#ifndef NETCOST_REPORT_DIFF_DOC_H
#define NETCOST_REPORT_DIFF_DOC_H

#include "report/analysis/diff/diff.h"
#include "report/base/doc.h"

/* The report without a trace: see doc_begin_schema(). -ENOMEM. */
int diff_describe(struct doc *d, const struct model *empty);
void diff_doc(struct doc *d, const struct diff *diff);

/* ---- a subject as a table: diff_tables.c ------------------------------------------------- */

extern const char *const diff_quantile_titles[];

void diff_doc_table(struct doc *d, const struct diff *diff, enum diff_subject subject);
/* Processes that received packets, for people: programs have them in the table of processes. */
void diff_doc_receivers(struct doc *d, const struct diff *diff);
/* N, where one softirq in N was looked at; the larger one of the two sides. */
double diff_doc_every(const struct diff *diff);
bool diff_doc_has_energy(const struct diff *diff);

#endif
