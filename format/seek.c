// SPDX-License-Identifier: BSD-2-Clause
/*
 * Selects a part of the time: finds the frames that overlap it, without reading the other frames. INDEX is only a hint.
 * So all frames that are needed according to INDEX are read once and compared with INDEX before any record is returned.
 * Readers that share an INDEX do that once for all of them.
 * The times that INDEX states for the skipped frames cannot be compared, but gaps in the ids show whether a skipped
 * frame has definitions.
 */
#include "seek.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layout.h"
#include "reader_impl.h"

/* maximum number of frames: an INDEX, which must fit into one frame, has no room for more */
#define MAX_INDEXED (TRACE_MAX_FRAME / 4)

void trace_reader_set_window(struct trace_reader *r, uint64_t from_ns, uint64_t to_ns)
{
	r->window.set = true;
	r->window.from_ns = from_ns;
	r->window.to_ns = to_ns;
}

void trace_reader_set_bare(struct trace_reader *r)
{
	r->window.bare = true;
}

int trace_index_new(struct trace_index **x)
{
	*x = calloc(1, sizeof(**x));
	return *x ? 0 : -ENOMEM;
}

void trace_index_free(struct trace_index *x)
{
	if (x)
		free(x->frame);
	free(x);
}

void trace_reader_set_index(struct trace_reader *r, struct trace_index *x)
{
	r->window.index = x;
}

/* ---- one frame --------------------------------------------------------------------------- */

static bool has_times(const struct frame_head *h)
{
	return h->first_ns != TRACE_NIL && h->last_ns != TRACE_NIL && h->last_ns &&
	       h->first_ns <= h->last_ns;
}

/* Returns whether a frame overlaps the window. A frame without times may overlap it, unless it has only definitions. */
static bool overlaps(const struct trace_window *w, const struct frame_head *h)
{
	bool timeless = h->defines && !h->first_ns && !h->last_ns;

	return timeless	     ? !w->from_ns :
	       !has_times(h) ? true :
			       h->last_ns >= w->from_ns && h->first_ns <= w->to_ns;
}

/* Returns whether the window needs a frame: a frame that overlaps it, or a frame with definitions. */
static bool wants(const struct trace_window *w, const struct frame_head *h)
{
	return (h->defines && !w->bare) || overlaps(w, h);
}

/* Returns whether the window needs the i-th frame of INDEX. Those of HEADER and END are always needed. */
static bool wants_listed(const struct trace_window *w, size_t i)
{
	return !i || i == w->index->n - 1 || wants(w, &w->index->frame[i].head);
}

static void see_times(struct trace_reader *r, const struct frame_head *h)
{
	if (!has_times(h))
		return;
	if (!r->st.last_ns || h->first_ns < r->st.first_ns)
		r->st.first_ns = h->first_ns;
	if (h->last_ns > r->st.last_ns)
		r->st.last_ns = h->last_ns;
}

bool seek_leaves_out(struct trace_reader *r)
{
	see_times(r, &r->head);
	if (!r->window.set || r->end_seen || wants(&r->window, &r->head))
		return false;
	r->st.frames_skipped++;
	r->cur.p = r->cur.end;
	return true;
}

/* ---- hints ------------------------------------------------------------------------------- */

static bool read_at(const struct trace_reader *r, uint64_t offset, void *p, size_t n)
{
	return pread(r->fd, p, n, (off_t)offset) == (ssize_t)n;
}

static bool take_entries(struct trace_index *x, const uint8_t *entry, size_t n, uint64_t end)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < n; i++, entry += SEEK_ENTRY_SIZE) {
		if (le32(entry + 4)) /* the entry of a data frame */
			x->frame[x->n++] =
				(struct window_frame){ .offset = offset, .size = le32(entry) };
		offset += le32(entry);
	}
	/* INDEX lists all frames except the last one */
	return offset == end && x->n >= 2;
}

/*
 * Reads the entries of data frames in the seek table. Returns false if the sizes do not sum to the offset of the seek
 * table.
 */
static bool read_seek_table(struct trace_reader *r, uint64_t size)
{
	struct trace_index *x = r->window.index;
	uint8_t footer[SEEK_FOOTER_SIZE], head[8], *entries;
	uint64_t payload, at;
	uint32_t n;
	bool ok;

	if (size < sizeof(footer) || !read_at(r, size - sizeof(footer), footer, sizeof(footer)))
		return false;
	n = le32(footer);
	payload = n * (uint64_t)SEEK_ENTRY_SIZE + sizeof(footer);
	at = size - payload - sizeof(head);
	if (le32(footer + 5) != SEEK_FOOTER_MAGIC || footer[4] || n > MAX_INDEXED || at > size ||
	    !read_at(r, at, head, sizeof(head)) || le32(head) != SEEK_TABLE_MAGIC ||
	    le32(head + 4) != payload)
		return false;
	entries = malloc(payload);
	ok = entries && read_at(r, at + sizeof(head), entries, payload);
	if (ok) /* the file is long enough for this number of entries */
		x->frame = calloc(n + 1u, sizeof(*x->frame));
	ok = ok && x->frame && take_entries(x, entries, n, at);
	free(entries);
	return ok;
}

