// SPDX-License-Identifier: BSD-2-Clause
/* SCHEMA: how a trace describes its own records; written from the registry, and read for what is not in it. */
#include "schema.h"

#include <string.h>

/* ---- written ----------------------------------------------------------------------------- */

#define MOST (TRACE_KEYS_MAX + TRACE_TYPES_MAX)

/* A row for each type, with those of its keys after it. */
struct row {
	unsigned int type, key;
	const char *name, *kind, *unit, *meaning;
};

static const char *meaning(const struct trace_key_desc *k)
{
	bool counts = k->flags & (TRACE_KEY_COUNTER | TRACE_KEY_HOST_COUNTER | TRACE_KEY_COUNTER32);

	if (k->flags & TRACE_KEY_PER_CPU)
		return counts ? "counter, per CPU" : "per CPU";
	if (k->flags & TRACE_KEY_EACH)
		return counts ? "counter, per id" : "per id";
	return counts ? "counter" : "";
}

static size_t add_type(struct row *row, const struct trace_type_desc *t)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(t->type, &n);

	row[0] = (struct row){ t->type, 0, t->name, "", "", "" };
	for (size_t i = 0; i < n; i++, k++)
		row[i + 1] = (struct row){ k->type, k->key,    k->name, trace_kind_name(k->kind),
					   k->unit, meaning(k) };
	return n + 1;
}

static void begin_column(struct mp_buf *b, unsigned int key, size_t n)
{
	mp_buf_uint(b, key);
	mp_buf_head(b, MP_ARRAY, n);
}

/* at: where its texts are in a row. */
static void put_texts(struct mp_buf *b, unsigned int key, const struct row *row, size_t n,
		      size_t at)
{
	begin_column(b, key, n);
	for (size_t i = 0; i < n; i++) {
		const char *text = *(const char *const *)(const void *)((const char *)&row[i] + at);

		mp_buf_str(b, text, strlen(text));
	}
}

void schema_put(struct mp_buf *b)
{
	struct row row[MOST];
	size_t n = 0;

	for (unsigned int type = 0; type < TRACE_TYPES_MAX; type++)
		if (trace_type_desc(type))
			n += add_type(row + n, trace_type_desc(type));
	mp_buf_head(b, MP_ARRAY, 2);
	mp_buf_uint(b, TRACE_SCHEMA);
	mp_buf_head(b, MP_MAP, 6);
	begin_column(b, TRACE_SCHEMA_RECORD, n);
	for (size_t i = 0; i < n; i++)
		mp_buf_uint(b, row[i].type);
	begin_column(b, TRACE_SCHEMA_KEY, n);
	for (size_t i = 0; i < n; i++)
		mp_buf_uint(b, row[i].key);
	put_texts(b, TRACE_SCHEMA_NAME, row, n, offsetof(struct row, name));
	put_texts(b, TRACE_SCHEMA_KIND, row, n, offsetof(struct row, kind));
	put_texts(b, TRACE_SCHEMA_UNIT, row, n, offsetof(struct row, unit));
	put_texts(b, TRACE_SCHEMA_MEANING, row, n, offsetof(struct row, meaning));
}

/* ---- read -------------------------------------------------------------------------------- */

const struct schema_row *schema_find(const struct schema *s, uint64_t type, uint64_t key)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].type == type && s->row[i].key == key)
			return &s->row[i];
	return NULL;
}

static bool is_name(const char *s, uint32_t n)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

	for (uint32_t i = 0; i < n; i++)
		if (!s[i] || !strchr(letters, s[i]))
			return false;
	return n && n <= SCHEMA_NAME;
}

/* In a record every name occurs once, and "type" is the record's own. */
static bool is_taken(const struct schema *s, const struct schema_row *r)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(r->type, &n);

	for (; n--; k++)
		if (!strcmp(k->name, r->name))
			return true;
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].type == r->type && s->row[i].key && !strcmp(s->row[i].name, r->name))
			return true;
	return !strcmp(r->name, "type");
}

static bool is_known(const struct schema_row *r)
{
	return r->key ? trace_key_desc(r->type, r->key) != NULL : trace_type_desc(r->type) != NULL;
}

static uint8_t kind_of(const char *s, uint32_t n)
{
	for (uint8_t kind = TRACE_UINT; kind <= TRACE_STRS; kind++)
		if (strlen(trace_kind_name(kind)) == n && !memcmp(trace_kind_name(kind), s, n))
			return kind;
	return 0;
}

void schema_take(struct schema *s, const struct trace_record *rec)
{
	struct trace_column types = trace_record_column(rec, TRACE_SCHEMA_RECORD);
	struct trace_column keys = trace_record_column(rec, TRACE_SCHEMA_KEY);
	struct trace_column names = trace_record_column(rec, TRACE_SCHEMA_NAME);
	struct trace_column kinds = trace_record_column(rec, TRACE_SCHEMA_KIND);
	const char *name = NULL, *kind = NULL;
	uint32_t name_len = 0, kind_len = 0;
	uint64_t type, key = 0;

	while (s->n < SCHEMA_ROWS && trace_column_uint(&types, &type) &&
	       trace_column_uint(&keys, &key) && trace_column_str(&names, &name, &name_len) &&
	       trace_column_str(&kinds, &kind, &kind_len)) {
		struct schema_row r = { .kind = kind_of(kind, kind_len) };

		if (!type || type >= TRACE_TYPES_MAX || key >= SCHEMA_KEYS ||
		    !is_name(name, name_len))
			continue;
		r.type = (uint8_t)type;
		r.key = (uint8_t)key;
		memcpy(r.name, name, name_len);
		if (is_known(&r) || schema_find(s, type, key))
			continue;
		if (!key || (r.kind && !is_taken(s, &r)))
			s->row[s->n++] = r;
	}
}
