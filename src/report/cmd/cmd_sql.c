// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report sql: answers an SQL query about traces. export sqlite: writes the database as a
 * file.
 *
 *   1. Every table of tables.h is a table of an SQLite database in memory, named netcost.
 *   2. A query is prepared first. While the traces are read, only the tables that the query
 *      reads are filled, so a query costs only what it needs.
 *   3. A query can only read. It cannot access files or load extensions, and it uses no more
 *      memory than --memory allows.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/options.h>

#include "command.h"
#include "report/export/tables.h"
#include "report/spec/spec.h"

#ifdef NETCOST_SQLITE
#include <sqlite3.h>

/* A table of the database. */
struct sql_table {
	struct sql *sql;
	bool filled; /* the table is filled from the traces: the query reads it, or all tables are written to a file */
	struct table_room room;
	sqlite3_stmt *insert;
};

struct sql {
	const struct options *o;
	sqlite3 *db;
	sqlite3_stmt *answer;
	/* named: the query reads some table, not necessarily one with data of traces; no_memory: out of memory */
	bool named, no_memory;
	struct sql_table table[TABLES_ANY]; /* all tables, by number */
	struct intervals intervals;
	struct rows rows; /* rows of the records */
	struct record_row record;
};

#define SQL_RECORDS (EXPORT_FILES_MAX + TRACE_TYPES_MAX) /* number of the first table of records */

/* ---- errors ------------------------------------------------------------------------------ */

/* Reports an error that occurred while the query ran. */
static enum exit_status sql_failed(const struct sql *s)
{
	bool full = s->no_memory || sqlite3_errcode(s->db) == SQLITE_NOMEM;

	tell("sql", "%s",
	     full ? "the data of this query does not fit into --memory; query less data, or raise --memory" :
		    sqlite3_errmsg(s->db));
	return EXIT_FAILED;
}

#define SQL_HINT 160

/* Writes a hint about an unknown name: a table that has the unknown column, or the most similar name that exists. */
static void sql_near(const struct sql *s, const char *message, char hint[SQL_HINT])
{
	const char *dot = strrchr(message, '.'), *name;
	struct options_near near = { .word = dot ? dot + 1 : strchr(message, ':') + 2 };
	sqlite3_stmt *names;

	sqlite3_prepare_v2(s->db,
			   !strncmp(message, "no such table:", 14) ?
				   "SELECT name FROM sqlite_schema" :
				   "SELECT c.name, t.name FROM sqlite_schema AS t, "
				   "pragma_table_info(t.name) AS c",
			   -1, &names, NULL);
	while (sqlite3_step(names) == SQLITE_ROW) {
		name = (const char *)sqlite3_column_text(names, 0);
		options_near_look(&near, name);
		if (near.near != name)
			continue;
		if (near.edits)
			snprintf(hint, SQL_HINT, "; the nearest name is %.63s", name);
		else
			snprintf(hint, SQL_HINT, "; table %.63s has that column",
				 sqlite3_column_text(names, 1));
		near.near = hint; /* a copy: the next row overwrites `name` */
	}
	sqlite3_finalize(names);
}

/* Reports the error of an invalid query, and its position. */
static enum exit_status sql_invalid(const struct sql *s, const char *query)
{
	int at = sqlite3_error_offset(s->db);
	bool refused = sqlite3_errcode(s->db) == SQLITE_AUTH;
	char message[512], hint[SQL_HINT] = "";

	snprintf(message, sizeof(message), "%s", sqlite3_errmsg(s->db));
	sqlite3_set_authorizer(s->db, NULL, NULL);
	if (!strncmp(message, "no such table:", 14) || !strncmp(message, "no such column:", 15))
		sql_near(s, message, hint);
	tell("sql", "%s%s%.40s%s%s", message, at < 0 ? "" : ", at ", at < 0 ? "" : query + at, hint,
	     refused ? ": a query may only read" : "");
	return EXIT_USAGE;
}

