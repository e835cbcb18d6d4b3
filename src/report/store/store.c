// SPDX-License-Identifier: BSD-2-Clause
#include "store_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/hash.h>

/* ---- registry ----------------------------------------------------------------------- */

#define STORE_COUNTER (TRACE_KEY_COUNTER | TRACE_KEY_HOST_COUNTER | TRACE_KEY_COUNTER32)

static bool store_adds_up(const struct trace_key_desc *k)
{
	return k->flags & (TRACE_KEY_SUM | STORE_COUNTER);
}

/* For COUNTER types: returns the dim that is a further part of an element's identity, or 0 if there is no such dim. */
static unsigned int store_dim_of_value(const struct trace_key_desc *k)
{
	return k->flags & TRACE_KEY_PER_CPU ? STORE_CPU :
	       k->flags & TRACE_KEY_EACH    ? STORE_EACH :
					      0;
}

bool store_query_all(struct store_query *q, unsigned int type)
{
	size_t n, ndims = 0;
	const struct trace_key_desc *k = trace_type_keys(type, &n);
	bool counts = trace_type_is_counter(type), adds_up = false;
	unsigned int dim = 0;

	*q = (struct store_query){ .type = type, .most = STORE_SERIES };
	if (!k || (!counts && !trace_type_is_since(type)))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (k[i].flags & (counts ? TRACE_KEY_ABOUT : TRACE_KEY_DIM) && ndims < STORE_DIMS)
			q->dim[ndims++] = k[i].key;
		if (k[i].flags & TRACE_KEY_WEIGHT)
			return false;
		if (store_adds_up(&k[i]) && store_dim_of_value(&k[i]))
			dim = store_dim_of_value(&k[i]);
		adds_up |= store_adds_up(&k[i]);
	}
	if (dim && ndims < STORE_DIMS)
		q->dim[ndims++] = (uint8_t)dim;
	return adds_up;
}

static void store_learn(struct store *s, const struct trace_key_desc *k)
{
	if (store_adds_up(k) && s->nvalues < STORE_VALUES &&
	    !(s->columns && k->kind == TRACE_UINT)) {
		s->value_of[k->key] = (uint8_t)s->nvalues;
		s->value[s->nvalues++] = k;
	}
	if (k->flags & TRACE_KEY_BIN)
		s->bin = k->key;
	if (k->flags & TRACE_KEY_WEIGHT)
		s->weight = k->key;
	if (k->flags & TRACE_KEY_MIN)
		s->min = k->key;
	if (k->flags & TRACE_KEY_MAX)
		s->max = k->key;
}

static const struct trace_key_desc *store_desc(const struct store_query *q, unsigned int key)
{
	const struct trace_key_desc *k = q->keys;

	if (!k)
		return trace_key_desc(q->type, key);
	while (k->key != key)
		k++;
	return k;
}

/* Looks up the query's dims, and finds out whether the elements of columns belong to separate rows. */
static void store_learn_dims(struct store *s)
{
	for (; s->q->dim[s->ndims]; s->ndims++) {
		unsigned int key = s->q->dim[s->ndims];

		s->dim[s->ndims] = key == STORE_CPU  ? &s->cpu :
				   key == STORE_EACH ? &s->each :
						       store_desc(s->q, key);
		s->columns |= key >= STORE_CPU || s->dim[s->ndims]->flags & TRACE_KEY_COLUMN;
	}
}

/* Learns the keys of the type. The keys of its values contain the kind of the ids of STORE_EACH. */
static void store_learn_all(struct store *s)
{
	size_t n = 0;
	const struct trace_key_desc *k = s->q->keys ? s->q->keys : trace_type_keys(s->q->type, &n);

	s->cpu = (struct trace_key_desc){ .key = STORE_CPU, .kind = TRACE_UINTS, .name = "cpu" };
	s->each = (struct trace_key_desc){ .key = STORE_EACH, .kind = TRACE_UINTS, .name = "id" };
	store_learn_dims(s);
	for (size_t i = 0; s->q->keys ? k[i].name != NULL : i < n; i++) {
		if (k[i].flags & TRACE_KEY_EACH)
			s->each.ids = k[i].ids;
		store_learn(s, &k[i]);
	}
}

