/* SPDX-License-Identifier: BSD-2-Clause */
/* settings_doc.h: how the host was set. */
#ifndef NETCOST_REPORT_SETTINGS_DOC_H
#define NETCOST_REPORT_SETTINGS_DOC_H

#include "report/base/doc.h"
#include "report/model/model.h"

/* A report of its own: info --context. */
void settings_doc(struct doc *d, const struct model *m);

/* All of them, in the order of the trace. */
void settings_table(struct doc *d, const struct model *m);
/* How many there are. */
void settings_count(struct doc *d, const struct model *m);

/* A setting as people see it: "on", "on, then off", or why it is not known. Returns dst. */
char *setting_text(char *dst, size_t size, const struct model *m, const struct model_setting *s);
#define SETTING_TEXT 2304 /* two of the longest that a recorder writes */

#endif
