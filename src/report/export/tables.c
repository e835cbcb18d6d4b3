// SPDX-License-Identifier: BSD-2-Clause
/*
 * tables: exports any number of recordings for a database. Each table is a file of NDJSON, and each row identifies its
 * recording. The statements that create the tables are also written here.
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

#define KEY(member) TABLE_MEMBER(0, struct rows_key, member)
const struct table_column table_key[TABLE_KEYS] = {
	{ "recording", NULL, KEY(recording), true,
	  "id of the recording, 32 hex digits: its start in ns, and a hash of the data about its host" },
	{ "host", NULL, KEY(host), true,
	  "name of the host in the trace, or as given; '': unknown" },
	{ "start", NULL, TABLE_OF_TIME, 0, offsetof(struct rows_key, at_ns), true,
	  "start of the recording" },
};

static enum table_kind table_kind(const struct table_column *c)
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

/* ---- cells ------------------------------------------------------------------------------- */

#define GROWS 3 /* largest growth factor of a text, because a byte may become a U+FFFD */

/* Each of these functions gets the value at `at`, or returns false if the value is unknown. */

static bool text(struct rows *r, const struct table_column *c, const void *at,
		 struct table_cell *cell)
{
	const char *s = c->value == TABLE_OF_STR ? model_string(r->m, *(const model_str *)at) :
						   *(const char *const *)at;
	size_t size = s ? GROWS * strlen(s) + 1 : 0;

	if (!s || (c->value == TABLE_OF_STR && !*s && !c->known))
		return false;
	r->no_memory |= array_reserve(&r->text, &r->cap_text, size, 1) != 0;
	cell->s = r->no_memory ? "" : clean_utf8(r->text, size, s);
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

/*
 * Gets a time. In a column that is never null, an unknown time becomes the start of the recording.
 */
static bool real_time(struct rows *r, const struct table_column *c, const void *at,
		      struct table_cell *cell)
{
	uint64_t real_ns = r->key->start_ns;
	time_t t;
	struct tm tm;

	if (!real_time_ns(r->m, *(const uint64_t *)at, &real_ns) && !c->known)
		return false;
	t = (time_t)(real_ns / 1000000000);
	*cell->time = '\0';
	if (gmtime_r(&t, &tm))
		strftime(cell->time, sizeof(cell->time), "%Y-%m-%d %H:%M:%S", &tm);
	cell->s = cell->time;
	return true;
}

bool table_cell(struct rows *r, size_t i, const void *const *part, struct table_cell *cell)
{
	static bool (*const get[TABLE_KINDS])(struct rows *, const struct table_column *,
					      const void *, struct table_cell *) = {
		[TABLE_TEXT] = text,
		[TABLE_TIME] = real_time,
		[TABLE_UINT] = whole,
		[TABLE_NUMBER] = number,
	};
	const struct table_column *c = table_column(r->table, i);
	const char *at = i < table_keys(r->table) ? (const char *)r->key : part[c->part];

	cell->kind = table_kind(c);
	if (get[cell->kind](r, c, at + c->offset, cell))
		return true;
	r->wrong |= c->known;
	return false;
}

void rows_write(struct rows *r, const void *const *part)
{
	struct table_cell cell;

	for (size_t i = 0; i < table_keys(r->table) + r->table->ncolumns; i++) {
		fprintf(r->ctx, "%c\"%s\":", i ? ',' : '{', table_column(r->table, i)->name);
		if (!table_cell(r, i, part, &cell))
			fputs("null", r->ctx);
		else if (cell.kind == TABLE_NUMBER)
			number_write(r->ctx, cell.v, NUMBER_ALL_DIGITS);
		else if (cell.kind == TABLE_UINT)
			fprintf(r->ctx, "%" PRIu64, cell.u);
		else
			escape_json(r->ctx, cell.s, strlen(cell.s));
	}
	fputs("}\n", r->ctx);
	r->n++;
}

/* ---- statements that create the tables ---------------------------------------------- */

/* The SQL syntax of a database. */
struct engine {
	const char *type[TABLE_KINDS];
	/* text around the type of a nullable column */
	const char *null, *null_end;
	const char *first;  /* text before all tables */
	const char *suffix; /* suffix of the table's name */
	/* creates every table; the description of a table is a comment inside the statement */
	bool all;
	void (*last)(FILE *out, const struct table *t); /* writes the text after the columns */
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
 * Ends a table of ClickHouse. A row that is loaded again replaces the earlier row when parts are
 * merged, and in queries with FINAL.
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

/* Ends a distributed table. All rows of a host are on one shard. */
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
	  .suffix = "",
	  .all = true,
	  .last = duckdb },
};

