/* SPDX-License-Identifier: BSD-2-Clause */
/* summary_doc.h: the summary, and its parts: reports and the HTML page use some of them. */
#ifndef NETCOST_REPORT_SUMMARY_DOC_H
#define NETCOST_REPORT_SUMMARY_DOC_H

#include "report/analysis/cost.h"
#include "report/analysis/summary.h"
#include "report/base/doc.h"

struct summary_shown {
	bool all_cpus; /* people see them all */
	bool all;      /* also categories with little or nothing */
	bool other;    /* the functions that are in no category */
};

/* -ENOMEM. */
int summary_doc(struct doc *d, const struct summary *s, const struct summary_shown *o);

/* ---- columns of tables in which each row has a split of CPU time: split_doc.c ------------ */

/*
 * For programs the time of each leaf, for people shares of the row's time, and for both the network's time, exact and by
 * samples. SPLIT_SHOWN: columns for people, each a leaf, or several leaves together.
 */
#define SPLIT_SHOWN 11
#define SPLIT_LEAF_COLUMNS (2 * LEAF_COUNT)
#define SPLIT_COLUMNS (SPLIT_SHOWN + 4 + SPLIT_LEAF_COLUMNS)

/* absent: leaves that are not shown, see split_absent(). */
void split_columns(struct doc_column to[SPLIT_COLUMNS], unsigned int absent);
void split_cells(struct doc *d, const struct split_cpu *c);
/* The width of a column of titles of leaves and their parents. */
unsigned int split_title_width(unsigned int absent);

/* NULL-terminated. */
extern const char *const leaf_keys[LEAF_COUNT + 1];

/* The columns of these for programs: the time of each leaf, and its share by samples. */
void split_leaf_columns(struct doc_column to[SPLIT_LEAF_COLUMNS]);
void split_leaf_cells(struct doc *d, const struct split_cpu *c);

/* ---- where the CPU time went: split_doc.c ------------------------------------------------ */

/* The tree of leaves, and notes on it. */
void split_tree(struct doc *d, const struct summary *s);
/* all: people see all CPUs, however many there are. -ENOMEM. */
int split_cpus(struct doc *d, const struct summary *s, bool all);
/* CSV: a row for each leaf, of all CPUs and of each. */
void split_leaves(struct doc *d, const struct summary *s);

/* Costs of each of the things that the user counted: --per=requests=12345. The schema has them without a count. */
bool per_is_wanted(const struct summary *s);
void per_doc(struct doc *d, const struct summary *s);

/* ---- the categories of a leaf: inside_doc.c ---------------------------------------------- */

/* Categories, by samples. all: people also see those with little or nothing. */
void inside_categories(struct doc *d, const struct summary *s, bool all);
/* The functions that are in no category. -ENOMEM. */
int inside_other(struct doc *d, const struct summary *s);
/* Parts of the RX softirq, exact. */
void inside_rx(struct doc *d, const struct summary *s);
/* CSV: a row for each category, of all CPUs and of each. */
void inside_leaves(struct doc *d, const struct summary *s);

/* ---- what the network did: traffic_doc.c ------------------------------------------------- */

void traffic_costs(struct doc *d, const struct summary *s);
void traffic_calls(struct doc *d, const struct summary *s);
void traffic_interfaces(struct doc *d, const struct summary *s);
/* Drops, and counters of protocols that report losses; people see only those that are not 0. -ENOMEM. */
int drops_doc(struct doc *d, const struct summary *s);
void softirqs_doc(struct doc *d, const struct summary *s);
/* Hard interrupts of interfaces. */
void interrupts_doc(struct doc *d, const struct summary *s);

/* ---- the recording: summary_doc.c -------------------------------------------------------- */

/* The beginning of a report of a whole recording; for programs, the object "trace". */
void recording_heading(struct doc *d, const struct summary *s);
/* Losses, coverage, overhead, marks: lines for people, "quality" for programs. */
void recording_quality(struct doc *d, const struct summary *s);
void recording_procstat(struct doc *d, const struct summary *s);
/* The overhead: lines of "The recording itself" for people. */
void cost_line(struct doc *d, const struct model *m);
/* The object "cost" for programs; people see the tables of BPF programs and probes in it. */
void cost_doc(struct doc *d, const struct model *m);

#endif
