/* SPDX-License-Identifier: BSD-2-Clause */
/* summary_text.h: the parts of the summary's text. */
#ifndef NETCOST_REPORT_SUMMARY_TEXT_H
#define NETCOST_REPORT_SUMMARY_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/analysis/summary.h"
#include "report/base/doc.h"

/* summary_text_recording.c */
void text_heading(FILE *out, const struct summary *s);
void text_recording(struct doc *d, const struct summary *s);
void text_procstat(FILE *out, const struct summary *s);
void text_not_measured(FILE *out, const struct summary *s);

/* summary_json.c */
void json_recording(struct json *j, const struct summary *s);
void json_quality(struct doc *d, const struct summary *s);
void json_weaknesses(struct json *j, const struct summary *s);
void json_moments(struct json *j, const struct summary *s);

#endif
