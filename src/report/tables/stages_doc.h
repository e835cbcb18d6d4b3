/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_doc.h: packets' ways through the host, from stage to stage (record --stages). */
#ifndef NETCOST_REPORT_STAGES_DOC_H
#define NETCOST_REPORT_STAGES_DOC_H

struct doc;
struct model;

/* The model needs MODEL_STAGES. -ENOMEM. */
int stages_doc(struct doc *d, const struct model *m);
/* Without a heading. */
int stages_table(struct doc *d, const struct model *m);
/* Likewise, without the tables for people: how many, what is not in them, how it is seen. */
void stages_rest(struct doc *d, const struct model *m);

#endif
