// SPDX-License-Identifier: BSD-2-Clause
/* Tests a part of the time: reading by INDEX gives the same as reading everything, whatever INDEX contains. */
#include "unit.h"

#include "format/mp.h"
#include "window_util.h"

/* ---- sound ------------------------------------------------------------------------------- */

static void test_same_as_a_scan(void)
{
	unsigned int sought = 0;

	for (uint64_t i = 0; i < 24; i++) {
		struct bytes b = long_trace(i % 6);

		for (int k = 0; k < 10; k++) {
			struct span s = random_span();
			struct part_kept seek = read_file(&b, s), scan = read_pipe(&b, s);

			CU_ASSERT(same_part(&seek, &scan));
			CU_ASSERT_EQUAL(scan.err, 0);
			CU_ASSERT_EQUAL(scan.st.bytes, b.n);
			sought += seek.st.bytes < b.n;
			free_part(&seek);
			free_part(&scan);
		}
		free_bytes(&b);
	}
	CU_ASSERT(sought > 40);
}

/* Continues to read from a frame. Returns the number of records, and the number of the last frame in *seq. */
static uint64_t read_on(struct trace_reader *r, uint64_t *seq)
{
	struct trace_record rec;
	uint64_t n = 0;

	while (trace_reader_next(r, &rec) > 0) {
		n++;
		if (rec.type == TRACE_FRAME)
			*seq = trace_record_uint(&rec, TRACE_FRAME_SEQ, 0);
	}
	return n;
}

/* Tests a file that is truncated anywhere and then grows: it is read like a file that was always complete. Reading
 * may also continue where the file was truncated. */
static void test_grows(void)
{
	struct bytes b = long_trace(4);
	struct trace_reader *r;
	int fd = file_of(b.p, b.n);
	uint64_t all, seq = 0;

	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	all = read_on(r, &seq);
	trace_reader_free(r);
	close(fd);
	for (size_t n = b.n / 2; n < b.n / 2 + 3000; n += 37) {
		uint64_t before, after, offset, cut;

		fd = file_of(b.p, n);
		CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
		before = read_on(r, &seq);
		CU_ASSERT_EQUAL(trace_reader_status(r)->problem, TRACE_CUT);
		offset = trace_reader_status(r)->offset;
		cut = seq;
		CU_ASSERT_EQUAL(pwrite(fd, b.p + n, b.n - n, (off_t)n), (ssize_t)(b.n - n));
		CU_ASSERT_EQUAL(trace_reader_go(r, offset, cut + 1), 0);
		after = read_on(r, &seq);
		CU_ASSERT_EQUAL(before + after, all);
		CU_ASSERT(trace_reader_status(r)->ended && !trace_reader_status(r)->problem);
		CU_ASSERT_EQUAL(trace_reader_go(r, offset, cut + 1), 0);
		CU_ASSERT_EQUAL(read_on(r, &seq), after);
		CU_ASSERT_EQUAL(trace_reader_go(r, offset, cut + 2), 0);
		/* the frame is not the one that the caller names */
		CU_ASSERT_EQUAL(read_on(r, &seq), 0);
		trace_reader_free(r);
		close(fd);
	}
	free_bytes(&b);
}

/* Tests the content of each frame, which is found by reading the whole file. */
static void test_which_frames(void)
{
	struct bytes b = long_trace(3);
	struct span s = { START + 10 * SECOND, START + 12 * SECOND };
	int fd = file_of(b.p, b.n);
	uint64_t wanted = 0, first_ns = 1, last_ns = 0;
	struct part_kept p = read_file(&b, s);
	struct trace_reader *r;
	struct trace_record rec;
	bool of_all = true;

	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	for (int err = 1; err > 0;) {
		err = trace_reader_next(r, &rec);
		if (err > 0 && rec.type != TRACE_FRAME) {
			of_all |= trace_type_desc(rec.type)->of == TRACE_WHOLE;
			continue;
		}
		wanted += of_all || (last_ns >= s.from_ns && first_ns <= s.to_ns);
		of_all = false;
		first_ns = trace_record_uint(&rec, TRACE_FRAME_FIRST_NS, 0);
		last_ns = trace_record_uint(&rec, TRACE_FRAME_LAST_NS, 0);
	}
	CU_ASSERT_EQUAL(trace_reader_status(r)->frames, NFRAMES + 2);
	CU_ASSERT_EQUAL(p.st.frames, NFRAMES + 2);
	CU_ASSERT_EQUAL(p.st.frames_skipped, NFRAMES + 2 - wanted);
	CU_ASSERT(p.st.frames_skipped > NFRAMES / 2);
	CU_ASSERT_EQUAL(p.st.first_ns, trace_reader_status(r)->first_ns);
	CU_ASSERT_EQUAL(p.st.last_ns, trace_reader_status(r)->last_ns);
	trace_reader_free(r);
	free_part(&p);
	close(fd);
	free_bytes(&b);
}