/* ---- the database ------------------------------------------------------------------------ */

/* An authorizer callback of SQLite: notes the tables that a query reads, and denies other actions. */
static int sql_authorize(void *ctx, int action, const char *a, const char *b, const char *database,
			 const char *view)
{
	struct sql *s = ctx;

	(void)database, (void)view;
	for (struct sql_table *t = s->table; action == SQLITE_READ && t < s->table + TABLES_ANY;
	     t++)
		if (t->sql && !strcmp(t->room.table.name, a))
			t->filled = true;
	s->named |= action == SQLITE_READ;
	switch (action) {
	/* CREATE VIEW writes to the schema; SQLITE_DBCONFIG_DEFENSIVE prevents direct writes by a query */
	case SQLITE_INSERT:
	case SQLITE_UPDATE:
		return !strncmp(a, "sqlite_", 7) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_FUNCTION:
		return strcmp(b, "load_extension") ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_READ:
		return strncmp(a, "pragma_", 7) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
	case SQLITE_CREATE_VIEW:
		return SQLITE_OK;
	}
	return SQLITE_DENY;
}

/* Limits what a query can do, because its author may be somebody other than the user. */
static void sql_confine(struct sql *s)
{
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(s->db, SQLITE_LIMIT_COLUMN, DOC_COLUMNS);
	sqlite3_limit(s->db, SQLITE_LIMIT_EXPR_DEPTH, 200);
	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, 64 << 20);
	sqlite3_set_authorizer(s->db, sql_authorize, s);
}

static void sql_free(struct sql *s)
{
	for (size_t i = 0; i < TABLES_ANY; i++)
		sqlite3_finalize(s->table[i].insert);
	sqlite3_finalize(s->answer);
	sqlite3_close(s->db);
	sqlite3_hard_heap_limit64(0);
	free(s->rows.text);
	free(s);
}

/*
 * Creates the database. whole: all tables will be filled, to be written to a file. Returns NULL on
 * an error, which is reported.
 */
static struct sql *sql_new(const struct options *o, bool whole)
{
	struct sql *s = calloc(1, sizeof(*s));
	sqlite3_int64 most = (sqlite3_int64)(o->memory ? o->memory : BUDGET_BYTES);
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
	char *ddl = NULL;
	size_t n;
	FILE *out = open_memstream(&ddl, &n);

	for (size_t i = 0; s && out && i < TABLES_ANY; i++) {
		if (!table_any(&s->table[i].room, i))
			continue;
		s->table[i].sql = s;
		s->table[i].filled = whole;
		ddl_table(out, &s->table[i].room.table);
	}
	sqlite3_hard_heap_limit64(most);
	if (s && out && !fclose(out) &&
	    !sqlite3_open_v2(whole ? "file:netcost?vfs=memdb" : ":memory:", &s->db, flags, NULL)) {
		s->o = o;
		sqlite3_db_config(s->db, SQLITE_DBCONFIG_MAINDBNAME, "netcost");
		sqlite3_file_control(s->db, "netcost", SQLITE_FCNTL_SIZE_LIMIT, &most);
		sqlite3_exec(s->db, "PRAGMA temp_store = MEMORY; PRAGMA journal_mode = OFF; BEGIN",
			     NULL, NULL, NULL);
		if (!sqlite3_exec(s->db, ddl, NULL, NULL, NULL) &&
		    !sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL)) {
			free(ddl);
			return s;
		}
	}
	tell("sql", "cannot make the tables: %s", sqlite3_errmsg(s ? s->db : NULL));
	free(ddl);
	if (s)
		sql_free(s);
	return NULL;
}

/* ---- the query --------------------------------------------------------------------------- */

/* Prepares a SELECT that may follow any number of CREATE VIEW statements. */
static enum exit_status sql_prepare(struct sql *s, const char *query)
{
	const char *wrong = NULL;
	sqlite3_stmt *statement;

