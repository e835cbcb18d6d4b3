// SPDX-License-Identifier: BSD-2-Clause
/* Tests several traces in a file: each is read as if it were alone, even if others are damaged. */
#include "unit.h"

#include <errno.h>
#include <sys/wait.h>

#include "trace_file.h"

#define MAX_PARTS 8
#define FRAMES 6 /* number of data frames in a small trace */
#define HINTS 2	 /* number of hints of a small trace: its magic and its seek table */

struct parts {
	size_t n;
	struct dump part[MAX_PARTS];
	int err; /* result of trace_reader_part() at the end of the part */
};

static struct dump read_part(struct trace_reader *r)
{
	struct dump d = { 0 };
	struct trace_record rec;
	FILE *f = open_memstream(&d.text, &d.len);

	if (!f)
		abort();
	while ((d.err = trace_reader_next(r, &rec)) > 0) {
		print_record(f, &rec);
		fflush(f);
		d.after[trace_reader_status(r)->frames] = d.len;
	}
	d.st = *trace_reader_status(r);
	/* after the end, each call returns the same result */
	CU_ASSERT_EQUAL(trace_reader_next(r, &rec), d.err);
	fclose(f);
	return d;
}

static struct parts read_parts(int fd, bool recover)
{
	struct parts p = { 0 };
	struct trace_reader *r;

	lseek(fd, 0, SEEK_SET);
	if (trace_reader_new(&r, fd))
		abort();
	trace_reader_set_recover(r, recover);
	do
		p.part[p.n++] = read_part(r);
	while ((p.err = trace_reader_part(r)) > 0 && p.n < MAX_PARTS);
	CU_ASSERT_EQUAL(trace_reader_part(r), p.err);
	trace_reader_free(r);
	return p;
}

static struct parts parts_of(const struct bytes *b, bool recover)
{
	int fd = file_of(b->p, b->n);
	struct parts p = read_parts(fd, recover);

	close(fd);
	return p;
}

static void free_parts(struct parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->part[i].text);
}

/* Returns two small traces. The first one ends at *n. */
static struct bytes two_traces(size_t *n)
{
	struct bytes b = small_trace(), second = small_trace();

	*n = b.n;
	add_bytes(&b, second.p, second.n);
	free_bytes(&second);
	return b;
}

static bool is_whole(const struct dump *d, const struct dump *full)
{
	return !d->err && d->st.ended && d->st.frames == FRAMES && same_records(d, full);
}

/* ---- good files -------------------------------------------------------------------------- */

static void test_status_begins_anew(void)
{
	size_t n;
	struct bytes b = two_traces(&n);
	struct parts p = parts_of(&b, false);

	CU_ASSERT_EQUAL_FATAL(p.n, 2);
	CU_ASSERT_EQUAL(p.err, 0);
	CU_ASSERT_TRUE(p.part[0].st.more);
	CU_ASSERT_FALSE(p.part[1].st.more);
	CU_ASSERT_TRUE(same_records(&p.part[0], &p.part[1]));
	for (size_t i = 0; i < 2; i++) {
		const struct trace_status *st = &p.part[i].st;

		CU_ASSERT_EQUAL(st->problem, TRACE_OK);
		CU_ASSERT_TRUE(st->ended);
		CU_ASSERT_EQUAL(st->frames, FRAMES);
		CU_ASSERT_EQUAL(st->records, p.part[0].st.records);
		CU_ASSERT_EQUAL(st->begin, i * n);
		CU_ASSERT_EQUAL(st->bytes, n);
	}
	free_parts(&p);
	free_bytes(&b);
}

static void piped(const struct bytes *b, size_t step, struct parts *p)
{
	int fd[2];
	pid_t pid;

	if (pipe(fd))
		abort();
	pid = fork();
	if (!pid) {
		for (size_t at = 0; at < b->n; at += step) {
			size_t n = b->n - at < step ? b->n - at : step;

			if (write(fd[1], b->p + at, n) != (ssize_t)n)
				_exit(1);
		}
		_exit(0);
	}
	close(fd[1]);
	*p = read_parts(fd[0], false);
	close(fd[0]);
	waitpid(pid, NULL, 0);
}

