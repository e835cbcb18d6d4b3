// SPDX-License-Identifier: BSD-2-Clause
/* Tests the file that a writer makes, with its frames and hints, and that misuse never makes a broken file. */
#include "unit.h"

#include <errno.h>

#include "trace_file.h"

static const struct trace_totals no_totals = { .why = "" };

static struct trace_writer *new_writer(int fd)
{
	struct trace_writer *w;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 2), 0);
	return w;
}

/* ---- frames ------------------------------------------------------------------------------ */

static void check_frame_record(const struct trace_record *rec, uint64_t seq)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	bool marks = seq <= 4; /* the last frame has no data with a time */
	uint64_t v;

	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_FRAME_SEQ, 0), seq);
	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_FRAME_FIRST_NS, 1), marks ? 100 * seq : 0);
	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_FRAME_LAST_NS, 1), marks ? 100 * seq + 50 : 0);
	CU_ASSERT_EQUAL(lost.n, 2);
	CU_ASSERT(trace_column_uint(&lost, &v) && v == 0);
	CU_ASSERT(trace_column_uint(&lost, &v) && v == (marks ? 10 * seq : 40));
}

static void check_index(const struct trace_record *rec, const struct extent *e)
{
	struct trace_column offset = trace_record_column(rec, TRACE_INDEX_OFFSET);
	struct trace_column first = trace_record_column(rec, TRACE_INDEX_FIRST_NS);
	struct trace_column last = trace_record_column(rec, TRACE_INDEX_LAST_NS);
	uint64_t v;

	CU_ASSERT_EQUAL(offset.n, 5);
	for (size_t i = 0; i < 5; i++) {
		CU_ASSERT(trace_column_uint(&offset, &v) && v == e[i + 1].start);
		CU_ASSERT(trace_column_uint(&first, &v) && v == (i ? 100 * i : TRACE_NIL));
		CU_ASSERT(trace_column_uint(&last, &v) && v == (i ? 100 * i + 50 : TRACE_NIL));
	}
	CU_ASSERT_EQUAL(first.n + last.n, 0);
}

static void check_end(const struct trace_record *rec, uint64_t records)
{
	char why[8];

	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_END_FRAMES, 0), 5);
	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_END_RECORDS, 0), records - 1);
	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_END_SAMPLES, 0), 3);
	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_END_SYMBOLS, 1), 0);
	CU_ASSERT_EQUAL(trace_record_uint(rec, TRACE_END_AT_NS, 0), 999);
	CU_ASSERT_STRING_EQUAL(trace_record_str(rec, TRACE_END_WHY, why, sizeof(why)), "over");
}

static void test_frames(void)
{
	struct bytes b = small_trace();
	struct extent e[MAX_FRAMES];
	struct trace_reader *r;
	struct trace_record rec;
	uint64_t seq = 0,
		 records = TRACE_ENUM_COUNT; /* SCHEMA and NAMES are not returned to the caller */
	int fd = file_of(b.p, b.n), last = 0;

	CU_ASSERT_EQUAL(split_frames(&b, e), 8); /* the magic, six frames, and the seek table */
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	while (trace_reader_next(r, &rec) > 0) {
		records++;
		if (rec.type == TRACE_FRAME)
			check_frame_record(&rec, ++seq);
		if (rec.type == TRACE_INDEX)
			check_index(&rec, e);
		if (rec.type == TRACE_END)
			check_end(&rec, records);
		CU_ASSERT_EQUAL(records == TRACE_ENUM_COUNT + 1, rec.type == TRACE_HEADER);
		last = rec.type;
	}
	CU_ASSERT_EQUAL(last, TRACE_END);
	CU_ASSERT_EQUAL(seq, 5);
	CU_ASSERT_EQUAL(trace_reader_status(r)->frames, 6);
	CU_ASSERT_EQUAL(trace_reader_status(r)->records, records);
	CU_ASSERT_EQUAL(trace_reader_status(r)->bytes, b.n);
	trace_reader_free(r);
	close(fd);
	free_bytes(&b);
}

