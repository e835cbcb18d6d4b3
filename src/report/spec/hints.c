// SPDX-License-Identifier: BSD-2-Clause
/* A file's hints against its frames. */
#include <string.h>

#include "format/layout.h"
#include "spec.h"

/* Enough to find what is wrong by accident; a hint that was made to deceive deceives nobody. */
static uint64_t mix(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static void run_add(struct hint_run *r, uint64_t entry)
{
	for (int i = 0; i < SEEK_ENTRY_SIZE; i++)
		r->hash = mix(r->hash, entry >> 8 * i & 0xff);
	r->frames++;
}

/* ---- skippable frames -------------------------------------------------------------------- */

static void on_frame(void *ctx, uint32_t magic, uint64_t offset, uint64_t size, uint64_t content)
{
	struct hints *h = ctx;

	if (offset) {
		run_add(&h->file, h->entry);
		run_add(&h->part, h->entry);
	}
	h->offset = offset;
	h->entry = size | content << 32;
	if (magic == ZSTD_FRAME_MAGIC)
		h->data_offset = offset;
	h->hint_magic = magic;
	h->hint_size = size - 8;
	h->hint_at = h->hint_hash = 0;
	h->is_magic = magic == MAGIC_FRAME_MAGIC && size == MAGIC_FRAME_SIZE;
	h->wrong_table = magic == SEEK_TABLE_MAGIC && !h->hint_size; /* otherwise on_hint() says */
}

static void magic_byte(struct hints *h, uint8_t byte)
{
	static const char text[] = MAGIC_TEXT;

	h->is_magic = h->is_magic && byte == (uint8_t)text[h->hint_at];
	if (!h->is_magic || h->hint_at != h->hint_size - 1)
		return;
	h->magic |= !h->offset;
	h->magic_end = h->offset + MAGIC_FRAME_SIZE;
}

/* Entries of all frames or, after concatenation, of the last part's; number of frames, flags, magic. */
static bool table_is_right(const struct hints *h)
{
	uint8_t tail[SEEK_FOOTER_SIZE];
	const struct hint_run *run;

	for (size_t i = 0; i < sizeof(tail); i++)
		tail[i] = h->tail[(h->hint_at + i) % sizeof(tail)];
	run = le32(tail) == h->file.frames ? &h->file : &h->part;
	return h->hint_size == run->frames * SEEK_ENTRY_SIZE + SEEK_FOOTER_SIZE &&
	       h->hint_hash == run->hash && le32(tail) == run->frames && !tail[4] &&
	       le32(tail + 5) == SEEK_FOOTER_MAGIC;
}

static void on_hint(void *ctx, const uint8_t *p, size_t n)
{
	struct hints *h = ctx;

	for (size_t i = 0; i < n; i++) {
		magic_byte(h, p[i]);
		if (h->hint_at + SEEK_FOOTER_SIZE < h->hint_size)
			h->hint_hash = mix(h->hint_hash, p[i]);
		h->tail[h->hint_at++ % sizeof(h->tail)] = p[i];
	}
	if (h->hint_magic == SEEK_TABLE_MAGIC && h->hint_at == h->hint_size)
		h->wrong_table = !table_is_right(h);
}

const struct trace_watch hints_watch = { .frame = on_frame, .hint = on_hint };

/* ---- INDEX ------------------------------------------------------------------------------- */

static bool column_is_right(const struct hints *h, const struct trace_record *rec, unsigned int key,
			    enum hint_column i)
{
	struct trace_column c = trace_record_column(rec, key);
	bool right = c.n == h->data_frames, unknown = false;
	uint64_t v, hash = 0;

	while (trace_column_uint(&c, &v)) {
		hash = mix(hash, v);
		unknown |= v == TRACE_NIL;
	}
	return right && (hash == h->column[i] || (i == HINT_DEFINES && unknown));
}

/* INDEX has the frames before the one that it is in: a frame counts when the next begins. */
static void next_frame(struct hints *h, uint64_t first_ns, uint64_t last_ns)
{
	if (h->begun) {
		h->data_frames++;
		for (int i = 0; i < HINT_COLUMNS; i++)
			h->column[i] = mix(h->column[i], h->now[i]);
	}
	h->begun = true;
	h->now[HINT_OFFSET] = h->data_offset - h->begin;
	h->now[HINT_FIRST] = first_ns;
	h->now[HINT_LAST] = last_ns;
	h->now[HINT_DEFINES] = 0;
}

/* HEADER's frame, which is the last one. */
static void next_part(struct hints *h)
{
	bool magic = h->magic_end && h->magic_end == h->data_offset;

	h->part = (struct hint_run){ 0 };
	if (magic)
		run_add(&h->part, MAGIC_FRAME_SIZE);
	h->begin = h->data_offset - (magic ? MAGIC_FRAME_SIZE : 0);
	h->data_frames = 0;
	memset(h->column, 0, sizeof(h->column));
	h->begun = false;
	next_frame(h, TRACE_NIL, TRACE_NIL);
}

static void index_record(struct hints *h, const struct trace_record *rec)
{
	h->wrong_index |= !column_is_right(h, rec, TRACE_INDEX_OFFSET, HINT_OFFSET) ||
			  !column_is_right(h, rec, TRACE_INDEX_FIRST_NS, HINT_FIRST) ||
			  !column_is_right(h, rec, TRACE_INDEX_LAST_NS, HINT_LAST);
	/* Older writers have none. */
	h->wrong_defines |= trace_record_field(rec, TRACE_INDEX_DEFINES) &&
			    !column_is_right(h, rec, TRACE_INDEX_DEFINES, HINT_DEFINES);
}

void hints_record(struct hints *h, const struct trace_record *rec)
{
	if (rec->type == TRACE_HEADER)
		next_part(h);
	else if (rec->type == TRACE_FRAME)
		next_frame(h, trace_record_uint(rec, TRACE_FRAME_FIRST_NS, TRACE_NIL),
			   trace_record_uint(rec, TRACE_FRAME_LAST_NS, TRACE_NIL));
	else if (rec->type == TRACE_INDEX)
		index_record(h, rec);
	if (trace_type_desc(rec->type)->of == TRACE_WHOLE)
		h->now[HINT_DEFINES] = 1;
}
