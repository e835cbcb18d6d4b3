/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * split_columns.h: columns of tables in which each row has a split of CPU time: for programs the time of each leaf, for
 * people shares of the row's time, for both the network's time, exact and by samples.
 */
#ifndef NETCOST_REPORT_SPLIT_COLUMNS_H
#define NETCOST_REPORT_SPLIT_COLUMNS_H

#include "report/analysis/split.h"
#include "report/base/doc.h"

/* Columns for people: a leaf, or several leaves together. */
#define SPLIT_SHOWN 11
#define SPLIT_LEAF_COLUMNS (2 * LEAF_COUNT)
#define SPLIT_COLUMNS (SPLIT_SHOWN + 4 + SPLIT_LEAF_COLUMNS)

/* task: some row does not separate user mode from the kernel, so there is a column for both together. */
/* Of leaves and their parents: no wider than those that are shown. */
unsigned int split_title_width(unsigned int absent);
/* absent: leaves that are not shown, see split_absent(). */
void split_columns(struct doc_column to[SPLIT_COLUMNS], unsigned int absent);
void split_cells(struct doc *d, const struct split_cpu *c);

/* NULL-terminated. */
extern const char *const leaf_keys[LEAF_COUNT + 1];

/* The part of these that is for programs: the time of each leaf, and its share by samples. */
void split_leaf_columns(struct doc_column to[SPLIT_LEAF_COLUMNS]);
void split_leaf_cells(struct doc *d, const struct split_cpu *c);

#endif
