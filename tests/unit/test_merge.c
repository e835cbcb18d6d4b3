// SPDX-License-Identifier: BSD-2-Clause
/* Tests files with several parts, made by the writer and by merging traces. */
#include <netcost/reasons.h>
#include "unit.h"

#include "recover_util.h"

/* ---- the writer -------------------------------------------------------------------------- */

static int put_one_cpu_header(struct trace_writer *w)
{
	trace_writer_begin(w, TRACE_HEADER);
	trace_writer_uint(w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	trace_writer_uint(w, TRACE_HEADER_MINOR, TRACE_MINOR);
	trace_writer_uints(w, TRACE_HEADER_CPUS, U(7));
	return trace_writer_end(w);
}

static const struct trace_totals totals = { .samples = 3, .at_ns = 999, .why = "over" };

/* Returns a file with two parts: the records of write_small_trace(), and a trace of one CPU. */
static int two_parts(void)
{
	struct trace_writer *w;
	int fd = empty_file();

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 2), 0);
	put_marks(w);
	CU_ASSERT_EQUAL(trace_writer_next(w, &totals, 1), 0);
	CU_ASSERT_EQUAL(put_one_cpu_header(w), 0);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	CU_ASSERT_EQUAL(put_mark(w, 5, "third"), 0);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &totals), 0);
	trace_writer_free(w);
	return fd;
}

static void test_first_part_is_a_trace(void)
{
	struct bytes parts, alone = small_trace();
	int fd = two_parts();
	struct extent e[MAX_FRAMES];
	size_t n;

	parts = contents(fd);
	n = split_frames(&alone, e);
	CU_ASSERT_EQUAL(n, 8);
	/* Both are equal except for the seek table at the end of the file. */
	CU_ASSERT(parts.n > e[n - 1].start && !memcmp(parts.p, alone.p, e[n - 1].start));
	free_bytes(&parts);
	free_bytes(&alone);
	close(fd);
}

static void test_second_part_begins_anew(void)
{
	static const char expected[] = "1: 1=1 2=0 8= 7\n"
				       "2: 1=1 2=5 3=5 4= 0\n"
				       "22: 1=5 2='third'\n"
				       "2: 1=2 2=0 3=0 4= 0\n";
	int fd = two_parts();
	struct bytes b = contents(fd), second = { 0 };
	struct extent e[MAX_FRAMES];
	struct dump d;

	CU_ASSERT_EQUAL(split_frames(&b, e), 12);
	CU_ASSERT(e[7].hint && e[7].end - e[7].start == MAGIC_FRAME_SIZE);
	add_bytes(&second, b.p + e[7].start, b.n - e[7].start);
	d = read_bytes(&second);
	CU_ASSERT_EQUAL(d.err, 0);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_OK);
	CU_ASSERT(d.st.ended);
	CU_ASSERT(!strncmp(d.text, expected, strlen(expected)));
	/* Offsets in INDEX are relative to the first byte of the part. The HEADER frame follows the magic. */
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "\n126: 1= 16 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "\n127: 1=2 2=16 3=3 "));
	free(d.text);
	free_bytes(&second);
	free_bytes(&b);
	close(fd);
}

/* Checks that the seek table covers all frames of all parts, including the magics of the parts. */
static void test_seek_table(void)
{
	int fd = two_parts();
	struct bytes b = contents(fd);
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e) - 1;
	const uint8_t *p = b.p + e[n].start;

	CU_ASSERT_EQUAL(le32(p), SEEK_TABLE_MAGIC);
	CU_ASSERT_EQUAL(le32(p + 4), n * SEEK_ENTRY_SIZE + SEEK_FOOTER_SIZE);
	CU_ASSERT_EQUAL(le32(b.p + b.n - 9), n);
	for (size_t i = 0; i < n; i++) {
		unsigned long long content =
			e[i].hint ? 0 :
				    ZSTD_getFrameContentSize(b.p + e[i].start, b.n - e[i].start);

		CU_ASSERT_EQUAL(le32(p + 8 + 8 * i), e[i].end - e[i].start);
		CU_ASSERT_EQUAL(le32(p + 12 + 8 * i), content);
	}
	free_bytes(&b);
	close(fd);
}

