// SPDX-License-Identifier: BSD-2-Clause
/*
 * tables: many recordings for a database: a file of NDJSON for each table, whose rows identify
 * their recording, and the statements that create the tables.
 */
#include "tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <netcost/array.h>
#include <netcost/hash.h>

#include "export.h"
#include "report/base/text.h"

/* table_key_cell() has their values. */
const struct table_column table_key[TABLE_KEYS] = {
	{ "recording", NULL, TABLE_OF_TEXT, 0, 0, true,
	  "32 hex digits: its start in ns, and a hash of what the trace says of its host" },
	{ "host", NULL, TABLE_OF_TEXT, 0, 0, true,
	  "as the trace has it, or as it was given; '': not known" },
	{ "start", NULL, TABLE_OF_TIME, 0, 0, true, "when the recording began" },
};

enum table_kind table_kind(const struct table_column *c)
{
	static const enum table_kind kind[TABLE_VALUES] = {
		[TABLE_OF_ROW] = TABLE_UINT,	   [TABLE_OF_TEXT] = TABLE_TEXT,
		[TABLE_OF_STR] = TABLE_TEXT,	   [TABLE_OF_BOOL] = TABLE_UINT,
		[TABLE_OF_UINT] = TABLE_UINT,	   [TABLE_OF_NUMBER] = TABLE_NUMBER,
		[TABLE_OF_COUNTER] = TABLE_NUMBER, [TABLE_OF_TIME] = TABLE_TIME,
		[TABLE_OF_SECONDS] = TABLE_NUMBER,
	};

	return kind[c->value];
}

/* ---- values ------------------------------------------------------------------------------ */

#define GROWS 3 /* largest growth factor: a byte may become a U+FFFD */

const char *rows_text(struct rows *r, const char *s)
{
	size_t size = GROWS * strlen(s) + 1;

	if (array_reserve(&r->text, &r->cap_text, size, 1)) {
		r->no_memory = true;
		return "";
	}
	return clean_utf8(r->text, size, s);
}

static void time_text(char text[TABLE_TIME_SIZE], uint64_t real_ns)
{
	time_t t = (time_t)(real_ns / 1000000000);
	struct tm tm;

	*text = '\0';
	if (gmtime_r(&t, &tm))
		strftime(text, TABLE_TIME_SIZE, "%Y-%m-%d %H:%M:%S", &tm);
}

/* ---- cells ------------------------------------------------------------------------------- */

/* These functions get the value at `at`, or return false if it is unknown. */

static bool text(struct rows *r, const struct table_column *c, const void *at,
		 struct table_cell *cell)
{
	const char *s = c->value == TABLE_OF_STR ? model_string(r->m, *(const model_str *)at) :
						   *(const char *const *)at;

	if (!s || (c->value == TABLE_OF_STR && !*s && !c->known))
		return false;
	cell->s = rows_text(r, s);
	return true;
}

static bool whole(struct rows *r, const struct table_column *c, const void *at,
		  struct table_cell *cell)
{
	cell->u = c->value == TABLE_OF_ROW  ? r->n + 1 :
		  c->value == TABLE_OF_BOOL ? *(const bool *)at :
					      *(const uint64_t *)at;
	return cell->u != TRACE_NIL || c->known;
}

static double seconds(const struct rows *r, uint64_t at_ns)
{
	return at_ns == TRACE_NIL ? NAN : model_seconds(r->m, at_ns);
}

static bool number(struct rows *r, const struct table_column *c, const void *at,
		   struct table_cell *cell)
{
	cell->v = c->value == TABLE_OF_COUNTER ? counter_moved(at) :
		  c->value == TABLE_OF_SECONDS ? seconds(r, *(const uint64_t *)at) :
						 *(const double *)at;
	return isfinite(cell->v);
}

/* An unknown time in a column that is never null becomes the start of the recording. */
static bool real_time(struct rows *r, const struct table_column *c, const void *at,
		      struct table_cell *cell)
{
	uint64_t real_ns = r->key->start_ns;

