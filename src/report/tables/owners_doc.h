/* SPDX-License-Identifier: BSD-2-Clause */
/* owners_doc.h: who pays for received packets, as tables: a part of the report by process. */
#ifndef NETCOST_REPORT_OWNERS_DOC_H
#define NETCOST_REPORT_OWNERS_DOC_H

#include <stddef.h>

struct doc;
struct processes;
struct processes_row;

/* A row's name, for people. */
typedef const char *owners_name_fn(char *dst, size_t size, const struct processes *p,
				   const struct processes_row *r);

/* Nothing, if that was not recorded. */
void owners_doc(struct doc *d, const struct processes *p, owners_name_fn *shown_name);
/* Only the rows of p. */
void owners_rows(struct doc *d, const struct processes *p, owners_name_fn *shown_name);

#endif
