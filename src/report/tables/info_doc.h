/* SPDX-License-Identifier: BSD-2-Clause */
/* info_doc.h: what a trace has, and what it lacks; which functions of the rules it has; exact times against samples. */
#ifndef NETCOST_REPORT_INFO_DOC_H
#define NETCOST_REPORT_INFO_DOC_H

#include "report/analysis/accuracy.h"
#include "report/base/doc.h"
#include "report/model/model.h"

void info_doc(struct doc *d, const struct model *m);

/* Which functions of the rules a trace has. For people it is a rules file itself. -ENOMEM. */
int rules_doc(struct doc *d, const struct model *m);

/* accuracy_doc.c. all: people see slower samplers for all items, not only for the main events. */
void accuracy_doc(struct doc *d, const struct accuracy *a, bool all);
/* The report without a trace: see doc_begin_schema(). -ENOMEM. */
int accuracy_describe(struct doc *d, const struct model *empty);
/* For people: everything except the beginning of the report. */
void accuracy_tables(struct doc *d, const struct accuracy *a, bool all);

/* ---- what a trace has no data of --------------------------------------------------------- */

/*
 * For error messages of commands. Each returns NULL if the trace has such data; otherwise what is missing, why if the
 * recorder gave a reason, and what to do, in buf.
 */
#define LACKS_SIZE 512

const char *lacks_latency(const struct model *m, char *buf);
const char *lacks_latency_by(const struct model *m, enum netcost_latency_by by, char *buf);
const char *lacks_tail(const struct model *m, char *buf);
const char *lacks_stages(const struct model *m, char *buf);
const char *lacks_processes(const struct model *m, char *buf);
const char *lacks_samples(const struct model *m, char *buf);

#endif
