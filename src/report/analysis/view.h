/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * view.h: presents the counts of a record type as rows by attributes. Views are derived from the registry: every type
 * that adds up (store.h) has a view.
 *
 * 1. An attribute is a dim of a store, or something to which a dim refers. For example, the id of an interface has a
 * name, a network namespace and a driver. The chosen attributes identify a row; all counts with equal attributes are
 * added up.
 * 2. Values are counted, so they have no confidence interval. NaN: all parts of the sum are unknown.
 * 3. Rows beyond the requested number are added up in the last row, which contains the number of rows in its sum.
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
 * Views with uses other than `counts`. by: the attributes that identify a row by default; the first one is a text.
 * where: the other uses of the view:
 *
 *	DIFF	 compared as a rate per second, by the first attribute
 *	ABSENT	 a missing row was not counted, so its value is 0
 *	TABLE	 a table for databases (export tables)
 *	METRICS	 OpenMetrics, with a family for each value
 *	PAGE	 a section of the page
 */
enum {
	VIEW_DIFF = 1,
	VIEW_ABSENT = 2,
	VIEW_TABLE = 4,
	VIEW_METRICS = 8,
	VIEW_PAGE = 16,
};

/* 	TYPE		name		title				by			where */
#define VIEW_USES(X)                                                                               \
	X(NETDEV_STATS, "netdev_stats", "Interfaces", "interface,netns,driver,class", 0)           \
	X(PEERS, "peers", "Peers", "class,protocol,port,side", 0)                                  \
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
extern const char *const view_use_names[VIEW_USES_COUNT + 1]; /* NULL-terminated */
/* record types, in a form suitable for model_ask() */
extern const uint8_t view_use_types[VIEW_USES_COUNT + 1];

/* The value of an attribute. If s is NULL, the value is the number n; TRACE_NIL means unknown. */
struct view_word {
	const char *s;
	uint64_t n;
};

struct view_attribute {
	const char *name, *about;
	bool number;
	uint8_t key; /* the dim from which the attribute is derived */
	/* Derives the attribute from the value of the dim. NULL: the attribute is the value of the dim. */
	struct view_word (*word)(const struct model *m, uint64_t id);
	/* Derives the attribute from several dims. NULL: the attribute uses only `key`. */
	struct view_word (*of_row)(const struct store *s, size_t row);
};

struct view {
	unsigned int type;
	const char *name, *about;   /* name and description as in the registry */
	const struct view_use *use; /* NULL: the view is only a table of `counts` */
	struct store_query query;
	struct view_attribute attribute[VIEW_ATTRIBUTES];
	size_t nattributes;
	const struct trace_key_desc *value[STORE_VALUES];
	size_t nvalues;
};

/* Makes the view of a record type. Returns false if the counts of the type do not add up. */
bool view_make(struct view *v, unsigned int type);
/* Returns the record type of the view with this name, or 0 if there is no such view. */
unsigned int view_find(const char *name);

/* The requested attributes, sort value and number of rows. */
struct view_order {
	size_t by[VIEW_ATTRIBUTES], nby, sort, rows;
	bool so_far; /* a counter with a single reading counts as 0 instead of unknown */
};

#define VIEW_UNSORTED SIZE_MAX /* value of `sort`: sort by attributes */

/*
 * Parses a request. `by` contains names of attributes, separated by commas; NULL means the attributes of the view's
 * use, or all attributes. `sort` is the name of a value; NULL means the first value. Returns false and describes the
 * error in err if the request is invalid.
 */
bool view_order_parse(struct view_order *o, const struct view *v, const char *by, const char *sort,
		      char *err, size_t size);

/* Makes the default view and the default order of a record type. Returns false if the type has no view. */
bool view_usual(struct view *v, struct view_order *o, unsigned int type);

struct view_row {
	struct view_word by[VIEW_ATTRIBUTES];
	size_t others; /* number of rows in the sum, for the last row; 0: a normal row */
	double *value; /* values in the order of the view */
};

struct view_rows {
	struct view_row *row;
	size_t n;
	double *values;
	/* copies of the texts of words, because a model's strings move while it is read */
	char *texts;
	uint64_t records, fell, left_out; /* counts of the store, so far */
};

/*
 * Makes the rows, sorted in descending order. s is NULL if there is no store. If `touched` is set, only rows with
 * values are made. Returns 0, or -ENOMEM if out of memory, in which case there is nothing to free.
 */
int view_rows_make(struct view_rows *r, const struct view *v, const struct view_order *o,
		   const struct model *m, const struct store *s, bool touched);
void view_rows_free(struct view_rows *r);

/* Limit of the number of rows in all intervals together. If there are more rows, none are kept. */
#define VIEW_TIMES_MOST 300000

/* The rows of a view for each interval. */
struct view_times {
	struct store_pieces pieces; /* the second watch of the intervals */
	struct view view;
	struct view_order order;
	struct view_rows *piece;
	size_t n;
	size_t rows; /* number of rows in all intervals together */
	bool no_memory, too_many;
};

void view_times_init(struct view_times *t, const struct view *v, const struct view_order *o);
void view_times_free(struct view_times *t);

#endif
