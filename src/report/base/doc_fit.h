/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doc_fit.h: a table that is no wider than the terminal, or TEXT_COLUMNS in text for a file, unless that is to be wide: columns are as wide as what
 * they show. Of those that may be left out, those that show nothing are, and where there is still no room others.
 */
#ifndef NETCOST_REPORT_DOC_FIT_H
#define NETCOST_REPORT_DOC_FIT_H

#include "doc.h"
#include "doc_left.h"

/* Adds all rows of the table that is being written. */
typedef void doc_rows_fn(struct doc *d, const void *ctx);

struct doc_fit {
	struct doc_column column[DOC_COLUMNS];
	struct doc_table table; /* of these columns */
	size_t room;  /* of a last column whose width is 0: it is cut there; SIZE_MAX: not fitted */
	size_t width; /* of all; 0: not fitted */
	struct doc_left left;
};

/* t: a table of at most DOC_COLUMNS columns. rows() is called once, where it is for text that is not wide. */
void doc_fit(struct doc_fit *f, const struct doc *d, const struct doc_table *t, doc_rows_fn *rows,
	     const void *ctx);
/* Says what was left out, if anything was. */
void doc_fit_note(struct doc *d, const struct doc_fit *f);

#endif
