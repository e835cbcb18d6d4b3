// SPDX-License-Identifier: BSD-2-Clause
#include "ddl.h"

#include <string.h>

#include "tables_impl.h"

/* How a database says what a table is. */
struct engine {
	const char *type[TABLE_KINDS];
	const char *null, *null_end;			/* around the type of what may be null */
	const char *first;				/* before all tables */
	const char *suffix;				/* of the table's name */
	void (*last)(FILE *out, const struct table *t); /* what follows its columns */
};

/* ---- what comes after columns ------------------------------------------------------------ */

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

/* A row that is loaded again replaces itself, once parts are merged; and where queries say FINAL. */
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

/* All of a host is on one shard. */
static void distributed(FILE *out, const struct table *t)
{
	fprintf(out, ")\nENGINE = Distributed(netcost, netcost, %s_local, cityHash64(host));\n",
		t->name);
}

/* ---- databases --------------------------------------------------------------------------- */

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

/* ---- statements -------------------------------------------------------------------------- */

static void column(FILE *out, const struct engine *e, const struct table_column *c, bool last)
{
	fprintf(out, "    %s %s%s%s%s", c->name, c->known ? "" : e->null, e->type[c->kind],
		c->known ? "" : e->null_end, last ? "" : ",");
	if (c->unit || c->about)
		fprintf(out, " -- %s%s%s", c->unit ? c->unit : "", c->unit && c->about ? ": " : "",
			c->about ? c->about : "");
	fputc('\n', out);
}

void ddl_write(FILE *out, const char *name)
{
	const struct engine *e = engine;

	while (strcmp(ddl_engines[e - engine], name))
		e++;
	fputs("-- made by netcost-report export tables --ddl\n", out);
	fputs(e->first, out);
	for (size_t i = 0; i < TABLES; i++) {
		const struct table *t = tables[i];

		fprintf(out, "-- %s.\nCREATE TABLE IF NOT EXISTS netcost.%s%s (\n", t->about,
			t->name, e->suffix);
		for (size_t c = 0; c < TABLE_KEYS; c++)
			column(out, e, &table_key[c], false);
		for (size_t c = 0; c < t->ncolumns; c++)
			column(out, e, &t->column[c], c + 1 == t->ncolumns);
		e->last(out, t);
		fputc('\n', out);
	}
}
