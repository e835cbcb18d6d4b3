/* SPDX-License-Identifier: BSD-2-Clause */
/* doc_left.h: columns of a table that are left out of text, as there is no room, and what is said of them. */
#ifndef NETCOST_REPORT_DOC_LEFT_H
#define NETCOST_REPORT_DOC_LEFT_H

#include "doc.h"

#define DOC_LEFT_TITLES 256

/* Titles of columns, by what they would have shown. */
struct doc_left {
	char missing[DOC_LEFT_TITLES], zero[DOC_LEFT_TITLES], no_room[DOC_LEFT_TITLES];
};

/* Is it in text, and no bar? */
bool doc_left_may_be(const struct doc_column *c);
/* Leaves it out. titles: a list of struct doc_left. */
void doc_left_add(const struct doc *d, struct doc_column *c, char titles[DOC_LEFT_TITLES]);
/* Of those that may be left out the ones with the highest rank. false: there are none. */
bool doc_left_add_rank(struct doc_left *l, const struct doc *d, struct doc_column *column,
		       size_t n);
/* "  not measured: a, b; no room for: c (--wide shows all)"; "": nothing was left out. */
char *doc_left_text(char *buf, size_t size, const struct doc_left *l);

#endif