	if (!real_time_ns(r->m, *(const uint64_t *)at, &real_ns) && !c->known)
		return false;
	time_text(cell->time, real_ns);
	cell->s = cell->time;
	return true;
}

bool table_cell(struct rows *r, const struct table_column *c, const void *const *part,
		struct table_cell *cell)
{
	static bool (*const get[TABLE_KINDS])(struct rows *, const struct table_column *,
					      const void *, struct table_cell *) = {
		[TABLE_TEXT] = text,
		[TABLE_TIME] = real_time,
		[TABLE_UINT] = whole,
		[TABLE_NUMBER] = number,
	};
	bool known = get[table_kind(c)](r, c, (const char *)part[c->part] + c->offset, cell);

	r->wrong |= !known && c->known;
	return known;
}

void table_key_cell(struct rows *r, size_t i, struct table_cell *cell)
{
	time_text(cell->time, r->key->start_ns);
	cell->s = i == 0 ? r->key->recording : i == 1 ? rows_text(r, r->key->host) : cell->time;
}

/* ---- NDJSON ------------------------------------------------------------------------------ */

void number_write(FILE *out, double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.15g", v);
	if (strtod(text, NULL) != v)
		snprintf(text, sizeof(text), "%.17g", v);
	fputs(text, out);
}

static void write_cell(FILE *out, enum table_kind kind, const struct table_cell *cell)
{
	if (kind == TABLE_NUMBER)
		number_write(out, cell->v);
	else if (kind == TABLE_UINT)
		fprintf(out, "%" PRIu64, cell->u);
	else
		escape_json(out, cell->s, strlen(cell->s));
}

void rows_write(struct rows *r, const void *const *part)
{
	struct table_cell cell;

	for (size_t i = 0; i < TABLE_KEYS; i++) {
		table_key_cell(r, i, &cell);
		fprintf(r->out, "%c\"%s\":", i ? ',' : '{', table_key[i].name);
		write_cell(r->out, TABLE_TEXT, &cell);
	}
	for (const struct table_column *c = r->table->column;
	     c < r->table->column + r->table->ncolumns; c++) {
		fprintf(r->out, ",\"%s\":", c->name);
		if (table_cell(r, c, part, &cell))
			write_cell(r->out, table_kind(c), &cell);
		else
			fputs("null", r->out);
	}
	fputs("}\n", r->out);
	r->n++;
}

/* ---- statements that create the tables ---------------------------------------------- */

/* The syntax of a database. */
struct engine {
	const char *type[TABLE_KINDS];
	const char *null, *null_end;			/* around the type of a nullable column */
	const char *first;				/* before all tables */
	const char *suffix;				/* of the table's name */
	bool embedded;					/* SQLite: all tables, comments inside */
	void (*last)(FILE *out, const struct table *t); /* writes what follows its columns */
};

static void duckdb(FILE *out, const struct table *t)
{
	(void)t;
	fputs(");\n", out);
}

static void sorted(FILE *out, const struct table *t)
{
	fprintf(out, "PARTITION BY toYYYYMM(start)\nORDER BY (host, start, recording%s%s);\n",
		t->order ? ", " : "", t->order ? t->order : "");
}

/*
 * A row that is loaded again replaces the old one when parts are merged, and in queries with
 * FINAL.
 */
static void clickhouse(FILE *out, const struct table *t)
{
	fputs(")\nENGINE = ReplacingMergeTree()\n", out);
	sorted(out, t);
}

static void replicated(FILE *out, const struct table *t)
{
	fprintf(out,
		")\nENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/netcost/%s', "
		"'{replica}')\n",
		t->name);
	sorted(out, t);
}

/* All rows of a host are on one shard. */
static void distributed(FILE *out, const struct table *t)
{
	fprintf(out, ")\nENGINE = Distributed(netcost, netcost, %s_local, cityHash64(host));\n",
		t->name);
}

