// SPDX-License-Identifier: BSD-2-Clause
/* Records into frames, frames into the file. */
#include <netcost/trace.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <msgpack.h> /* msgpack_packer, msgpack_sbuffer */
#include <zstd.h>    /* ZSTD_compress2 */

#include <netcost/utf8.h>

#include "layout.h"

#define LEVEL 3 /* zstd's default: higher ones cost CPU time on the recorded host */
#define MAX_BODY (TRACE_MAX_FRAME / 2) /* of a frame: half is left for FRAME */
/* INDEX takes up to 27 bytes a frame. A recording of more than a day's frames goes without the hint. */
#define MAX_INDEX (MAX_BODY / 32)

struct frame_entry {
	uint64_t offset, first_ns, last_ns;
	uint32_t csize, dsize;
};

struct trace_writer {
	int fd;
	int error; /* the first failure; sticky */
	bool done;

	msgpack_sbuffer body; /* of the frame being filled */
	msgpack_packer pk;
	bool open; /* between begin and end of a record */
	enum trace_type type;
	unsigned int fields_due, last_key;

	uint64_t first_ns, last_ns;
	uint64_t *lost;
	unsigned int ncpus;

	ZSTD_CCtx *cctx;
	uint8_t *out;
	size_t out_size;

	uint64_t written, records;
	struct frame_entry *entry; /* the magic frame included, as the seekable format wants */
	size_t nentries, entries_size;
};

static void fail(struct trace_writer *w, int err)
{
	if (!w->error)
		w->error = err;
}

/* Keeps the failure: one in the midst of a column must not go by unseen. */
static int body_write(void *data, const char *buf, size_t len)
{
	struct trace_writer *w = data;
	int err = msgpack_sbuffer_write(&w->body, buf, len);

	if (err)
		fail(w, -ENOMEM);
	return err;
}

static void frame_reset(struct trace_writer *w)
{
	msgpack_sbuffer_clear(&w->body);
	w->first_ns = UINT64_MAX;
	w->last_ns = 0;
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
	msgpack_packer_init(&w->pk, w, body_write);
	frame_reset(w);
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
	ZSTD_freeCCtx(w->cctx);
	free(w->lost);
	free(w->out);
	free(w->entry);
	free(w);
}

/* ---- records ----------------------------------------------------------------------------- */

static void begin(struct trace_writer *w, enum trace_type type, unsigned int nfields)
{
	if (w->open || nfields > TRACE_MAX_FIELDS || w->done)
		fail(w, -EINVAL);
	w->open = true;
	w->type = type;
	w->fields_due = nfields;
	w->last_key = 0;
	msgpack_pack_array(&w->pk, 2);
	msgpack_pack_uint8(&w->pk, (uint8_t)type);
	msgpack_pack_map(&w->pk, nfields);
}

void trace_writer_begin(struct trace_writer *w, enum trace_type type, unsigned int nfields)
{
	/* HEADER comes first and once. The frames and the end are ours to make. */
	if ((type == TRACE_HEADER) != !w->records || type == TRACE_FRAME || type == TRACE_INDEX ||
	    type == TRACE_END || !trace_type_desc(type))
		fail(w, -EINVAL);
	begin(w, type, nfields);
}

static void key(struct trace_writer *w, unsigned int key, enum trace_kind kind)
{
	const struct trace_key_desc *desc = trace_key_desc(w->type, key);

	if (!w->fields_due || key <= w->last_key || !desc || desc->kind != kind)
		fail(w, -EINVAL);
	else
		w->fields_due--;
	w->last_key = key;
	msgpack_pack_uint8(&w->pk, (uint8_t)key);
}

static void pack_int(struct trace_writer *w, int64_t v)
{
	if (v > INT64_C(1) << 62 || v < -(INT64_C(1) << 62))
		fail(w, -ERANGE);
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
		fail(w, -ERANGE);
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
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		msgpack_pack_uint32(&w->pk, v[i]);
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
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		msgpack_pack_int32(&w->pk, v[i]);
}