static void test_pipe_is_like_file(void)
{
	size_t n;
	struct bytes b = two_traces(&n);
	struct parts file = parts_of(&b, false);

	for (size_t step = 1; step <= b.n; step = 2 * step + 1) {
		struct parts p;

		piped(&b, step, &p);
		CU_ASSERT_EQUAL_FATAL(p.n, 2);
		for (size_t i = 0; i < 2; i++) {
			CU_ASSERT_TRUE(same_records(&p.part[i], &file.part[i]));
			CU_ASSERT_EQUAL(p.part[i].st.bytes, file.part[i].st.bytes);
			CU_ASSERT_EQUAL(p.part[i].st.begin, file.part[i].st.begin);
		}
		free_parts(&p);
	}
	free_parts(&file);
	free_bytes(&b);
}

/* Tests that a caller may skip the rest of a part. */
static void test_rest_is_skipped(void)
{
	size_t n;
	struct bytes b = two_traces(&n);
	int fd = file_of(b.p, b.n);
	struct trace_reader *r;
	struct trace_record rec;

	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	CU_ASSERT_EQUAL(trace_reader_next(r, &rec), 1);
	CU_ASSERT_FALSE(trace_reader_status(r)->more);
	CU_ASSERT_EQUAL(trace_reader_part(r), 1);
	CU_ASSERT_EQUAL(trace_reader_next(r, &rec), 1);
	CU_ASSERT_EQUAL(rec.type, TRACE_HEADER);
	CU_ASSERT_EQUAL(trace_reader_status(r)->records, 1);
	CU_ASSERT_EQUAL(trace_reader_part(r), 0);
	CU_ASSERT_TRUE(trace_reader_status(r)->ended);
	trace_reader_free(r);
	close(fd);
	free_bytes(&b);
}

/* Tests hints between parts, and parts of a single frame. */
static void test_shapes(void)
{
	static const char hint[] = "\x51\x2a\x4d\x18\x03\0\0\0abc";
	struct bytes b = { 0 };
	uint64_t begin[4];
	struct parts p;

	for (size_t i = 0; i < 4; i++) {
		add_bytes(&b, hint, i % 2 ? sizeof(hint) - 1 : 0);
		begin[i] = b.n;
		add_magic(&b);
		add_frame(&b, BYTES(HEADER_OBJECT END_OBJECT), 0);
	}
	add_magic(&b); /* the file ends with this hint */
	p = parts_of(&b, false);
	CU_ASSERT_EQUAL_FATAL(p.n, 4);
	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(p.part[i].st.problem, TRACE_OK);
		CU_ASSERT_EQUAL(p.part[i].st.begin, begin[i]);
		CU_ASSERT_STRING_EQUAL(p.part[i].text, "1: 1=1 2=0\n127:\n");
	}
	free_parts(&p);
	free_bytes(&b);
}

static void test_version(void)
{
	struct bytes b = small_trace();
	struct parts p;

	add_magic(&b);
	b.p[b.n - 1] = 2;
	add_frame(&b, BYTES("\xc1"), 0);
	add_start(&b);
	p = parts_of(&b, false);
	CU_ASSERT_EQUAL_FATAL(p.n, 2);
	CU_ASSERT_EQUAL(p.part[0].st.problem, TRACE_OK);
	CU_ASSERT_EQUAL(p.part[1].st.problem, TRACE_VERSION);
	CU_ASSERT_EQUAL(p.part[1].err, -EPROTONOSUPPORT);
	CU_ASSERT_EQUAL(p.part[1].len, 0);
	CU_ASSERT_EQUAL(p.err, -EPROTONOSUPPORT);
	free_parts(&p);
	free_bytes(&b);
}

/* ---- cut and damaged --------------------------------------------------------------------- */

/* Returns the number of complete data frames before `len`, and whether the file ends between frames. */
static size_t whole_frames(const struct extent *e, size_t n, size_t len, bool *between)
{
	size_t whole = 0;

	*between = !len;
	for (size_t i = 0; i < n && e[i].end <= len; i++) {
		whole += !e[i].hint;
		*between = e[i].end == len;
	}
	return whole;
}