static void check_seek_table(const uint8_t *p, size_t n, const struct extent *e, size_t frames)
{
	CU_ASSERT_EQUAL_FATAL(n, 8 + frames * SEEK_ENTRY_SIZE + SEEK_FOOTER_SIZE);
	CU_ASSERT_EQUAL(le32(p), SEEK_TABLE_MAGIC);
	CU_ASSERT_EQUAL(le32(p + 4), n - 8);
	for (size_t i = 0; i < frames; i++)
		CU_ASSERT_EQUAL(le32(p + 8 + i * SEEK_ENTRY_SIZE), e[i].end - e[i].start);
	CU_ASSERT_EQUAL(le32(p + n - 9), frames);
	CU_ASSERT_EQUAL(p[n - 5], 0);
	CU_ASSERT_EQUAL(le32(p + n - 4), SEEK_FOOTER_MAGIC);
}

static void test_bytes(void)
{
	static const uint8_t magic[] = "\x5c\x2a\x4d\x18\x08\0\0\0netcost\x01";
	struct bytes b = small_trace();
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);

	CU_ASSERT_EQUAL_FATAL(n, 8);
	CU_ASSERT_EQUAL(memcmp(b.p, magic, 16), 0);
	CU_ASSERT(e[0].end == 16 && e[0].hint && e[7].hint);
	for (size_t i = 1; i < 7; i++) {
		const uint8_t *p = b.p + e[i].start;
		uint64_t size = ZSTD_getFrameContentSize(p, e[i].end - e[i].start);

		CU_ASSERT_FALSE(e[i].hint);
		CU_ASSERT(p[4] & 4);	/* checksum */
		CU_ASSERT(!(p[4] & 3)); /* no dictionary */
		CU_ASSERT_EQUAL(size, le32(b.p + e[7].start + 8 + i * SEEK_ENTRY_SIZE + 4));
	}
	check_seek_table(b.p + e[7].start, b.n - e[7].start, e, 7);
	free_bytes(&b);
}

static void test_zstd_reads_it(void)
{
	struct bytes b = small_trace();
	char command[64];
	int fd = file_of(b.p, b.n);

	snprintf(command, sizeof(command), "zstd -tq </proc/%d/fd/%d", getpid(), fd);
	CU_ASSERT_EQUAL(system(command), 0);
	close(fd);
	free_bytes(&b);
}

/* ---- columns ----------------------------------------------------------------------------- */

/* Writes a column with n times the value v. `bytes` is the expected size, without the record around the column and
 * without the array's length. */
static void check_column(struct trace_writer *w, int64_t v, bool is_signed, size_t n, size_t bytes)
{
	size_t before = trace_writer_pending(w);
	int32_t dt[1000];
	uint32_t stack[1000];

	for (size_t i = 0; i < n; i++) {
		dt[i] = (int32_t)v;
		stack[i] = (uint32_t)v;
	}
	trace_writer_begin(w, TRACE_SAMPLES);
	if (is_signed)
		trace_writer_i32s(w, TRACE_SAMPLES_DT, dt, n);
	else
		trace_writer_u32s(w, TRACE_SAMPLES_STACK, stack, n);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	CU_ASSERT_EQUAL(trace_writer_pending(w) - before, 4 + (n < 16 ? 1 : 3) + n * bytes);
}

/* Tests that each number has the shortest encoding, even if a column is larger than the writer's buffer for a part
 * of it. */
