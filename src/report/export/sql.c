// SPDX-License-Identifier: BSD-2-Clause
#include "sql.h"

#ifdef NETCOST_SQLITE

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/options.h>

#include "report/spec/spec.h"
#include "tables.h"

/* A table that is filled. */
struct sql_table {
	struct sql *sql;
	struct table_room room;
	bool used[TABLE_KEYS + TABLE_ROOM]; /* columns, with the keys; others stay null */
	sqlite3_stmt *insert;
};

struct sql {
	sqlite3 *db;
	sqlite3_stmt *answer;
	bool raw;	   /* the answer is text as it is */
	bool whole, named; /* named: the query names a table, of traces or not */
	bool every_column; /* the query has USING or NATURAL: see sql_authorize() */
	struct sql_table *table[TABLES_ANY]; /* by number; NULL: not used */
	uint8_t types[TRACE_TYPES_MAX + 1];
	struct intervals_watch watch;
	struct record_tick tick;
	struct rows rows;    /* of records */
	struct rows_key key; /* of the part that is being read */
	bool keyed;
	int err; /* of an insert; SQLITE_OK */
};

/* ---- errors ------------------------------------------------------------------------------ */

__attribute__((format(printf, 1, 2))) static bool sql_tell(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	tell("sql", "%s", text);
	return false;
}

/* Reports that it failed while running. Returns false. */
static bool sql_failed(const struct sql *s, int err)
{
	if (err == SQLITE_NOMEM || err == SQLITE_FULL)
		return sql_tell(
			"the tables of this query, and its answer, do not fit into memory; "
			"ask for less of the trace with --from and --to, or raise --memory");
	return sql_tell("%s", sqlite3_errmsg(s->db));
}

/* Reports an invalid query: what is wrong, where, and the nearest name. Returns false. */
static bool sql_invalid(const struct sql *s, const char *at)
{
	const char *text = sqlite3_errmsg(s->db), *name = strchr(text, ':');
	bool table = !strncmp(text, "no such table", 13);
	struct options_near near = { .word = "" };
	int offset = sqlite3_error_offset(s->db);
	char where[64] = "", message[512];
	sqlite3_stmt *names;

	snprintf(message, sizeof(message), "%s", text);
	if (sqlite3_errcode(s->db) == SQLITE_AUTH)
		return sql_tell("%s: a query only reads: SELECT, after CREATE VIEW if needed",
				message);
	if (offset >= 0 && strlen(at + offset))
		snprintf(where, sizeof(where), ", at '%.40s'", at + offset);
	if (name && (table || !strncmp(text, "no such column", 14))) {
		near.word = strrchr(text, '.') ? strrchr(message, '.') + 1 :
						 message + (name - text) + 2;
		sqlite3_prepare_v2(s->db,
				   table ? "SELECT name FROM tables" :
					   "SELECT DISTINCT name FROM columns",
				   -1, &names, NULL);
		while (sqlite3_step(names) == SQLITE_ROW)
			options_near_look(&near, (const char *)sqlite3_column_text(names, 0));
		sql_tell("%s%s; %s%s%s", message, where, near.near ? "the nearest name is " : "",
			 near.near ? near.near : "",
			 near.near ? "" : ".tables and .schema list what there is");
		sqlite3_finalize(names);
		return false;
	}
	return sql_tell("%s%s", message, where);
}

/* ---- the database ------------------------------------------------------------------------ */

/* Wants a table filled. column: "": none of its columns; NULL: all. -1: no memory. */
static void sql_use(struct sql *s, size_t i, const char *column)
{
	struct sql_table *t = s->table[i];
	size_t keys;

	if (!t) {
		t = s->table[i] = calloc(1, sizeof(*t));
		if (!t) {
			s->err = SQLITE_NOMEM;
			return;
		}
		t->sql = s;
		(void)table_any(&t->room, i);
	}
	keys = table_keys(&t->room.table);
	for (size_t c = 0; c < keys + t->room.table.ncolumns; c++)
		t->used[c] |= !column ||
			      !strcmp(column, c < keys ? table_key[c].name :
							 t->room.table.column[c - keys].name);
}

/*
 * Notes what a query reads, and refuses everything else. Columns that only USING and NATURAL name
 * are not passed to an authorizer, so with these all columns are used.
 */