void trace_writer_strs(struct trace_writer *w, unsigned int k, const char *const *v, size_t n)
{
	key(w, k, TRACE_STRS);
	msgpack_pack_array(&w->pk, n);
	for (size_t i = 0; i < n; i++)
		pack_str(w, v[i]);
}

int trace_writer_end(struct trace_writer *w)
{
	if (!w->open || w->fields_due)
		fail(w, -EINVAL); /* fewer puts than begin announced */
	if (w->body.size > MAX_BODY)
		fail(w, -EMSGSIZE); /* the caller let the frame grow */
	w->open = false;
	w->records++;
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
	return w->body.size;
}

uint64_t trace_writer_bytes(const struct trace_writer *w)
{
	return w->written;
}

/* ---- frames ------------------------------------------------------------------------------ */

static int write_all(int fd, const uint8_t *p, size_t n, size_t *done)
{
	for (*done = 0; *done < n;) {
		ssize_t r = write(fd, p + *done, n - *done);

		if (r > 0) {
			*done += (size_t)r;
		} else if (r < 0 && errno == EAGAIN) {
			struct pollfd pfd = { .fd = fd, .events = POLLOUT };

			poll(&pfd, 1, -1);
		} else if (r < 0 && errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

/*
 * Writes whole, or leaves a regular file as it was before: what was written stays readable. Goes by what
 * was written, not by the file's size: the file may have been there before (`>>`).
 */
static int emit(struct trace_writer *w, const uint8_t *p, size_t n)
{
	size_t done;
	int err = write_all(w->fd, p, n, &done);
	off_t start;

	if (!err) {
		w->written += n;
		return 0;
	}
	start = done ? lseek(w->fd, -(off_t)done, SEEK_CUR) : -1;
	if (start >= 0 && ftruncate(w->fd, start))
		lseek(w->fd, (off_t)done, SEEK_CUR); /* the half frame stays: a cut trace */
	fail(w, err);
	return err;
}

static int add_entry(struct trace_writer *w, size_t csize, size_t dsize)
{
	if (w->nentries == w->entries_size) {
		size_t size = w->entries_size ? 2 * w->entries_size : 64;
		struct frame_entry *e = realloc(w->entry, size * sizeof(*e));

		if (!e)
			return -ENOMEM;
		w->entry = e;
		w->entries_size = size;
	}
	w->entry[w->nentries++] = (struct frame_entry){
		.offset = w->written - csize,
		.first_ns = w->first_ns,
		.last_ns = w->last_ns,
		.csize = (uint32_t)csize,
		.dsize = (uint32_t)dsize,
	};
	return 0;
}

static int emit_magic(struct trace_writer *w)
{
	uint8_t b[MAGIC_FRAME_SIZE], *p = b;
	int err;

	p = put_le32(p, MAGIC_FRAME_MAGIC);
	p = put_le32(p, MAGIC_FRAME_SIZE - 8);
	memcpy(p, MAGIC_TEXT, MAGIC_FRAME_SIZE - 8);
	err = emit(w, b, sizeof(b));
	return err ? err : add_entry(w, sizeof(b), 0);
}

static int compress_and_emit(struct trace_writer *w, const void *src, size_t n)
{
	size_t bound = ZSTD_compressBound(n), c;

	if (bound > w->out_size) {
		uint8_t *out = realloc(w->out, bound);

		if (!out)
			return -ENOMEM;
		w->out = out;
		w->out_size = bound;
	}
	c = ZSTD_compress2(w->cctx, w->out, w->out_size, src, n);
	if (ZSTD_isError(c))
		return -EIO;
	if (emit(w, w->out, c))
		return w->error;
	return add_entry(w, c, n);
}

/* FRAME, the first object, is known last: it is packed now, and the body put behind it. */
static int flush_with_head(struct trace_writer *w)
{
	msgpack_sbuffer records = w->body;
	int err;

	msgpack_sbuffer_init(&w->body);
	begin(w, TRACE_FRAME, 4);
	/* without the magic and HEADER's frame, from 1 */
	trace_writer_uint(w, TRACE_FRAME_SEQ, w->nentries - 1);
	trace_writer_uint(w, TRACE_FRAME_FIRST_NS, w->last_ns ? w->first_ns : 0);
	trace_writer_uint(w, TRACE_FRAME_LAST_NS, w->last_ns);
	trace_writer_uints(w, TRACE_FRAME_LOST, w->lost, w->ncpus);
	err = trace_writer_end(w);
	if (!err && !body_write(w, records.data, records.size))
		err = compress_and_emit(w, w->body.data, w->body.size);
	msgpack_sbuffer_destroy(&w->body);
	w->body = records;
	return err ? err : w->error;
}

int trace_writer_flush(struct trace_writer *w)
{
	int err = 0;

	if (w->open)
		fail(w, -EINVAL);
	if (w->error || !w->body.size)
		return w->error;
	if (!w->nentries)
		err = emit_magic(w);
	if (!err)
		err = w->nentries == 1 ? compress_and_emit(w, w->body.data, w->body.size) :
					 flush_with_head(w);
	if (err)
		fail(w, err);
	frame_reset(w);
	return w->error;
}

/* ---- the end ----------------------------------------------------------------------------- */

static int put_index(struct trace_writer *w)
{
	size_t n = w->nentries - 1;
	uint64_t *col;

	if (n > MAX_INDEX)
		return 0;
	col = malloc(3 * n * sizeof(*col));
	if (!col)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct frame_entry *e = &w->entry[i + 1];

		col[i] = e->offset;
		col[n + i] = !i ? TRACE_NIL : e->last_ns ? e->first_ns : 0;
		col[2 * n + i] = !i ? TRACE_NIL : e->last_ns;
	}
	begin(w, TRACE_INDEX, 3);
	trace_writer_uints(w, TRACE_INDEX_OFFSET, col, n);
	trace_writer_uints(w, TRACE_INDEX_FIRST_NS, col + n, n);
	trace_writer_uints(w, TRACE_INDEX_LAST_NS, col + 2 * n, n);
	free(col);
	return trace_writer_end(w);
}

static int put_end(struct trace_writer *w, const struct trace_totals *t)
{
	uint64_t before = w->records + 1; /* the FRAME that flush will put in front */

	begin(w, TRACE_END, 8);
	trace_writer_uint(w, TRACE_END_FRAMES, w->nentries - 1);
	trace_writer_uint(w, TRACE_END_RECORDS, before);
	trace_writer_uint(w, TRACE_END_SAMPLES, t->samples);
	trace_writer_uint(w, TRACE_END_SYMBOLS, t->symbols);
	trace_writer_uint(w, TRACE_END_STACKS, t->stacks);
	trace_writer_uint(w, TRACE_END_TASKS, t->tasks);
	trace_writer_uint(w, TRACE_END_AT_NS, t->at_ns);
	trace_writer_str(w, TRACE_END_WHY, t->why);
	return trace_writer_end(w);
}

static int emit_seek_table(struct trace_writer *w)
{
	size_t payload = w->nentries * SEEK_ENTRY_SIZE + SEEK_FOOTER_SIZE;
	uint8_t *b = malloc(8 + payload), *p = b;
	int err;

	if (!b)
		return -ENOMEM;
	p = put_le32(p, SEEK_TABLE_MAGIC);
	p = put_le32(p, (uint32_t)payload);
	for (size_t i = 0; i < w->nentries; i++) {
		p = put_le32(p, w->entry[i].csize);
		p = put_le32(p, w->entry[i].dsize);
	}
	p = put_le32(p, (uint32_t)w->nentries);
	*p++ = 0; /* no checksums of its own: the frames have theirs */
	p = put_le32(p, SEEK_FOOTER_MAGIC);
	err = emit(w, b, (size_t)(p - b));
	free(b);
	return err;
}

int trace_writer_finish(struct trace_writer *w, const struct trace_totals *t)
{
	int err = trace_writer_flush(w);

	if (!err && w->nentries < 2)
		err = -EINVAL; /* without even a HEADER */
	if (!err)
		err = put_index(w);
	if (!err)
		err = put_end(w, t);
	if (!err)
		err = trace_writer_flush(w);
	if (!err)
		err = emit_seek_table(w);
	w->done = true;
	return err;
}
