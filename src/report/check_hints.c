// SPDX-License-Identifier: BSD-2-Clause
#include "check_hints.h"

#include "format/layout.h"

/* Enough to find what is wrong by accident; who makes a hint to deceive deceives nobody. */
static uint64_t mix(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* ---- skippable frames -------------------------------------------------------------------- */

static void on_frame(void *ctx, uint32_t magic, uint64_t offset, uint64_t size, uint64_t content)
{
	struct hints *h = ctx;
	uint64_t entry = size | content << 32;

	h->hint_magic = magic;
	h->hint_size = size - 8;
	h->hint_at = h->hint_hash = 0;
	h->table_hash = h->hash;
	h->table_frames = h->frames++;
	if (magic == SEEK_TABLE_MAGIC && !h->hint_size) /* of others the content is judged */
		h->wrong_table = true;
	for (int i = 0; i < 8; i++)
		h->hash = mix(h->hash, entry >> 8 * i & 0xff);
	if (magic == ZSTD_FRAME_MAGIC)
		h->offset = offset;
}

static void magic_byte(struct hints *h, uint8_t byte)
{
	static const char text[] = MAGIC_TEXT;

	if (h->frames != 1 || h->hint_magic != MAGIC_FRAME_MAGIC ||
	    h->hint_size != MAGIC_FRAME_SIZE - 8)
		return;
	if (!h->hint_at)
		h->magic = true;
	h->magic &= byte == (uint8_t)text[h->hint_at];
}

/* Entries, then number of frames, flags, magic. */
static bool table_is_right(const struct hints *h)
{
	uint8_t tail[SEEK_FOOTER_SIZE];

	for (size_t i = 0; i < sizeof(tail); i++)
		tail[i] = h->tail[(h->hint_at + i) % sizeof(tail)];
	return h->hint_size == h->table_frames * SEEK_ENTRY_SIZE + SEEK_FOOTER_SIZE &&
	       h->hint_hash == h->table_hash && le32(tail) == h->table_frames && !tail[4] &&
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

static bool column_is_right(const struct trace_record *rec, unsigned int key, uint64_t n,
			    uint64_t hash)
{
	struct trace_column c = trace_record_column(rec, key);
	uint64_t v, has = 0;
	bool right = c.n == n;

	while (trace_column_uint(&c, &v))
		has = mix(has, v);
	return right && has == hash;
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
	h->now[HINT_OFFSET] = h->offset;
	h->now[HINT_FIRST] = first_ns;
	h->now[HINT_LAST] = last_ns;
}

static void index_record(struct hints *h, const struct trace_record *rec)
{
	static const uint8_t key[HINT_COLUMNS] = {
		[HINT_OFFSET] = TRACE_INDEX_OFFSET,
		[HINT_FIRST] = TRACE_INDEX_FIRST_NS,
		[HINT_LAST] = TRACE_INDEX_LAST_NS,
	};

	for (int i = 0; i < HINT_COLUMNS; i++)
		h->wrong_index |= !column_is_right(rec, key[i], h->data_frames, h->column[i]);
}

void hints_record(struct hints *h, const struct trace_record *rec)
{
	if (rec->type == TRACE_HEADER)
		next_frame(h, TRACE_NIL, TRACE_NIL);
	else if (rec->type == TRACE_FRAME)
		next_frame(h, trace_record_uint(rec, TRACE_FRAME_FIRST_NS, TRACE_NIL),
			   trace_record_uint(rec, TRACE_FRAME_LAST_NS, TRACE_NIL));
	else if (rec->type == TRACE_INDEX)
		index_record(h, rec);
}