int store_new(struct store **sp, const struct store_query *q)
{
	struct store *s = calloc(1, sizeof(*s));

	*sp = s;
	if (!s)
		return -ENOMEM;
	s->q = q;
	s->counts = !q->keys && trace_type_is_counter(q->type);
	store_learn_all(s);
	return 0;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->dist && i < s->n; i++)
		dist_free(&s->dist[i]);
	free(s->row);
	free(s->dims);
	free(s->dist);
	free(s->touched);
	free(s->place);
	free(s->v);
	free(s->text);
	free(s->last);
	free(s->known);
	free(s);
}

/* ---- texts ------------------------------------------------------------------------------- */

/* Returns a character as it is stored. A text in a trace may contain zero bytes, which are stored as '?'. */
static char store_char(char c)
{
	return c ? c : '?';
}

static bool store_is_text_of(const char *kept, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (kept[i] != store_char(text[i]))
			return false; /* also if `kept` is shorter: its NUL differs */
	return !kept[len];
}

static uint64_t store_hash_text(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = hash_add(hash, &(char){ store_char(text[i]) }, 1);
	return hash;
}

int store_keep_text(struct store *s, const char *text, size_t len, uint32_t *at)
{
	*at = 0;
	if (!s->ntext)
		s->ntext = 1;
	if (!len)
		return 0;
	if (s->ntext + len + 1 > UINT32_MAX ||
	    array_reserve(&s->text, &s->cap_text, s->ntext + len + 1, 1))
		return -ENOMEM;
	*at = (uint32_t)s->ntext;
	for (size_t i = 0; i < len; i++)
		s->text[s->ntext + i] = store_char(text[i]);
	s->text[s->ntext + len] = '\0';
	s->ntext += len + 1;
	return 0;
}

static const char *store_text_at(const struct store *s, uint64_t at)
{
	return at ? s->text + at : "";
}

/* ---- rows by dims ------------------------------------------------------------------- */

