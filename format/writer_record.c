// SPDX-License-Identifier: BSD-2-Clause
/* Records into the frame being filled, or held: those of a tick. */
#include "writer_record.h"

#include <errno.h>

#include "ticks.h"
#include "writer_pack.h"
#include "writer_tick.h"

void writer_begin(struct trace_writer *w, enum trace_type type, unsigned int nfields)
{
	const struct trace_type_desc *desc = trace_type_desc(type);

	if (w->open || nfields > TRACE_MAX_FIELDS || w->done)
		writer_fail(w, -EINVAL);
	w->open = true;
	w->type = type;
	w->defines |= desc && desc->of == TRACE_WHOLE;
	w->fields_due = nfields;
	w->last_key = 0;
	if (w->holding) {
		writer_hold_record(w, type, nfields);
		return;
	}
	msgpack_pack_array(&w->pk, 2);
	msgpack_pack_uint8(&w->pk, (uint8_t)type);
	msgpack_pack_map(&w->pk, nfields);
}

void trace_writer_begin(struct trace_writer *w, enum trace_type type, unsigned int nfields)
{
	/* HEADER comes first and once. The frames and the end are ours to make. */
	if ((type == TRACE_HEADER) != !w->records || type == TRACE_FRAME || type == TRACE_INDEX ||
	    type == TRACE_END || !trace_type_desc(type))
		writer_fail(w, -EINVAL);
	if (!trace_type_is_counter(type)) /* those that it still gets behind this one are whole */
		writer_tick_end(w);
	w->in_tick |= type == TRACE_TICK;
	w->holding = w->in_tick;
	writer_begin(w, type, nfields);
}

static void key(struct trace_writer *w, unsigned int key, enum trace_kind kind)
{
	const struct trace_key_desc *desc = trace_key_desc(w->type, key);

	if (!w->fields_due || key <= w->last_key || !desc || desc->kind != kind)
		writer_fail(w, -EINVAL);
	else
		w->fields_due--;
	w->last_key = key;
	if (!w->holding)
		msgpack_pack_uint8(&w->pk, (uint8_t)key);
}

void trace_writer_uint(struct trace_writer *w, unsigned int k, uint64_t v)
{
	key(w, k, TRACE_UINT);
	if (v > INT64_MAX)
		writer_fail(w, -ERANGE);
	if (w->holding)
		writer_hold_uint(w, k, v);
	else
		msgpack_pack_uint64(&w->pk, v);
}

void trace_writer_int(struct trace_writer *w, unsigned int k, int64_t v)
{
	key(w, k, TRACE_INT);
	pack_int(w, v);
}

void trace_writer_str(struct trace_writer *w, unsigned int k, const char *s)
{
	key(w, k, TRACE_STR);
	pack_str(w, s);
}

void trace_writer_uints(struct trace_writer *w, unsigned int k, const uint64_t *v, size_t n)
{
	key(w, k, TRACE_UINTS);
	if (w->holding) {
		writer_hold_uints(w, k, v, n);
		return;
	}
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		if (v[i] > INT64_MAX) /* TRACE_NIL, and what cannot be a measurement */
			msgpack_pack_nil(&w->pk);
		else
			msgpack_pack_uint64(&w->pk, v[i]);
}

void trace_writer_u32s(struct trace_writer *w, unsigned int k, const uint32_t *v, size_t n)
{
	key(w, k, TRACE_UINTS);
	if (w->holding)
		writer_hold_u32s(w, k, v, n);
	else
		pack_u32s(w, v, n);
}

void trace_writer_ints(struct trace_writer *w, unsigned int k, const int64_t *v, size_t n)
{
	key(w, k, TRACE_INTS);
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		pack_int(w, v[i]);
}

void trace_writer_i32s(struct trace_writer *w, unsigned int k, const int32_t *v, size_t n)
{
	key(w, k, TRACE_INTS);
	pack_i32s(w, v, n);
}

void trace_writer_strs(struct trace_writer *w, unsigned int k, const char *const *v, size_t n)
{
	key(w, k, TRACE_STRS);
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		pack_str(w, v[i]);
}

void trace_writer_field(struct trace_writer *w, const struct trace_field *f)
{
	key(w, f->key, f->kind);
	if (w->holding) {
		if (f->kind == TRACE_UINT)
			writer_hold_uint(w, f->key, f->v);
		else
			writer_hold_column(w, f->key, (struct trace_column){ f->p, f->n });
		return;
	}
	if (f->kind == TRACE_UINT)
		msgpack_pack_uint64(&w->pk, f->v);
	else if (f->kind == TRACE_INT)
		pack_int(w, (int64_t)f->v);
	else if (f->kind == TRACE_STR)
		msgpack_pack_str(&w->pk, f->n);
	else
		msgpack_pack_array(&w->pk, f->n);
	writer_body_write(w, (const char *)f->p, trace_field_size(f));
}

int trace_writer_end(struct trace_writer *w)
{
	if (!w->open || w->fields_due)
		writer_fail(w, -EINVAL); /* fewer puts than begin announced */
	if (trace_writer_pending(w) > MAX_BODY)
		writer_fail(w, -EMSGSIZE); /* the caller let the frame grow */
	w->records += !w->holding;	   /* those are counted when they are packed */
	w->open = w->holding = false;
	return w->error;
}

size_t trace_writer_pending(const struct trace_writer *w)
{
	return w->body.size + w->tick.bytes;
}
