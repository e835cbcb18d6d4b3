/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_by_columns.h: columns that say of which interface, cgroup or process it is for how long packets waited. */
#ifndef NETCOST_REPORT_LATENCY_BY_COLUMNS_H
#define NETCOST_REPORT_LATENCY_BY_COLUMNS_H

#include "latency_columns.h"
#include "report/base/doc.h"
#include "report/base/text.h"

#define LATENCY_BY_NAME_SIZE (SAFE_SIZE + 64)

struct latency_by_shown {
	const struct model *m;
	enum netcost_latency_by by;
	size_t n;	 /* of the model's rows */
	bool namespaces; /* interfaces of several */
	size_t name_size;
};

/* Of those of the model, which needs MODEL_LATENCY_BY. */
struct latency_by_shown latency_by_shown(const struct model *m, enum netcost_latency_by by);

/* The columns: its name for people, under a heading of its own, then for programs. */
#define LATENCY_BY_NAME                                                                            \
	{                                                                                          \
		.title = "", .kind = DOC_STRING                                                    \
	}
#define LATENCY_BY_WHO                                                                             \
	{ .key = "which",                                                                          \
	  .kind = DOC_STRING,                                                                      \
	  .known = true,                                                                           \
	  .choices = latency_which_keys,                                                           \
	  .about = "one; not-known: it is not known there which one; rest: all that there was no " \
		   "room to keep apart" },                                                         \
		{ .key = "name", .kind = DOC_STRING, .about = "null: not known" },                 \
		{ .key = "ifindex", .whole = true },                                               \
		{ .key = "netns",                                                                  \
		  .whole = true,                                                                   \
		  .about = "inode of the interface's network namespace" },                         \
		{ .key = "cgroup_id", .whole = true, .about = "inode" },                           \
		{ .key = "pid", .whole = true },                                                   \
	{                                                                                          \
		.key = "start_s", .precision = 6,                                                  \
		.about = "when the process began, since the start"                                 \
	}

/* Their cells. name: LATENCY_BY_NAME_SIZE; the row must end before it does. */
void latency_by_cells(struct doc *d, const struct latency_by_shown *s,
		      const struct model_latency_by *b, char *name);

/*
 * A table of such rows, whose names have the room that is left. name: where LATENCY_BY_NAME is in its columns; rows: of ctx,
 * which has s in it.
 */
void latency_by_fitted(struct doc *d, struct latency_by_shown *s, const struct doc_table *table,
		       size_t name, void (*rows)(struct doc *d, const void *ctx), const void *ctx);

#endif