#define CLICKHOUSE_TYPES                                                                           \
	.type = { [TABLE_TEXT] = "String",                                                         \
		  [TABLE_TIME] = "DateTime('UTC')",                                                \
		  [TABLE_UINT] = "UInt64",                                                         \
		  [TABLE_NUMBER] = "Float64" },                                                    \
	.null = "Nullable(", .null_end = ")",                                                      \
	.first = "CREATE DATABASE IF NOT EXISTS netcost;\n\n"

static const struct engine engine[] = {
	{ .type = { [TABLE_TEXT] = "VARCHAR",
		    [TABLE_TIME] = "TIMESTAMP",
		    [TABLE_UINT] = "UBIGINT",
		    [TABLE_NUMBER] = "DOUBLE" },
	  .null = "",
	  .null_end = "",
	  .first = "CREATE SCHEMA IF NOT EXISTS netcost;\n\n",
	  .suffix = "",
	  .last = duckdb },
	{ CLICKHOUSE_TYPES, .suffix = "", .last = clickhouse },
	{ CLICKHOUSE_TYPES, .suffix = "_local", .last = clickhouse },
	{ CLICKHOUSE_TYPES, .suffix = "_local", .last = replicated },
	{ CLICKHOUSE_TYPES, .suffix = "", .last = distributed },
	{ .type = { [TABLE_TEXT] = "TEXT",
		    [TABLE_TIME] = "TEXT",
		    [TABLE_UINT] = "INTEGER",
		    [TABLE_NUMBER] = "REAL" },
	  .null = "",
	  .null_end = "",
	  .first = "",
	  .embedded = true,
	  .last = duckdb },
};

const char *const ddl_engines[] = {
	"duckdb", "clickhouse", "clickhouse-shard", "clickhouse-replica", "clickhouse-distributed",
	"sqlite", NULL
};

const char *table_quote(const char *name)
{
	return !strcmp(name, "from") || !strcmp(name, "to") || !strcmp(name, "when") ? "\"" : "";
}

static void write_column(FILE *out, const struct engine *e, const struct table_column *c, bool last)
{
	fprintf(out, "    %s%s%s %s%s%s%s", table_quote(c->name), c->name, table_quote(c->name),
		c->known ? "" : e->null, e->type[table_kind(c)], c->known ? "" : e->null_end,
		last ? "" : ",");
	if (c->unit || c->about)
		fprintf(out, " -- %s%s%s", c->unit ? c->unit : "", c->unit && c->about ? ": " : "",
			c->about ? c->about : "");
	fputc('\n', out);
}

static void write_table(FILE *out, const struct engine *e, const struct table *t)
{
	if (e->embedded)
		fprintf(out, "CREATE TABLE %s ( -- %s.\n", t->name, t->about);
	else
		fprintf(out, "-- %s.\nCREATE TABLE IF NOT EXISTS netcost.%s%s (\n", t->about,
			t->name, e->suffix);
	for (size_t c = 0; c < table_keys(t); c++)
		write_column(out, e, &table_key[c], false);
	for (size_t c = 0; c < t->ncolumns; c++)
		write_column(out, e, &t->column[c], c + 1 == t->ncolumns);
	e->last(out, t);
}

void ddl_table(FILE *out, const struct table *t)
{
	write_table(out, &engine[sizeof(engine) / sizeof(*engine) - 1], t);
}

void ddl_write(FILE *out, const char *name)
{
	const struct engine *e = engine;
	struct table_room room;

	while (strcmp(ddl_engines[e - engine], name))
		e++;
	fputs("-- made by netcost-report export tables --ddl\n", out);
	fputs(e->first, out);
	for (size_t i = 0; i < (e->embedded ? TABLES_ANY : EXPORT_FILES_MAX); i++) {
		if (!table_any(&room, i))
			continue;
		write_table(out, e, &room.table);
		fputc('\n', out);
	}
}

/* ---- keys --------------------------------------------------------------------------- */