static void test_shortest(void)
{
	static const struct {
		int64_t v;
		size_t bytes;
	} cases[] = {
		{ 0, 1 },     { 127, 1 },     { 128, 2 },    { 255, 2 },       { 256, 3 },
		{ 65535, 3 }, { 65536, 5 },   { -1, 1 },     { -32, 1 },       { -33, 2 },
		{ -128, 2 },  { -129, 3 },    { -32768, 3 }, { -32769, 5 },    { INT32_MIN, 5 },
		{ 300, 3 },   { 1 << 20, 5 }, { -200, 3 },   { INT32_MAX, 5 },
	};
	struct trace_writer *w = new_writer(-1);

	trace_writer_begin(w, TRACE_HEADER);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t n = 1; n <= 1000; n += 999) {
			check_column(w, cases[i].v, true, n, cases[i].bytes);
			if (cases[i].v >= 0)
				check_column(w, cases[i].v, false, n, cases[i].bytes);
		}
	check_column(w, UINT32_MAX, false, 1000, 5);
	trace_writer_free(w);
}

/* Checks a record whose number of keys is not known in advance: its head has the shortest encoding, and earlier data
 * stays. */
static void check_keys(int fd, size_t nkeys, uint8_t head)
{
	struct trace_writer *w = new_writer(fd);
	size_t most, before;
	const struct trace_key_desc *k = trace_type_keys(TRACE_STAGES, &most);
	struct dump d;
	char last[32];

	CU_ASSERT_FATAL(nkeys <= most);
	CU_ASSERT_EQUAL(put_header(w), 0);
	CU_ASSERT_EQUAL(put_mark(w, 1, "before"), 0);
	before = trace_writer_pending(w);
	trace_writer_begin(w, TRACE_STAGES);
	for (size_t i = 0; i < nkeys; i++)
		trace_writer_field(w, &(struct trace_field){ .key = k[i].key, .kind = k[i].kind });
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	CU_ASSERT_EQUAL(trace_writer_pending(w) - before, 2 + head + 2 * nkeys);
	CU_ASSERT_EQUAL(put_mark(w, 2, "after"), 0);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), 0);
	trace_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	d = read_all(fd);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_OK);
	snprintf(last, sizeof(last), " %u=", nkeys ? k[nkeys - 1].key : 0);
	CU_ASSERT(!nkeys || strstr(d.text, last));
	CU_ASSERT(strstr(d.text, "'before'") && strstr(d.text, "'after'"));
	free(d.text);
	close(fd);
}

static void test_keys_not_counted(void)
{
	static const struct {
		size_t keys;
		uint8_t head;
	} cases[] = { { 0, 1 }, { 1, 1 }, { 15, 1 }, { 16, 3 }, { 17, 3 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_keys(empty_file(), cases[i].keys, cases[i].head);
}

/* ---- misuse ------------------------------------------------------------------------------ */

static void put_outside(struct trace_writer *w)
{
	trace_writer_uint(w, TRACE_MARK_AT_NS, 1);
}

static void falling_keys(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_MARK);
	trace_writer_str(w, TRACE_MARK_TEXT, "");
	trace_writer_uint(w, TRACE_MARK_AT_NS, 1);
	trace_writer_end(w);
}

static void same_key_twice(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_MARK);
	trace_writer_uint(w, TRACE_MARK_AT_NS, 1);
	trace_writer_uint(w, TRACE_MARK_AT_NS, 1);
	trace_writer_end(w);
}

static void other_kind(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_MARK);
	trace_writer_str(w, TRACE_MARK_AT_NS, "now");
	trace_writer_end(w);
}

static void unknown_key(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_MARK);
	trace_writer_uint(w, 100, 1);
	trace_writer_end(w);
}

static void unknown_type(struct trace_writer *w)
{
	trace_writer_begin(w, 99);
	trace_writer_end(w);
}

static void out_of_range(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_MARK);
	trace_writer_uint(w, TRACE_MARK_AT_NS, INT64_MAX + 1ull);
	trace_writer_end(w);
}

static void int_out_of_range(struct trace_writer *w)
{
	static const int64_t v = -(1ll << 62) - 1;

	trace_writer_begin(w, TRACE_SYMBOLS);
	trace_writer_ints(w, TRACE_SYMBOLS_OFFSET, &v, 1);
	trace_writer_end(w);
}