/* Mixes v into the hash so that all bits of v affect the low bits. */
static uint64_t store_hash_number(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

static uint64_t store_hash(const struct store *s, const struct store_dim dim[])
{
	uint64_t h = HASH_START;

	for (size_t i = 0; i < s->ndims; i++)
		h = store_is_text(s->dim[i]) ? store_hash_text(h, dim[i].s, dim[i].len) :
					       store_hash_number(h, dim[i].v);
	return h ^ h >> 32;
}

static bool store_is_row(const struct store *s, size_t row, const struct store_dim dim[])
{
	const uint64_t *had = &s->dims[row * s->ndims];

	for (size_t i = 0; i < s->ndims; i++) {
		bool same = store_is_text(s->dim[i]) ? store_is_text_of(store_text_at(s, had[i]),
									dim[i].s, dim[i].len) :
						       had[i] == dim[i].v;

		if (!same)
			return false;
	}
	return true;
}

/* Returns the slot of the row with these dims, or a free slot if there is no such row. */
static uint32_t *store_place(const struct store *s, const struct store_dim dim[])
{
	size_t i = store_hash(s, dim) & (s->places - 1);

	while (s->place[i] && !store_is_row(s, s->place[i] - 1, dim))
		i = (i + 1) & (s->places - 1);
	return &s->place[i];
}

static void store_key_of(const struct store *s, size_t row, struct store_key *k)
{
	for (size_t i = 0; i < s->ndims; i++) {
		k->dim[i].v = s->dims[row * s->ndims + i];
		if (!store_is_text(s->dim[i]))
			continue;
		k->dim[i].s = store_text_at(s, k->dim[i].v);
		k->dim[i].len = strlen(k->dim[i].s);
	}
}

static int store_grow_places(struct store *s)
{
	size_t places = s->places ? 2 * s->places : 64;
	uint32_t *place;
	struct store_key k;

	if (2 * (s->n + 1) <= s->places)
		return 0;
	place = calloc(places, sizeof(*place));
	if (!place)
		return -ENOMEM;
	free(s->place);
	s->place = place;
	s->places = places;
	for (size_t i = 0; i < s->n; i++) {
		store_key_of(s, i, &k);
		*store_place(s, k.dim) = (uint32_t)i + 1;
	}
	return 0;
}

/*
 * Returns the value before the first reading of a counter. This value is 0 if the counter counts from the start of the
 * recording and its id is defined on first use. Such a counter was 0 when the other counters were read earlier.
 */
static uint64_t store_last_at_first(const struct store *s, const struct trace_key_desc *value)
{
	return value->flags & TRACE_KEY_COUNTER && value->flags & TRACE_KEY_EACH && s->records ?
		       0 :
		       TRACE_NIL;
}

static int store_reserve_last(struct store *s)
{
	if (array_reserve(&s->last, &s->cap_last, (s->n + 1) * s->nvalues, sizeof(*s->last)) ||
	    array_reserve(&s->known, &s->cap_known, s->n + 1, sizeof(*s->known)))
		return -ENOMEM;
	for (size_t i = 0; i < s->nvalues; i++)
		s->last[s->n * s->nvalues + i] = store_last_at_first(s, s->value[i]);
	s->known[s->n] = 0;
	return 0;
}

static int store_add_row(struct store *s, const struct store_key *k, size_t *row)
{
	uint64_t *dim;
	int err = store_grow_places(s);

	if (err || s->n == UINT32_MAX - 1 ||
	    array_reserve(&s->row, &s->cap_row, s->n + 1, sizeof(*s->row)) ||
	    array_reserve(&s->dims, &s->cap_dims, (s->n + 1) * s->ndims, sizeof(*s->dims)) ||
	    array_reserve(&s->touched, &s->cap_touched, s->n + 1, sizeof(*s->touched)) ||
	    (s->bin && array_reserve(&s->dist, &s->cap_dist, s->n + 1, sizeof(*s->dist))) ||
	    (s->counts && store_reserve_last(s)))
		return -ENOMEM;
	dim = &s->dims[s->n * s->ndims];
	for (size_t i = 0; i < s->ndims; i++) {
		uint32_t at;

		dim[i] = k->dim[i].v;
		if (!store_is_text(s->dim[i]))
			continue;
		if (store_keep_text(s, k->dim[i].s, k->dim[i].len, &at))
			return -ENOMEM;
		dim[i] = at;
	}
	s->row[s->n] = (struct store_row){ 0 };
	if (s->bin)
		s->dist[s->n] = (struct dist){ 0 };
	*store_place(s, k->dim) = (uint32_t)s->n + 1;
	*row = s->n++;
	return 0;
}

/*
 * Clears the dims of a row that is added to the rest. Dims with few possible values are kept, so the number of rest
 * rows stays small.
 */
static void store_forget_dims(const struct store *s, struct store_key *k)
{
	for (size_t i = 0; i < s->ndims; i++) {
		if (!s->dim[i]->known)
			k->dim[i].v = TRACE_NIL;
		k->dim[i].s = "";
		k->dim[i].len = 0;
	}
}

/* Returns the dim that gives the kind of a row, or NULL if there is no such dim. */
static uint64_t *store_which(const struct store *s, struct store_key *k)
{
	for (size_t i = 0; i < s->ndims; i++)
		if (s->dim[i]->key == s->q->which)
			return &k->dim[i].v;
	return NULL;
}

static bool store_is_known(const struct store *s, const struct store_key *k)
{
	for (size_t i = 0; i < s->ndims; i++)
		if (store_is_text(s->dim[i]) ? k->dim[i].len > 0 :
					       !s->dim[i]->known && k->dim[i].v != TRACE_NIL)
			return true;
	return false;
}

int store_row_of(struct store *s, struct store_key *k, size_t *row)
{
	uint64_t *which = store_which(s, k);
	uint32_t *place;

	if (which && *which != s->q->one)
		store_forget_dims(s, k);
	place = s->places ? store_place(s, k->dim) : NULL;
	if ((!place || !*place) && s->q->most && s->n >= s->q->most && store_is_known(s, k)) {
		if (s->counts) { /* readings of several counters cannot be added up to a counter */
			s->left_out++;
			return 0;
		}
		store_forget_dims(s, k);
		if (which)
			*which = s->q->rest;
		place = store_place(s, k->dim);
	}
	if (!place || !*place)
		return store_add_row(s, k, row);
	*row = *place - 1;
	return 0;
}

/* ---- values ------------------------------------------------------------------------------ */

static unsigned int store_place_of(uint64_t has, unsigned int value)
{
	return (unsigned int)__builtin_popcountll(has & ((UINT64_C(1) << value) - 1));
}

/* Allocates room for n values, from the free list or at the end. */
static int store_take_room(struct store *s, unsigned int n, uint32_t *at)
{
	size_t first = s->nv ? s->nv : 1;

	*at = s->free[n];
	if (*at) {
		s->free[n] = (uint32_t)s->v[*at];
		return 0;
	}
	if (first + n > UINT32_MAX || array_reserve(&s->v, &s->cap_v, first + n, sizeof(*s->v)))
		return -ENOMEM;
	*at = (uint32_t)first;
	s->nv = first + n;
	return 0;
}

static void store_give_back(struct store *s, struct store_row *r)
{
	unsigned int n = (unsigned int)__builtin_popcountll(r->has);

	if (!n)
		return;
	s->v[r->at] = s->free[n];
	s->free[n] = r->at;
	r->has = 0;
}

/* Inserts a value into a row, and moves the row's other values. Returns NULL if out of memory. */
static uint64_t *store_new_value(struct store *s, struct store_row *r, unsigned int value)
{
	unsigned int n = (unsigned int)__builtin_popcountll(r->has);
	unsigned int at = store_place_of(r->has, value);
	uint64_t has = r->has | UINT64_C(1) << value;
	uint32_t new;
	uint64_t *to;

	if (store_take_room(s, n + 1, &new))
		return NULL;
	to = s->v + new;
	if (n) {
		memcpy(to, s->v + r->at, at * sizeof(*to));
		memcpy(to + at + 1, s->v + r->at + at, (n - at) * sizeof(*to));
	}
	store_give_back(s, r);
	r->has = has;
	r->at = new;
	to[at] = 0;
	return &to[at];
}

static uint64_t *store_value_at(struct store *s, struct store_row *r, unsigned int value)
{
	if (!(r->has >> value & 1))
		return store_new_value(s, r, value);
	return &s->v[r->at + store_place_of(r->has, value)];
}

uint64_t store_sum(uint64_t a, uint64_t b)
{
	if (a == TRACE_NIL || b == TRACE_NIL)
		return TRACE_NIL;
	return a + b < a || a + b == TRACE_NIL ? TRACE_NIL - 1 : a + b;
}

static uint64_t store_signed_sum(uint64_t a, int64_t b)
{
	int64_t all;

	if (__builtin_add_overflow((int64_t)a, b, &all))
		all = b < 0 ? INT64_MIN : INT64_MAX;
	return (uint64_t)all;
}

int store_add(struct store *s, size_t row, unsigned int value, uint64_t v, bool sign)
{
	uint64_t *to;

	if (!v)
		return 0;
	to = store_value_at(s, &s->row[row], value);
	if (!to)
		return -ENOMEM;
	*to = sign ? store_signed_sum(*to, (int64_t)v) : store_sum(*to, v);
	return 0;
}

/* ---- rows without a record ---------------------------------------------------------- */

int store_put(struct store *s, const struct store_dim dim[], size_t *row)
{
	ptrdiff_t had = store_find_dims(s, dim);
	struct store_key k;
	int err = 0;

	*row = (size_t)had;
	if (had < 0) {
		memcpy(k.dim, dim, s->ndims * sizeof(*dim));
		err = store_row_of(s, &k, row);
	}
	if (!err)
		store_touch(s, *row);
	return err;
}

int store_put_value(struct store *s, size_t row, unsigned int key, uint64_t v)
{
	return store_add(s, row, s->value_of[key], v, false);
}

int store_put_ns(struct store *s, size_t row, uint64_t ns)
{
	return dist_add(&s->dist[row], ns);
}

void store_clear(struct store *s)
{
	for (size_t i = 0; i < s->ntouched; i++) {
		struct store_row *r = &s->row[s->touched[i]];

		store_give_back(s, r);
		if (s->bin)
			dist_clear(&s->dist[s->touched[i]]);
		if (s->counts)
			s->known[s->touched[i]] = 0;
		r->touched = false;
	}
	s->ntouched = 0;
}

/* ---- results ------------------------------------------------------------------------ */

size_t store_rows(const struct store *s)
{
	return s->n;
}

ptrdiff_t store_find_dims(const struct store *s, const struct store_dim dim[])
{
	return s->places ? (ptrdiff_t)*store_place(s, dim) - 1 : -1;
}

ptrdiff_t store_find(const struct store *s, const uint64_t dim[])
{
	struct store_dim dims[STORE_DIMS];

	for (size_t i = 0; i < s->ndims; i++)
		dims[i].v = dim[i];
	return store_find_dims(s, dims);
}

ptrdiff_t store_find_like(const struct store *s, const struct store *of, size_t row)
{
	struct store_key k;

	store_key_of(of, row, &k);
	return store_find_dims(s, k.dim);
}

size_t store_touched(const struct store *s, const uint32_t **row)
{
	*row = s->touched;
	return s->ntouched;
}

static size_t store_dim_of(const struct store *s, unsigned int key)
{
	size_t i = 0;

	while (s->q->dim[i] != key)
		i++;
	return i;
}

uint64_t store_dim(const struct store *s, size_t row, unsigned int key)
{
	return s->dims[row * s->ndims + store_dim_of(s, key)];
}

const char *store_text(const struct store *s, size_t row, unsigned int key)
{
	return store_text_at(s, store_dim(s, row, key));
}

const char *store_name(const struct store *s, size_t row)
{
	return store_text_at(s, s->row[row].name);
}

uint64_t store_value(const struct store *s, size_t row, unsigned int key)
{
	const struct store_row *r = &s->row[row];
	unsigned int value = s->value_of[key];

	if (s->counts && !(s->known[row] >> value & 1))
		return TRACE_NIL;
	return r->has >> value & 1 ? s->v[r->at + store_place_of(r->has, value)] : 0;
}

int64_t store_signed(const struct store *s, size_t row, unsigned int key)
{
	return (int64_t)store_value(s, row, key);
}

const struct dist *store_dist(const struct store *s, size_t row)
{
	return &s->dist[row];
}

bool store_has(const struct store *s, unsigned int key)
{
	return s->seen >> s->value_of[key] & 1;
}

size_t store_bytes(const struct store *s)
{
	return s->cap_row * sizeof(*s->row) + s->cap_dims * sizeof(*s->dims) +
	       s->cap_v * sizeof(*s->v) + s->places * sizeof(*s->place) + s->cap_text +
	       s->cap_touched * sizeof(*s->touched) + s->cap_last * sizeof(*s->last) +
	       s->cap_known * sizeof(*s->known);
}

bool store_is_first(const struct store *s, size_t row, unsigned int key)
{
	return s->counts && s->last[row * s->nvalues + s->value_of[key]] != TRACE_NIL &&
	       !(s->known[row] >> s->value_of[key] & 1);
}

uint64_t store_records(const struct store *s)
{
	return s->records;
}

uint64_t store_fell(const struct store *s)
{
	return s->fell;
}

uint64_t store_left_out(const struct store *s)
{
	return s->left_out;
}

const struct trace_key_desc *store_dim_desc(const struct store *s, size_t i)
{
	return i < s->ndims ? s->dim[i] : NULL;
}

const struct trace_key_desc *store_value_desc(const struct store *s, size_t i)
{
	return i < s->nvalues ? s->value[i] : NULL;
}