/* Reads a window, with what earlier readers know of INDEX. Returns the status. */
static struct trace_status read_shared(int fd, struct trace_index *x, struct span s, bool bare)
{
	struct trace_reader *r;
	struct trace_record rec;
	struct trace_status st;

	CU_ASSERT_FATAL(!lseek(fd, 0, SEEK_SET) && !trace_reader_new(&r, fd));
	trace_reader_set_window(r, s.from_ns, s.to_ns);
	trace_reader_set_index(r, x);
	if (bare)
		trace_reader_set_bare(r);
	while (trace_reader_next(r, &rec) > 0)
		;
	st = *trace_reader_status(r);
	trace_reader_free(r);
	return st;
}

/* Tests that an empty window gives only the records that concern the whole trace, and that a window of all time
 * gives all records. */
static void test_nothing_and_all(void)
{
	struct bytes b = long_trace(5);
	struct part_kept all = read_file(&b, (struct span){ 0, UINT64_MAX });
	struct part_kept none = read_file(&b, (struct span){ UINT64_MAX, 0 });
	struct dump d = read_bytes(&b);

	CU_ASSERT_EQUAL(all.len, d.len);
	CU_ASSERT_EQUAL(memcmp(all.text, d.text, d.len), 0);
	CU_ASSERT_EQUAL(all.st.frames_skipped, 0);
	CU_ASSERT_EQUAL(none.of_all_len, all.of_all_len);
	CU_ASSERT_EQUAL(memcmp(none.of_all, all.of_all, all.of_all_len), 0);
	CU_ASSERT(none.st.bytes < b.n);
	free(d.text);
	free_part(&all);
	free_part(&none);
	free_bytes(&b);
}

/* ---- damaged ----------------------------------------------------------------------------- */

/* Tests that damage inside the window is reported as it is when everything is read, and that data outside is not
 * read. */
static void test_damage(void)
{
	struct bytes b = long_trace(4);
	struct span s = { START + 20 * SECOND, START + 22 * SECOND };
	struct part_kept sound = read_file(&b, s);

	for (int i = 0; i < rounds(200); i++) {
		size_t at = rnd(b.n);
		uint8_t before = b.p[at];
		struct part_kept seek, scan;

		b.p[at] ^= (uint8_t)(1u << rnd(8));
		seek = read_file(&b, s);
		scan = read_pipe(&b, s);
		CU_ASSERT(same_part(&seek, &scan) || same_part(&seek, &sound));
		free_part(&seek);
		free_part(&scan);
		b.p[at] = before;
	}
	free_part(&sound);
	free_bytes(&b);
}

static void test_cut(void)
{
	struct bytes b = long_trace(4);
	size_t whole = b.n;

	for (int i = 0; i < rounds(100); i++) {
		struct span s = random_span();
		struct part_kept seek, scan;

		b.n = rnd(whole);
		seek = read_file(&b, s);
		scan = read_pipe(&b, s);
		CU_ASSERT(same_part(&seek, &scan));
		free_part(&seek);
		free_part(&scan);
	}
	b.n = whole;
	free_bytes(&b);
}

/* Tests that recovery reads everything, and skips the same records. */
static void test_recover(void)
{
	struct bytes b = long_trace(4);

	for (int i = 0; i < 20; i++) {
		struct span s = random_span();
		int fd = file_of(b.p, b.n);
		struct part_kept all = read_part(fd, s, true), scan = read_pipe(&b, s);

		CU_ASSERT(same_part(&all, &scan));
		CU_ASSERT_EQUAL(all.st.bytes, b.n);
		CU_ASSERT_EQUAL(all.st.damages + all.st.frames_missing, 0);
		free_part(&all);
		free_part(&scan);
		close(fd);
	}
	free_bytes(&b);
}

