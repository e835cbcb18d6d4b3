// SPDX-License-Identifier: BSD-2-Clause
/* One table of a report as CSV. Several parts are one table: headings are printed before the first. */
#include <math.h>
#include <string.h>

#include "csv.h"
#include "doc.h"

static bool is_ours(const struct doc *d)
{
	return !strcmp(d->table->key, d->csv_table);
}

static void table(struct doc *d)
{
	const char *comma = "";

	if (!is_ours(d) || !d->part->first)
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

	if (!is_ours(d))
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

const struct doc_renderer doc_csv = {
	.is = DOC_CSV,
	.table = table,
	.row = row,
};

struct doc doc_begin_csv(FILE *out, const struct part *part, const char *table)
{
	struct doc d = doc_begin(&doc_csv, out, part);

	d.csv_table = table;
	return d;
}
