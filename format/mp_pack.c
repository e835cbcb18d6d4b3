// SPDX-License-Identifier: BSD-2-Clause
#include "mp_pack.h"

#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

void mp_buf_free(struct mp_buf *b)
{
	free(b->p);
	*b = (struct mp_buf){ 0 };
}

uint8_t *mp_buf_room(struct mp_buf *b, size_t n)
{
	b->failed |= array_reserve(&b->p, &b->size, b->n + n, 1) != 0;
	return b->failed ? NULL : b->p + b->n;
}

void mp_buf_end(struct mp_buf *b, const uint8_t *end)
{
	b->n = (size_t)(end - b->p);
}

void mp_buf_bytes(struct mp_buf *b, const void *p, size_t n)
{
	if (!n || !mp_buf_room(b, n))
		return;
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

void mp_buf_uint(struct mp_buf *b, uint64_t v)
{
	uint8_t *p = mp_buf_room(b, MP_NUMBER_BYTES);

	if (p)
		mp_buf_end(b, mp_put_uint(p, v));
}

void mp_buf_int(struct mp_buf *b, int64_t v)
{
	uint8_t *p = mp_buf_room(b, MP_NUMBER_BYTES);

	if (p)
		mp_buf_end(b, mp_put_int(p, v));
}

void mp_buf_head(struct mp_buf *b, enum mp_kind kind, size_t n)
{
	uint8_t *p = mp_buf_room(b, MP_HEAD_BYTES);

	if (p)
		mp_buf_end(b, mp_put_head(p, kind, n));
}

void mp_buf_str(struct mp_buf *b, const void *s, size_t n)
{
	mp_buf_head(b, MP_STR, n);
	mp_buf_bytes(b, s, n);
}
