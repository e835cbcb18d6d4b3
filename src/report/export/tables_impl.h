/* SPDX-License-Identifier: BSD-2-Clause */
/* tables_impl.h: the tables of tables.c, and what they are made from. */
#ifndef NETCOST_REPORT_TABLES_IMPL_H
#define NETCOST_REPORT_TABLES_IMPL_H

#include "rows.h"
#include "report/analysis/drops.h"
#include "report/analysis/intervals.h"
#include "report/analysis/summary.h"

/* What several tables need of a trace. */
struct tables_source {
	const struct model *m;
	const struct intervals *iv;
	struct summary summary;
	struct drops drops;
};

#define TABLES 12
extern const struct table *const tables[TABLES];
extern const struct table table_recordings, table_leaves, table_categories, table_functions,
	table_stacks, table_interfaces, table_processes, table_latency, table_latency_buckets,
	table_drops, table_settings, table_marks;

/* What a column of each leaf's time is called; and a cell for each of them. */
#define TABLES_LEAF_COLUMNS                                                                        \
	LEAVES(TABLES_LEAF_COLUMN)                                                                 \
	{                                                                                          \
		"network_ns", "ns", TABLE_NUMBER, false, "the sum of the network's leaves"         \
	}
#define TABLES_LEAF_COLUMN(name, key, title, column, event)                                        \
	{ key "_ns", "ns", TABLE_NUMBER, false, title },
void tables_leaves(struct rows *r, const struct split_cpu *c);

/* Likewise of counters, and of what a trace need not say. */
double tables_counter(uint64_t v); /* NaN: TRACE_NIL */

#endif