static void check_cut(const struct parts *p, const struct parts *full, size_t whole, bool between)
{
	size_t parts = whole > FRAMES ? 2 : 1;

	CU_ASSERT_EQUAL_FATAL(p->n, parts);
	for (size_t i = 0; i < parts; i++) {
		const struct dump *d = &p->part[i];
		size_t frames = whole - i * FRAMES < FRAMES ? whole - i * FRAMES : FRAMES;
		bool ok = frames == FRAMES && (i + 1 < parts || between);

		CU_ASSERT_EQUAL(d->st.frames, frames);
		CU_ASSERT_EQUAL(d->len, full->part[i].after[frames]);
		CU_ASSERT(!memcmp(d->text, full->part[i].text, d->len));
		CU_ASSERT_EQUAL(d->st.problem, ok ? TRACE_OK : whole ? TRACE_CUT : TRACE_EMPTY);
		CU_ASSERT_EQUAL(d->err, whole ? 0 : -EMEDIUMTYPE);
		CU_ASSERT_EQUAL(d->st.more, i + 1 < parts);
	}
}

static void test_cut_at_every_byte(void)
{
	size_t first, n;
	struct bytes b = two_traces(&first);
	struct parts full = parts_of(&b, false);
	struct extent e[MAX_FRAMES];
	int fd = file_of(b.p, b.n);

	n = split_frames(&b, e);
	CU_ASSERT_EQUAL_FATAL(n, 2 * (FRAMES + HINTS));
	for (size_t len = b.n + 1; len-- > 0;) {
		bool between;
		size_t whole = whole_frames(e, n, len, &between);
		struct parts p;

		if (!tries(len))
			continue;
		CU_ASSERT_EQUAL(ftruncate(fd, (off_t)len), 0);
		for (int recover = 0; recover < 2; recover++) {
			p = read_parts(fd, recover);
			check_cut(&p, &full, whole, between);
			free_parts(&p);
		}
	}
	close(fd);
	free_parts(&full);
	free_bytes(&b);
}

/* Returns whether each part of a damaged file has the records of all whole frames. Records may only be missing if a
 * problem is reported. */
static bool damage_is_safe(const struct parts *p, const struct parts *full)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct dump *d = &p->part[i], *f = &full->part[i];

		if (i >= full->n || d->st.frames > FRAMES || d->len != f->after[d->st.frames] ||
		    memcmp(d->text, f->text, d->len))
			return false;
		if (d->st.problem)
			return *d->st.what && i + 1 == p->n &&
			       (d->err == -EBADMSG || d->err == -EMEDIUMTYPE ||
				d->err == -EPROTONOSUPPORT ||
				(!d->err && d->st.problem == TRACE_CUT));
		if (!is_whole(d, f))
			return false;
	}
	return p->n == full->n;
}

/* Returns the number of the data frame that contains byte `at`, counted over both parts; -1: the byte belongs to a
 * hint. */
static int data_frame(const struct extent *e, size_t n, size_t at)
{
	int frame = 0;

	for (size_t i = 0; i < n; i++) {
		if (at < e[i].end)
			return e[i].hint ? -1 : frame;
		frame += !e[i].hint;
	}
	return -1;
}

/* Returns whether recovery lost only the damaged frame, or the frame's part if the frame is HEADER's; frame: number
 * counted over both parts; -1: no frame is damaged. */
static bool recovered_well(const struct parts *p, const struct parts *full, int frame)
{
	for (int i = 0; i < 2; i++) {
		int in_part = frame >= i * FRAMES && frame < (i + 1) * FRAMES;
		const struct dump *d = &p->part[i];

		if (in_part && frame % FRAMES == 0)
			return i && p->n == 1 && p->part[0].st.problem;
		if ((size_t)i >= p->n || d->st.frames != FRAMES - (uint64_t)in_part)
			return false;
		if (in_part && !d->st.problem)
			return false;
		if (!in_part && !is_whole(d, &full->part[i]))
			return false;
	}
	return p->n == 2;
}

static void check_flip(int fd, const struct parts *full, size_t at, int frame)
{
	struct parts p = read_parts(fd, false);
	bool damaged = false, safe = damage_is_safe(&p, full);

	for (size_t i = 0; i < p.n; i++)
		damaged |= p.part[i].st.problem != TRACE_OK;
	CU_ASSERT(safe);
	if (!safe)
		printf("  byte %zu: %zu parts: %s\n", at, p.n, p.part[p.n - 1].st.what);
	free_parts(&p);
	if (!frame) /* another test covers a missing first HEADER */
		return;
	p = read_parts(fd, true);
	/* A change of some bits of a zstd frame has no effect. The checksum shows that the content is unchanged. */
	safe = recovered_well(&p, full, damaged ? frame : -1);
	CU_ASSERT(safe);
	if (!safe)
		printf("  byte %zu, frame %d: recovered %zu parts: %s\n", at, frame, p.n,
		       p.part[0].st.what);
	free_parts(&p);
}