static void test_next_without_header(void)
{
	struct trace_writer *w;
	int fd = empty_file();

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 2), 0);
	CU_ASSERT_EQUAL(trace_writer_next(w, &totals, 2), -EINVAL);
	CU_ASSERT_EQUAL(put_header(w), -EINVAL); /* the writer remembers its error */
	trace_writer_free(w);
	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 2), 0);
	CU_ASSERT_EQUAL(put_header(w), 0);
	CU_ASSERT_EQUAL(trace_writer_next(w, &totals, 2), 0);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &totals), -EINVAL);
	trace_writer_free(w);
	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 2), 0);
	CU_ASSERT_EQUAL(put_header(w), 0);
	CU_ASSERT_EQUAL(trace_writer_next(w, &totals, 2), 0);
	CU_ASSERT_EQUAL(put_mark(w, 1, "no HEADER"), -EINVAL);
	trace_writer_free(w);
	close(fd);
}

/* ---- merging ----------------------------------------------------------------------------- */

struct merged {
	int fd, err[4];
	struct sound_result result[4];
};

/* Merges all parts of all inputs. The result has an entry for each part. */
static struct merged merge(const int *in, size_t n)
{
	const struct copy_options as_it_is = { 0 };
	struct merged m = { .fd = empty_file() };
	struct copy *c = copy_new(m.fd);
	size_t part = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	for (size_t i = 0; i < n; i++) {
		struct trace_reader *r;

		lseek(in[i], 0, SEEK_SET);
		CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, in[i]), 0);
		trace_reader_set_recover(r, true);
		do {
			m.err[part] = copy_part(c, r, &as_it_is, &m.result[part]);
			part++;
		} while (part < ARRAY_SIZE(m.err) && trace_reader_part(r) > 0);
		trace_reader_free(r);
	}
	CU_ASSERT_EQUAL(copy_finish(c), 0);
	copy_free(c);
	return m;
}

struct parts {
	size_t n;
	struct trace_status st[4];
	uint64_t marks[4], samples[4];
	char why[4][64];
};

static struct parts read_parts(int fd)
{
	struct parts p = { 0 };
	struct trace_reader *r;
	struct trace_record rec;

	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	do {
		while (trace_reader_next(r, &rec) > 0) {
			p.marks[p.n] += rec.type == TRACE_MARK;
			if (rec.type == TRACE_END)
				trace_record_str(&rec, TRACE_END_WHY, p.why[p.n], 64);
			if (rec.type == TRACE_END)
				p.samples[p.n] = trace_record_uint(&rec, TRACE_END_SAMPLES, 0);
		}
		p.st[p.n++] = *trace_reader_status(r);
	} while (p.n < 4 && trace_reader_part(r) > 0);
	trace_reader_free(r);
	return p;
}

/* Returns the trace truncated in the third frame of samples. The first frame has HEADER and its settings. */
static int cut_trace(const struct bytes *b)
{
	struct extent e[MAX_FRAMES];
	size_t frames = 0, i = 0;

	CU_ASSERT_FATAL(split_frames(b, e) > 4);
	while (frames < 4)
		frames += !e[i++].hint;
	return file_of(b->p, e[i - 1].end - 1);
}

/* Checks merging of a truncated trace, a file with two parts, and an intact trace. */
static void test_merge(void)
{
	struct bytes rich = rich_trace(), small = small_trace();
	int in[] = { cut_trace(&rich), two_parts(), file_of(small.p, small.n) };
	struct merged m = merge(in, ARRAY_SIZE(in));
	struct parts p = read_parts(m.fd);
	char what[400];

	CU_ASSERT_EQUAL(p.n, 4);
	for (size_t i = 0; i < p.n; i++) {
		CU_ASSERT_EQUAL(m.err[i], 0);
		CU_ASSERT_EQUAL(m.result[i].broken, 0);
		CU_ASSERT_EQUAL(p.st[i].problem, TRACE_OK);
		CU_ASSERT(p.st[i].ended);
		CU_ASSERT_EQUAL(p.samples[i], m.result[i].samples);
	}
	CU_ASSERT(p.samples[0] > 0 && p.samples[0] < 16);
	CU_ASSERT_STRING_EQUAL(p.why[0], reason_end_lost);
	CU_ASSERT_EQUAL(p.marks[1], 8);
	CU_ASSERT_EQUAL(p.marks[2], 1);
	CU_ASSERT_EQUAL(p.marks[3], 8);
	CU_ASSERT_STRING_EQUAL(p.why[3], "over");
	CU_ASSERT(verified(m.fd, what, sizeof(what)));
	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		close(in[i]);
	close(m.fd);
	free_bytes(&rich);
	free_bytes(&small);
}

/* ---- counters by process ----------------------------------------------------------------- */

