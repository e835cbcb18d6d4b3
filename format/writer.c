// SPDX-License-Identifier: BSD-2-Clause
/* Records into frames. */
#include "writer_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/utf8.h>

#include "ticks.h"

/* 3 saves 1.5 % of a trace and 4 another 1 %, for half as much and twice the CPU time of the recorded host. */
#define LEVEL 1

void writer_fail(struct trace_writer *w, int err)
{
	if (!w->error)
		w->error = err;
}

/* Keeps the failure: one in the midst of a column must not go by unseen. */
int writer_body_write(void *data, const char *buf, size_t len)
{
	struct trace_writer *w = data;
	int err = msgpack_sbuffer_write(&w->body, buf, len);

	if (err)
		writer_fail(w, -ENOMEM);
	return err;
}

void writer_frame_reset(struct trace_writer *w)
{
	msgpack_sbuffer_clear(&w->body);
	w->first_ns = UINT64_MAX;
	w->last_ns = 0;
	w->defines = w->ticked = w->has_base = false;
	w->unfolded = 0;
}

int trace_writer_new(struct trace_writer **wp, int fd, unsigned int ncpus)
{
	struct trace_writer *w = calloc(1, sizeof(*w));

	*wp = w;
	if (!w)
		return -ENOMEM;
	w->fd = fd;
	w->ncpus = ncpus;
	msgpack_sbuffer_init(&w->body);
	msgpack_packer_init(&w->pk, w, writer_body_write);
	writer_frame_reset(w);
	w->lost = calloc(ncpus ? ncpus : 1, sizeof(*w->lost));
	w->cctx = ZSTD_createCCtx();
	if (!w->lost || !w->cctx) {
		trace_writer_free(w);
		*wp = NULL;
		return -ENOMEM;
	}
	ZSTD_CCtx_setParameter(w->cctx, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(w->cctx, ZSTD_c_checksumFlag, 1);
	return 0;
}

void trace_writer_free(struct trace_writer *w)
{
	if (!w)
		return;
	msgpack_sbuffer_destroy(&w->body);
	held_free(&w->tick);
	held_free(&w->base);
	ZSTD_freeCCtx(w->cctx);
	free(w->lost);
	free(w->out);
	free(w->queue.p);
	free(w->entry);
	free(w);
}

/* ---- records ----------------------------------------------------------------------------- */

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
	if (!tick_is_counter(type)) /* those that it still gets behind this one are whole */
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

static void pack_int(struct trace_writer *w, int64_t v)
{
	if (v > INT64_C(1) << 62 || v < -(INT64_C(1) << 62))
		writer_fail(w, -ERANGE);
	msgpack_pack_int64(&w->pk, v);
}

/*
 * Names of tasks and interfaces may be any bytes, msgpack's strings may not: what is no UTF-8 becomes '?'.
 * A string that is too long loses its end, in whole characters.
 */
static void pack_str(struct trace_writer *w, const char *s)
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
	msgpack_pack_str(&w->pk, n);
	msgpack_pack_str_body(&w->pk, text, n);
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

/* Columns of samples are most of what is packed: msgpack-c would call back twice for each of their elements. */
struct packed {
	uint8_t bytes[1024];
	size_t n;
};

#define INT_BYTES 5 /* of a number of 32 bits, at most */

static void packed_write(struct trace_writer *w, struct packed *p)
{
	writer_body_write(w, (const char *)p->bytes, p->n);
	p->n = 0;
}

static inline void packed_int(struct trace_writer *w, struct packed *p, int64_t v)
{
	uint8_t *to = p->bytes + p->n;
	unsigned int size = v >= INT8_MIN && v <= UINT8_MAX   ? 1 :
			    v >= INT16_MIN && v <= UINT16_MAX ? 2 :
								4;

	if (v >= -32 && v < 0x80) {
		*to++ = (uint8_t)v;
	} else {
		*to++ = (uint8_t)((v < 0 ? 0xd0 : 0xcc) + size / 2);
		while (size--)
			*to++ = (uint8_t)(v >> 8 * size);
	}
	p->n = (size_t)(to - p->bytes);
	if (p->n > sizeof(p->bytes) - INT_BYTES)
		packed_write(w, p);
}

void trace_writer_u32s(struct trace_writer *w, unsigned int k, const uint32_t *v, size_t n)
{
	struct packed p;

	p.n = 0; /* all that there is to set */
	key(w, k, TRACE_UINTS);
	if (w->holding) {
		writer_hold_u32s(w, k, v, n);
		return;
	}
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		packed_int(w, &p, v[i]);
	packed_write(w, &p);
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
	struct packed p;

	p.n = 0; /* all that there is to set */
	key(w, k, TRACE_INTS);
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		packed_int(w, &p, v[i]);
	packed_write(w, &p);
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

void trace_writer_time(struct trace_writer *w, uint64_t t_ns)
{
	if (t_ns < w->first_ns)
		w->first_ns = t_ns;
	if (t_ns > w->last_ns)
		w->last_ns = t_ns;
}

void trace_writer_lost(struct trace_writer *w, unsigned int i, uint64_t lost)
{
	if (i < w->ncpus)
		w->lost[i] = lost;
}

size_t trace_writer_pending(const struct trace_writer *w)
{
	return w->body.size + w->tick.bytes;
}

uint64_t trace_writer_bytes(const struct trace_writer *w)
{
	return w->written;
}
