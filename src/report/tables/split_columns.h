/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * split_columns.h: the columns of tables whose rows have a split of CPU time each: the time by leaf for programs, shares
 * of the row's time for people, the network's, exact and by samples, for both.
 */
#ifndef NETCOST_REPORT_SPLIT_COLUMNS_H
#define NETCOST_REPORT_SPLIT_COLUMNS_H

#include "report/analysis/split.h"
#include "report/base/doc.h"

/* Columns for people: leaves that have one, or share one. */
#define SPLIT_SHOWN 9
#define SPLIT_LEAF_COLUMNS (2 * LEAF_COUNT)
#define SPLIT_COLUMNS (SPLIT_SHOWN + 4 + SPLIT_LEAF_COLUMNS)

/* task: user mode is not told from the kernel in each row, so that what is either has a column. */
void split_columns(struct doc_column to[SPLIT_COLUMNS], bool task);
void split_cells(struct doc *d, const struct split_cpu *c);

/* NULL-terminated. */
extern const char *const leaf_keys[LEAF_COUNT + 1];

/* Of these, for programs alone: each leaf's time, and its share by samples. */
void split_leaf_columns(struct doc_column to[SPLIT_LEAF_COLUMNS]);
void split_leaf_cells(struct doc *d, const struct split_cpu *c);

#endif
