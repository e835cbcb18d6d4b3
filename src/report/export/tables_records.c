// SPDX-License-Identifier: BSD-2-Clause
/* Records as rows: the registry describes the columns, and which of them have an element per row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"

/* Columns that are not keys, before those that are. */
enum extra { EXTRA_TICK, EXTRA_ELEMENT, EXTRA_CPU, EXTRA_ID, EXTRA_TIME, EXTRAS };

static const struct table_column extra_column[EXTRAS] = {
	[EXTRA_TICK] = { "tick_ns", "ns", TABLE_OF_UINT, 0, 0, false, "when the tick began" },
	[EXTRA_ELEMENT] = { "element", NULL, TABLE_OF_UINT, 0, 0, true,
			    "of the record, from 0 on; keys without elements repeat in each row" },
	[EXTRA_CPU] = { "cpu", NULL, TABLE_OF_UINT, 0, 0, false, "that of the tick" },
	[EXTRA_ID] = { "id", NULL, TABLE_OF_UINT, 0, 0, false, "what the element is of" },
	[EXTRA_TIME] = { "time_ns", "ns", TABLE_OF_UINT, 0, 0, false, "when it was taken" },
};

#define BY_ELEMENT (TRACE_KEY_COLUMN | TRACE_KEY_PER_CPU | TRACE_KEY_EACH)

/* Does the key have an element per row? Other lists are JSON. */
static bool records_by_element(const struct trace_key_desc *k)
{
	return k->flags & BY_ELEMENT || (k->type == TRACE_TICK && k->key == TRACE_TICK_CPU);
}

static bool records_are_text(const struct trace_key_desc *k)
{
	return k->one_of || k->kind == TRACE_STR || k->kind == TRACE_STRS ||
	       (k->kind > TRACE_STR && !records_by_element(k));
}

/* Returns a bit for each enum extra that the type has. */
static unsigned int records_extras(unsigned int type)
{
	unsigned int extras = type == TRACE_SAMPLES ? 1 << EXTRA_TIME : 0;
	const struct trace_key_desc *k;
	size_t n;

	if (trace_type_is_counter(type) || trace_type_is_since(type))
		extras |= 1 << EXTRA_TICK;
	k = trace_type_keys(type, &n);
	for (size_t i = 0; i < n; i++) {
		extras |= records_by_element(&k[i]) ? 1 << EXTRA_ELEMENT : 0;
		extras |= k[i].flags & TRACE_KEY_PER_CPU && type != TRACE_TICK ? 1 << EXTRA_CPU : 0;
		extras |= k[i].flags & TRACE_KEY_EACH ? 1 << EXTRA_ID : 0;
	}
	return extras;
}

bool table_of_records(struct table_room *t, unsigned int type)
{
	const struct trace_type_desc *desc = trace_type_desc(type);
	struct table_column *c = t->column;
	const struct trace_key_desc *k;
	size_t n;

	if (!desc)
		return false;
	for (size_t i = 0; i < EXTRAS; i++)
		if (records_extras(type) >> i & 1)
			*c++ = extra_column[i];
	k = trace_type_keys(type, &n);
	for (size_t i = 0; i < n; i++)
		*c++ = (struct table_column){
			.name = k[i].flags & TRACE_KEY_DEFINES ? "id" : k[i].name,
			.unit = *k[i].unit ? k[i].unit : NULL,
			.value = records_are_text(&k[i]) ? TABLE_OF_TEXT : TABLE_OF_UINT,
			.about = *k[i].doc ? k[i].doc : NULL,
		};
	snprintf(t->name, sizeof(t->name), "record_%s", desc->name);
	t->table = (struct table){ .name = t->name,
				   .about = desc->doc,
				   .column = t->column,
				   .ncolumns = (size_t)(c - t->column),
				   .type = type };
	return true;
}

void record_tick_take(struct record_tick *tick, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_TICK_CPU);

	tick->at_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, TRACE_NIL);
	for (tick->n = 0; tick->n < TRACE_MAX_CPU; tick->n++)
		if (!trace_column_uint(&cpus, &tick->cpu[tick->n]))
			break;
}

/* A record while its rows are made: its columns advance from row to row. */
struct records {
	const struct trace_key_desc *key;
	size_t nkeys;
	unsigned int extras;
	const struct trace_record *rec;
	const struct record_tick *tick;
	struct trace_column column[TRACE_MAX_FIELDS];
	struct trace_times times;
	char *list[TRACE_MAX_FIELDS]; /* JSON */
};