const char *const ddl_engines[] = {
	"duckdb", "clickhouse", "clickhouse-shard", "clickhouse-replica", "clickhouse-distributed",
	"sqlite", NULL
};

static void write_column(FILE *out, const struct engine *e, const struct table_column *c, bool last)
{
	const char *quote = strstr("from|to|when", c->name) ? "\"" : "";

	fprintf(out, "    %s%s%s %s%s%s%s", quote, c->name, quote, c->known ? "" : e->null,
		e->type[table_kind(c)], c->known ? "" : e->null_end, last ? "" : ",");
	if (c->unit || c->about)
		fprintf(out, " -- %s%s%s", c->unit ? c->unit : "", c->unit && c->about ? ": " : "",
			c->about ? c->about : "");
	fputc('\n', out);
}

static void write_table(FILE *out, const struct engine *e, const struct table *t)
{
	size_t n = table_keys(t) + t->ncolumns;

	fprintf(out,
		e->all ? "CREATE TABLE %2$s%3$s ( -- %1$s.\n" :
			 "-- %1$s.\nCREATE TABLE IF NOT EXISTS netcost.%2$s%3$s (\n",
		t->about, t->name, e->suffix);
	for (size_t i = 0; i < n; i++)
		write_column(out, e, table_column(t, i), i + 1 == n);
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
	for (size_t i = 0; i < (e->all ? TABLES_ANY : EXPORT_FILES_MAX); i++) {
		if (!table_any(&room, i))
			continue;
		write_table(out, e, &room.table);
		fputc('\n', out);
	}
}

/* ---- keys --------------------------------------------------------------------------- */

/*
 * Returns a hash that identifies a recording: all exports of the recording have the same hash, and
 * other recordings have different ones.
 */
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
	key->at_ns = m->header.start_ns ? m->header.start_ns : m->first_ns;
	if (!real_time_ns(m, key->at_ns, &key->start_ns))
		return false;
	key->host = host ? host : model_string(m, m->header.host);
	key->recording = key->id;
	snprintf(key->id, sizeof(key->id), "%016" PRIx64 "%016" PRIx64, key->start_ns, hash_of(m));
	return true;
}

/* ---- the format -------------------------------------------------------------------------- */

static const char *file_name(size_t number)
{
	struct table_room t;

	return number && table_get(&t, number - 1) ? t.table.name : NULL;
}

int table_fill(const struct tables_source *from, const struct table *t, table_row_fn *row,
	       void *ctx)
{
	struct rows r = { .ctx = ctx, .table = t, .key = &from->key, .m = from->m };
	int err = t->fill(from, row, &r);

	if (!err && r.no_memory)
		err = -ENOMEM;
	if (!err && r.wrong) {
		tell(from->title, "%s exceed the size of their columns; please report this",
		     t->name);
		err = -ECANCELED;
	}
	free(r.text);
	return err;
}

int tables_source_make(struct tables_source *s, const struct export_source *from, const char *host)
{
	int err;

	*s = (struct tables_source){ .m = from->m, .iv = from->iv };
	part_title(from->part, s->title, sizeof(s->title));
	if (!rows_key_make(&s->key, from->m, host)) {
		tell(s->title,
		     "has no CLOCK record: tables need the time of day, which is unknown");
		return -ECANCELED;
	}
	if (from->iv->too_many) {
		tell(s->title,
		     "has too many ticks for one row per tick; set longer intervals with --every");
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

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	struct tables_source source;
	struct table_room t;
	int err = tables_source_make(&source, from, e->wanted.host);

	if (err)
		return err;
	for (size_t i = 1; !err && table_get(&t, i - 1); i++) {
		FILE *out = to->open(to->ctx, i);

		err = out ? table_fill(&source, &t.table, rows_write, out) : -ECANCELED;
		if (out && !to->close(to->ctx, out, i, !err) && !err)
			err = -ECANCELED;
	}
	tables_source_free(&source);
	return err;
}

const struct export_format export_tables = {
	.name = "tables",
	.help = "rows of many traces for DuckDB, ClickHouse and similar databases: a file of "
		"NDJSON for each table",
	.ending = ".ndjson",
	.keep = MODEL_LATENCY | MODEL_PROCESSES | MODEL_CGROUPS | MODEL_MODULES,
	.takes = EXPORT_TAKES_ZSTD | EXPORT_TAKES_DDL | EXPORT_TAKES_HOST,
	.file_name = file_name,
	.size = sizeof(struct exporter),
	.write = write,
};