/* Identifies a recording: the same for all exports of it, and different for other recordings. */
static uint64_t hash_of(const struct model *m)
{
	const struct model_header *h = &m->header;
	const model_str text[] = { h->host,  h->kernel, h->machine, h->cpu_model,
				   h->exact, h->tool,	h->sampler };
	const uint64_t number[] = {
		h->start_ns,	       h->ncpus, h->sample_hz, h->tick_ms, m->clock_first.mono_ns,
		m->clock_first.boot_ns
	};
	uint64_t sum = HASH_START;

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		sum = hash_add(sum, model_string(m, text[i]), strlen(model_string(m, text[i])) + 1);
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++)
		for (unsigned int byte = 0; byte < 8; byte++)
			sum = hash_add(sum, &(unsigned char){ number[i] >> 8 * byte & 255 }, 1);
	return sum;
}

bool rows_key_make(struct rows_key *key, const struct model *m, const char *host)
{
	uint64_t start = m->header.start_ns ? m->header.start_ns : m->first_ns;

	if (!real_time_ns(m, start, &key->start_ns))
		return false;
	key->host = host ? host : model_string(m, m->header.host);
	snprintf(key->recording, sizeof(key->recording), "%016" PRIx64 "%016" PRIx64, key->start_ns,
		 hash_of(m));
	return true;
}

/* ---- the format -------------------------------------------------------------------------- */

static const char *file_name(size_t number)
{
	struct table_room t;

	return number && table_get(&t, number - 1) ? t.table.name : NULL;
}

int table_fill(const struct tables_source *from, struct rows *r, table_row_fn *row)
{
	int err = r->table->fill(from, row, r);

	if (!err && r->no_memory)
		err = -ENOMEM;
	if (!err && r->wrong) {
		tell(from->title, "its %s do not fit their columns: please report that",
		     r->table->name);
		err = -ECANCELED;
	}
	free(r->text);
	r->text = NULL;
	r->cap_text = 0;
	return err;
}

int tables_source_make(struct tables_source *s, const struct export_source *from, const char *host)
{
	int err;

	*s = (struct tables_source){ .m = from->m, .iv = from->iv };
	part_title(from->part, s->title, sizeof(s->title));
	if (!rows_key_make(&s->key, from->m, host)) {
		tell(s->title, "does not say what time it was: tables need that");
		return -ECANCELED;
	}
	err = summary_make(&s->summary, from->m, from->part);
	if (err)
		return err;
	err = drops_make(&s->drops, from->m);
	if (err)
		summary_free(&s->summary);
	return err;
}

void tables_source_free(struct tables_source *s)
{
	drops_free(&s->drops);
	summary_free(&s->summary);
}

static int write_tables(const struct tables_source *from, const struct export_target *to)
{
	struct table_room t;
	int err = 0;

	for (size_t i = 1; !err && table_get(&t, i - 1); i++) {
		struct rows r = { .table = &t.table, .key = &from->key, .m = from->m };

		r.out = to->open(to->ctx, i);
		if (!r.out)
			return -ECANCELED;
		err = table_fill(from, &r, rows_write);
		if (!to->close(to->ctx, r.out, i, !err) && !err)
			err = -ECANCELED;
	}
	return err;
}

int tables_too_many(const struct export_source *from)
{
	tell(PART_TITLE(from->part),
	     "has too many ticks for a row each; ask for longer rows with --every");
	return -ECANCELED;
}

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	struct tables_source source;
	int err = from->iv->too_many ? tables_too_many(from) :
				       tables_source_make(&source, from, e->wanted.host);

	if (err)
		return err;
	err = write_tables(&source, to);
	tables_source_free(&source);
	return err;
}

const struct export_format export_tables = {
	.name = "tables",
	.help = "rows for DuckDB, ClickHouse and their like, of many traces: a file of NDJSON for each table",
	.ending = ".ndjson",
	.keep = MODEL_LATENCY | MODEL_PROCESSES | MODEL_CGROUPS | MODEL_MODULES,
	.takes = EXPORT_TAKES_ZSTD | EXPORT_TAKES_DDL | EXPORT_TAKES_HOST,
	.file_name = file_name,
	.size = sizeof(struct exporter),
	.write = write,
};
