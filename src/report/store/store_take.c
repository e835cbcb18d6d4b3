// SPDX-License-Identifier: BSD-2-Clause
/* Adds the values and counter readings of records to rows. */
#include "store_impl.h"

#include <errno.h>
#include <string.h>

/* ---- counters ---------------------------------------------------------------------------- */

/* Adds a reading of a counter. */
static int store_count(struct store *s, size_t row, unsigned int value, uint64_t now)
{
	uint64_t *last = &s->last[row * s->nvalues + value], was = *last;
	uint64_t rose = s->value[value]->flags & TRACE_KEY_COUNTER32 ? (uint32_t)(now - was) :
								       now - was;
	bool fell = now < was && !(s->value[value]->flags & TRACE_KEY_COUNTER32);

	if (was == TRACE_NIL) {
		*last = now;
		return 0;
	}
	if (now == TRACE_NIL && !(s->value[value]->flags & TRACE_KEY_UNBROKEN))
		return 0;
	s->known[row] |= UINT64_C(1) << value;
	*last = now;
	if (now == TRACE_NIL)
		return store_add(s, row, value, TRACE_NIL, false);
	s->fell += fell;
	return fell ? 0 : store_add(s, row, value, rose, false);
}

static int store_add_or_count(struct store *s, size_t row, unsigned int value, uint64_t v,
			      bool sign)
{
	return s->counts ? store_count(s, row, value, v) : store_add(s, row, value, v, sign);
}

static bool store_is_signed(const struct trace_key_desc *k)
{
	return k->kind == TRACE_INT || k->kind == TRACE_INTS;
}

/* ---- records that have one row: a histogram, or one number for each value ---- */

static int store_take_name(struct store *s, const struct trace_record *rec, size_t row)
{
	char name[TRACE_MAX_STR + 1];

	for (size_t i = 0; s->q->name[i] && !s->row[row].name; i++) {
		int err;

		if (!trace_record_field(rec, s->q->name[i]))
			continue;
		trace_record_str(rec, s->q->name[i], name, sizeof(name));
		err = store_keep_text(s, name, strlen(name), &s->row[row].name);
		if (err)
			return err;
	}
	return 0;
}

static int store_take_dist(struct store *s, const struct trace_record *rec, size_t row)
{
	struct trace_column buckets = trace_record_column(rec, s->bin);
	struct trace_column counts = trace_record_column(rec, s->weight);
	int err = dist_add_columns(&s->dist[row], buckets, counts,
				   trace_record_uint(rec, s->q->ns, TRACE_NIL));

	if (!err)
		dist_add_ends(&s->dist[row],
			      s->min ? trace_record_uint(rec, s->min, TRACE_NIL) : TRACE_NIL,
			      s->max ? trace_record_uint(rec, s->max, TRACE_NIL) : TRACE_NIL);
	return err;
}

static int store_take_one(struct store *s, const struct trace_record *rec)
{
	struct store_key k = { .dim = { { 0 } } };
	size_t row = SIZE_MAX;
	int err;

	if (s->bin && trace_record_column(rec, s->bin).n != trace_record_column(rec, s->weight).n)
		return -EBADMSG;
	for (size_t i = 0; i < s->ndims; i++) {
		k.dim[i].v = trace_record_uint(rec, s->dim[i]->key, TRACE_NIL);
		if (s->dim[i]->known && k.dim[i].v >= s->dim[i]->known)
			return 0;
	}
	err = store_row_of(s, &k, &row);
	if (err || row == SIZE_MAX)
		return err;
	store_touch(s, row);
	for (unsigned int i = 0; i < s->nvalues && !err; i++) {
		bool there = trace_record_field(rec, s->value[i]->key);

		s->seen |= (uint64_t)there << i;
		err = there ? store_add_or_count(
				      s, row, i,
				      trace_record_uint(rec, s->value[i]->key, TRACE_NIL), false) :
			      0;
	}
	if (!err && s->bin)
		err = store_take_dist(s, rec, row);
	return err ? err : store_take_name(s, rec, row);
}

/* ---- records that have many rows: each element of a column belongs to one row ---- */

struct store_cursor {
	struct trace_column c;
	bool there;
};

struct store_columns {
	struct store_cursor dim[STORE_DIMS], value[STORE_VALUES];
	uint64_t of_all[STORE_DIMS]; /* dims that occur once per record */
	const struct store_tick *tick;
	uint32_t n;
};

static bool store_cursor(struct store_columns *c, struct store_cursor *to,
			 const struct trace_record *rec, unsigned int key)
{
	to->there = trace_record_field(rec, key);
	if (to->there)
		to->c = trace_record_column(rec, key);
	return !to->there || to->c.n == c->n;
}