static int sql_authorize(void *ctx, int action, const char *a, const char *b, const char *schema,
			 const char *view)
{
	struct sql *s = ctx;
	struct table_room room;

	(void)schema, (void)view;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
	case SQLITE_CREATE_VIEW:
	case SQLITE_CREATE_TEMP_VIEW:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return strcmp(b, "load_extension") && strcmp(b, "fts3_tokenizer") ? SQLITE_OK :
										    SQLITE_DENY;
	case SQLITE_INSERT: /* of a view into the schema, which is read-only otherwise */
	case SQLITE_UPDATE:
		return !strncmp(a, "sqlite_", 7) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_READ:
		s->named = true;
		for (size_t i = 0; i < TABLES_ANY; i++)
			if (table_any(&room, i) && !strcmp(room.table.name, a))
				sql_use(s, i, s->every_column ? NULL : b);
		return SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

/* Returns an SQLite error. */
static int sql_describe(struct sql *s, const struct table *t)
{
	size_t n, keys = table_keys(t);
	char *ddl = NULL;
	FILE *out = open_memstream(&ddl, &n);
	sqlite3_stmt *names;
	int err;

	if (!out)
		return SQLITE_NOMEM;
	ddl_table(out, t);
	fclose(out);
	err = ddl ? sqlite3_exec(s->db, ddl, NULL, NULL, NULL) : SQLITE_NOMEM;
	free(ddl);
	if (err)
		return err;
	sqlite3_prepare_v2(s->db, "INSERT INTO tables VALUES (?, ?)", -1, &names, NULL);
	sqlite3_bind_text(names, 1, t->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(names, 2, t->about, -1, SQLITE_STATIC);
	sqlite3_step(names);
	sqlite3_finalize(names);
	sqlite3_prepare_v2(s->db, "INSERT INTO columns VALUES (?, ?, ?, ?)", -1, &names, NULL);
	for (size_t i = 0; i < keys + t->ncolumns; i++) {
		const struct table_column *c = i < keys ? &table_key[i] : &t->column[i - keys];

		sqlite3_bind_text(names, 1, t->name, -1, SQLITE_STATIC);
		sqlite3_bind_text(names, 2, c->name, -1, SQLITE_STATIC);
		sqlite3_bind_text(names, 3, c->unit, -1, SQLITE_STATIC);
		sqlite3_bind_text(names, 4, c->about, -1, SQLITE_STATIC);
		sqlite3_step(names);
		sqlite3_reset(names);
	}
	return sqlite3_finalize(names);
}

static int sql_create(struct sql *s)
{
	struct table_room room;
	int err = sqlite3_exec(
		s->db,
		"PRAGMA temp_store = MEMORY; PRAGMA journal_mode = OFF; BEGIN;"
		"CREATE TABLE tables (name TEXT, about TEXT);"
		"CREATE TABLE columns (\"table\" TEXT, name TEXT, unit TEXT, about TEXT);",
		NULL, NULL, NULL);

	for (size_t i = 0; !err && i < TABLES_ANY; i++) {
		if (!table_any(&room, i))
			continue;
		err = sql_describe(s, &room.table);
		if (s->whole)
			sql_use(s, i, NULL);
	}
	return err ? err : sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
}

/* Limits what a query can do: it comes from the user, who may have it from somebody else. */
static void sql_confine(struct sql *s)
{
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(s->db, SQLITE_LIMIT_WORKER_THREADS, 0);
	sqlite3_limit(s->db, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
	sqlite3_limit(s->db, SQLITE_LIMIT_COLUMN, DOC_COLUMNS);
	sqlite3_limit(s->db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, 64 << 20);
	sqlite3_limit(s->db, SQLITE_LIMIT_EXPR_DEPTH, 200);
	sqlite3_set_authorizer(s->db, sql_authorize, s);
}

struct sql *sql_new(uint64_t memory, bool whole)
{
	struct sql *s = calloc(1, sizeof(*s));
	sqlite3_int64 most = (sqlite3_int64)(memory ? memory : BUDGET_BYTES);
	int err = SQLITE_NOMEM;

	sqlite3_hard_heap_limit64(most);
	if (s)
		err = sqlite3_open_v2(whole ? "file:netcost?vfs=memdb" : ":memory:", &s->db,
				      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI |
					      SQLITE_OPEN_NOMUTEX,
				      NULL);
	if (!err) {
		s->whole = whole;
		sqlite3_db_config(s->db, SQLITE_DBCONFIG_MAINDBNAME, "netcost");
		sqlite3_file_control(s->db, "netcost", SQLITE_FCNTL_SIZE_LIMIT, &most);
		err = sql_create(s);
	}
	if (!err)
		err = s->err;
	if (err) {
		sql_tell("cannot make its tables: %s", sqlite3_errstr(err));
		sql_free(s);
		return NULL;
	}
	sql_confine(s);
	return s;
}

void sql_free(struct sql *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < TABLES_ANY; i++) {
		if (s->table[i])
			sqlite3_finalize(s->table[i]->insert);
		free(s->table[i]);
	}
	sqlite3_finalize(s->answer);
	sqlite3_close(s->db);
	sqlite3_hard_heap_limit64(0);
	free(s->rows.text);
	free(s);
}

/* ---- the query --------------------------------------------------------------------------- */

/* Sets a query that stands for a command with a dot. Returns false if there is none; reported. */
static bool sql_dot(struct sql *s, const char *query)
{
	char *word = strdup(query), *rest = NULL, *name, *of;
	bool ok = word;

	name = ok ? strtok_r(word, " \t\n;", &rest) : NULL;
	of = name ? strtok_r(NULL, " \t\n;", &rest) : NULL;
	s->raw = name && !strcmp(name, ".schema");
	s->named = true;
	if (s->raw && of &&
	    sqlite3_table_column_metadata(s->db, NULL, of, NULL, NULL, NULL, NULL, NULL, NULL)) {
		char *probe = sqlite3_mprintf("SELECT 1 FROM \"%w\"", of);

		ok = probe && sql_ask(s, probe); /* reports the nearest name */
		sqlite3_free(probe);
	} else if (s->raw) {
		ok = !sqlite3_prepare_v2(s->db,
					 "SELECT sql || ';' AS sql FROM sqlite_schema WHERE type = "
					 "'table' AND name = ifnull(?1, name)",
					 -1, &s->answer, NULL) &&
		     !sqlite3_bind_text(s->answer, 1, of, -1, SQLITE_TRANSIENT);
	} else if (name && !strcmp(name, ".tables")) {
		ok = !sqlite3_prepare_v2(s->db, "SELECT name, about FROM tables", -1, &s->answer,
					 NULL);
	} else {
		ok = sql_tell("'%s' is not .tables or .schema [TABLE]", query);
	}
	free(word);
	return ok;
}

bool sql_ask(struct sql *s, const char *query)
{
	sqlite3_stmt *statement;
	const char *rest;

	if (query[strspn(query, " \t\n")] == '.')
		return sql_dot(s, query + strspn(query, " \t\n"));
	s->every_column = strcasestr(query, "using") || strcasestr(query, "natural");
	for (; *query; query = rest) {
		if (sqlite3_prepare_v2(s->db, query, -1, &statement, &rest))
			return sql_invalid(s, query);
		if (!statement)
			continue;
		if (s->answer) {
			sqlite3_finalize(statement);
			return sql_tell(
				"there is more after the first SELECT: ask one question at a time");
		}
		if (sqlite3_column_count(statement)) {
			s->answer = statement;
			continue;
		}
		sqlite3_step(statement);
		if (sqlite3_finalize(statement))
			return sql_invalid(s, query);
	}
	sqlite3_set_authorizer(s->db, NULL, NULL);
	if (!s->answer)
		return sql_tell("there is no SELECT in it");
	return s->named || sql_tell("the query names no table; .tables lists those there are");
}

bool sql_needs_traces(const struct sql *s)
{
	for (size_t i = 0; i < TABLES_ANY; i++)
		if (s->table[i])
			return true;
	return false;
}

unsigned int sql_keep(const struct sql *s)
{
	for (size_t i = 0; i < TABLES_ANY; i++)
		if (s->table[i] && s->table[i]->room.table.fill)
			return export_tables.keep;
	return 0;
}

const uint8_t *sql_types(const struct sql *s)
{
	uint8_t *type = ((struct sql *)s)->types;

	for (size_t i = 0; i < TABLES_ANY; i++)
		if (s->table[i] && s->table[i]->room.table.fill && s->table[i]->room.table.type)
			*type++ = (uint8_t)s->table[i]->room.table.type;
	*type = 0;
	return s->types;
}

/* ---- filling ----------------------------------------------------------------------------- */

static bool sql_prepare_insert(struct sql_table *t)
{
	const struct table *table = &t->room.table;
	sqlite3_str *text;
	char *insert;

	if (t->insert)
		return true;
	text = sqlite3_str_new(t->sql->db);
	sqlite3_str_appendf(text, "INSERT INTO %s VALUES (?", table->name);
	for (size_t i = 1; i < table_keys(table) + table->ncolumns; i++)
		sqlite3_str_appendall(text, ",?");
	sqlite3_str_appendall(text, ")");
	insert = sqlite3_str_finish(text);
	t->sql->err = insert ? sqlite3_prepare_v2(t->sql->db, insert, -1, &t->insert, NULL) :
			       SQLITE_NOMEM;
	sqlite3_free(insert);
	return !t->sql->err;
}

static bool sql_insert(struct sql_table *t)
{
	int err = sqlite3_step(t->insert);

	sqlite3_reset(t->insert);
	if (err != SQLITE_DONE && !t->sql->err)
		t->sql->err = err;
	return !t->sql->err;
}

static void sql_bind_uint(sqlite3_stmt *to, int at, uint64_t v)
{
	if (v <= INT64_MAX)
		sqlite3_bind_int64(to, at, (int64_t)v);
	else
		sqlite3_bind_double(to, at, (double)v);
}

static void sql_bind(sqlite3_stmt *to, int at, enum table_kind kind, const struct table_cell *cell)
{
	if (kind == TABLE_UINT)
		sql_bind_uint(to, at, cell->u);
	else if (kind == TABLE_NUMBER)
		sqlite3_bind_double(to, at, cell->v);
	else
		sqlite3_bind_text(to, at, cell->s, -1, SQLITE_TRANSIENT);
}

/* A table_row_fn. */
static void sql_row(struct rows *r, const void *const *part)
{
	struct sql_table *t = r->ctx;
	struct table_cell cell;

	if (t->sql->err)
		return;
	for (size_t i = 0; i < TABLE_KEYS + r->table->ncolumns; i++) {
		const struct table_column *c = &r->table->column[i - TABLE_KEYS];

		if (!t->used[i])
			continue;
		if (i < TABLE_KEYS) {
			table_key_cell(r, i, &cell);
			sql_bind(t->insert, (int)i + 1, TABLE_TEXT, &cell);
		} else if (table_cell(r, c, part, &cell)) {
			sql_bind(t->insert, (int)i + 1, table_kind(c), &cell);
		} else {
			sqlite3_bind_null(t->insert, (int)i + 1);
		}
	}
	r->n++;
	(void)sql_insert(t);
}

/* Texts of records end at a NUL, as all texts of tables do. A record_row_fn. */
static bool sql_record_row(void *ctx, const struct record_cell *cell)
{
	struct sql_table *t = ctx;
	struct rows *r = &t->sql->rows;
	char text[TRACE_MAX_STR + 1];

	sqlite3_bind_text(t->insert, 1, t->sql->keyed ? t->sql->key.recording : NULL, -1,
			  SQLITE_STATIC);
	for (size_t i = 0; i < t->room.table.ncolumns; i++, cell++) {
		int at = (int)i + 2;

		if (!t->used[i + 1])
			continue;
		if (cell->s && cell->len < sizeof(text)) {
			snprintf(text, sizeof(text), "%.*s", (int)cell->len, cell->s);
			sqlite3_bind_text(t->insert, at, rows_text(r, text), -1, SQLITE_TRANSIENT);
		} else if (cell->s) { /* a list, which is clean */
			sqlite3_bind_text(t->insert, at, cell->s, (int)cell->len, SQLITE_TRANSIENT);
		} else if (cell->v == TRACE_NIL) {
			sqlite3_bind_null(t->insert, at);
		} else {
			sqlite3_bind_int64(t->insert, at, (int64_t)cell->v);
		}
	}
	return sql_insert(t) && !r->no_memory;
}

/* Records come before all that the key is made of: those without it get it now. */
static void sql_set_key(struct sql *s)
{
	for (size_t i = EXPORT_FILES_MAX + TRACE_TYPES_MAX; i < TABLES_ANY && !s->err; i++) {
		char *update = s->table[i] ? sqlite3_mprintf("UPDATE %s SET recording = %Q WHERE "
							     "recording IS NULL",
							     s->table[i]->room.table.name,
							     s->key.recording) :
					     NULL;

		if (s->table[i])
			s->err = update ? sqlite3_exec(s->db, update, NULL, NULL, NULL) :
					  SQLITE_NOMEM;
		sqlite3_free(update);
	}
	s->keyed = true;
}

/* Of the intervals' second watch. */
static int sql_see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct sql *s = ctx;
	struct sql_table *t = s->table[EXPORT_FILES_MAX + TRACE_TYPES_MAX + rec->type];

	if (rec->type == TRACE_TICK)
		record_tick_take(&s->tick, rec);
	if (rec->type == TRACE_HEADER)
		s->keyed = false;
	if (!s->keyed && m->header.start_ns && m->records[TRACE_CLOCK] &&
	    rows_key_make(&s->key, m, NULL))
		sql_set_key(s);
	if (t && !s->err && sql_prepare_insert(t) &&
	    !record_rows(&t->room.table, rec, &s->tick, sql_record_row, t) && !s->err)
		s->err = SQLITE_NOMEM;
	return 0;
}

const struct intervals_watch *sql_watch(const struct sql *s)
{
	((struct sql *)s)->watch =
		(struct intervals_watch){ .ctx = (struct sql *)s, .record = sql_see };
	return &s->watch;
}

bool sql_add(struct sql *s, const struct export_source *from, const char *host)
{
	struct tables_source source;
	int err = tables_source_make(&source, from, host);

	if (!err && !s->keyed) {
		s->key = source.key;
		sql_set_key(s);
	}
	for (size_t i = 0; !err && !s->err && i < EXPORT_FILES_MAX + TRACE_TYPES_MAX; i++) {
		struct sql_table *t = s->table[i];
		struct rows r = { .ctx = t, .key = &source.key, .m = from->m };

		if (!t || !sql_prepare_insert(t))
			continue;
		r.table = &t->room.table;
		err = from->iv->too_many && !strcmp(r.table->name, "leaves") ?
			      tables_too_many(from) :
			      table_fill(&source, &r, sql_row);
	}
	if (err != -ECANCELED)
		tables_source_free(&source);
	if (err == -ENOMEM)
		tell(source.title, "out of memory");
	return !err && (!s->err || sql_failed(s, s->err));
}

/* ---- the answer -------------------------------------------------------------------------- */

/* What is known of a column after a first look at its values. */
struct sql_column {
	char title[64];
	bool text, fraction;
	double most;
	size_t width;
};

static void sql_look(struct sql *s, struct sql_column *column, int n)
{
	for (int i = 0; i < n; i++) {
		struct sql_column *c = &column[i];
		double v = fabs(sqlite3_column_double(s->answer, i));
		int type = sqlite3_column_type(s->answer, i);
		size_t len = (size_t)sqlite3_column_bytes(s->answer, i);

		c->text |= type == SQLITE_TEXT || type == SQLITE_BLOB;
		c->fraction |= type == SQLITE_FLOAT && v != floor(v);
		if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
			c->most = fmax(c->most, v);
		if (type == SQLITE_TEXT && len > c->width)
			c->width = len;
	}
}

/* Four significant digits of the largest number of a column, at least. */
static struct doc_column sql_doc_column(struct sql_column *c, bool wide, bool last)
{
	int decimals = c->fraction ? 3 - (int)floor(log10(fmax(c->most, 1e-6))) : 0;
	size_t width;

	decimals =
		(decimals < c->fraction ? c->fraction : decimals) + (c->fraction && wide ? 3 : 0);
	width = c->text ? c->width : (size_t)snprintf(NULL, 0, "%.*f", decimals, -c->most);
	if (width < strlen(c->title))
		width = strlen(c->title);
	return (struct doc_column){
		.key = c->title,
		.title = c->title,
		.kind = c->text ? DOC_STRING : DOC_NUMBER,
		.decimals = (uint8_t)decimals,
		.width = c->text && last ? 0 :
			 width < 60	 ? (uint8_t)width :
					   60,
	};
}

static int sql_text(struct sql *s, struct doc *d, int n)
{
	static struct sql_column column[DOC_COLUMNS];
	static struct doc_column shown[DOC_COLUMNS];
	const struct doc_table t = { .key = "rows", .column = shown, .ncolumns = (size_t)n };
	int err;

	memset(column, 0, sizeof(column));
	while ((err = sqlite3_step(s->answer)) == SQLITE_ROW)
		sql_look(s, column, n);
	for (int i = 0; i < n; i++) {
		snprintf(column[i].title, sizeof(column[i].title), "%s",
			 sqlite3_column_name(s->answer, i));
		shown[i] = sql_doc_column(&column[i], d->wide, i + 1 == n);
	}
	if (err != SQLITE_DONE)
		return err;
	sqlite3_reset(s->answer);
	doc_table(d, &t);
	while ((err = sqlite3_step(s->answer)) == SQLITE_ROW) {
		doc_row(d, 0, DOC_ALL);
		for (int i = 0; i < n; i++) {
			if (column[i].text)
				doc_string(d, (const char *)sqlite3_column_text(s->answer, i));
			else if (sqlite3_column_type(s->answer, i) == SQLITE_NULL)
				doc_number(d, NAN);
			else
				doc_number(d, sqlite3_column_double(s->answer, i));
		}
		doc_row_end(d);
	}
	doc_table_end(d);
	return err;
}

/* Writes a value as JSON or CSV. */
static void sql_value(struct sql *s, FILE *out, int i, bool json)
{
	const char *text;

	switch (sqlite3_column_type(s->answer, i)) {
	case SQLITE_INTEGER:
		fprintf(out, "%lld", sqlite3_column_int64(s->answer, i));
		break;
	case SQLITE_FLOAT:
		if (isfinite(sqlite3_column_double(s->answer, i)))
			number_write(out, sqlite3_column_double(s->answer, i));
		else
			fputs(json ? "null" : "", out);
		break;
	case SQLITE_NULL:
		fputs(json ? "null" : "", out);
		break;
	default:
		text = (const char *)sqlite3_column_text(s->answer, i);
		if (json)
			escape_json(out, text ? text : "", text ? strlen(text) : 0);
		else
			csv_text(out, text ? text : "");
	}
}

static int sql_rows(struct sql *s, FILE *out, int n, bool json)
{
	const char *before = json ? "[" : "";
	int err;

	for (int i = 0; i < n && !json; i++)
		fprintf(out, "%s%s", i ? "," : "", SAFE(sqlite3_column_name(s->answer, i)));
	fputs(json ? "" : "\n", out);
	for (; (err = sqlite3_step(s->answer)) == SQLITE_ROW; before = json ? "," : "") {
		fprintf(out, json ? "%s\n{" : "%s", before);
		for (int i = 0; i < n; i++) {
			fputs(i ? "," : "", out);
			if (json) {
				const char *name = sqlite3_column_name(s->answer, i);

				escape_json(out, name, strlen(name));
				fputc(':', out);
			}
			sql_value(s, out, i, json);
		}
		fputs(json ? "}" : "\n", out);
	}
	fputs(!json ? "" : *before == '[' ? "[]\n" : "\n]\n", out);
	return err;
}

bool sql_print(struct sql *s, struct doc *d)
{
	int n = sqlite3_column_count(s->answer), err;

	if (!doc_is_for(d, DOC_TEXT)) {
		err = sql_rows(s, d->out, n, doc_is_for(d, DOC_JSON));
	} else if (s->raw) {
		while ((err = sqlite3_step(s->answer)) == SQLITE_ROW)
			fprintf(d->out, "%s\n", sqlite3_column_text(s->answer, 0));
	} else {
		err = sql_text(s, d, n);
	}
	return err == SQLITE_DONE || sql_failed(s, err);
}

bool sql_write(struct sql *s, FILE *out)
{
	sqlite3_int64 n;
	unsigned char *data = sqlite3_serialize(s->db, "netcost", &n, SQLITE_SERIALIZE_NOCOPY);

	if (!data)
		return sql_failed(s, SQLITE_NOMEM);
	fwrite(data, 1, (size_t)n, out);
	return true;
}

#else
#endif
