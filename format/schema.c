// SPDX-License-Identifier: BSD-2-Clause
/*
 * Writes and reads SCHEMA and NAMES, in which a trace describes its own records. They are written from the registry,
 * and read for types and keys that the registry lacks.
 */
#include "schema.h"

#include <stdio.h>
#include <string.h>

/* ---- writing ----------------------------------------------------------------------------- */

#define MOST (TRACE_KEYS_MAX + TRACE_TYPES_MAX)
#define MEANING 96

/* A row of SCHEMA. Each type has a row, and the rows of its keys follow. */
struct row {
	unsigned int type, key;
	const char *name, *kind, *unit;
	char meaning[MEANING];
};

/* Returns the name of the record type that defines ids of this sort. */
static const char *definer(uint8_t ids)
{
	for (unsigned int type = 0; type < TRACE_TYPES_MAX; type++) {
		const struct trace_key_desc *k = trace_type_defines(type);

		if (k && k->ids == ids)
			return trace_type_desc(type)->name;
	}
	return "";
}

static void add_words(char *to, const char *words, const char *name)
{
	size_t n = strlen(to);

	snprintf(to + n, MEANING - n, "%s%s%s%s", n ? ", " : "", words, *name ? " " : "", name);
}

/* Writes the words of the flags in the registry's order, then the sort of ids, then the enumeration. */
static void set_meaning(char *to, const struct trace_key_desc *k)
{
	const char *name;
	size_t n;

	for (unsigned int bit = 1; bit < 1 << TRACE_KEY_BITS; bit <<= 1)
		if (k->flags & bit)
			add_words(to, trace_flag_words(bit),
				  bit == TRACE_KEY_EACH ? definer(k->ids) : "");
	if (trace_key_is_id(k))
		add_words(to, "id of", definer(k->ids));
	if (!k->one_of)
		return;
	trace_enum_names(k->one_of, &name, &n);
	add_words(to, "one of", name);
}

static size_t add_type(struct row *row, const struct trace_type_desc *t)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(t->type, &n);

	row[0] = (struct row){ t->type, 0, t->name, "", "", "" };
	for (size_t i = 1; i <= n; i++, k++) {
		row[i] = (struct row){ k->type, k->key, k->name, trace_kind_name(k->kind),
				       k->unit, "" };
		set_meaning(row[i].meaning, k);
	}
	return n + 1;
}

static void begin_record(struct mp_buf *b, unsigned int type, unsigned int nfields)
{
	mp_buf_head(b, MP_ARRAY, 2);
	mp_buf_uint(b, type);
	mp_buf_head(b, MP_MAP, nfields);
}

static void begin_column(struct mp_buf *b, unsigned int key, size_t n)
{
	mp_buf_uint(b, key);
	mp_buf_head(b, MP_ARRAY, n);
}

static void put_text(struct mp_buf *b, const char *text)
{
	mp_buf_str(b, text, strlen(text));
}

static void put_rows(struct mp_buf *b, const struct row *row, size_t n)
{
	begin_record(b, TRACE_SCHEMA, 6);
	begin_column(b, TRACE_SCHEMA_RECORD, n);
	for (size_t i = 0; i < n; i++)
		mp_buf_uint(b, row[i].type);
	begin_column(b, TRACE_SCHEMA_KEY, n);
	for (size_t i = 0; i < n; i++)
		mp_buf_uint(b, row[i].key);
	begin_column(b, TRACE_SCHEMA_NAME, n);
	for (size_t i = 0; i < n; i++)
		put_text(b, row[i].name);
	begin_column(b, TRACE_SCHEMA_KIND, n);
	for (size_t i = 0; i < n; i++)
		put_text(b, row[i].kind);
	begin_column(b, TRACE_SCHEMA_UNIT, n);
	for (size_t i = 0; i < n; i++)
		put_text(b, row[i].unit);
	begin_column(b, TRACE_SCHEMA_MEANING, n);
	for (size_t i = 0; i < n; i++)
		put_text(b, row[i].meaning);
}

static void put_names(struct mp_buf *b, enum trace_enum e)
{
	const char *of;
	size_t n;
	const char *const *name = trace_enum_names(e, &of, &n);

	begin_record(b, TRACE_NAMES, 3);
	mp_buf_uint(b, TRACE_NAMES_OF);
	put_text(b, of);
	begin_column(b, TRACE_NAMES_NUMBER, n);
	for (size_t i = 0; i < n; i++)
		mp_buf_uint(b, i);
	begin_column(b, TRACE_NAMES_NAME, n);
	for (size_t i = 0; i < n; i++)
		put_text(b, name[i]);
}