	sql_confine(s);
	for (const char *rest; *query && !wrong; query = rest) {
		if (sqlite3_prepare_v2(s->db, query, -1, &statement, &rest))
			return sql_invalid(s, query);
		if (statement && s->answer)
			wrong = "there is text after the first SELECT; give one query at a time";
		else if (sqlite3_column_count(statement))
			s->answer = statement;
		else
			sqlite3_step(statement);
		if (statement != s->answer && sqlite3_finalize(statement))
			return sql_invalid(s, query);
	}
	sqlite3_set_authorizer(s->db, NULL, NULL);
	if (!wrong && (!s->answer || !s->named))
		wrong = "the query does not read any table; '.tables' lists the tables";
	if (wrong)
		tell("sql", "%s", wrong);
	return wrong ? EXIT_USAGE : EXIT_DONE;
}

/* Prepares a query. ".tables" and ".schema" are replaced by SELECT statements. */
static enum exit_status sql_ask(struct sql *s, const char *query)
{
	static const char tables[] = "SELECT name, substr(sql, instr(sql, '-- ') + 3, instr(sql, "
				     "'.' || char(10)) - instr(sql, '-- ') - 3) AS about "
				     "FROM sqlite_schema";
	const char *name = query + strcspn(query, " ");
	char *schema = sqlite3_mprintf("SELECT sql || ';' AS sql FROM sqlite_schema");
	enum exit_status status;

	name += strspn(name, " ");
	/*
	 * the query also reads the named table, so if it does not exist, SQLite reports an error, and sql_near() adds
	 * the nearest name
	 */
	if (*name)
		schema =
			sqlite3_mprintf("%z WHERE name = %Q AND (SELECT count(*) FROM \"%w\") >= 0",
					schema, name, name);
	status = sql_prepare(s, !strcmp(query, ".tables")     ? tables :
				!strncmp(query, ".schema", 7) ? schema :
								query);
	sqlite3_free(schema);
	return status;
}

/* ---- filling ----------------------------------------------------------------------------- */

/* A table_row_fn. */
static void sql_row(struct rows *r, const void *const *part)
{
	struct sql_table *t = r->ctx;
	struct table_cell cell;

	for (size_t i = 0; i < table_keys(r->table) + r->table->ncolumns; i++) {
		int at = (int)i + 1;

		if (!table_cell(r, i, part, &cell))
			sqlite3_bind_null(t->insert, at);
		else if (cell.kind == TABLE_UINT)
			sqlite3_bind_int64(t->insert, at, (sqlite3_int64)cell.u);
		else if (cell.kind == TABLE_NUMBER)
			sqlite3_bind_double(t->insert, at, cell.v);
		else
			sqlite3_bind_text(t->insert, at, cell.s, -1, SQLITE_TRANSIENT);
	}
	r->n++;
	t->sql->no_memory |= r->no_memory || sqlite3_step(t->insert) != SQLITE_DONE;
	sqlite3_reset(t->insert);
}

/*
 * A watch of the intervals: adds the rows of a record. For rows added before the first CLOCK, the key `recording` is
 * null until sql_take() sets it.
 */
static int sql_record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct sql *s = ctx;
	struct sql_table *t = &s->table[SQL_RECORDS + rec->type];
	struct rows_key key = { .recording = NULL };

	if (rec->type == TRACE_HEADER)
		s->record.tick_ns = TRACE_NIL;
	if (rec->type == TRACE_TICK)
		record_tick(&s->record, rec);
	if (!t->filled || s->no_memory)
		return 0;
	if (m->header.start_ns)
		(void)rows_key_make(&key, m, s->o->host);
	s->rows.ctx = t;
	s->rows.table = &t->room.table;
	s->rows.key = &key;
	s->rows.m = m;
	record_rows(&s->rows, rec, &s->record, sql_row);
	return 0;
}

