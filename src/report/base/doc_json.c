// SPDX-License-Identifier: BSD-2-Clause
/* A report as JSON, or as CSV with a row for each value. */
#include <string.h>

#include "doc.h"

static void object(struct doc *d, const char *key)
{
	json_object(&d->json, key);
}

static void object_end(struct doc *d)
{
	json_object_end(&d->json);
}

static void array(struct doc *d, const char *key)
{
	json_array(&d->json, key);
}

static void array_end(struct doc *d)
{
	json_array_end(&d->json);
}

static void list(struct doc *d, const char *key, const struct doc_cell *cell)
{
	const char *s = cell->s;

	json_array(&d->json, key);
	for (uint32_t i = 0; i < cell->n; i++, s += strlen(s) + 1)
		json_str(&d->json, NULL, s);
	json_array_end(&d->json);
}

static void uints(struct json *j, const char *key, const struct doc_cell *cell)
{
	json_array(j, key);
	for (uint32_t i = 0; i < cell->n; i++)
		json_uint(j, NULL, cell->uints[i]);
	json_array_end(j);
}

static void histogram(struct json *j, const char *key, const struct histogram *h)
{
	bool compact = j->compact;

	json_array(j, key);
	j->compact = true;
	for (unsigned int i = 0; i < HISTOGRAM_BINS; i++) {
		if (!h->bin[i])
			continue;
		json_array(j, NULL);
		json_num(j, NULL, histogram_middle(i), 1);
		json_uint(j, NULL, h->bin[i]);
		json_array_end(j);
	}
	json_array_end(j);
	j->compact = compact;
}

static void value(struct doc *d, const char *key, const struct doc_column *c,
		  const struct doc_cell *cell)
{
	if (cell->blank || (c->kind == DOC_STRING && !cell->s))
		json_null(&d->json, key);
	else if (c->kind == DOC_STRING)
		json_str(&d->json, key, cell->s);
	else if (c->kind == DOC_UINT)
		json_uint(&d->json, key, cell->u);
	else if (c->kind == DOC_LIST)
		list(d, key, cell);
	else if (c->kind == DOC_UINTS)
		uints(&d->json, key, cell);
	else if (c->kind == DOC_HISTOGRAM)
		histogram(&d->json, key, cell->histogram);
	else if (c->kind == DOC_BOOL)
		json_bool(&d->json, key, cell->is);
	else
		json_num(&d->json, key, cell->v, c->precision);
}

static void field(struct doc *d, const struct doc_column *c, const struct doc_cell *cell)
{
	value(d, c->key, c, cell);
}

/* ---- tables ------------------------------------------------------------------------------ */

static void table(struct doc *d)
{
	if (d->table->keyed)
		json_object(&d->json, d->table->key);
	else
		json_array(&d->json, d->table->key);
}

static void table_end(struct doc *d)
{
	if (d->table->keyed)
		json_object_end(&d->json);
	else
		json_array_end(&d->json);
}

/* How far two keys agree, up to a dot that both have. */
static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '.')
			n = i + 1;
	return n;
}

/* Closes the objects that only the key before is in; opens those that only this one is in. */
static void nest(struct doc *d, const char *before, const char *key)
{
	size_t n = common(before, key);
	const char *dot;
	char name[64];

	for (dot = strchr(before + n, '.'); dot; dot = strchr(dot + 1, '.'))
		json_object_end(&d->json);
	for (key += n; (dot = strchr(key, '.')); key = dot + 1) {
		snprintf(name, sizeof(name), "%.*s", (int)(dot - key), key);
		json_object(&d->json, name);
	}
}

static const char *inner(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot ? dot + 1 : key;
}

static void row(struct doc *d)
{
	const struct doc_table *t = d->table;
	size_t only = doc_only_column(d);
	const char *before = "";

	if (only) {
		value(d, d->cell[0].s, &t->column[only], &d->cell[only]);
		return;
	}
	json_object(&d->json, t->keyed ? d->cell[0].s : NULL);
	for (size_t i = t->keyed; i < t->ncolumns; i++) {
		const struct doc_column *c = &t->column[i];

		if (!doc_takes(d, i))
			continue;
		nest(d, before, c->key);
		before = c->key;
		value(d, inner(c->key), c, &d->cell[i]);
		if (c->kind == DOC_INTERVAL)
			json_num(&d->json, inner(c->ci_key), d->cell[i].ci, c->precision);
	}
	nest(d, before, "");
	json_object_end(&d->json);
}

static void end(struct doc *d)
{
	json_end(&d->json);
}

const struct doc_renderer doc_json = {
	.is = DOC_JSON,
	.object = object,
	.object_end = object_end,
	.array = array,
	.array_end = array_end,
	.field = field,
	.table = table,
	.row = row,
	.table_end = table_end,
	.end = end,
};

struct doc doc_begin_flat(FILE *out, const struct part *part)
{
	struct doc d = doc_begin(&doc_json, out, part);

	d.json = json_flat(out, part);
	return d;
}