static void begin_twice(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_MARK);
	trace_writer_begin(w, TRACE_MARK);
	trace_writer_end(w);
}

static void end_without_begin(struct trace_writer *w)
{
	trace_writer_end(w);
}

static void flush_within(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_MARK);
	CU_ASSERT_EQUAL(trace_writer_flush(w), -EINVAL);
	trace_writer_uint(w, TRACE_MARK_AT_NS, 1);
	trace_writer_end(w);
}

static void finish_within(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_MARK);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), -EINVAL);
}

static void second_header(struct trace_writer *w)
{
	put_header(w);
}

static void frame_by_hand(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_FRAME);
	trace_writer_end(w);
}

static void end_by_hand(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_END);
	trace_writer_end(w);
}

static void huge_frame(struct trace_writer *w)
{
	uint64_t *v = malloc(sizeof(*v) << 20);

	for (size_t i = 0; i < 1 << 20; i++)
		v[i] = INT64_MAX;
	trace_writer_begin(w, TRACE_TICK);
	trace_writer_uints(w, TRACE_TICK_CPU, v, 1 << 20);
	trace_writer_end(w);
	free(v);
}

static const struct misuse {
	const char *name;
	void (*fn)(struct trace_writer *w);
	int err;
} misuses[] = {
	{ "put outside", put_outside, -EINVAL },
	{ "falling keys", falling_keys, -EINVAL },
	{ "same key twice", same_key_twice, -EINVAL },
	{ "other kind", other_kind, -EINVAL },
	{ "unknown key", unknown_key, -EINVAL },
	{ "unknown type", unknown_type, -EINVAL },
	{ "out of range", out_of_range, -ERANGE },
	{ "int out of range", int_out_of_range, -ERANGE },
	{ "begin twice", begin_twice, -EINVAL },
	{ "end without begin", end_without_begin, -EINVAL },
	{ "flush within", flush_within, -EINVAL },
	{ "finish within", finish_within, -EINVAL },
	{ "second header", second_header, -EINVAL },
	{ "frame by hand", frame_by_hand, -EINVAL },
	{ "end by hand", end_by_hand, -EINVAL },
	{ "huge frame", huge_frame, -EMSGSIZE },
};

/* Checks that all later calls return the first error, and that the file keeps its whole frames. */
static void check_misuse(const struct misuse *m)
{
	int fd = empty_file();
	struct trace_writer *w = new_writer(fd);
	struct dump d;

	CU_ASSERT_EQUAL(put_header(w), 0);
	CU_ASSERT_EQUAL(put_mark(w, 1, "written"), 0);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	CU_ASSERT_EQUAL(put_mark(w, 2, "kept"), 0);
	CU_ASSERT_EQUAL(trace_writer_end_frame(w), 0);
	m->fn(w);
	CU_ASSERT_EQUAL(put_mark(w, 3, "not kept"), m->err);
	CU_ASSERT_EQUAL(trace_writer_end_frame(w), m->err);
	CU_ASSERT_EQUAL(trace_writer_flush(w), m->err);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), m->err);
	CU_ASSERT_EQUAL((uint64_t)lseek(fd, 0, SEEK_END), trace_writer_bytes(w));
	trace_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	d = read_all(fd);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_CUT);
	CU_ASSERT_EQUAL(d.st.records, 4 + TRACE_ENUM_COUNT);
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "'written'"));
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "'kept'"));
	free(d.text);
	close(fd);
}

static void test_misuse(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(misuses); i++) {
		unsigned int before = CU_get_number_of_failures();

		check_misuse(&misuses[i]);
		if (CU_get_number_of_failures() != before)
			printf("  misuse: %s\n", misuses[i].name);
	}
}