/* ---- an INDEX that lies ------------------------------------------------------------------ */

enum { OFFSET, FIRST, LAST, DEFINES, COLUMNS };

struct index {
	uint64_t v[COLUMNS][NFRAMES + 2];
	size_t n[COLUMNS]; /* entries of the columns; if DEFINES has 0, the column is absent */
};

static struct index index_of(const struct bytes *b)
{
	struct index x = { 0 };
	int fd = file_of(b->p, b->n);
	struct trace_reader *r;
	struct trace_record rec;

	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	while (trace_reader_next(r, &rec) > 0)
		for (int i = 0; rec.type == TRACE_INDEX && i < COLUMNS; i++) {
			struct trace_column c = trace_record_column(&rec, (unsigned int)i + 1);

			while (trace_column_uint(&c, &x.v[i][x.n[i]]))
				x.n[i]++;
		}
	trace_reader_free(r);
	close(fd);
	return x;
}

static void add_value(struct bytes *b, uint64_t v)
{
	uint8_t p[9] = { 0xcf };

	for (int i = 0; i < 8; i++)
		p[1 + i] = (uint8_t)(v >> (56 - 8 * i));
	add_bytes(b, v == TRACE_NIL ? (uint8_t[]){ 0xc0 } : p, v == TRACE_NIL ? 1 : 9);
}

static void add_index(struct bytes *b, const struct index *x)
{
	unsigned int n = x->n[DEFINES] ? COLUMNS : COLUMNS - 1;

	add_bytes(b, (uint8_t[]){ 0x92, TRACE_INDEX, (uint8_t)(0x80 | n) }, 3);
	for (unsigned int i = 0; i < n; i++) {
		add_bytes(b, (uint8_t[]){ (uint8_t)(i + 1), 0xdc, 0, (uint8_t)x->n[i] }, 4);
		for (size_t k = 0; k < x->n[i]; k++)
			add_value(b, x->v[i][k]);
	}
}

/* Returns the trace with another INDEX and a matching seek table. */
static struct bytes with_index(const struct bytes *b, const struct index *x)
{
	static uint8_t content[TRACE_MAX_FRAME];
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(b, e), size;
	struct bytes body = { 0 }, out = { 0 };
	struct mp_cursor c;
	uint8_t entry[8], footer[9] = { 0 };

	/* the magic, HEADER's frame, END's frame, and the seek table */
	CU_ASSERT_EQUAL_FATAL(n, NFRAMES + 4);
	size = ZSTD_decompress(content, sizeof(content), b->p + e[n - 2].start,
			       e[n - 2].end - e[n - 2].start);
	c = (struct mp_cursor){ content, content + size };
	mp_skip(&c, 8);
	add_bytes(&body, content, (size_t)(c.p - content)); /* FRAME */
	add_index(&body, x);
	mp_skip(&c, 8);
	add_bytes(&body, c.p, (size_t)(c.end - c.p)); /* END */
	add_bytes(&out, b->p, e[n - 2].start);
	add_frame(&out, body.p, body.n, 0);
	size = out.n - e[n - 2].start;
	add_bytes(&out, b->p + e[n - 1].start, 8 + 8 * (n - 2));
	put_le32(put_le32(entry, (uint32_t)size), (uint32_t)body.n);
	add_bytes(&out, entry, 8);
	put_le32(footer, (uint32_t)(n - 1));
	put_le32(footer + 5, SEEK_FOOTER_MAGIC);
	add_bytes(&out, footer, 9);
	free_bytes(&body);
	return out;
}

/* Tests that an INDEX with another encoding of integers is accepted: every frame is as long as INDEX says. */
static void test_rewritten(void)
{
	struct bytes b = long_trace(8);
	struct span s = { START + 5 * SECOND, START + 6 * SECOND };
	struct index x = index_of(&b);
	struct bytes other = with_index(&b, &x);
	struct part_kept p = read_file(&other, s), scan = read_pipe(&other, s);

	CU_ASSERT_EQUAL(x.n[DEFINES], NFRAMES + 1);
	CU_ASSERT(same_part(&p, &scan));
	CU_ASSERT(p.st.bytes < other.n);
	free_part(&p);
	free_part(&scan);
	free_bytes(&other);
	free_bytes(&b);
}

