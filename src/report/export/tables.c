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

#include <netcost/hash.h>

#include "export.h"
#include "report/base/text.h"

/* write_keys() has their values. */
const struct table_column table_key[TABLE_KEYS] = {
	{ "recording", NULL, TABLE_OF_TEXT, 0, 0, true,
	  "32 hex digits: its start in ns, and a hash of the trace's data about its host" },
	{ "host", NULL, TABLE_OF_TEXT, 0, 0, true,
	  "name of the host in the trace, or as given; '': unknown" },
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

/* Writes a text of any contents and length, without truncation. */
static void write_text(struct rows *r, const char *s)
{
	char usual[GROWS * TRACE_MAX_STR + 1], *longer = NULL;
	size_t size = GROWS * strlen(s) + 1;

	if (size > sizeof(usual)) {
		longer = malloc(size);
		r->no_memory |= !longer;
		s = longer ? s : "";
	}
	s = clean_utf8(longer ? longer : usual, longer ? size : sizeof(usual), s);
	escape_json(r->out, s, strlen(s));
	free(longer);
}

static void write_time(FILE *out, uint64_t real_ns)
{
	time_t t = (time_t)(real_ns / 1000000000);
	struct tm tm;
	char text[64] = "";

	if (gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(out, "\"%s\"", text);
}

/* Writes as many digits as identify the number. */
static void write_number(FILE *out, double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.15g", v);
	if (strtod(text, NULL) != v)
		snprintf(text, sizeof(text), "%.17g", v);
	fputs(text, out);
}

/* ---- cells ------------------------------------------------------------------------------- */

/* These functions write the value at `at`, or return false if it is unknown. */

static bool text(struct rows *r, const struct table_column *c, const void *at)
{
	const char *s = c->value == TABLE_OF_STR ? model_string(r->m, *(const model_str *)at) :
						   *(const char *const *)at;

	if (!s || (c->value == TABLE_OF_STR && !*s && !c->known))
		return false;
	write_text(r, s);
	return true;
}

static bool whole(struct rows *r, const struct table_column *c, const void *at)
{
	uint64_t v = c->value == TABLE_OF_ROW  ? r->n + 1 :
		     c->value == TABLE_OF_BOOL ? *(const bool *)at :
						 *(const uint64_t *)at;

	if (v == TRACE_NIL && !c->known)
		return false;
	fprintf(r->out, "%" PRIu64, v);
	return true;
}

static double seconds(const struct rows *r, uint64_t at_ns)
{
	return at_ns == TRACE_NIL ? NAN : model_seconds(r->m, at_ns);
}

static bool number(struct rows *r, const struct table_column *c, const void *at)
{
	double v = c->value == TABLE_OF_COUNTER ? counter_moved(at) :
		   c->value == TABLE_OF_SECONDS ? seconds(r, *(const uint64_t *)at) :
						  *(const double *)at;

	if (!isfinite(v))
		return false;
	write_number(r->out, v);
	return true;
}

/* An unknown time in a column that is never null becomes the start of the recording. */
static bool real_time(struct rows *r, const struct table_column *c, const void *at)
{
	uint64_t real_ns = r->key->start_ns;

	if (!real_time_ns(r->m, *(const uint64_t *)at, &real_ns) && !c->known)
		return false;
	write_time(r->out, real_ns);
	return true;
}

static void write_cell(struct rows *r, const struct table_column *c, const void *const *part)
{
	static bool (*const cell[TABLE_KINDS])(struct rows *, const struct table_column *,
					       const void *) = {
		[TABLE_TEXT] = text,
		[TABLE_TIME] = real_time,
		[TABLE_UINT] = whole,
		[TABLE_NUMBER] = number,
	};

	fprintf(r->out, ",\"%s\":", c->name);
	if (cell[table_kind(c)](r, c, (const char *)part[c->part] + c->offset))
		return;
	fputs("null", r->out);
	r->wrong |= c->known;
}

static void write_keys(struct rows *r)
{
	fprintf(r->out, "{\"%s\":", table_key[0].name);
	write_text(r, r->key->recording);
	fprintf(r->out, ",\"%s\":", table_key[1].name);
	write_text(r, r->key->host);
	fprintf(r->out, ",\"%s\":", table_key[2].name);
	write_time(r->out, r->key->start_ns);
}

void rows_write(struct rows *r, const void *const *part)
{
	write_keys(r);
	for (size_t i = 0; i < r->table->ncolumns; i++)
		write_cell(r, &r->table->column[i], part);
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
};

const char *const ddl_engines[] = {
	"duckdb", "clickhouse", "clickhouse-shard", "clickhouse-replica", "clickhouse-distributed",
	NULL
};

static void write_column(FILE *out, const struct engine *e, const struct table_column *c, bool last)
{
	fprintf(out, "    %s %s%s%s%s", c->name, c->known ? "" : e->null, e->type[table_kind(c)],
		c->known ? "" : e->null_end, last ? "" : ",");
	if (c->unit || c->about)
		fprintf(out, " -- %s%s%s", c->unit ? c->unit : "", c->unit && c->about ? ": " : "",
			c->about ? c->about : "");
	fputc('\n', out);
}

void ddl_write(FILE *out, const char *name)
{
	const struct engine *e = engine;
	struct table_room room;

	while (strcmp(ddl_engines[e - engine], name))
		e++;
	fputs("-- made by netcost-report export tables --ddl\n", out);
	fputs(e->first, out);
	for (size_t i = 0; table_get(&room, i); i++) {
		const struct table *t = &room.table;

		fprintf(out, "-- %s.\nCREATE TABLE IF NOT EXISTS netcost.%s%s (\n", t->about,
			t->name, e->suffix);
		for (size_t c = 0; c < TABLE_KEYS; c++)
			write_column(out, e, &table_key[c], false);
		for (size_t c = 0; c < t->ncolumns; c++)
			write_column(out, e, &t->column[c], c + 1 == t->ncolumns);
		e->last(out, t);
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

/* Returns false if its time is unknown. */
static bool make_key(struct rows_key *key, const struct model *m, const char *host)
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

static int fill(const struct table *t, FILE *out, const struct tables_source *from,
		const struct rows_key *key, const char *title)
{
	struct rows r = { .out = out, .table = t, .key = key, .m = from->m };
	int err = r.table->fill(from, rows_write, &r);

	if (!err && r.no_memory)
		err = -ENOMEM;
	if (!err && r.wrong) {
		tell(title, "%s exceed the size of their columns; please report this",
		     r.table->name);
		err = -ECANCELED;
	}
	return err;
}

static int write_tables(const struct tables_source *from, const struct rows_key *key,
			const struct export_target *to, const char *title)
{
	struct table_room t;
	int err = 0;

	for (size_t i = 1; !err && table_get(&t, i - 1); i++) {
		FILE *out = to->open(to->ctx, i);

		if (!out)
			return -ECANCELED;
		err = fill(&t.table, out, from, key, title);
		if (!to->close(to->ctx, out, i, !err) && !err)
			err = -ECANCELED;
	}
	return err;
}

static int write(struct exporter *e, const struct export_source *from,
		 const struct export_target *to)
{
	struct tables_source source = { .m = from->m, .iv = from->iv };
	const char *title = PART_TITLE(from->part);
	struct rows_key key;
	int err;

	if (!make_key(&key, from->m, e->wanted.host)) {
		tell(title,
		     "has no CLOCK record, so the time of day is unknown, which tables need");
		return -ECANCELED;
	}
	if (from->iv->too_many) {
		tell(title, "has too many ticks for a row each; set longer intervals with --every");
		return -ECANCELED;
	}
	err = summary_make(&source.summary, from->m, from->part);
	if (err)
		return err;
	err = drops_make(&source.drops, from->m);
	if (!err) {
		err = write_tables(&source, &key, to, title);
		drops_free(&source.drops);
	}
	summary_free(&source.summary);
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
