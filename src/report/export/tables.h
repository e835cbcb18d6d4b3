/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables.h: tables for databases, as data. A table has columns, and each column says where in the structures of a row its
 * value is. Rows as NDJSON and the statements that make the tables both follow from that. Every table begins with the same
 * columns, its keys, which tell recordings of all hosts apart.
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

/* What a database stores. */
enum table_kind {
	TABLE_TEXT,
	TABLE_TIME, /* UTC, to the second */
	TABLE_UINT,
	TABLE_NUMBER,
	TABLE_KINDS
};

/* The type that a value has in the structure of a row, and which values mean that it is not known: a cell is null then. */
enum table_value {
	TABLE_OF_ROW,	  /* no value: the row's number, from 1 on */
	TABLE_OF_TEXT,	  /* const char *: NULL */
	TABLE_OF_STR,	  /* model_str: "", unless the column is never null */
	TABLE_OF_BOOL,	  /* bool */
	TABLE_OF_UINT,	  /* uint64_t: TRACE_NIL, unless the column is never null */
	TABLE_OF_NUMBER,  /* double: NaN */
	TABLE_OF_COUNTER, /* struct counter, how much it moved: read once or never */
	TABLE_OF_TIME,	  /* uint64_t, a time of the trace as real time: without a clock */
	TABLE_OF_SECONDS, /* uint64_t, a time of the trace, since the recording began: TRACE_NIL */
	TABLE_VALUES
};

struct table_column {
	const char *name, *unit; /* unit NULL: none */
	enum table_value value;
	unsigned int part; /* of a row: in which structure … */
	size_t offset;	   /* … and where in it */
	bool known;	   /* never null */
	const char *about;
};

/* For columns: value, part and offset of a member, the value by its type: of uint32_t there is only model_str. */
#define TABLE_MEMBER(part, type, member)                                                           \
	_Generic(((type *)0)->member,                                                              \
		 const char *: TABLE_OF_TEXT,                                                      \
		 model_str: TABLE_OF_STR,                                                          \
		 bool: TABLE_OF_BOOL,                                                              \
		 uint64_t: TABLE_OF_UINT,                                                          \
		 double: TABLE_OF_NUMBER,                                                          \
		 struct counter: TABLE_OF_COUNTER),                                                \
		part, offsetof(type, member)

/* What several tables need of a trace. */
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
	/* The columns that tell the rows of a recording apart, with ", " between them, and known; NULL: it has one row. */
	const char *order;
	const struct table_column *column; /* after the keys */
	size_t ncolumns;
	int (*fill)(const struct tables_source *from, table_row_fn *row,
		    struct rows *r); /* -ENOMEM */
	unsigned int type;	     /* of a view: what it counts; 0: it is none */
};

/* A table, and room for the columns of a view. */
struct table_room {
	struct table table;
	struct table_column column[1 + VIEW_ATTRIBUTES + STORE_VALUES];
};

/* The table of that number, from 0 on: false: there are no more. */
bool table_get(struct table_room *t, size_t i); /* tables_rows.c */

#define TABLE_KEYS 3
extern const struct table_column table_key[TABLE_KEYS];

#define ROWS_ID 33 /* 32 hex digits, and a NUL */

/* What the keys are in every row of a recording. */
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
	size_t n; /* rows so far */
	bool no_memory;
	bool wrong; /* a column that is never null had nothing */
};

table_row_fn rows_write;

enum table_kind table_kind(const struct table_column *c);

#endif
