/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sql.h: traces as a SQLite database in memory: every table of tables.h is a table of it.
 *
 *   1. A query is prepared first; only the tables and columns that it reads are filled, while the
 *      traces are read. So a query costs what it asks for.
 *   2. A query can only read. What the user types reaches neither the file system nor an
 *      extension, and takes no more memory than --memory allows.
 *   3. The database is named netcost, as in the other databases: netcost.leaves is leaves.
 */
#ifndef NETCOST_REPORT_SQL_H
#define NETCOST_REPORT_SQL_H

#include "export.h"
#include "report/base/doc.h"

struct sql;

/*
 * memory: value of --memory. whole: every table will be filled, for sql_write(); otherwise for
 * sql_ask(). Returns NULL on failure; reported.
 */
struct sql *sql_new(uint64_t memory, bool whole);
void sql_free(struct sql *s); /* accepts NULL */

/*
 * Prepares a query: a SELECT, after any number of CREATE VIEW; .tables; .schema [TABLE]. Returns
 * false if it is invalid; reported.
 */
bool sql_ask(struct sql *s, const char *query);
/* Returns whether the query reads what traces have. */
bool sql_needs_traces(const struct sql *s);

/* What a trace must be read with: a mask of enum model_keep, and types for model_ask(). */
unsigned int sql_keep(const struct sql *s);
const uint8_t *sql_types(const struct sql *s);
const struct intervals_watch *sql_watch(const struct sql *s); /* the intervals' second watch */
/* Adds the rows of a trace that has been read. Returns false on failure; reported. */
bool sql_add(struct sql *s, const struct export_source *from, const char *host);

/* Prints the answer. Returns false on failure; reported. */
bool sql_print(struct sql *s, struct doc *d);
/* Writes the database. Returns false on failure; reported. */
bool sql_write(struct sql *s, FILE *out);

#endif
