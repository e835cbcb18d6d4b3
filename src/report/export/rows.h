/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.h: tables for databases: what their columns are, as data, and rows of them as NDJSON. Every table begins with the
 * same columns, its keys, which tell recordings of all hosts apart.
 */
#ifndef NETCOST_REPORT_ROWS_H
#define NETCOST_REPORT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum table_kind {
	TABLE_TEXT,
	TABLE_TIME, /* UTC, to the second */
	TABLE_UINT,
	TABLE_NUMBER,
	TABLE_KINDS
};

struct table_column {
	const char *name, *unit; /* unit NULL: none */
	enum table_kind kind;
	bool known; /* never null */
	const char *about;
};

#define TABLE_KEYS 3
extern const struct table_column table_key[TABLE_KEYS];

struct tables_source;
struct rows;

struct table {
	const char *name, *about;
	const struct table_column *column; /* after the keys */
	size_t ncolumns;
	/* The columns that tell the rows of a recording apart, with ", " between them, and known; NULL: it has one row. */
	const char *order;
	int (*fill)(struct rows *r, const struct tables_source *from); /* -ENOMEM */
};

#define TABLE_COLUMNS(array) .column = (array), .ncolumns = sizeof(array) / sizeof(*(array))

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
	size_t at, n; /* the next column; the rows so far */
	bool no_memory;
	bool wrong; /* a cell was not of its column's kind, or a row had not as many as there are columns */
};

/* A row: a cell for each column of the table, in their order. What is not known is null. */
void rows_begin(struct rows *r);
void rows_text(struct rows *r, const char *s); /* NULL: not known */
void rows_time(struct rows *r, uint64_t real_ns, bool known);
void rows_uint(struct rows *r, uint64_t v); /* UINT64_MAX: not known, where that can be */
void rows_number(struct rows *r, double v); /* NaN: not known */
void rows_end(struct rows *r);

/* Text, not known if it is "". */
void rows_text_known(struct rows *r, const char *s);

#endif