/* Checks that the result is the same as when everything is read, or, if names_only, has at least all records with
 * names and settings. */
static void check_lie(const struct bytes *b, const struct index *x, struct span s, bool names_only)
{
	struct bytes lie = with_index(b, x);
	struct part_kept seek = read_file(&lie, s), scan = read_pipe(&lie, s);

	CU_ASSERT_EQUAL(scan.err, 0);
	CU_ASSERT_FALSE(seek.dangling);
	CU_ASSERT(same_part(&seek, &scan) ||
		  (names_only && !seek.err && seek.of_all_len == scan.of_all_len &&
		   !memcmp(seek.of_all, scan.of_all, scan.of_all_len)));
	free_part(&seek);
	free_part(&scan);
	free_bytes(&lie);
}

/* Tests that nothing in INDEX is trusted if it is wrong about a frame that is read. */
static void test_not_believed(void)
{
	struct bytes b = long_trace(4);

	for (int column = 0; column < COLUMNS; column++) {
		struct index x = index_of(&b);
		size_t in_window = 22; /* this frame begins at START + 21 s */
		struct span s;
		struct bytes lie;
		struct part_kept p, scan;

		while (column == DEFINES && !x.v[DEFINES][in_window])
			in_window--;
		s.from_ns = s.to_ns = START + (in_window - 1) * SECOND;
		x.v[column][in_window] -= 1;
		lie = with_index(&b, &x);
		p = read_file(&lie, s);
		scan = read_pipe(&lie, s);
		CU_ASSERT(same_part(&p, &scan));
		CU_ASSERT_EQUAL(p.st.bytes, lie.n);
		free_part(&p);
		free_part(&scan);
		free_bytes(&lie);
	}
	free_bytes(&b);
}

/*
 * Tests that readers which share an INDEX compare each frame with it once: later ones that need no definitions do not
 * notice that such a frame outside the window is damaged meanwhile.
 */
static void test_shared_index(void)
{
	struct bytes b = long_trace(3);
	struct index listed = index_of(&b);
	struct span s = { START + 30 * SECOND, START + 32 * SECOND };
	struct part_kept alone = read_file(&b, s);
	struct trace_status first, bare;
	int fd = file_of(b.p, b.n);
	struct trace_index *x;
	size_t named = 5;

	while (!listed.v[DEFINES][named])
		named++;
	CU_ASSERT_FATAL(named < 25 && !trace_index_new(&x));
	first = read_shared(fd, x, s, false);
	CU_ASSERT_EQUAL(first.bytes, alone.st.bytes);
	CU_ASSERT_EQUAL(first.records, alone.st.records);
	b.p[listed.v[OFFSET][named + 1] - 1] ^= 1; /* its checksum */
	CU_ASSERT_EQUAL(pwrite(fd, b.p, b.n, 0), (ssize_t)b.n);
	bare = read_shared(fd, x, s, true);
	CU_ASSERT(bare.ended && !bare.problem && bare.bytes < first.bytes);
	CU_ASSERT_EQUAL(bare.frames, NFRAMES + 2);
	CU_ASSERT_EQUAL(bare.first_ns, first.first_ns);
	CU_ASSERT_EQUAL(bare.last_ns, first.last_ns);
	CU_ASSERT(bare.frames_skipped > NFRAMES - 8);
	CU_ASSERT_EQUAL(read_shared(fd, x, s, false).problem, TRACE_DAMAGED);
	trace_index_free(x);
	CU_ASSERT_EQUAL_FATAL(trace_index_new(&x), 0);
	CU_ASSERT_EQUAL(read_shared(fd, x, s, true).problem, TRACE_DAMAGED);
	trace_index_free(x);
	free_part(&alone);
	close(fd);
	free_bytes(&b);
}