static void sql_set_key(struct sql_table *t, const char *recording)
{
	char *set = sqlite3_mprintf("UPDATE %s SET recording = %Q WHERE recording IS NULL",
				    t->room.table.name, recording);

	t->sql->no_memory |= sqlite3_exec(t->sql->db, set, NULL, NULL, NULL) != SQLITE_OK;
	sqlite3_free(set);
}

/* An input_model_fn: adds the rows of tables that need the whole trace. */
static bool sql_take(void *ctx, const struct model *m, const struct part *part)
{
	struct sql *s = ctx;
	const struct export_source from = { .m = m, .part = part, .iv = &s->intervals };
	struct tables_source source;
	int err = tables_source_make(&source, &from, s->o->host);

	s->no_memory |= err == -ENOMEM;
	if (err)
		return false;
	for (struct sql_table *t = s->table; !err && t < s->table + TABLES_ANY; t++)
		if (t->filled && t->room.table.fill)
			err = table_fill(&source, &t->room.table, sql_row, t);
		else if (t->filled)
			sql_set_key(t, source.key.recording);
	tables_source_free(&source);
	s->no_memory |= err == -ENOMEM;
	return !err && !s->no_memory;
}

static void sql_prepare_insert(struct sql_table *t)
{
	size_t n = table_keys(&t->room.table) + t->room.table.ncolumns;
	char marks[2 * (TABLE_KEYS + TABLE_ROOM)];
	char *insert;

	for (size_t i = 0; i < n; i++)
		memcpy(marks + 2 * i, "?,", 2);
	insert = sqlite3_mprintf("INSERT INTO %s VALUES (%.*s)", t->room.table.name, 2 * (int)n - 1,
				 marks);
	t->sql->no_memory |= sqlite3_prepare_v2(t->sql->db, insert, -1, &t->insert, NULL) != 0;
	sqlite3_free(insert);
}

/* Reads n files, or the default file if n is 0. */
static enum exit_status sql_read(struct sql *s, const char *const *file, size_t n)
{
	const struct intervals_watch watch = { .ctx = s, .record = sql_record };
	uint8_t types[TRACE_TYPES_MAX + 1] = { 0 }, *type = types;
	struct options asked = *s->o;
	enum exit_status status = EXIT_DONE;
	unsigned int keep = 0;
	bool wanted = false;

	for (struct sql_table *t = s->table; t < s->table + TABLES_ANY; t++) {
		if (!t->filled)
			continue;
		wanted = true;
		sql_prepare_insert(t);
		keep |= t->room.table.fill ? export_tables.keep : 0;
		if (t->room.table.fill && t->room.table.type)
			*type++ = (uint8_t)t->room.table.type;
	}
	asked.ask = types;
	sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
	for (size_t i = 0; wanted && i < (n ? n : 1) && !status; i++) {
		intervals_init(&s->intervals, s->o->every_ns);
		s->intervals.second = &watch;
		status = models_each(&asked, n ? file[i] : s->o->file, keep, &s->intervals,
				     sql_take, s);
		intervals_free(&s->intervals);
	}
	s->no_memory |= sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK;
	return s->no_memory ? sql_failed(s) : status;
}

/* ---- the answer -------------------------------------------------------------------------- */

/* largest integer up to which doubles are exact; larger integers are written as texts */
#define SQL_MOST 9007199254740992.0

/* Adapts the kind, decimals and width of a column to its value in the current row. */
static void sql_look(struct sql *s, struct doc_column *c, int i)
{
	int type = sqlite3_column_type(s->answer, i);
	double v = fabs(sqlite3_column_double(s->answer, i));
	bool fraction = type == SQLITE_FLOAT && v != floor(v);
	const char *text = (const char *)sqlite3_column_text(s->answer, i);
	const char *dot = fraction && text ? strchr(text, '.') : NULL;
	int decimals = dot ? (int)strnlen(dot + 1, v < 1 ? 6 : 3) : 0;
	int width = fraction ? snprintf(NULL, 0, "-%.*f", decimals, v) :
			       sqlite3_column_bytes(s->answer, i);

	if (type == SQLITE_TEXT || type == SQLITE_BLOB || (type == SQLITE_INTEGER && v > SQL_MOST))
		c->kind = DOC_STRING;
	c->fixed = true;
	c->decimals = (uint8_t)fmax(c->decimals, decimals);
	c->width = (uint8_t)fmax(c->width, fmin(width, 60));
}

