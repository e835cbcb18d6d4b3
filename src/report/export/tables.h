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

#include "export.h"
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

/* The values of the keys, in every row of a recording. */
struct rows_key {
	char id[33]; /* 32 hex digits, and a NUL */
	const char *recording, *host;
	uint64_t at_ns, start_ns; /* its start in the trace's time, and CLOCK_REALTIME */
};

/* host: replaces the trace's. Returns false if the time is unknown. */
bool rows_key_make(struct rows_key *key, const struct model *m, const char *host);

/* The parts of a trace that tables use. */
struct tables_source {
	const struct model *m;
	const struct intervals *iv;
	struct rows_key key;
	struct summary summary;
	struct drops drops;
	char title[PART_TITLE_SIZE];
};

/* -ENOMEM; -ECANCELED: reported. On an error there is nothing to free. */
int tables_source_make(struct tables_source *s, const struct export_source *from, const char *host);
void tables_source_free(struct tables_source *s);

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
	/* NULL: a table of records, whose only key is the recording. -ENOMEM. */
	int (*fill)(const struct tables_source *from, table_row_fn *row, struct rows *r);
	unsigned int type; /* record type of a view, or of records; 0: neither */
};

/* A table, and room for the columns of a view, or of records. */
#define TABLE_ROOM (1 + VIEW_ATTRIBUTES + STORE_VALUES)
struct table_room {
	struct table table;
	char name[48];
	struct table_column column[TABLE_ROOM];
};

/* Gets table i, from 0 on. Returns false after the last one. */
bool table_get(struct table_room *t, size_t i); /* tables_rows.c */
/*
 * The same for i below TABLES_ANY, with the views that are in no export and the records of each
 * type. Returns false for a number that is not used.
 */
#define TABLES_ANY (EXPORT_FILES_MAX + 2 * TRACE_TYPES_MAX)
bool table_any(struct table_room *t, size_t i);
/* Makes the table of the records of a type. Returns false for an unknown type. */
bool table_of_records(struct table_room *t, unsigned int type); /* tables_records.c */

#define TABLE_KEYS 3
extern const struct table_column table_key[TABLE_KEYS];

/* The number of keys that the table begins with. */
static inline size_t table_keys(const struct table *t)
{
	return t->fill ? TABLE_KEYS : 1;
}

/* Returns column i, the keys first. */
static inline const struct table_column *table_column(const struct table *t, size_t i)
{
	return i < table_keys(t) ? &table_key[i] : &t->column[i - table_keys(t)];
}

struct rows {
	void *ctx; /* of the function that takes a row; rows_write(): a FILE */
	const struct table *table;
	const struct rows_key *key;
	const struct model *m;
	size_t n; /* number of rows so far */
	bool no_memory;
	bool wrong; /* a column that is never null had no value */
	char *text; /* of a cell */
	size_t cap_text;
};

table_row_fn rows_write; /* as NDJSON */
/* Fills a table, row by row. -ENOMEM; -ECANCELED: reported. */
int table_fill(const struct tables_source *from, const struct table *t, table_row_fn *row,
	       void *ctx);

enum table_kind table_kind(const struct table_column *c);

/* The value of a cell: u of TABLE_UINT, v of TABLE_NUMBER, otherwise s. */
struct table_cell {
	enum table_kind kind;
	uint64_t u;
	double v;
	const char *s; /* valid UTF-8, until the next cell */
	char time[64];
};

/* Returns false if the value of column i, the keys first, is unknown. */
bool table_cell(struct rows *r, size_t i, const void *const *part, struct table_cell *cell);

/* Writes the statement that makes the table in SQLite. */
void ddl_table(FILE *out, const struct table *t);

/* ---- records, as rows: tables_records.c ---------------------------------------------------- */

/* The structure of a row, by column, and the last TICK. */
struct record_row {
	uint64_t u[TABLE_ROOM];
	double v[TABLE_ROOM];
	const char *s[TABLE_ROOM];
	char text[TABLE_ROOM][TRACE_MAX_STR + 1];
	uint64_t tick_ns, cpu[TRACE_MAX_CPU];
	size_t ncpus;
};

void record_tick(struct record_row *row, const struct trace_record *tick);
/* Passes each row of a record to row(): one for each element of its lists. */
void record_rows(struct rows *r, const struct trace_record *rec, struct record_row *to,
		 table_row_fn *row);

#endif
