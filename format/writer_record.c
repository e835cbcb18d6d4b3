// SPDX-License-Identifier: BSD-2-Clause
/* Adds records to the current frame. */
#include <errno.h>
#include <string.h>

#include <netcost/utf8.h>

#include "schema.h"
#include "writer_impl.h"

void writer_begin(struct trace_writer *w, enum trace_type type)
{
	if (w->open || w->done)
		writer_fail(w, -EINVAL);
	w->open = true;
	w->type = type;
	w->record_at = w->body.n;
	w->nfields = 0;
	w->last_key = 0;
	w->about = TRACE_NIL;
	w->also = NULL;
	mp_buf_head(&w->body, MP_ARRAY, 2);
	mp_buf_uint(&w->body, type);
	w->map_at = w->body.n;
	/* a placeholder: trace_writer_end() sets the number of fields */
	mp_buf_head(&w->body, MP_MAP, 0);
}

void trace_writer_begin(struct trace_writer *w, enum trace_type type)
{
	/*
	 * HEADER is the first record and occurs only once. The library itself writes the schema, the frames and the
	 * end.
	 */
	if ((type == TRACE_HEADER) != !w->records || type == TRACE_SCHEMA || type == TRACE_NAMES ||
	    type == TRACE_FRAME || type == TRACE_INDEX || type == TRACE_END ||
	    !trace_type_desc(type))
		writer_fail(w, -EINVAL);
	writer_begin(w, type);
	w->also = writer_also(w, type);
	if (w->also)
		trace_writer_begin(w->also, type);
}

static const struct trace_key_desc *key(struct trace_writer *w, unsigned int key,
					enum trace_kind kind)
{
	const struct trace_key_desc *desc = trace_key_desc(w->type, key);

	if (!w->open || key <= w->last_key || !desc || desc->kind != kind)
		writer_fail(w, -EINVAL);
	w->nfields++;
	w->last_key = key;
	mp_buf_uint(&w->body, key);
	return desc;
}

/* ---- values ------------------------------------------------------------------------------ */

static int64_t checked(struct trace_writer *w, int64_t v)
{
	if (v > INT64_C(1) << 62 || v < -(INT64_C(1) << 62))
		writer_fail(w, -ERANGE);
	return v;
}

/*
 * Writes a string. Names of tasks and interfaces may consist of any bytes, which msgpack's strings do not allow, so
 * invalid UTF-8 becomes '?'. A string that is too long is truncated between two characters.
 */
static void put_str(struct trace_writer *w, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	char text[TRACE_MAX_STR];
	size_t n = 0, len;

	for (; *p; p += len ? len : 1) {
		len = utf8_len(p, strnlen((const char *)p, 4));
		if (n + (len ? len : 1) > sizeof(text))
			break;
		if (len)
			memcpy(text + n, p, len);
		else
			text[n] = '?';
		n += len ? len : 1;
	}
	mp_buf_str(&w->body, text, n);
}

/* The widths of numbers in the arrays that callers pass. */
enum width { U64, U32, I64, I32 };

static inline uint64_t number_at(const void *v, enum width width, size_t i)
{
	switch (width) {
	case U64:
		return ((const uint64_t *)v)[i];
	case U32:
		return ((const uint32_t *)v)[i];
	case I64:
		return (uint64_t)((const int64_t *)v)[i];
	default:
		return (uint64_t)((const int32_t *)v)[i];
	}
}

/* Writes a number. A value that cannot be a measurement becomes nil, like TRACE_NIL. */
static inline uint8_t *put_number(struct trace_writer *w, uint8_t *p, uint64_t v, enum width width)
{
	if (width == I64)
		checked(w, (int64_t)v);
	return width == I64 || width == I32 ? mp_put_int(p, (int64_t)v) :
					      mp_put_uint(p, v > INT64_MAX ? TRACE_NIL : v);
}

static inline void put_column(struct trace_writer *w, const void *v, enum width width, size_t n)
{
	uint8_t *p = mp_buf_room(&w->body, MP_HEAD_BYTES + n * MP_NUMBER_BYTES);

	if (!p)
		return;
	p = mp_put_head(p, MP_ARRAY, n);
	for (size_t i = 0; i < n; i++)
		p = put_number(w, p, number_at(v, width, i), width);
	mp_buf_end(&w->body, p);
}

void trace_writer_uint(struct trace_writer *w, unsigned int k, uint64_t v)
{
	const struct trace_key_desc *desc = key(w, k, TRACE_UINT);

	if (w->also)
		trace_writer_uint(w->also, k, v);
	if (v > INT64_MAX)
		writer_fail(w, -ERANGE);
	if (desc && desc->flags & TRACE_KEY_ABOUT)
		w->about = v;
	mp_buf_uint(&w->body, *writer_counted(w, desc, &v, 1));
}

