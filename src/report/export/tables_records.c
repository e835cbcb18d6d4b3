// SPDX-License-Identifier: BSD-2-Clause
/* Records as tables. The registry describes the columns. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tables.h"

static void records_add(struct table_room *t, const char *name, const char *unit,
			enum table_value value, const char *about)
{
	size_t i = t->table.ncolumns++;

	t->column[i] = (struct table_column){
		.name = name,
		.unit = *unit ? unit : NULL,
		.value = value,
		.offset = value == TABLE_OF_TEXT   ? offsetof(struct record_row, s[i]) :
			  value == TABLE_OF_NUMBER ? offsetof(struct record_row, v[i]) :
						     offsetof(struct record_row, u[i]),
		.about = *about ? about : NULL,
	};
}

static enum table_value records_are(const struct trace_key_desc *k)
{
	if (k->one_of || k->kind == TRACE_STR || k->kind == TRACE_STRS)
		return TABLE_OF_TEXT;
	return k->kind == TRACE_INT || k->kind == TRACE_INTS ? TABLE_OF_NUMBER : TABLE_OF_UINT;
}

bool table_of_records(struct table_room *t, unsigned int type)
{
	const struct trace_type_desc *desc = trace_type_desc(type);
	const struct trace_key_desc *k;
	size_t n;

	if (!desc)
		return false;
	snprintf(t->name, sizeof(t->name), "record_%s", desc->name);
	t->table = (struct table){
		.name = t->name, .about = desc->doc, .column = t->column, .type = type
	};
	records_add(t, "tick_ns", "ns", TABLE_OF_UINT,
		    "start of the last tick before this record; null: no tick precedes it");
	records_add(t, "tick_cpu", "", TABLE_OF_UINT,
		    "CPU of the value, for values that are counted by CPU; null otherwise");
	records_add(
		t, "element", "", TABLE_OF_UINT,
		"position in the lists of the record, counted from 1; values that are not lists are repeated in each row");
	for (k = trace_type_keys(type, &n); n--; k++) {
		if (type == TRACE_SAMPLES && k->key == TRACE_SAMPLES_DT)
			records_add(t, "time_ns", "ns", TABLE_OF_UINT, "time of the sample");
		else if (k->flags & TRACE_KEY_DEFINES)
			records_add(t, "id", "", TABLE_OF_UINT,
				    "id by which other records refer to this one");
		else
			records_add(t, k->name, k->unit, records_are(k), k->doc);
	}
	return true;
}

void record_tick(struct record_row *row, const struct trace_record *tick)
{
	struct trace_column cpus = trace_record_column(tick, TRACE_TICK_CPU);

	row->tick_ns = trace_record_uint(tick, TRACE_TICK_AT_NS, TRACE_NIL);
	for (row->ncpus = 0; row->ncpus < TRACE_MAX_CPU; row->ncpus++)
		if (!trace_column_uint(&cpus, &row->cpu[row->ncpus]))
			break;
}

/* Sets a text. len: at most TRACE_MAX_STR. */
static void records_text(struct record_row *to, size_t at, const char *s, uint32_t len)
{
	to->s[at] = to->text[at];
	for (uint32_t i = 0; i < len; i++)
		to->text[at][i] = s[i] ? s[i] : '?';
	to->text[at][len] = '\0';
}

/* Sets value `at` of row i. list: the remaining part of the key's list. */
static void records_set(struct record_row *to, size_t at, const struct trace_key_desc *k,
			const struct trace_field *f, struct trace_column *list, size_t i)
{
	const char *s, *of;
	const char *const *names;
	int64_t v;
	uint32_t len;
	size_t n;

	to->u[at] = TRACE_NIL;
	to->v[at] = NAN;
	to->s[at] = NULL;
	if (!f)
		return;
	if (k->kind == TRACE_STR)
		records_text(to, at, (const char *)f->p, f->n);
	else if (k->kind == TRACE_STRS && trace_column_str(list, &s, &len))
		records_text(to, at, s, len);
	else if (k->kind == TRACE_INTS && trace_column_int(list, &v))
		to->v[at] = (double)v;
	else if (k->kind == TRACE_UINTS)
		(void)trace_column_uint(list, &to->u[at]);
	else if (k->kind == TRACE_INT)
		to->v[at] = (double)(int64_t)f->v;
	else if (k->kind == TRACE_UINT)
		to->u[at] = f->v + (k->flags & TRACE_KEY_DEFINES ? i : 0);
	if (!k->one_of || to->u[at] == TRACE_NIL)
		return;
	names = trace_enum_names(k->one_of, &of, &n);
	s = to->u[at] < n ? names[to->u[at]] : NULL;
	snprintf(to->text[at], sizeof(to->text[at]), s ? "%s" : "", s);
	if (!s)
		snprintf(to->text[at], sizeof(to->text[at]), "%" PRIu64, to->u[at]);
	to->s[at] = to->text[at];
}

void record_rows(struct rows *r, const struct trace_record *rec, struct record_row *to,
		 table_row_fn *row)
{
	struct trace_column list[TRACE_MAX_FIELDS];
	struct trace_times times = { .unit_ns = 0 };
	bool by_cpu = false;
	size_t rows = 0, nkeys, extras = 3;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &nkeys);

	if (rec->type == TRACE_SAMPLES)
		times = trace_record_times(rec);
	for (size_t i = 0; i < nkeys; i++) {
		list[i] = trace_record_column(rec, k[i].key);
		by_cpu |= k[i].flags & TRACE_KEY_PER_CPU;
		rows = k[i].kind >= TRACE_UINTS && list[i].n > rows ? list[i].n : rows;
	}
	/*
	 * A record whose lists are all empty has one row. A record that defines ids by its lists has no row then,
	 * because it defines nothing.
	 */
	if (!rows && (trace_record_rows(rec) || !trace_type_defines(rec->type)))
		rows = 1;
	for (size_t i = 0; i < rows; i++) {
		to->u[0] = to->tick_ns;
		to->u[1] = by_cpu && i < to->ncpus ? to->cpu[i] : TRACE_NIL;
		to->u[2] = i + 1;
		for (size_t at = 0; at < nkeys; at++)
			records_set(to, extras + at, &k[at], trace_record_field(rec, k[at].key),
				    &list[at], i);
		if (rec->type == TRACE_SAMPLES)
			(void)trace_times_next(&times, &to->u[extras + TRACE_SAMPLES_DT - 1]);
		row(r, (const void *[]){ to });
	}
}