static bool take_index(struct trace_index *x, const struct trace_record *rec)
{
	struct trace_column offset = trace_record_column(rec, TRACE_INDEX_OFFSET);
	struct trace_column first = trace_record_column(rec, TRACE_INDEX_FIRST_NS);
	struct trace_column last = trace_record_column(rec, TRACE_INDEX_LAST_NS);
	struct trace_column defines = trace_record_column(rec, TRACE_INDEX_DEFINES);
	size_t n = x->n - 1;

	if (offset.n != n || first.n != n || last.n != n || (defines.n && defines.n != n))
		return false;
	for (struct window_frame *f = x->frame; f < x->frame + n; f++) {
		uint64_t at, what = TRACE_NIL;

		trace_column_uint(&offset, &at);
		trace_column_uint(&first, &f->head.first_ns);
		trace_column_uint(&last, &f->head.last_ns);
		trace_column_uint(&defines, &what);
		if (at != f->offset)
			return false;
		f->head.defines = what;
	}
	return true;
}

/* ---- ids --------------------------------------------------------------------------------- */

/* The keys of END that have the total number of ids of each sort. */
static const uint8_t totals[TRACE_IDS_COUNT] = {
	[TRACE_IDS_SYMBOL] = TRACE_END_SYMBOLS,
	[TRACE_IDS_STACK] = TRACE_END_STACKS,
	[TRACE_IDS_TASK] = TRACE_END_TASKS,
};

/*
 * Checks ids of sorts without a total in END. References to such ids must not exceed the highest id, and neither must
 * the length of a column with one element for each id.
 */
static bool names_hold(const struct trace_record *rec, const uint64_t *highest)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &n);

	for (const struct trace_key_desc *end = k + n; k < end; k++) {
		struct trace_column c = trace_record_column(rec, k->key);
		uint64_t v;

		if (!k->ids || totals[k->ids] || k->flags & TRACE_KEY_DEFINES)
			continue;
		if (k->flags & TRACE_KEY_EACH && c.n > highest[k->ids])
			return false;
		while (trace_key_is_id(k) && trace_column_uint(&c, &v))
			if (v > highest[k->ids])
				return false;
	}
	return true;
}

/*
 * Checks the ids of a record. If INDEX hides a definition, the ids have a gap, or their number is below the total in
 * END.
 */
static bool ids_hold(const struct trace_record *rec, uint64_t *highest)
{
	const struct trace_key_desc *first = trace_type_defines(rec->type);

	if (first && trace_record_uint(rec, first->key, 0) != highest[first->ids] + 1)
		return false;
	if (first)
		highest[first->ids] += trace_record_rows(rec);
	for (int ids = 0; rec->type == TRACE_END && ids < TRACE_IDS_COUNT; ids++)
		if (totals[ids] && trace_record_uint(rec, totals[ids], TRACE_NIL) != highest[ids])
			return false;
	return names_hold(rec, highest);
}

/* Checks all records of the frame in r->cur. */
static bool frame_holds(struct trace_reader *r, struct trace_record *rec, uint64_t *highest)
{
	uint64_t ignored = 0;

	while (r->cur.p < r->cur.end) {
		record_parse(&r->cur, rec, NULL, &r->marks, &ignored, &ignored);
		if (!ids_hold(rec, highest))
			return false;
	}
	return true;
}

/* ---- reading by INDEX -------------------------------------------------------------------- */

static bool is_as_listed(const struct trace_reader *r, const struct window_frame *f)
{
	return r->frame == f->offset && r->csize == f->size &&
	       r->head.first_ns == f->head.first_ns && r->head.last_ns == f->head.last_ns &&
	       (f->head.defines || !r->head.defines);
}

/* Reads the i-th data frame, whose seq is i. HEADER's frame is read as usual, from the first byte of the file. */
static int read_listed(struct trace_reader *r, size_t i, struct trace_record *rec)
{
	const struct window_frame *f = &r->window.index->frame[i];
	int err;

	r->frame = f->offset;
	if (!reader_go_to(r, i ? f->offset : 0))
		return reader_damaged(r, "cannot be read");
	r->st.frames = i;
	r->seq = i ? i - 1 : 0;
	r->end_seen = false;
	r->read_end = f->offset + f->size;
	err = reader_read_on(r, rec);
	return err > 0 && !is_as_listed(r, f) ? reader_damaged(r, "another frame than INDEX says") :
						err;
}

