/* SPDX-License-Identifier: BSD-2-Clause */
/* summary_text.h: the parts of the summary's text. */
#ifndef NETCOST_REPORT_SUMMARY_TEXT_H
#define NETCOST_REPORT_SUMMARY_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/analysis/summary.h"

/* summary_text_split.c */
void text_split(FILE *out, const struct summary *s);
void text_cpus(FILE *out, const struct summary *s, bool all_cpus);

/* summary_text_inside.c */
void text_inside(FILE *out, const struct summary *s, bool all);
bool text_other(FILE *out, const struct summary *s); /* false: no memory */
/* summary_text_rx.c */
void text_rx(FILE *out, const struct summary *s);
/* The parts that are in no row: measured ones that were never entered, or those not measured. */
void rx_quiet_parts(char *dst, size_t size, const struct summary_rx *rx, bool measured);

/* summary_text_recording.c */
void text_heading(FILE *out, const struct summary *s);
void text_recording(FILE *out, const struct summary *s);
void text_procstat(FILE *out, const struct summary *s);
void text_not_measured(FILE *out, const struct summary *s);

#endif
