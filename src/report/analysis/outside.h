/* SPDX-License-Identifier: BSD-2-Clause */
/* outside.h: whose the messages were that passed outside of every probe. */
#ifndef NETCOST_REPORT_OUTSIDE_H
#define NETCOST_REPORT_OUTSIDE_H

#include <stdio.h>

struct json;
struct summary;

/* Lines below those of the coverage, the most messages first. */
void outside_text(FILE *out, const struct summary *s);
/* An array, in the same order; null where they are not known. */
void outside_json(struct json *j, const struct summary *s);

#endif