static void put_tick(struct trace_writer *w, uint64_t at_ns, uint64_t rx_ns)
{
	trace_writer_begin(w, TRACE_TICK);
	trace_writer_uint(w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(w, TRACE_TICK_CPU, U(0));
	trace_writer_uints(w, TRACE_TICK_EXACT_NS, U(at_ns));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	trace_writer_begin(w, TRACE_EXACT);
	trace_writer_uint(w, TRACE_EXACT_EVENT, NETCOST_EV_RX_SOFTIRQ);
	trace_writer_uints(w, TRACE_EXACT_NS, U(rx_ns));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

/* Writes a process, its counters since the previous tick, and the packets that it received. */
static void put_received(struct trace_writer *w, const char *name, uint64_t ns)
{
	trace_writer_begin(w, TRACE_PROCESSES);
	trace_writer_uint(w, TRACE_PROCESSES_FIRST, 1);
	trace_writer_uints(w, TRACE_PROCESSES_PID, U(77));
	trace_writer_strs(w, TRACE_PROCESSES_NAME, &name, 1);
	trace_writer_uints(w, TRACE_PROCESSES_START_NS, U(5));
	trace_writer_uints(w, TRACE_PROCESSES_CGROUP, U(0));
	trace_writer_uints(w, TRACE_PROCESSES_KERNEL, U(0));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	trace_writer_begin(w, TRACE_PROCESS_STATS);
	trace_writer_uints(w, TRACE_PROCESS_STATS_PROCESS, U(1));
	trace_writer_uints(w, TRACE_PROCESS_STATS_TASK_NS, U(2 * ns));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	trace_writer_begin(w, TRACE_OWNER_STATS);
	trace_writer_uints(w, TRACE_OWNER_STATS_PROCESS, U(1));
	trace_writer_uints(w, TRACE_OWNER_STATS_NS, U(ns));
	trace_writer_uints(w, TRACE_OWNER_STATS_PACKETS, U(3));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
	trace_writer_begin(w, TRACE_RX_FATES);
	trace_writer_uints(w, TRACE_RX_FATES_FATE, U(0, 3));
	trace_writer_uints(w, TRACE_RX_FATES_CPU, U(0, 0));
	trace_writer_ints(w, TRACE_RX_FATES_NS, I((int64_t)ns, 50));
	trace_writer_uints(w, TRACE_RX_FATES_PACKETS, U(3, 0));
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static int received_by(const char *name, uint64_t ns)
{
	struct trace_writer *w;
	int fd = empty_file();

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 2), 0);
	CU_ASSERT_EQUAL(put_header(w), 0);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	put_tick(w, 1000, 100);
	put_tick(w, 100000, 100 + ns + 50);
	put_received(w, name, ns);
	CU_ASSERT_EQUAL(trace_writer_finish(w, &totals), 0);
	trace_writer_free(w);
	return fd;
}

/* Checks that each part keeps its processes under its own ids, with their packets, and that no time is lost. */
static void test_processes(void)
{
	int in[] = { received_by("first", 700), received_by("second", 900) };
	struct merged m = merge(in, ARRAY_SIZE(in));
	struct bytes b = contents(m.fd);
	static const char *const expected[2][5] = {
		{ "\n46: 1=1 2= 77 3= 'first' 4= 5 5= 0 6= 0\n", "\n47: 1= 1 3= 1400\n",
		  "\n48: 1= 1 2= 700 3= 3\n", "\n49: 1= 0 3 2= 0 0 3= 700 50 4= 3 0\n", NULL },
		{ "\n46: 1=1 2= 77 3= 'second' 4= 5 5= 0 6= 0\n", "\n47: 1= 1 3= 1800\n",
		  "\n48: 1= 1 2= 900 3= 3\n", "\n49: 1= 0 3 2= 0 0 3= 900 50 4= 3 0\n", NULL },
	};
	size_t starts[3] = { 0, 0, b.n }, parts = 0;
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);
	char what[400];

	for (size_t i = 0; i < n && parts < 2; i++)
		if (e[i].hint && e[i].end - e[i].start == MAGIC_FRAME_SIZE)
			starts[parts++] = e[i].start;
	CU_ASSERT_EQUAL_FATAL(parts, 2);
	for (size_t i = 0; i < parts; i++) {
		struct bytes one = { 0 };
		struct dump d;

		add_bytes(&one, b.p + starts[i], starts[i + 1] - starts[i]);
		d = read_bytes(&one);
		for (const char *const *text = expected[i]; *text; text++)
			CU_ASSERT_PTR_NOT_NULL(strstr(d.text, *text));
		free(d.text);
		free_bytes(&one);
		close(in[i]);
	}
	CU_ASSERT(verified(m.fd, what, sizeof(what)));
	free_bytes(&b);
	close(m.fd);
}

