// SPDX-License-Identifier: BSD-2-Clause
/* Values as msgpack, into the frame being filled. */
#include "writer_pack.h"

#include <errno.h>
#include <string.h>

#include <netcost/utf8.h>

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

void pack_int(struct trace_writer *w, int64_t v)
{
	if (v > INT64_C(1) << 62 || v < -(INT64_C(1) << 62))
		writer_fail(w, -ERANGE);
	msgpack_pack_int64(&w->pk, v);
}

/*
 * Names of tasks and interfaces may be any bytes, msgpack's strings may not: what is no UTF-8 becomes '?'.
 * A string that is too long loses its end, in whole characters.
 */
void pack_str(struct trace_writer *w, const char *s)
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

void pack_u32s(struct trace_writer *w, const uint32_t *v, size_t n)
{
	struct packed p;

	p.n = 0; /* all that there is to set */
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		packed_int(w, &p, v[i]);
	packed_write(w, &p);
}

void pack_i32s(struct trace_writer *w, const int32_t *v, size_t n)
{
	struct packed p;

	p.n = 0; /* all that there is to set */
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		packed_int(w, &p, v[i]);
	packed_write(w, &p);
}