/* Gets the next element. Returns false at the end. */
static bool records_next(struct trace_column *c, unsigned int kind, struct record_cell *cell)
{
	int64_t v;
	uint32_t len;

	if (kind == TRACE_STRS) {
		if (!trace_column_str(c, &cell->s, &len))
			return false;
		cell->len = len;
		return true;
	}
	if (kind == TRACE_UINTS)
		return trace_column_uint(c, &cell->v);
	if (!trace_column_int(c, &v))
		return false;
	cell->v = (uint64_t)v;
	return true;
}

/* Returns a list as JSON, which the caller frees; NULL: out of memory. */
static char *records_list(struct trace_column c, unsigned int kind)
{
	struct record_cell cell = { 0 };
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		return NULL;
	fputc('[', out);
	for (const char *comma = ""; records_next(&c, kind, &cell); comma = ",") {
		fputs(comma, out);
		if (cell.s)
			escape_json(out, cell.s, cell.len);
		else if (cell.v == TRACE_NIL && kind == TRACE_UINTS)
			fputs("null", out);
		else
			fprintf(out, "%lld", (long long)cell.v);
	}
	fputc(']', out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static struct record_cell records_name(const struct trace_key_desc *k, struct record_cell cell)
{
	const char *of;
	size_t n;
	const char *const *names = trace_enum_names(k->one_of, &of, &n);

	if (cell.v < n && names[cell.v])
		return (struct record_cell){ .s = names[cell.v], .len = strlen(names[cell.v]) };
	return cell;
}

static struct record_cell records_cell(struct records *r, size_t i, size_t element)
{
	const struct trace_key_desc *k = &r->key[i];
	const struct trace_field *f = trace_record_field(r->rec, k->key);
	struct record_cell cell = { .v = TRACE_NIL };

	if (!f)
		return cell;
	if (records_by_element(k))
		(void)records_next(&r->column[i], k->kind, &cell);
	else if (r->list[i])
		return (struct record_cell){ .s = r->list[i], .len = strlen(r->list[i]) };
	else if (k->kind == TRACE_STR)
		return (struct record_cell){ .s = (const char *)f->p, .len = f->n };
	else
		cell.v = f->v + (k->flags & TRACE_KEY_DEFINES ? element : 0);
	return k->one_of ? records_name(k, cell) : cell;
}

static void records_extra(struct records *r, size_t element, struct record_cell *cell)
{
	uint64_t v[EXTRAS] = {
		[EXTRA_TICK] = r->tick->at_ns,
		[EXTRA_ELEMENT] = element,
		[EXTRA_CPU] = element < r->tick->n ? r->tick->cpu[element] : TRACE_NIL,
		[EXTRA_ID] = element + 1,
		[EXTRA_TIME] = TRACE_NIL,
	};

	if (r->extras >> EXTRA_TIME & 1)
		(void)trace_times_next(&r->times, &v[EXTRA_TIME]);
	for (size_t i = 0; i < EXTRAS; i++)
		if (r->extras >> i & 1)
			*cell++ = (struct record_cell){ .v = v[i] };
}

/* Returns the number of rows; SIZE_MAX: out of memory. */
static size_t records_begin(struct records *r)
{
	size_t rows = 0;
	bool defines = trace_type_defines(r->rec->type);

	for (size_t i = 0; i < r->nkeys; i++) {
		const struct trace_key_desc *k = &r->key[i];

		if (k->kind < TRACE_UINTS || !trace_record_field(r->rec, k->key))
			continue;
		r->column[i] = trace_record_column(r->rec, k->key);
		if (records_by_element(k)) {
			rows = r->column[i].n > rows ? r->column[i].n : rows;
		} else {
			r->list[i] = records_list(r->column[i], k->kind);
			if (!r->list[i])
				return SIZE_MAX;
		}
	}
	/* A record without elements still has a row, unless the elements are what it defines. */
	return rows || (defines && r->extras >> EXTRA_ELEMENT & 1) ? rows : 1;
}

bool record_rows(const struct table *t, const struct trace_record *rec,
		 const struct record_tick *tick, record_row_fn *row, void *ctx)
{
	struct records r = { .rec = rec, .tick = tick, .extras = records_extras(t->type) };
	struct record_cell cell[TABLE_ROOM];
	size_t n, extras = (size_t)__builtin_popcount(r.extras);
	bool ok = true;

	r.key = trace_type_keys(t->type, &r.nkeys);
	if (r.extras >> EXTRA_TIME & 1)
		r.times = trace_record_times(rec);
	n = records_begin(&r);
	for (size_t e = 0; n != SIZE_MAX && ok && e < n; e++) {
		records_extra(&r, e, cell);
		for (size_t i = 0; i < r.nkeys; i++)
			cell[extras + i] = records_cell(&r, i, e);
		ok = row(ctx, cell);
	}
	for (size_t i = 0; i < r.nkeys; i++)
		free(r.list[i]);
	return ok && n != SIZE_MAX;
}
