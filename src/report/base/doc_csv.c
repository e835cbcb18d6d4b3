// SPDX-License-Identifier: BSD-2-Clause
/* One table of a report as CSV. Several parts are one table: headings are printed before the first. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "doc.h"

/* Only keeps json.path, the keys of the objects, arrays and tables around an item: flat JSON prints no brackets. */
static void enter(struct doc *d, const char *key)
{
	d->json.flat = d->part;
	json_object(&d->json, key);
}

static void leave(struct doc *d)
{
	json_object_end(&d->json);
}

static void table(struct doc *d)
{
	const char *comma = "";

	enter(d, d->table->key);
	d->csv_on = !strcmp(d->json.path, d->csv_table);
	d->csv_seen |= d->csv_on;
	if (!d->csv_on || !d->part->first)
		return;
	fputs(csv_part_heading(d->part), d->out);
	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];

		if (!doc_takes(d, i))
			continue;
		fprintf(d->out, "%s%s", comma, c->key);
		if (c->kind == DOC_INTERVAL)
			fprintf(d->out, ",%s", c->ci_key);
		comma = ",";
	}
	fputc('\n', d->out);
}

static void number(struct doc *d, double v, int precision)
{
	if (isfinite(v))
		fprintf(d->out, "%.*f", precision, v);
}

/* No reader of CSV needs quotes around it. */
static bool is_word(const char *s)
{
	return *s &&
	       !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")];
}

static void cell(struct doc *d, const struct doc_column *c, const struct doc_cell *cell)
{
	if (cell->blank)
		return;
	if (c->kind == DOC_STRING && cell->s && is_word(cell->s))
		fputs(cell->s, d->out);
	else if (c->kind == DOC_STRING && cell->s)
		csv_text(d->out, cell->s);
	else if (c->kind == DOC_LIST)
		csv_text(d->out, doc_joined((char[DOC_JOINED_SIZE]){ 0 }, DOC_JOINED_SIZE, cell));
	else if (c->kind == DOC_BOOL)
		fputs(cell->is ? "true" : "false", d->out);
	else if (c->kind != DOC_STRING)
		number(d, cell->v, c->precision);
}

static void row(struct doc *d)
{
	const char *comma = "";

	if (!d->csv_on)
		return;
	csv_part(d->out, d->part);
	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];

		if (!doc_takes(d, i))
			continue;
		fputs(comma, d->out);
		cell(d, c, &d->cell[i]);
		if (c->kind == DOC_INTERVAL) {
			fputc(',', d->out);
			number(d, d->cell[i].ci, c->precision);
		}
		comma = ",";
	}
	fputc('\n', d->out);
}

static void table_end(struct doc *d)
{
	d->csv_on = false;
	leave(d);
}

const struct doc_renderer doc_csv = {
	.is = DOC_CSV,
	.object = enter,
	.object_end = leave,
	.array = enter,
	.array_end = leave,
	.table = table,
	.row = row,
	.table_end = table_end,
};

struct doc doc_begin_csv(FILE *out, const struct part *part, const char *table)
{
	struct doc d = doc_begin(&doc_csv, out, part);

	d.csv_table = table;
	return d;
}

/* ---- which tables there are -------------------------------------------------------------- */

static void list_table(struct doc *d)
{
	struct doc_tables *t = d->tables;

	enter(d, d->table->key);
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->path[i], d->json.path))
			return;
	assert(t->n < DOC_TABLES);
	snprintf(t->path[t->n++], JSON_PATH, "%s", d->json.path);
}

static const struct doc_renderer doc_csv_tables = {
	.is = DOC_CSV,
	.object = enter,
	.object_end = leave,
	.array = enter,
	.array_end = leave,
	.table = list_table,
	.table_end = leave,
};

struct doc doc_begin_tables(const struct part *part, struct doc_tables *t)
{
	struct doc d = doc_begin(&doc_csv_tables, NULL, part);

	t->n = 0;
	d.tables = t;
	return d;
}

static const char *key_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

const char *doc_tables_find(const struct doc_tables *t, const char *name)
{
	const char *found = NULL;
	bool several = false;

	for (size_t i = 0; i < t->n; i++) {
		if (!strcmp(t->path[i], name))
			return t->path[i];
		if (strcmp(key_of(t->path[i]), name) != 0)
			continue;
		several |= found != NULL;
		found = t->path[i];
	}
	return several ? NULL : found;
}

void doc_tables_print(const struct doc_tables *t, FILE *out)
{
	for (size_t i = 0; i < t->n; i++) {
		const char *key = key_of(t->path[i]);

		fprintf(out, "%s%s", i ? ", " : "",
			doc_tables_find(t, key) == t->path[i] ? key : t->path[i]);
	}
}
