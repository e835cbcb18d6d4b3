// SPDX-License-Identifier: BSD-2-Clause
#include "cut_ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/idmap.h>

#include "cut_rows.h"
#include "report/spec/check.h"

#define COLUMNS 3

struct definition {
	uint64_t v[COLUMNS]; /* a string: where it begins in cut_ids.text */
	uint32_t len;	     /* of the string */
	uint32_t id;	     /* the new one; 0: nobody has named it yet */
};

struct table {
	struct definition *def; /* by id */
	size_t size;
	uint32_t used;	 /* new ids given */
	struct rows due; /* definitions whose time has come … */
	uint32_t first;	 /* … from this new id on */
	size_t bytes;	 /* of them */
	bool told;	 /* cut_ids_next() has given them */
};

struct cut_ids {
	struct check *check;
	struct table table[TRACE_IDS_COUNT];
	struct idmap leaders; /* process id to the last task that was its first thread */
	char *text;
	size_t text_len, text_size;
	bool failed; /* no memory */
};

static const struct sort {
	uint8_t type, ncolumns, key[COLUMNS];
} sorts[TRACE_IDS_COUNT] = {
	[TRACE_IDS_SYMBOL] = { TRACE_SYMBOLS,
			       3,
			       { TRACE_SYMBOLS_NAME, TRACE_SYMBOLS_MODULE, TRACE_SYMBOLS_OFFSET } },
	[TRACE_IDS_STACK] = { TRACE_STACKS, 2, { TRACE_STACKS_UP, TRACE_STACKS_SYMBOL } },
	[TRACE_IDS_TASK] = { TRACE_TASKS,
			     3,
			     { TRACE_TASKS_TID, TRACE_TASKS_TGID, TRACE_TASKS_COMM } },
	[TRACE_IDS_CGROUP] = { TRACE_CGROUPS, 1, { TRACE_CGROUPS_PATH } },
};

struct cut_ids *cut_ids_new(void)
{
	struct cut_ids *ids = calloc(1, sizeof(*ids));

	if (!ids)
		return NULL;
	ids->check = check_new();
	if (ids->check)
		return ids;
	cut_ids_free(ids);
	return NULL;
}

void cut_ids_free(struct cut_ids *ids)
{
	if (!ids)
		return;
	for (int i = 0; i < TRACE_IDS_COUNT; i++) {
		free(ids->table[i].def);
		rows_free(&ids->table[i].due);
	}
	check_free(ids->check);
	idmap_free(&ids->leaders);
	free(ids->text);
	free(ids);
}

uint32_t cut_ids_highest(const struct cut_ids *ids, enum trace_ids sort)
{
	return check_highest(ids->check, sort);
}

/* ---- taking in --------------------------------------------------------------------------- */

static int reserve(struct table *t, size_t need)
{
	size_t had = t->size;
	int err = array_reserve(&t->def, &t->size, need, sizeof(*t->def));

	if (!err && t->size > had)
		memset(t->def + had, 0, (t->size - had) * sizeof(*t->def));
	return err;
}

static int keep_text(struct cut_ids *ids, struct definition *d, unsigned int column, const char *s,
		     uint32_t len)
{
	if (array_reserve(&ids->text, &ids->text_size, ids->text_len + len, 1))
		return -ENOMEM;
	if (len)
		memcpy(ids->text + ids->text_len, s, len);
	d->v[column] = ids->text_len;
	d->len = len;
	ids->text_len += len;
	return 0;
}

static int take_column(struct cut_ids *ids, const struct trace_record *rec, unsigned int column,
		       unsigned int key, struct definition *d)
{
	struct trace_column c = trace_record_column(rec, key);
	unsigned int kind = trace_key_desc(rec->type, key)->kind;
	const char *s;
	uint32_t len;
	int64_t v;
	int err = 0;

	if (kind == TRACE_UINTS)
		while (trace_column_uint(&c, &d->v[column]))
			d++;
	else if (kind == TRACE_INTS)
		for (; trace_column_int(&c, &v); d++)
			d->v[column] = (uint64_t)v;
	else
		for (; !err && trace_column_str(&c, &s, &len); d++)
			err = keep_text(ids, d, column, s, len);
	return err;
}

/* Who names a process, though it may have no samples. */
static int keep_leaders(struct cut_ids *ids, uint32_t first, uint32_t n)
{
	const struct definition *def = ids->table[TRACE_IDS_TASK].def;
	int err = 0;

	for (uint32_t id = first; id - first < n && !err; id++)
		if (def[id].v[0] == def[id].v[1])
			err = idmap_set(&ids->leaders, def[id].v[1], id);
	return err;
}

