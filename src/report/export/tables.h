/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables.h: tables for databases, as data. Each column of a table gives the position of its value
 * in the structures of a row. Both the NDJSON rows and the statements that create the tables are
 * derived from that. Every table begins with the same key columns, which identify a recording
 * among those of all hosts.
 */
#ifndef NETCOST_REPORT_TABLES_H
#define NETCOST_REPORT_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/analysis/intervals.h"
#include "report/analysis/summary.h"
#include "report/analysis/view.h"

/* Types of a database. */
enum table_kind {
	TABLE_TEXT,
	TABLE_TIME, /* UTC, to the second */
	TABLE_UINT,
	TABLE_NUMBER,
	TABLE_KINDS
};

/*
 * The type of a value in the structure of a row, and the values that mean unknown: the cell is
 * null then.
 */
enum table_value {
	TABLE_OF_ROW,	  /* no value: the row's number, from 1 on */
	TABLE_OF_TEXT,	  /* const char *: NULL */
	TABLE_OF_STR,	  /* model_str: "", unless the column is never null */
	TABLE_OF_BOOL,	  /* bool */
	TABLE_OF_UINT,	  /* uint64_t: TRACE_NIL, unless the column is never null */
	TABLE_OF_NUMBER,  /* double: NaN */
	TABLE_OF_COUNTER, /* struct counter, its increase: fewer than two readings */
	TABLE_OF_TIME,	  /* uint64_t, a time of the trace, shown as real time: no clock */
	/* uint64_t, a time of the trace, shown relative to the recording's start: TRACE_NIL */
	TABLE_OF_SECONDS,
	TABLE_VALUES
};

struct table_column {
	const char *name, *unit; /* unit NULL: none */
	enum table_value value;
	unsigned int part; /* index of the row's structure */
	size_t offset;	   /* offset in that structure */
	bool known;	   /* never null */
	const char *about;
};

/*
 * For columns: value, part and offset of a member; the value follows from its type: a uint32_t is
 * always a model_str.
 */
#define TABLE_MEMBER(part, type, member)                                                           \
	_Generic(((type *)0)->member,                                                              \
		 const char *: TABLE_OF_TEXT,                                                      \
		 model_str: TABLE_OF_STR,                                                          \
		 bool: TABLE_OF_BOOL,                                                              \
		 uint64_t: TABLE_OF_UINT,                                                          \
		 double: TABLE_OF_NUMBER,                                                          \
		 struct counter: TABLE_OF_COUNTER),                                                \
		part, offsetof(type, member)

/* The parts of a trace that tables use. */
struct tables_source {
	const struct model *m;
	const struct intervals *iv;
	struct summary summary;
	struct drops drops;
};

struct rows;
/* Writes a row: its structures, in the order of `part`. */
typedef void table_row_fn(struct rows *r, const void *const *part);

struct table {
	const char *name, *about;
	/*
	 * The columns that identify a row within a recording, separated by ", "; they are never
	 * null. NULL: there is one row.
	 */
	const char *order;
	const struct table_column *column; /* after the keys */
	size_t ncolumns;
	int (*fill)(const struct tables_source *from, table_row_fn *row,
		    struct rows *r); /* -ENOMEM */
	unsigned int type;	     /* record type of a view; 0: not a view */
};

/* A table, and room for the columns of a view. */
struct table_room {
	struct table table;
	struct table_column column[1 + VIEW_ATTRIBUTES + STORE_VALUES];
};

/* Gets table i, from 0 on. Returns false after the last one. */
bool table_get(struct table_room *t, size_t i); /* tables_rows.c */

#define TABLE_KEYS 3
extern const struct table_column table_key[TABLE_KEYS];

#define ROWS_ID 33 /* 32 hex digits, and a NUL */

/* The values of the keys, in every row of a recording. */
struct rows_key {
	char recording[ROWS_ID];
	const char *host;
	uint64_t start_ns; /* CLOCK_REALTIME */
};

struct rows {
	FILE *out;
	const struct table *table;
	const struct rows_key *key;
	const struct model *m;
	size_t n; /* number of rows so far */
	bool no_memory;
	bool wrong; /* a column that is never null had no value */
};

table_row_fn rows_write;

enum table_kind table_kind(const struct table_column *c);

#endif
