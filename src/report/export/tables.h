/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables.h: tables for databases, as data. Each column of a table gives the position of its value in the structures of
 * a row. The NDJSON rows and the statements that create the tables are both derived from these columns. Every table
 * begins with the same key columns, which identify a recording among the recordings of all hosts.
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

/* Types of a database column. */
enum table_kind {
	TABLE_TEXT,
	TABLE_TIME, /* UTC with a resolution of a second */
	TABLE_UINT,
	TABLE_NUMBER,
	TABLE_KINDS
};

/* The type of a value in the structure of a row. The cell is null if the value is unknown. */
enum table_value {
	TABLE_OF_ROW,	  /* no value; the cell has the number of the row, which begins with 1 */
	TABLE_OF_TEXT,	  /* const char *; NULL means unknown */
	TABLE_OF_STR,	  /* model_str; "" means unknown, unless the column is never null */
	TABLE_OF_BOOL,	  /* bool */
	TABLE_OF_UINT,	  /* uint64_t; TRACE_NIL means unknown, unless the column is never null */
	TABLE_OF_NUMBER,  /* double; NaN means unknown */
	TABLE_OF_COUNTER, /* increase of a struct counter; unknown with fewer than two readings */
	/* uint64_t, a time of the trace that is shown as real time; unknown without a clock */
	TABLE_OF_TIME,
	/*
	 * uint64_t, a time of the trace that is shown relative to the recording's start; TRACE_NIL
	 * means unknown
	 */
	TABLE_OF_SECONDS,
	TABLE_VALUES
};

struct table_column {
	const char *name, *unit; /* unit: NULL for none */
	enum table_value value;
	unsigned int part; /* index of the structure in the row */
	size_t offset;	   /* offset in that structure */
	bool known;	   /* the column is never null */
	const char *about;
};

/*
 * Members of a column: type, structure and offset of a value. The type of the value follows from
 * the member, and a uint32_t is always a model_str.
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

/* The values of the key columns, which every row of a recording has. */
struct rows_key {
	char id[33]; /* 32 hex digits and a NUL */
	const char *recording, *host;
	/* start of the recording, as a time of the trace and as CLOCK_REALTIME */
	uint64_t at_ns, start_ns;
};

/*
 * Makes the keys of a recording. host: replaces the name in the trace. Returns false if the time is
 * unknown.
 */
bool rows_key_make(struct rows_key *key, const struct model *m, const char *host);

/* The parts of a trace that tables are filled from. */
struct tables_source {
	const struct model *m;
	const struct intervals *iv;
	struct rows_key key;
	struct summary summary;
	struct drops drops;
	char title[PART_TITLE_SIZE];
};

/*
 * Returns 0, -ENOMEM, or -ECANCELED for an error that was reported. On an error there is nothing to
 * free.
 */
int tables_source_make(struct tables_source *s, const struct export_source *from, const char *host);
void tables_source_free(struct tables_source *s);

struct rows;
/* Takes a row. part: the structures of the row, indexed by table_column.part. */
typedef void table_row_fn(struct rows *r, const void *const *part);

struct table {
	const char *name, *about;
	/*
	 * Names of the columns that identify a row within a recording, separated by ", ". These
	 * columns are never null. NULL if a recording has a single row.
	 */
	const char *order;
	const struct table_column *column; /* the columns after the keys */
	size_t ncolumns;
	/*
	 * Fills the table; NULL for a table of records, whose only key is the recording. Returns 0
	 * or -ENOMEM.
	 */
	int (*fill)(const struct tables_source *from, table_row_fn *row, struct rows *r);
	unsigned int type; /* record type of a view, or of a table of records; 0 for other tables */
};

/* A table, with room for the columns of a view, or of a table of records. */
#define TABLE_ROOM (1 + VIEW_ATTRIBUTES + STORE_VALUES)
struct table_room {
	struct table table;
	char name[48];
	struct table_column column[TABLE_ROOM];
};

/* Gets table i, beginning with 0. Returns false after the last one. */
bool table_get(struct table_room *t, size_t i); /* in tables_rows.c */
/*
 * Gets table i of all tables, where i < TABLES_ANY: tables of exports, views that no export has, and
 * a table for each record type. Returns false for a number without a table.
 */
#define TABLES_ANY (EXPORT_FILES_MAX + 2 * TRACE_TYPES_MAX)
bool table_any(struct table_room *t, size_t i);
/* Makes the table of a record type. Returns false for an unknown type. */
bool table_of_records(struct table_room *t, unsigned int type); /* in tables_records.c */

#define TABLE_KEYS 3
extern const struct table_column table_key[TABLE_KEYS];

/* Returns the number of key columns with which the table begins. */
static inline size_t table_keys(const struct table *t)
{
	return t->fill ? TABLE_KEYS : 1;
}

/* Returns column i. The key columns come first. */
static inline const struct table_column *table_column(const struct table *t, size_t i)
{
	return i < table_keys(t) ? &table_key[i] : &t->column[i - table_keys(t)];
}

struct rows {
	void *ctx; /* context of the function that takes a row; for rows_write() it is a FILE */
	const struct table *table;
	const struct rows_key *key;
	const struct model *m;
	size_t n; /* number of rows so far */
	bool no_memory;
	bool wrong; /* a column that is never null had an unknown value */
	char *text; /* buffer for the text of a cell */
	size_t cap_text;
};

table_row_fn rows_write; /* writes NDJSON */
/* Fills a table, row by row. Returns 0, -ENOMEM, or -ECANCELED for an error that was reported. */
int table_fill(const struct tables_source *from, const struct table *t, table_row_fn *row,
	       void *ctx);

/* The value of a cell: u for TABLE_UINT, v for TABLE_NUMBER, s for other kinds. */
struct table_cell {
	enum table_kind kind;
	uint64_t u;
	double v;
	const char *s; /* valid UTF-8; it lives until the next cell */
	char time[64];
};

/*
 * Gets the value of column i, where the key columns come first. Returns false if the value is
 * unknown.
 */
bool table_cell(struct rows *r, size_t i, const void *const *part, struct table_cell *cell);

/* Writes the SQLite statement that creates the table. */
void ddl_table(FILE *out, const struct table *t);

/* ---- records, as rows: tables_records.c ---------------------------------------------------- */

/* The values of a row by column, and the time of the last TICK. */
struct record_row {
	uint64_t u[TABLE_ROOM];
	double v[TABLE_ROOM];
	const char *s[TABLE_ROOM];
	char text[TABLE_ROOM][TRACE_MAX_STR + 1];
	uint64_t tick_ns, cpu[TRACE_MAX_CPU];
	size_t ncpus;
};

void record_tick(struct record_row *row, const struct trace_record *tick);
/* Calls row() for each row of a record. A row has one element of each of the record's lists. */
void record_rows(struct rows *r, const struct trace_record *rec, struct record_row *to,
		 table_row_fn *row);

#endif