/* Reads END's frame, which has INDEX. */
static bool read_end(struct trace_reader *r, struct trace_record *rec)
{
	struct trace_index *x = r->window.index;
	struct window_frame *end = &x->frame[x->n - 1];
	uint64_t ignored = 0;
	bool listed = false;

	/* INDEX does not list END's frame, so its own times are used */
	r->frame = end->offset;
	r->st.frames = x->n - 1;
	r->seq = x->n - 2;
	r->read_end = end->offset + end->size;
	if (!reader_go_to(r, end->offset) || reader_read_on(r, rec) <= 0 || !r->end_seen)
		return false;
	end->head = r->head;
	while (r->cur.p < r->cur.end) {
		record_parse(&r->cur, rec, NULL, &r->marks, &ignored, &ignored);
		if (rec->type == TRACE_INDEX)
			listed = take_index(x, rec);
	}
	return listed;
}

/* Returns whether a frame is to be compared with INDEX before the window is read. */
static bool is_to_check(const struct trace_window *w, size_t i)
{
	const struct window_frame *f = &w->index->frame[i];

	return !f->checked && (f->head.defines || wants_listed(w, i));
}

/* Returns whether reading by INDEX costs less than reading the whole file. */
static bool pays(const struct trace_window *w, uint64_t size)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < w->index->n; i++)
		bytes += (uint64_t)w->index->frame[i].size *
			 ((unsigned int)is_to_check(w, i) + wants_listed(w, i));
	return bytes < size;
}

/* Compares frames with INDEX. Once all frames with definitions were read, the other frames can come in any order. */
static bool all_hold(struct trace_reader *r, struct trace_record *rec)
{
	struct trace_index *x = r->window.index;

	for (size_t i = 0; i < x->n; i++) {
		if (!is_to_check(&r->window, i))
			continue;
		if (read_listed(r, i, rec) <= 0 || !frame_holds(r, rec, x->highest))
			return false;
		x->frame[i].checked = true;
	}
	return true;
}

/* Returns whether the file begins with a magic, which HEADER's frame follows. */
static bool begins_with_magic(struct trace_reader *r)
{
	uint8_t magic[MAGIC_FRAME_SIZE];

	if (!read_at(r, 0, magic, sizeof(magic)) || memcmp(magic, MAGIC_FRAME, sizeof(magic)))
		return false;
	r->magic_end = sizeof(magic);
	return true;
}

/* Reads INDEX, unless that was done before. Returns whether there is one. */
static bool has_index(struct trace_reader *r, uint64_t size, struct trace_record *rec)
{
	struct trace_index *x = r->window.index;

	x->wrong |= !x->read && !(read_seek_table(r, size) && read_end(r, rec));
	x->read = true;
	return !x->wrong;
}

/* Returns whether INDEX can be relied on. Always false with a trace_watch, which must see the whole container. */
static bool is_sound(struct trace_reader *r, struct trace_record *rec)
{
	struct stat st;

	if (r->watch.frame || fstat(r->fd, &st) || !S_ISREG(st.st_mode) ||
	    lseek(r->fd, 0, SEEK_CUR) || !begins_with_magic(r))
		return false;
	r->by_offset = true;
	if (!has_index(r, (uint64_t)st.st_size, rec) || !pays(&r->window, (uint64_t)st.st_size))
		return false;
	r->window.index->wrong = !all_hold(r, rec);
	return !r->window.index->wrong;
}

void seek_begin(struct trace_reader *r, struct trace_record *rec)
{
	r->window.begun = true;
	if (r->recover)
		return;
	r->window.seeking = is_sound(r, rec);
	if (!r->offset && !r->in_len)
		return; /* no frame was read yet */
	r->error = 0;
	r->cur.p = r->cur.end;
	r->st = (struct trace_status){ 0 };
	r->seq = r->read_end = 0;
	r->magic_end = r->window.seeking ? MAGIC_FRAME_SIZE : 0;
	r->end_seen = false;
	if (!reader_go_to(r, 0))
		reader_damaged(r, "cannot be read");
}

int seek_next(struct trace_reader *r, struct trace_record *rec)
{
	struct trace_window *w = &r->window;

	for (; w->next < w->index->n && !wants_listed(w, w->next); w->next++) {
		see_times(r, &w->index->frame[w->next].head);
		r->st.frames_skipped++;
	}
	return w->next < w->index->n ? read_listed(r, w->next++, rec) : 0;
}
