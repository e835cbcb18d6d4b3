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

#define ROWS_ID 33 /* 32 hex digits, and a NUL */

/* The values of the keys, in every row of a recording. */
struct rows_key {
	char recording[ROWS_ID];
	const char *host;
	uint64_t start_ns; /* CLOCK_REALTIME */
};

/* host: replaces the trace's. Returns false if its time is unknown. */
bool rows_key_make(struct rows_key *key, const struct model *m, const char *host);

/* The parts of a trace that tables use. */
struct tables_source {
	const struct model *m;
	const struct intervals *iv;
	struct rows_key key;
	struct summary summary;
	struct drops drops;
	char title[PART_TITLE_SIZE]; /* for messages */
};

/* -ENOMEM; -ECANCELED: reported. There is nothing to free then. */
int tables_source_make(struct tables_source *s, const struct export_source *from, const char *host);
void tables_source_free(struct tables_source *s);
/* Reports that the intervals are too many for a row each. Returns -ECANCELED. */
int tables_too_many(const struct export_source *from);

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
 * type. Returns false if that number is unused; higher ones may be used.
 */
#define TABLES_ANY (EXPORT_FILES_MAX + 2 * TRACE_TYPES_MAX)
bool table_any(struct table_room *t, size_t i);

/* ---- tables of records: tables_records.c ----------------------------------------------- */

/* Makes the table of a type, from the registry. Returns false for an unknown type. */
bool table_of_records(struct table_room *t, unsigned int type);

/* s NULL: the number v; TRACE_NIL: unknown. */
struct record_cell {
	const char *s; /* not terminated */
	size_t len;
	uint64_t v; /* or INT as two's complement */
};

/* Takes a row of a table of records. Returns false to end. */
typedef bool record_row_fn(void *ctx, const struct record_cell *cell);
/* The last TICK. */
struct record_tick {
	uint64_t at_ns;
	uint64_t cpu[TRACE_MAX_CPU];
	size_t n;
};
void record_tick_take(struct record_tick *tick, const struct trace_record *rec);
/*
 * Passes each row of a record: one for each element of its columns. Returns false if out of memory
 * or row() did.
 */
bool record_rows(const struct table *t, const struct trace_record *rec,
		 const struct record_tick *tick, record_row_fn *row, void *ctx);

#define TABLE_KEYS 3
extern const struct table_column table_key[TABLE_KEYS];

/* The number of keys that the table begins with. */
static inline size_t table_keys(const struct table *t)
{
	return t->fill ? TABLE_KEYS : 1;
}

struct rows {
	FILE *out; /* for rows_write() */
	void *ctx; /* for other functions */
	const struct table *table;
	const struct rows_key *key;
	const struct model *m;
	size_t n; /* number of rows so far */
	bool no_memory;
	bool wrong; /* a column that is never null had no value */
	char *text; /* of rows_text() */
	size_t cap_text;
};

/* Writes a row as NDJSON. */
table_row_fn rows_write;
/* Fills the rows' table. -ENOMEM; -ECANCELED: reported. */
int table_fill(const struct tables_source *from, struct rows *r, table_row_fn *row);

enum table_kind table_kind(const struct table_column *c);

#define TABLE_TIME_SIZE 32

/* The value of a cell: u of TABLE_UINT, v of TABLE_NUMBER, otherwise s. */
struct table_cell {
	uint64_t u;
	double v;
	const char *s; /* until the next one */
	char time[TABLE_TIME_SIZE];
};

/* Returns false if it is unknown. */
bool table_cell(struct rows *r, const struct table_column *c, const void *const *part,
		struct table_cell *cell);
/* The same for key i. */
void table_key_cell(struct rows *r, size_t i, struct table_cell *cell);
/* Returns a text of any contents and length as valid UTF-8; it lives until the next call. */
const char *rows_text(struct rows *r, const char *s);

/* Writes as many digits as identify the number. */
void number_write(FILE *out, double v);
/* Writes the statement that creates the table in SQLite. */
void ddl_table(FILE *out, const struct table *t);
/* What the name of a column must have around it: a quote if it is a reserved word. */
const char *table_quote(const char *name);

#endif