static bool sql_print(struct sql *s, struct doc *d)
{
	struct doc_column column[DOC_COLUMNS] = { { 0 } };
	int n = sqlite3_column_count(s->answer);
	const struct doc_table t = { .key = "rows", .column = column, .ncolumns = (size_t)n };

	for (int i = 0; i < n; i++) {
		column[i].key = column[i].title = sqlite3_column_name(s->answer, i);
		column[i].width = (uint8_t)strnlen(column[i].title, 60);
		column[i].precision = NUMBER_ALL_DIGITS;
	}
	while (sqlite3_step(s->answer) == SQLITE_ROW)
		for (int i = 0; i < n; i++)
			sql_look(s, &column[i], i);
	if (sqlite3_reset(s->answer))
		return false;
	column[n - 1].width = column[n - 1].kind == DOC_STRING ? 0 : column[n - 1].width;
	doc_object(d, NULL);
	doc_table(d, &t);
	while (sqlite3_step(s->answer) == SQLITE_ROW) {
		doc_row(d, 0, DOC_ALL);
		for (int i = 0; i < n; i++) {
			if (column[i].kind == DOC_STRING)
				doc_string(d, (const char *)sqlite3_column_text(s->answer, i));
			else if (sqlite3_column_type(s->answer, i) == SQLITE_NULL)
				doc_number(d, NAN);
			else
				doc_number(d, sqlite3_column_double(s->answer, i));
		}
		doc_row_end(d);
	}
	doc_table_end(d);
	doc_object_end(d);
	doc_end(d);
	return !sqlite3_reset(s->answer);
}

/* Writes the whole database to the file of -o. */
static enum exit_status sql_write(struct sql *s, const char *name)
{
	sqlite3_int64 n;
	unsigned char *data = sqlite3_serialize(s->db, "netcost", &n, SQLITE_SERIALIZE_NOCOPY);
	struct outfile file;
	FILE *out = command_open(&file, name);

	if (!out)
		return EXIT_FAILED;
	fwrite(data, 1, (size_t)n, out);
	return command_end(&file, out, name, true);
}

enum exit_status sql_run(const struct options *o)
{
	static const struct report report = { .name = NULL };
	const struct part part = { .file = "sql", .alone = true, .first = true };
	bool whole = o->output, text = o->format <= REPORT_TEXT;
	size_t files = o->noperands - 1;
	const char *query = o->operand[files];
	struct sql *s = sql_new(o, whole);
	enum exit_status status = !s ? EXIT_FAILED : whole ? EXIT_DONE : sql_ask(s, query);
	struct doc d;

	if (!status && (whole || *query != '.'))
		status = sql_read(s, o->operand + whole, files);
	if (!status && whole)
		status = sql_write(s, o->output);
	else if (!status && text && !strncmp(query, ".schema", 7))
		while (sqlite3_step(s->answer) == SQLITE_ROW)
			puts((const char *)sqlite3_column_text(s->answer, 0));
	else if (!status) {
		d = report_begin(&report, o, "rows", &part);
		status = sql_print(s, &d) ? EXIT_DONE : sql_failed(s);
	}
	if (s)
		sql_free(s);
	return whole || !command_close(stdout, NULL) ? status : EXIT_FAILED;
}

#else

enum exit_status sql_run(const struct options *o)
{
	(void)o;
	tell("sql", "was built without SQLite: install libsqlite3-dev and build it again");
	return EXIT_FAILED;
}

#endif