/* ---- damaged input ----------------------------------------------------------------------- */

/* Checks that input without any intact record adds no part to the output, whatever its position is. */
static void test_nothing_to_save(void)
{
	struct bytes small = small_trace();
	int text = file_of("something else altogether", 25), whole = file_of(small.p, small.n);
	const int orders[3][3] = { { text, whole, whole },
				   { whole, text, whole },
				   { whole, whole, text } };

	for (size_t i = 0; i < 3; i++) {
		struct merged m = merge(orders[i], 3);
		struct parts p = read_parts(m.fd);

		CU_ASSERT_EQUAL(p.n, 2);
		CU_ASSERT(p.st[0].ended && p.st[1].ended);
		CU_ASSERT(p.marks[0] == 8 && p.marks[1] == 8);
		for (size_t k = 0; k < 3; k++)
			CU_ASSERT_EQUAL(m.err[k], k == i ? -EMEDIUMTYPE : 0);
		close(m.fd);
	}
	close(text);
	close(whole);
	free_bytes(&small);
}

static void test_only_nothing(void)
{
	int text = file_of("something else altogether", 25);
	struct merged m = merge(&text, 1);
	struct bytes b = contents(m.fd);

	CU_ASSERT_EQUAL(m.err[0], -EMEDIUMTYPE);
	CU_ASSERT_EQUAL(b.n, 0);
	free_bytes(&b);
	close(m.fd);
	close(text);
}

/* Checks that a flipped bit loses only one frame of one part. */
static void test_damaged_part(void)
{
	struct bytes small = small_trace(), both = { 0 };
	struct extent e[MAX_FRAMES];
	struct merged m;
	struct parts p;
	int in;

	CU_ASSERT_EQUAL(split_frames(&small, e), 8);
	add_bytes(&both, small.p, e[7].start);
	add_bytes(&both, small.p, small.n);
	both.p[e[3].end - 2] ^= 1;
	in = file_of(both.p, both.n);
	m = merge(&in, 1);
	p = read_parts(m.fd);
	CU_ASSERT_EQUAL(p.n, 2);
	CU_ASSERT(p.marks[0] == 6 && p.marks[1] == 8);
	CU_ASSERT(p.st[0].ended && p.st[1].ended);
	close(in);
	close(m.fd);
	free_bytes(&small);
	free_bytes(&both);
}

static int name_host(void *ctx, struct trace_record *rec)
{
	struct trace_field *f = rec->type == TRACE_HEADER ? copy_field(rec, TRACE_HEADER_HOST) :
							    NULL;

	if (f)
		*f = (struct trace_field){
			.key = TRACE_HEADER_HOST, .kind = TRACE_STR, .n = 4, .p = ctx
		};
	return COPY_IT;
}

static void test_field(void)
{
	char name[] = "web1";
	struct copy_options o = { .edit = name_host, .ctx = name, .derived = "test" };
	struct sound_result result = { 0 };
	struct bytes small = small_trace();
	int in = file_of(small.p, small.n), out = empty_file();
	struct trace_reader *r;
	struct dump d;

	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, in), 0);
	CU_ASSERT_EQUAL(copy_trace(r, out, &o, &result), 0);
	trace_reader_free(r);
	lseek(out, 0, SEEK_SET);
	d = read_all(out);
	CU_ASSERT_EQUAL(d.err, 0);
	CU_ASSERT(!strncmp(d.text, "1: 1=1 2=0 8= 0 2 16='web1' 19= 'test'\n", 39));
	free(d.text);
	close(in);
	close(out);
	free_bytes(&small);
}

static const struct unit_test tests[] = {
	{ "first_part_is_a_trace", test_first_part_is_a_trace },
	{ "second_part_begins_anew", test_second_part_begins_anew },
	{ "seek_table", test_seek_table },
	{ "next_without_header", test_next_without_header },
	{ "merge", test_merge },
	{ "processes", test_processes },
	{ "nothing_to_save", test_nothing_to_save },
	{ "only_nothing", test_only_nothing },
	{ "damaged_part", test_damaged_part },
	{ "field", test_field },
};

int main(void)
{
	return unit_main("merge", tests, ARRAY_SIZE(tests));
}