static bool store_is_once(const struct trace_key_desc *k)
{
	return k->kind == TRACE_UINT || k->kind == TRACE_STR;
}

/* Counts the elements of the columns. Returns false if the number of elements differs from the number of CPUs. */
static bool store_count_elements(const struct store *s, const struct trace_record *rec,
				 struct store_columns *c)
{
	unsigned int key = s->counts ? 0 : s->dim[0]->key;

	for (size_t i = 0; s->counts && i < s->nvalues; i++)
		if (trace_record_field(rec, s->value[i]->key))
			key = s->value[i]->key;
	c->n = key ? trace_record_column(rec, key).n : 0;
	if (!key)
		return true;
	return !c->tick || s->dim[s->ndims - 1] != &s->cpu || c->n == c->tick->n;
}

static bool store_columns(const struct store *s, const struct trace_record *rec,
			  struct store_columns *c)
{
	if (!store_count_elements(s, rec, c))
		return false;
	for (size_t i = 0; i < s->ndims; i++) {
		unsigned int key = s->dim[i]->key;

		if (store_is_once(s->dim[i]))
			c->of_all[i] = trace_record_uint(rec, key, TRACE_NIL);
		else if (key < STORE_CPU && !store_cursor(c, &c->dim[i], rec, key))
			return false;
	}
	for (size_t i = 0; i < s->nvalues; i++)
		if (!store_cursor(c, &c->value[i], rec, s->value[i]->key))
			return false;
	return true;
}

static uint64_t store_next_dim(struct store_columns *c, const struct trace_key_desc *dim, size_t i,
			       uint32_t element)
{
	uint64_t v = TRACE_NIL;

	if (dim->key == STORE_CPU)
		return c->tick ? c->tick->cpu[element] : TRACE_NIL;
	if (dim->key == STORE_EACH)
		return element + UINT64_C(1);
	if (store_is_once(dim))
		return c->of_all[i];
	if (c->dim[i].there)
		trace_column_uint(&c->dim[i].c, &v);
	return v;
}

/* Reads the dims of the next element. Returns false if the element is from a newer version. */
static bool store_next_key(const struct store *s, struct store_columns *c, uint32_t element,
			   struct store_key *k)
{
	bool known = true;

	for (size_t i = 0; i < s->ndims; i++) {
		const char *text = "";
		uint32_t len = 0;

		k->dim[i].v = TRACE_NIL;
		if (!store_is_text(s->dim[i]))
			k->dim[i].v = store_next_dim(c, s->dim[i], i, element);
		else if (c->dim[i].there)
			trace_column_str(&c->dim[i].c, &text, &len);
		k->dim[i].s = text;
		k->dim[i].len = len;
		known &= !s->dim[i]->known || k->dim[i].v < s->dim[i]->known;
	}
	return known;
}

/* Reads the next value of a column. If `row` is SIZE_MAX, the element is skipped: its values are read and discarded. */
static int store_next_value(struct store *s, struct store_cursor *c, unsigned int value, size_t row)
{
	bool sign = store_is_signed(s->value[value]);
	uint64_t v = 0;
	int64_t i = 0;

	if (!c->there)
		return 0;
	if (sign && trace_column_int(&c->c, &i))
		v = (uint64_t)i;
	else if (!sign)
		trace_column_uint(&c->c, &v);
	return row == SIZE_MAX ? 0 : store_add_or_count(s, row, value, v, sign);
}

static int store_take_columns(struct store *s, const struct trace_record *rec,
			      const struct store_tick *tick)
{
	struct store_columns c = { .tick = tick };
	struct store_key k;
	int err = 0;

	if (!store_columns(s, rec, &c))
		return -EBADMSG;
	for (unsigned int i = 0; i < s->nvalues; i++)
		s->seen |= (uint64_t)c.value[i].there << i;
	for (uint32_t e = 0; e < c.n && !err; e++) {
		size_t row = SIZE_MAX;

		if (store_next_key(s, &c, e, &k))
			err = store_row_of(s, &k, &row);
		if (!err && row != SIZE_MAX)
			store_touch(s, row);
		for (unsigned int i = 0; i < s->nvalues && !err; i++)
			err = store_next_value(s, &c.value[i], i, row);
	}
	return err;
}

int store_take(struct store *s, const struct trace_record *rec, const struct store_tick *tick)
{
	int err = s->columns ? store_take_columns(s, rec, tick) : store_take_one(s, rec);

	s->records++;
	return err;
}