/* Tests that an INDEX that one reader finds wrong is used by none after it. */
static void test_shared_lie(void)
{
	struct bytes b = long_trace(4);
	struct index lies = index_of(&b);
	struct span wrong = { START + 21 * SECOND, START + 21 * SECOND };
	struct span right = { START + 50 * SECOND, START + 51 * SECOND };
	struct trace_index *x;
	struct bytes lie;
	int fd;

	lies.v[LAST][22] -= 1; /* this frame begins at START + 21 s */
	lie = with_index(&b, &lies);
	fd = file_of(lie.p, lie.n);
	CU_ASSERT_EQUAL_FATAL(trace_index_new(&x), 0);
	CU_ASSERT_EQUAL(read_shared(fd, x, wrong, true).bytes, lie.n);
	CU_ASSERT_EQUAL(read_shared(fd, x, right, false).bytes, lie.n);
	trace_index_free(x);
	close(fd);
	free_bytes(&lie);
	free_bytes(&b);
}

/* Tests, for each frame, an INDEX that says that the frame has no definitions although it has some. */
static void test_hidden_definitions(void)
{
	for (uint64_t seldom = 0; seldom < 6; seldom++) {
		struct bytes b = long_trace(seldom);
		struct index x = index_of(&b);

		for (size_t i = 0; i < x.n[DEFINES]; i++) {
			uint64_t was = x.v[DEFINES][i];

			x.v[DEFINES][i] = 0;
			check_lie(&b, &x, (struct span){ START + 7 * SECOND, START + 8 * SECOND },
				  true);
			x.v[DEFINES][i] = was;
		}
		memset(x.v[DEFINES], 0, sizeof(x.v[DEFINES]));
		check_lie(&b, &x, random_span(), false);
		free_bytes(&b);
	}
}

static void test_not_known(void)
{
	struct bytes b = long_trace(4);
	struct index x = index_of(&b);
	struct span s = { START + 7 * SECOND, START + 8 * SECOND };

	x.n[DEFINES] = 0;
	check_lie(&b, &x, s, false);
	x = index_of(&b);
	memset(x.v[DEFINES], 0xff, sizeof(x.v[DEFINES]));
	check_lie(&b, &x, s, false);
	for (int i = 0; i < COLUMNS; i++) {
		x = index_of(&b);
		x.n[i]--;
		check_lie(&b, &x, s, false);
		x.n[i] += 2;
		check_lie(&b, &x, s, false);
	}
	free_bytes(&b);
}

/* Tests changed offsets and times of any frame, and of all frames. */
static void test_wrong_values(void)
{
	struct bytes b = long_trace(4);

	for (int i = 0; i < rounds(150); i++) {
		struct index x = index_of(&b);
		int column = (int)rnd(COLUMNS);
		size_t at = rnd(x.n[column]), end = rnd(4) ? at + 1 : x.n[column];

		for (; at < end; at++)
			x.v[column][at] = rnd(3) ? (x.v[column][at] + rnd(5) - 2) & INT64_MAX :
					  rnd(2) ? rnd(INT64_MAX) :
						   TRACE_NIL;
		check_lie(&b, &x, random_span(), column != OFFSET);
	}
	free_bytes(&b);
}

/* Tests changes of each byte of the seek table, which a scan never reads. */
static void test_wrong_table(void)
{
	struct bytes b = long_trace(4);
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);
	struct span s = { START + 30 * SECOND, START + 31 * SECOND };
	struct part_kept sound = read_file(&b, s);

	for (size_t at = e[n - 1].start + 8; at < b.n; at++) {
		struct part_kept p;

		b.p[at] ^= 0x41;
		p = read_file(&b, s);
		CU_ASSERT(same_part(&p, &sound));
		free_part(&p);
		b.p[at] ^= 0x41;
	}
	free_part(&sound);
	free_bytes(&b);
}

static const struct unit_test tests[] = {
	{ "same_as_a_scan", test_same_as_a_scan },
	{ "grows", test_grows },
	{ "which_frames", test_which_frames },
	{ "nothing_and_all", test_nothing_and_all },
	{ "shared_index", test_shared_index },
	{ "shared_lie", test_shared_lie },
	{ "damage", test_damage },
	{ "cut", test_cut },
	{ "recover", test_recover },
	{ "rewritten", test_rewritten },
	{ "not_believed", test_not_believed },
	{ "hidden_definitions", test_hidden_definitions },
	{ "not_known", test_not_known },
	{ "wrong_values", test_wrong_values },
	{ "wrong_table", test_wrong_table },
};

int main(void)
{
	return unit_main("window", tests, ARRAY_SIZE(tests));
}