unsigned int schema_put(struct mp_buf *b)
{
	struct row row[MOST];
	size_t n = 0;

	for (unsigned int type = 0; type < TRACE_TYPES_MAX; type++)
		if (trace_type_desc(type))
			n += add_type(row + n, trace_type_desc(type));
	put_rows(b, row, n);
	for (enum trace_enum e = 1; e < TRACE_ENUM_COUNT; e++)
		put_names(b, e);
	return TRACE_ENUM_COUNT;
}

/* ---- reading ----------------------------------------------------------------------------- */

const struct schema_row *schema_find(const struct schema *s, uint64_t type, uint64_t key)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].type == type && s->row[i].key == key)
			return &s->row[i];
	return NULL;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789_"

static bool is_name(const char *s, uint32_t n, const char *letters)
{
	for (uint32_t i = 0; i < n; i++)
		if (!s[i] || !strchr(letters, s[i]))
			return false;
	return n && n <= SCHEMA_NAME;
}

/* Returns whether a name is used already. Names are unique within a record, and "type" is reserved. */
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

/* Copies the words of `meaning` after "one of ". */
static void take_one_of(char *to, const char *s, uint32_t n)
{
	static const char words[] = "one of ";
	const uint32_t skip = sizeof(words) - 1;

	for (const char *next; n; n -= (uint32_t)(next - s), s = next) {
		const char *end = memmem(s, n, ", ", 2);
		uint32_t len = end ? (uint32_t)(end - s) : n;

		next = end ? end + 2 : s + n;
		if (len <= skip || memcmp(s, words, skip) ||
		    !is_name(s + skip, len - skip, LETTERS))
			continue;
		memcpy(to, s + skip, len - skip);
		return;
	}
}

void schema_take(struct schema *s, const struct trace_record *rec)
{
	struct trace_column types = trace_record_column(rec, TRACE_SCHEMA_RECORD);
	struct trace_column keys = trace_record_column(rec, TRACE_SCHEMA_KEY);
	struct trace_column names = trace_record_column(rec, TRACE_SCHEMA_NAME);
	struct trace_column kinds = trace_record_column(rec, TRACE_SCHEMA_KIND);
	struct trace_column meanings = trace_record_column(rec, TRACE_SCHEMA_MEANING);
	const char *name = NULL, *kind = NULL, *meaning = NULL;
	uint32_t name_len = 0, kind_len = 0, meaning_len = 0;
	uint64_t type, key = 0;

	while (s->n < SCHEMA_ROWS && trace_column_uint(&types, &type) &&
	       trace_column_uint(&keys, &key) && trace_column_str(&names, &name, &name_len) &&
	       trace_column_str(&kinds, &kind, &kind_len)) {
		struct schema_row r = { .kind = kind_of(kind, kind_len) };

		if (trace_column_str(&meanings, &meaning, &meaning_len))
			take_one_of(r.one_of, meaning, meaning_len);
		if (!type || type >= TRACE_TYPES_MAX || key >= SCHEMA_KEYS ||
		    !is_name(name, name_len, LETTERS))
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

const char *schema_name(const struct schema *s, const char *of, uint64_t number)
{
	for (size_t i = 0; i < s->nnumbers; i++)
		if (s->number[i].number == number && !strcmp(s->number[i].of, of))
			return s->number[i].name;
	return NULL;
}

void schema_take_names(struct schema *s, const struct trace_record *rec)
{
	struct trace_column numbers = trace_record_column(rec, TRACE_NAMES_NUMBER);
	struct trace_column names = trace_record_column(rec, TRACE_NAMES_NAME);
	const struct trace_field *of = trace_record_field(rec, TRACE_NAMES_OF);
	struct schema_number r = { 0 };
	const char *name;
	uint32_t len;

	if (!of || !is_name((const char *)of->p, of->n, LETTERS))
		return;
	memcpy(r.of, of->p, of->n);
	while (s->nnumbers < SCHEMA_ROWS && trace_column_uint(&numbers, &r.number) &&
	       trace_column_str(&names, &name, &len)) {
		if (r.number == TRACE_NIL || !is_name(name, len, LETTERS "-") ||
		    schema_name(s, r.of, r.number))
			continue;
		memset(r.name, 0, sizeof(r.name));
		memcpy(r.name, name, len);
		s->number[s->nnumbers++] = r;
	}
}