static void test_without_header(void)
{
	int fd = empty_file();
	struct trace_writer *w = new_writer(fd);

	CU_ASSERT_EQUAL(put_mark(w, 1, "m"), -EINVAL);
	CU_ASSERT_EQUAL(trace_writer_flush(w), -EINVAL);
	trace_writer_free(w);
	w = new_writer(fd);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), -EINVAL);
	trace_writer_free(w);
	CU_ASSERT_EQUAL(lseek(fd, 0, SEEK_END), 0);
	close(fd);
}

static void test_after_finish(void)
{
	int fd = empty_file();
	struct trace_writer *w = new_writer(fd);
	struct dump d;

	CU_ASSERT_EQUAL(put_header(w), 0);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), 0);
	CU_ASSERT_EQUAL(put_mark(w, 1, "late"), -EINVAL);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), -EINVAL);
	CU_ASSERT_EQUAL((uint64_t)lseek(fd, 0, SEEK_END), trace_writer_bytes(w));
	trace_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	d = read_all(fd);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_OK);
	/* The records HEADER, FRAME, INDEX and END, and the records SCHEMA and NAMES. */
	CU_ASSERT_EQUAL(d.st.records, 4 + TRACE_ENUM_COUNT);
	free(d.text);
	close(fd);
}

/* Tests that records which every time range needs are in a frame without other records, before the other records. */
static void test_apart(void)
{
	static const enum trace_type want[] = { TRACE_HEADER, TRACE_FRAME, TRACE_MARK,	TRACE_FRAME,
						TRACE_TICK,   TRACE_FRAME, TRACE_INDEX, TRACE_END };
	int fd = empty_file();
	struct trace_writer *w = new_writer(fd);
	struct trace_reader *r;
	struct trace_record rec;
	size_t n = 0;

	put_header(w);
	trace_writer_set_apart(w);
	CU_ASSERT_EQUAL(trace_writer_end_frame(w), 0);
	trace_writer_begin(w, TRACE_TICK);
	trace_writer_uint(w, TRACE_TICK_AT_NS, 100);
	trace_writer_time(w, 100);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	CU_ASSERT_EQUAL(put_mark(w, 100, "late"), 0);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), 0);
	trace_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	for (; trace_reader_next(r, &rec) > 0 && n < ARRAY_SIZE(want); n++) {
		struct trace_column defines = trace_record_column(&rec, TRACE_INDEX_DEFINES);
		uint64_t v;

		CU_ASSERT_EQUAL(rec.type, want[n]);
		for (int i = 0; rec.type == TRACE_INDEX && i < 3; i++)
			CU_ASSERT(trace_column_uint(&defines, &v) && v == (i < 2));
	}
	CU_ASSERT_EQUAL(n, ARRAY_SIZE(want));
	CU_ASSERT_EQUAL(trace_reader_status(r)->problem, TRACE_OK);
	trace_reader_free(r);
	close(fd);
}

/* Tests a recording of days, which has more frames than an INDEX of one frame can list. */
static void test_more_frames_than_index(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct trace_writer *w = new_writer(fd);

	CU_ASSERT_EQUAL(put_header(w), 0);
	for (int i = 0; i < 300000; i++) {
		put_mark(w, 1ull << 40, "");
		if (trace_writer_flush(w))
			break;
	}
	CU_ASSERT_EQUAL(trace_writer_finish(w, &no_totals), 0);
	trace_writer_free(w);
	close(fd);
}

static const struct unit_test tests[] = {
	{ "frames", test_frames },
	{ "bytes", test_bytes },
	{ "zstd_reads_it", test_zstd_reads_it },
	{ "shortest", test_shortest },
	{ "keys not counted", test_keys_not_counted },
	{ "misuse", test_misuse },
	{ "without_header", test_without_header },
	{ "after_finish", test_after_finish },
	{ "apart", test_apart },
	{ "more_frames_than_index", test_more_frames_than_index },
};

int main(void)
{
	return unit_main("trace_writer", tests, ARRAY_SIZE(tests));
}
