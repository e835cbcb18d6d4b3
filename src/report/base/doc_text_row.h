/* SPDX-License-Identifier: BSD-2-Clause */
/* doc_text_row.h: headings and rows of a table, as lines of text. */
#ifndef NETCOST_REPORT_DOC_TEXT_ROW_H
#define NETCOST_REPORT_DOC_TEXT_ROW_H

#include "doc.h"

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

#endif
