/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_stages_doc.h: by how much packets' ways changed between two recordings. */
#ifndef NETCOST_REPORT_DIFF_STAGES_DOC_H
#define NETCOST_REPORT_DIFF_STAGES_DOC_H

#include <stdbool.h>

struct diff_stages;
struct doc;

/* Nothing, if they were not followed in both. all: also what is not told apart from noise */
void diff_stages_doc(struct doc *d, const struct diff_stages *stages, bool all);

#endif