void trace_writer_int(struct trace_writer *w, unsigned int k, int64_t v)
{
	key(w, k, TRACE_INT);
	if (w->also)
		trace_writer_int(w->also, k, v);
	mp_buf_int(&w->body, checked(w, v));
}

void trace_writer_str(struct trace_writer *w, unsigned int k, const char *s)
{
	key(w, k, TRACE_STR);
	if (w->also)
		trace_writer_str(w->also, k, s);
	put_str(w, s);
}

void trace_writer_uints(struct trace_writer *w, unsigned int k, const uint64_t *v, size_t n)
{
	const struct trace_key_desc *desc = key(w, k, TRACE_UINTS);

	if (w->also)
		trace_writer_uints(w->also, k, v, n);
	put_column(w, writer_counted(w, desc, v, n), U64, n);
}

void trace_writer_u32s(struct trace_writer *w, unsigned int k, const uint32_t *v, size_t n)
{
	key(w, k, TRACE_UINTS);
	if (w->also)
		trace_writer_u32s(w->also, k, v, n);
	put_column(w, v, U32, n);
}

void trace_writer_ints(struct trace_writer *w, unsigned int k, const int64_t *v, size_t n)
{
	key(w, k, TRACE_INTS);
	if (w->also)
		trace_writer_ints(w->also, k, v, n);
	put_column(w, v, I64, n);
}

void trace_writer_i32s(struct trace_writer *w, unsigned int k, const int32_t *v, size_t n)
{
	key(w, k, TRACE_INTS);
	if (w->also)
		trace_writer_i32s(w->also, k, v, n);
	put_column(w, v, I32, n);
}

void trace_writer_strs(struct trace_writer *w, unsigned int k, const char *const *v, size_t n)
{
	key(w, k, TRACE_STRS);
	if (w->also)
		trace_writer_strs(w->also, k, v, n);
	mp_buf_head(&w->body, MP_ARRAY, n);
	for (size_t i = 0; i < n; i++)
		put_str(w, v[i]);
}

void trace_writer_field(struct trace_writer *w, const struct trace_field *f)
{
	key(w, f->key, f->kind);
	if (w->also)
		trace_writer_field(w->also, f);
	if (f->kind == TRACE_UINT)
		mp_buf_uint(&w->body, f->v);
	else if (f->kind == TRACE_INT)
		mp_buf_int(&w->body, checked(w, (int64_t)f->v));
	else
		mp_buf_head(&w->body, f->kind == TRACE_STR ? MP_STR : MP_ARRAY, f->n);
	mp_buf_bytes(&w->body, f->p, trace_field_size(f));
}

/* ---- the end of a record ----------------------------------------------------------------- */

/*
 * Writes the header of the record's map. Room was reserved for the header of a short map. With more keys the header is
 * longer, so the fields are moved.
 */
static void put_map_head(struct trace_writer *w)
{
	uint8_t head[MP_HEAD_BYTES];
	size_t more = (size_t)(mp_put_head(head, MP_MAP, w->nfields) - head) - 1;
	uint8_t *at;

	if (!mp_buf_room(&w->body, more))
		return;
	at = w->body.p + w->map_at;
	if (more)
		memmove(at + 1 + more, at + 1, w->body.n - w->map_at - 1);
	memcpy(at, head, 1 + more);
	w->body.n += more;
}

static bool has_time(enum trace_type type)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(type, &n);

	for (const struct trace_key_desc *end = k + n; k < end; k++)
		if (k->flags & TRACE_KEY_TIME)
			return true;
	return false;
}

/* Moves a TRACE_WHOLE record to the frame of such records. In HEADER's frame they stay in order. */
static void sort_record(struct trace_writer *w)
{
	bool whole = trace_type_desc(w->type)->of == TRACE_WHOLE;

	if (!whole || !w->apart || w->nentries == w->part) {
		w->defines |= whole;
		return;
	}
	mp_buf_bytes(&w->whole, w->body.p + w->record_at, w->body.n - w->record_at);
	w->body.n = w->record_at;
	w->timed |= has_time(w->type);
}

int trace_writer_end(struct trace_writer *w)
{
	if (w->open)
		put_map_head(w);
	else
		writer_fail(w, -EINVAL);
	if (w->type == TRACE_HEADER)
		w->records += schema_put(&w->body);
	if (!w->error && !w->body.failed)
		sort_record(w);
	if (w->body.failed || w->whole.failed)
		writer_fail(w, -ENOMEM);
	if (trace_writer_pending(w) > MAX_BODY)
		writer_fail(w, -EMSGSIZE); /* the caller has let the frame grow too large */
	w->records++;
	w->open = false;
	if (w->also)
		trace_writer_end(w->also); /* the other writer keeps its own errors */
	w->also = NULL;
	return w->error;
}

size_t trace_writer_pending(const struct trace_writer *w)
{
	return w->body.n + w->whole.n;
}
