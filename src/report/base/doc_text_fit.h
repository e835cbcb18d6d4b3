/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc_text_fit.h: a table for a terminal. It is kept until its end: only then is it known whether it is wider than the
 * terminal. If it is, its columns become as wide as what they show, brief texts stand for long ones, columns that may be
 * left out are, and names are cut.
 */
#ifndef NETCOST_REPORT_DOC_TEXT_FIT_H
#define NETCOST_REPORT_DOC_TEXT_FIT_H

#include "doc_text_row.h"

struct text_fit;

/* NULL: no memory; rows are then printed as they come. */
struct text_fit *text_fit_new(void);
void text_fit_free(struct text_fit *f); /* takes NULL */

/* Keeps a copy. False: no memory. */
bool text_fit_row(struct text_fit *f, const struct doc *d, const struct text_row *r);
bool text_fit_section(struct text_fit *f, const char *title);
bool text_fit_note(struct text_fit *f, const char *text);

typedef void text_note_fn(struct doc *d, const char *text);
/* Prints all of it, and which columns were left out. */
void text_fit_print(struct text_fit *f, struct doc *d, text_note_fn *note);

#endif