int cut_ids_take(struct cut_ids *ids, const struct trace_record *rec)
{
	const struct trace_key_desc *k = trace_type_defines(rec->type);
	const struct sort *sort = &sorts[k->ids];
	struct table *t = &ids->table[k->ids];
	uint32_t first = check_highest(ids->check, k->ids) + 1;
	/* One more than there are: the walk of a column ends behind its last element. */
	int err = reserve(t, (size_t)first + trace_record_rows(rec) + 1);

	if (!err)
		err = check_record(ids->check, rec, NULL);
	for (unsigned int i = 0; i < sort->ncolumns && !err; i++)
		err = take_column(ids, rec, i, sort->key[i], &t->def[first]);
	if (!err && k->ids == TRACE_IDS_TASK)
		err = keep_leaders(ids, first, trace_record_rows(rec));
	return err;
}

/* ---- giving out -------------------------------------------------------------------------- */

/* The row of a definition, with values that name what has new ids. */
static void put_row(struct cut_ids *ids, enum trace_ids sort, const struct definition *d,
		    const uint64_t *v)
{
	struct table *t = &ids->table[sort];

	if (t->told)
		rows_clear(&t->due);
	t->told = false;
	if (!t->due.n[0])
		t->first = t->used;
	for (unsigned int i = 0; i < sorts[sort].ncolumns; i++) {
		unsigned int kind = trace_key_desc(sorts[sort].type, sorts[sort].key[i])->kind;

		if (kind == TRACE_UINTS)
			rows_uint(&t->due, i, v[i]);
		else if (kind == TRACE_INTS)
			rows_int(&t->due, i, (int64_t)v[i]);
		else
			rows_str(&t->due, i, d->len ? ids->text + v[i] : "", d->len);
	}
	t->bytes = rows_bytes(&t->due);
	ids->failed |= t->due.failed;
}

static uint32_t use(struct cut_ids *ids, enum trace_ids sort, uint32_t id)
{
	struct table *t = &ids->table[sort];
	struct definition *d = &t->def[id];

	if (!id || d->id)
		return id ? d->id : 0;
	d->id = ++t->used;
	put_row(ids, sort, d, d->v);
	return d->id;
}

/* Callers first, as deep as stacks are. */
static uint32_t use_stack(struct cut_ids *ids, uint32_t id)
{
	struct table *t = &ids->table[TRACE_IDS_STACK];
	uint32_t path[TRACE_MAX_STACK], n = 0, caller = 0;

	while (id && !t->def[id].id) {
		path[n++] = id;
		id -= (uint32_t)t->def[id].v[0];
	}
	caller = id ? t->def[id].id : 0;
	while (n) {
		struct definition *d = &t->def[path[--n]];
		uint64_t v[COLUMNS] = { 0 };

		d->id = ++t->used;
		v[0] = d->id - caller;
		v[1] = use(ids, TRACE_IDS_SYMBOL, (uint32_t)d->v[1]);
		put_row(ids, TRACE_IDS_STACK, d, v);
		caller = d->id;
	}
	return caller;
}

/* And, once, whom its process is called after. */
static uint32_t use_task(struct cut_ids *ids, uint32_t id)
{
	const struct definition *d = &ids->table[TRACE_IDS_TASK].def[id];

	if (!d->id)
		use(ids, TRACE_IDS_TASK, idmap_get(&ids->leaders, d->v[1]));
	return use(ids, TRACE_IDS_TASK, id);
}

uint32_t cut_ids_use(struct cut_ids *ids, enum trace_ids sort, uint32_t id)
{
	if (!id)
		return 0;
	return sort == TRACE_IDS_STACK ? use_stack(ids, id) :
	       sort == TRACE_IDS_TASK  ? use_task(ids, id) :
					 use(ids, sort, id);
}

size_t cut_ids_due(const struct cut_ids *ids)
{
	size_t n = 0;

	for (int i = 0; i < TRACE_IDS_COUNT; i++)
		n += ids->table[i].bytes;
	return n;
}

int cut_ids_next(struct cut_ids *ids, struct trace_record *rec)
{
	/* In this order: each may name the one before it. */
	static const enum trace_ids order[] = { TRACE_IDS_SYMBOL, TRACE_IDS_STACK, TRACE_IDS_TASK,
						TRACE_IDS_CGROUP };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && !ids->failed; i++) {
		const struct sort *sort = &sorts[order[i]];
		struct table *t = &ids->table[order[i]];

		if (t->told || !t->due.n[0])
			continue;
		t->told = true;
		t->bytes = 0;
		rec->type = sort->type;
		rec->field[0] = (struct trace_field){ .key = trace_type_defines(sort->type)->key,
						      .kind = TRACE_UINT,
						      .v = t->first };
		for (unsigned int c = 0; c < sort->ncolumns; c++)
			rec->field[1 + c] =
				rows_field(&t->due, c, sort->key[c],
					   trace_key_desc(sort->type, sort->key[c])->kind);
		rec->nfields = 1 + sort->ncolumns;
		return 1;
	}
	return ids->failed ? -ENOMEM : 0;
}
