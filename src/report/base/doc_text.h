/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc_text.h: a report's tables as text: rows as lines, and a table for a terminal (text_fit), which is kept until its end: only then is
 * it known whether it is wider than the terminal. If it is, its columns become as wide as what they show, brief texts stand
 * for long ones, columns that may be left out are, and names are cut.
 */
#ifndef NETCOST_REPORT_DOC_TEXT_H
#define NETCOST_REPORT_DOC_TEXT_H

#include "doc.h"

#define DOC_TEXT_INDENT 2 /* columns before a row */

/* A cell: what buf has then, or a constant. */
const char *doc_text_shown(const struct doc *d, char *buf, size_t size, const struct doc_column *c,
			   const struct doc_cell *cell);
const char *doc_text_title(const struct doc *d, const struct doc_column *c);

/* What is shown of a row: a text for each column of the table, also for those that are not for text. */
struct text_row {
	unsigned int depth;
	const char *text[DOC_COLUMNS];
	const char *brief[DOC_COLUMNS]; /* instead, where there is no room; NULL: there is none */
	int color[DOC_COLUMNS];		/* of a terminal; 0: none */
	double share[DOC_COLUMNS];	/* BAR */
	const char *bar_color[DOC_COLUMNS]; /* "#rrggbb" */
};

/* A line of its own; "": nothing. */
void text_row_title(const struct doc *d, const char *text);
/* title: of the table, or of its section. */
void text_row_headings(struct doc *d, const char *title);
/* The last column is wrapped where the terminal ends, if that is known. */
void text_row_put(struct doc *d, const struct text_row *r);

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