/* Returns whether the byte belongs to a hint's length, and its change makes the hint end where a later frame ends. */
static bool takes_frames(const struct bytes *b, const struct extent *e, size_t n, size_t at,
			 uint8_t flipped)
{
	uint32_t len;
	size_t i = 0, j;

	while (i < n && e[i].end <= at)
		i++;
	if (i == n || !e[i].hint || at < e[i].start + 4 || at >= e[i].start + 8)
		return false;
	memcpy(&len, b->p + e[i].start + 4, sizeof(len));
	((uint8_t *)&len)[at - e[i].start - 4] = flipped;
	for (j = i + 1; j < n && e[j].end != e[i].start + 8 + len; j++)
		;
	return j < n;
}

static void test_every_bit_flipped(void)
{
	size_t first, n;
	struct bytes b = two_traces(&first);
	struct parts full = parts_of(&b, false);
	struct extent e[MAX_FRAMES];
	int fd = file_of(b.p, b.n);

	n = split_frames(&b, e);
	for (size_t at = 0; at < b.n; at++) {
		for (int bit = 0; bit < 8; bit++) {
			uint8_t flipped = b.p[at] ^ (uint8_t)(1 << bit);

			if (!flips(at, bit))
				continue;
			/* With the changed length, the seek table covers whole frames. */
			if (takes_frames(&b, e, n, at, flipped))
				continue;
			CU_ASSERT_EQUAL(pwrite(fd, &flipped, 1, (off_t)at), 1);
			check_flip(fd, &full, at, data_frame(e, n, at));
		}
		CU_ASSERT_EQUAL(pwrite(fd, b.p + at, 1, (off_t)at), 1);
	}
	close(fd);
	free_parts(&full);
	free_bytes(&b);
}

/* Tests a trace that is truncated at any byte and followed by an intact trace: no frame of one trace counts as a
 * frame of the other. */
static void test_cut_part_before(void)
{
	struct bytes b = small_trace();
	struct parts full = parts_of(&b, false);
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);

	for (size_t len = 0; len <= b.n; len++) {
		struct bytes file = { 0 };
		const struct dump *last;
		struct parts p;
		size_t whole;
		bool between;

		if (!tries(len))
			continue;
		add_bytes(&file, b.p, len);
		add_bytes(&file, b.p, b.n);
		whole = whole_frames(e, n, len, &between);
		if (whole == FRAMES && (b.n - len == e[0].end || b.n - len == e[1].end)) {
			/* With a wrong length, the seek table covers the magic, and perhaps HEADER's frame, too. */
			free_bytes(&file);
			continue;
		}
		p = parts_of(&file, true);
		last = &p.part[p.n - 1];
		CU_ASSERT_EQUAL_FATAL(p.n, whole ? 2 : 1);
		CU_ASSERT_TRUE(is_whole(last, &full.part[0]));
		if (whole) {
			CU_ASSERT_EQUAL(p.part[0].st.frames, whole);
			CU_ASSERT_EQUAL(p.part[0].len, full.part[0].after[whole]);
			CU_ASSERT_EQUAL(p.part[0].st.ended, whole == FRAMES);
			CU_ASSERT_EQUAL(p.part[0].st.damages, whole < FRAMES || !between);
			CU_ASSERT_EQUAL(*p.part[0].st.what != '\0', whole < FRAMES || !between);
			CU_ASSERT_EQUAL(p.part[0].st.bytes + last->st.bytes, file.n);
		}
		free_parts(&p);
		free_bytes(&file);
	}
	free_parts(&full);
	free_bytes(&b);
}

static const struct unit_test tests[] = {
	{ "status_begins_anew", test_status_begins_anew },
	{ "pipe_is_like_file", test_pipe_is_like_file },
	{ "rest_is_skipped", test_rest_is_skipped },
	{ "shapes", test_shapes },
	{ "version", test_version },
	{ "cut_at_every_byte", test_cut_at_every_byte },
	{ "every_bit_flipped", test_every_bit_flipped },
	{ "cut_part_before", test_cut_part_before },
};

int main(void)
{
	return unit_main("trace_parts", tests, ARRAY_SIZE(tests));
}
