/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff_shown.h: what people see of a comparison: what can be told apart from noise, and what that is a part of. Programs
 * get all rows, with their verdicts.
 */
#ifndef NETCOST_REPORT_DIFF_SHOWN_H
#define NETCOST_REPORT_DIFF_SHOWN_H

#include "diff.h"

bool diff_is_told_apart(enum diff_verdict v);

/* Its own cost, or that with what it calls. */
bool diff_function_is_told_apart(const struct diff_function *f);

/*
 * Hides rows that cannot be told apart from noise, or were not measured alike, unless `all`, and counts them. The network as a whole stays, and so does what is asked for by
 * name: --only.
 */
void diff_hide(struct diff *d, const char *only, bool all);

/* So many costs, of categories and of functions, are told apart. */
size_t diff_told_apart(const struct diff *d);

/*
 * The largest change that can be told apart: of a leaf that is not idle; if there is none, of a sum of leaves; then of a
 * category. NULL: there is none.
 */
const struct diff_row *diff_largest(const struct diff *d);
/* The largest one, in the same direction, of the categories in that leaf. NULL: there is none. */
const struct diff_row *diff_largest_inside(const struct diff *d, const struct diff_row *leaf);

#endif
