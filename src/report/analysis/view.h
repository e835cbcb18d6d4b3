/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * view.h: what records of a type count, as rows by what it is of. It comes from the registry: a type that adds up (store.h)
 * is a view.
 *
 *   1. An attribute is what the dims of a store say, or what they name: an interface's id has a name, a network namespace, a
 *      driver. Rows are told apart by any of them; what has the same ones is added up.
 *   2. Values are counted: they have no interval. NaN: not known of anything that the row is the sum of.
 *   3. Rows beyond those that are asked for are one row, the last, which says of how many it is the sum.
 */
#ifndef NETCOST_REPORT_VIEW_H
#define NETCOST_REPORT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intervals.h"
#include "report/model/model.h"
#include "report/store/store.h"

#define VIEW_ATTRIBUTES 12

/*
 * Views that are more than a table of `counts`. By: what tells rows apart unless something else is asked for; its first
 * attribute is a text. Where they are, besides:
 *
 *	DIFF	 compared, a second, by that first attribute
 *	ABSENT	 what is not there was not counted: it is 0
 *	TABLE	 a table for databases (export tables)
 *	METRICS	 OpenMetrics, a family for each value
 *	PAGE	 a section of the page
 */
enum {
	VIEW_DIFF = 1,
	VIEW_ABSENT = 2,
	VIEW_TABLE = 4,
	VIEW_METRICS = 8,
	VIEW_PAGE = 16,
};

/*
 *	TYPE		name		title				by			where
 */
#define VIEW_USES(X)                                                                               \
	X(NETDEV_STATS, "netdev_stats", "Interfaces", "interface,netns,driver", 0)                 \
	X(DROPS, "drops", "Dropped packets", "reason", VIEW_DIFF | VIEW_ABSENT)                    \
	X(COUNTERS, "counters", "Counters of the network protocols", "counter",                    \
	  VIEW_TABLE | VIEW_METRICS)                                                               \
	X(IRQ_STATS, "irq_stats", "Hard interrupts of interfaces", "interface,netns",              \
	  VIEW_DIFF | VIEW_TABLE | VIEW_METRICS | VIEW_PAGE)

struct view_use {
	unsigned int type;
	const char *name, *title, *by;
	unsigned int where;
};

#define X(TYPE, name, title, by, where) +1
enum { VIEW_USES_COUNT = 0 VIEW_USES(X) };
#undef X

extern const struct view_use view_uses[VIEW_USES_COUNT];
extern const char *const view_use_names[VIEW_USES_COUNT + 1]; /* the last one is NULL */
extern const uint8_t view_use_types[VIEW_USES_COUNT + 1];     /* for model_ask() */

/* s NULL: n; TRACE_NIL: not known. */
struct view_word {
	const char *s;
	uint64_t n;
};

struct view_attribute {
	const char *name, *about;
	bool number;
	uint8_t key; /* the dim that says it */
	/* Of the value of that dim; NULL: that is the value itself. */
	struct view_word (*word)(const struct model *m, uint64_t id);
};

struct view {
	unsigned int type;
	const char *name, *about;   /* as the registry has them */
	const struct view_use *use; /* NULL: it is a table of `counts` and nothing else */
	struct store_query query;
	struct view_attribute attribute[VIEW_ATTRIBUTES];
	size_t nattributes;
	const struct trace_key_desc *value[STORE_VALUES];
	size_t nvalues;
};

/* False: it does not add up. */
bool view_make(struct view *v, unsigned int type);
/* 0: there is no such view. */
unsigned int view_find(const char *name);

/* What is asked for: attributes that tell rows apart, the value by which they are sorted, how many. */
struct view_order {
	size_t by[VIEW_ATTRIBUTES], nby, sort, rows;
	bool so_far; /* counters that were read only once have counted 0 */
};

#define VIEW_UNSORTED SIZE_MAX /* as sort: by attributes */

/*
 * by: names of attributes with commas between them; NULL: those of its use, or all. sort: NULL: the first value. False: err says
 * what is wrong.
 */
bool view_order_parse(struct view_order *o, const struct view *v, const char *by, const char *sort,
		      char *err, size_t size);

/* As it is without options. False: there is no such view. */
bool view_usual(struct view *v, struct view_order *o, unsigned int type);

struct view_row {
	struct view_word by[VIEW_ATTRIBUTES];
	size_t others; /* the rest: it is the sum of so many rows; 0: a row */
	double *value; /* of each of the view's values */
};

struct view_rows {
	struct view_row *row;
	size_t n;
	double *values;
	char *texts; /* of words: its own, as those of a model move while it is read */
	uint64_t records, fell, left_out; /* of the store, so far */
};

/* The largest first. s: NULL: there are none. touched: only rows that have something. -ENOMEM: there is nothing to free. */
int view_rows_make(struct view_rows *r, const struct view *v, const struct view_order *o,
		   const struct model *m, const struct store *s, bool touched);
void view_rows_free(struct view_rows *r);

#define VIEW_TIMES_MOST 300000 /* rows of all pieces together; beyond that, none are kept */

/* The same for each piece of time. */
struct view_times {
	struct store_pieces pieces; /* the second of the intervals */
	struct view view;
	struct view_order order;
	struct view_rows *piece;
	size_t n;
	size_t rows; /* of all pieces together */
	bool no_memory, too_many;
};

void view_times_init(struct view_times *t, const struct view *v, const struct view_order *o);
void view_times_free(struct view_times *t);

#endif
