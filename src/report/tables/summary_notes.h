/* SPDX-License-Identifier: BSD-2-Clause */
/* summary_notes.h: notes on the numbers of a summary, in sentences. */
#ifndef NETCOST_REPORT_SUMMARY_NOTES_H
#define NETCOST_REPORT_SUMMARY_NOTES_H

#include "report/analysis/summary.h"

#define SUMMARY_NOTES 3
#define SUMMARY_NOTE_SIZE 256

/* Notes on the split. Returns how many there are. */
size_t summary_notes(char note[SUMMARY_NOTES][SUMMARY_NOTE_SIZE], const struct summary *s);
/* "510 of 520 expected (98.1 %)". Returns dst. */
char *summary_samples_text(char *dst, size_t size, const struct summary *s);

#endif
