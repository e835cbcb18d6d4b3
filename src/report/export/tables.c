// SPDX-License-Identifier: BSD-2-Clause
/*
 * tables: what a database wants of many recordings: a file of NDJSON for each table, whose rows say of which recording they
 * are. Columns are data (rows.h): the statements that make the tables (ddl.h) come from the same place.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/hash.h>

#include "ddl.h"
#include "export.h"
#include "real_time.h"
#include "report/base/part.h"
#include "tables_impl.h"

const struct table *const tables[TABLES] = {
	&table_recordings, &table_leaves,    &table_categories,	     &table_functions,
	&table_stacks,	   &table_processes, &table_interfaces,	     &table_drops,
	&table_latency,	   &table_settings,  &table_latency_buckets, &table_marks,
};

static const char *file_name(size_t number)
{
	return number && number <= TABLES ? tables[number - 1]->name : NULL;
}

/* ---- which recording --------------------------------------------------------------------- */

/* The same recording is the same wherever and however often it is exported; another one is another. */
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

/* False: it is not known when it was. */
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

/* ---- while the trace is read ------------------------------------------------------------- */

static bool begin(void *ctx, const struct intervals *iv)
{
	(void)ctx;
	(void)iv;
	return true;
}

static struct exporter *make(void)
{
	struct exporter *e = calloc(1, sizeof(*e));

	if (e)
		e->watch = (struct intervals_watch){ .ctx = e, .begin = begin };
	return e;
}

static void end(struct exporter *e)
{
	free(e);
}

/* ---- tables ------------------------------------------------------------------------------ */

static int fill(size_t number, FILE *out, const struct tables_source *from,
		const struct rows_key *key, const char *title)
{
	struct rows r = { .out = out, .table = tables[number - 1], .key = key };
	int err = r.table->fill(&r, from);

	if (!err && r.no_memory)
		err = -ENOMEM;
	if (!err && r.wrong) {
		tell(title, "its %s do not fit their columns: please report that", r.table->name);
		err = -ECANCELED;
	}
	return err;
}

static int write_tables(const struct tables_source *from, const struct rows_key *key,
			const struct export_target *to, const char *title)
{
	int err = 0;

	for (size_t i = 1; !err && i <= TABLES; i++) {
		FILE *out = to->open(to->ctx, i);

		if (!out)
			return -ECANCELED;
		err = fill(i, out, from, key, title);
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
		tell(title, "does not say what time it was: tables need that");
		return -ECANCELED;
	}
	if (from->iv->too_many) {
		tell(title, "has too many ticks for a row each; ask for longer rows with --every");
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
	.help = "rows for DuckDB, ClickHouse and their like, of many traces: a file of NDJSON for each table",
	.ending = ".ndjson",
	.keep = MODEL_LATENCY | MODEL_PROCESSES | MODEL_CGROUPS | MODEL_MODULES,
	.takes = EXPORT_TAKES_ZSTD | EXPORT_TAKES_DDL | EXPORT_TAKES_HOST,
	.file_name = file_name,
	.make = make,
	.write = write,
	.free = end,
};
