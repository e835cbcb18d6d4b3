// SPDX-License-Identifier: BSD-2-Clause
/* Tests hand-made files, with and without the frames that a trace has. */
#include "unit.h"

#include <errno.h>

#include "trace_file.h"

/* ---- frames ------------------------------------------------------------------------------ */

static void good(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), 0);
	add_frame(f, BYTES(FRAME_2 END_OBJECT), 0);
}

static void without_magic(struct bytes *f)
{
	good(f);
	f->n -= MAGIC_FRAME_SIZE;
	memmove(f->p, f->p + MAGIC_FRAME_SIZE, f->n);
}

static void hint_between(struct bytes *f)
{
	add_start(f);
	add_bytes(f, BYTES("\x50\x2a\x4d\x18\x03\0\0\0abc"));
	add_frame(f, BYTES(FRAME_1 END_OBJECT), 0);
	add_bytes(f, BYTES("\x5f\x2a\x4d\x18\0\0\0\0"));
}

/* Adds a seek table that claims 2^32 - 1 frames of 4 GiB: readers must not trust it. */
static void bad_seek_table(struct bytes *f)
{
	good(f);
	add_bytes(f, BYTES("\x5e\x2a\x4d\x18\x11\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"
			   "\xff\xff\xff\xff\x00\xb1\xea\x92\x8f"));
}

static void largest_frame(struct bytes *f)
{
	add_start(f);
	add_long_frame(f, TRACE_MAX_FRAME);
	add_frame(f, BYTES(FRAME_2 END_OBJECT), 0);
}

static void too_large_frame(struct bytes *f)
{
	add_start(f);
	add_long_frame(f, TRACE_MAX_FRAME + 1);
}

/* Adds a frame that claims 8 MiB and has 9 MiB: 72 blocks of 128 KiB, each four bytes long. */
static void bomb(struct bytes *f)
{
	add_start(f);
	add_bytes(f, BYTES("\x28\xb5\x2f\xfd\xa4\0\0\x80\0"));
	for (int i = 0; i < 71; i++)
		add_bytes(f, BYTES("\x02\0\x10y"));
	add_bytes(f, BYTES("\x03\0\x10y\1\2\3\4"));
}

/* Adds nine bytes that request 9 MiB. */
static void huge_size(struct bytes *f)
{
	add_start(f);
	add_bytes(f, BYTES("\x28\xb5\x2f\xfd\xa4\0\0\x90\0\x03\0\x10y\1\2\3\4"));
}

/* Adds empty blocks without a last block. */
static void endless(struct bytes *f)
{
	uint8_t *zeros = calloc(1, 9u << 20);

	add_start(f);
	add_bytes(f, BYTES("\x28\xb5\x2f\xfd\x24\x0d"));
	add_bytes(f, zeros, 9u << 20);
	free(zeros);
}

static void reserved_block(struct bytes *f)
{
	add_start(f);
	add_bytes(f, BYTES("\x28\xb5\x2f\xfd\x24\x0d\x07\0\0\1\2\3\4"));
}

static void without_checksum(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), NO_CHECKSUM);
}

static void without_size(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), NO_SIZE);
}

static void wrong_size(struct bytes *f)
{
	size_t at;

	add_start(f);
	at = f->n;
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), 0);
	f->p[at + 5]++;
}

static void dictionary(struct bytes *f)
{
	size_t at;

	add_start(f);
	at = f->n;
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), 0);
	f->p[at + 4] |= 1;
}

static void empty_frame(struct bytes *f)
{
	add_start(f);
	add_frame(f, "", 0, 0);
}

static void without_frame_object(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES(MARK_OBJECT), 0);
}

static void unknown_before_frame_object(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES("\x92\x63\x80" FRAME_1), 0);
}

static void without_seq(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES("\x92\x02\x80" MARK_OBJECT), 0);
}

static void gap(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES(FRAME_2 MARK_OBJECT), 0);
}

static void same_frame_twice(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), 0);
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), 0);
}

static void second_header(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES(HEADER_OBJECT), 0);
}

static void no_header(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), 0);
}

static void frame_object_in_first(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES(HEADER_OBJECT FRAME_1), 0);
}

static void frame_after_end(struct bytes *f)
{
	add_start(f);
	add_frame(f, BYTES(FRAME_1 END_OBJECT), 0);
	add_frame(f, BYTES(FRAME_2 MARK_OBJECT), 0);
}

static void one_after_the_other(struct bytes *f)
{
	good(f);
	good(f);
}

static void garbage_between(struct bytes *f)
{
	add_start(f);
	add_bytes(f, BYTES("garbage"));
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), 0);
}

static void garbage_after(struct bytes *f)
{
	good(f);
	add_bytes(f, BYTES("\n"));
}

static void end_in_first(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES(HEADER_OBJECT END_OBJECT), 0);
}

/* ---- versions ---------------------------------------------------------------------------- */

static void major_2(struct bytes *f)
{
	add_magic(f);
	f->p[f->n - 1] = 2;
}

/* Adds a file of another major version, which may contain anything after the magic. */
static void major_2_and_new_syntax(struct bytes *f)
{
	major_2(f);
	add_bytes(f, BYTES("no zstd any more"));
}

static void other_major_in_header(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES("\x92\x01\x81\x01\x02"), 0);
}

static void no_major(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES("\x92\x01\x80"), 0);
}

static void requires_something(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES("\x92\x01\x82\x01\x01\x03\x91\xa6magnet"), 0);
}

static void requires_nothing(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES("\x92\x01\x82\x01\x01\x03\x90" END_OBJECT), 0);
}

static void minor_9(struct bytes *f)
{
	add_magic(f);
	add_frame(f, BYTES("\x92\x01\x83\x01\x01\x02\x09\x63\xc3" END_OBJECT), 0);
}

/* ---- not a trace ------------------------------------------------------------------------- */

static void nothing(struct bytes *f)
{
	add_bytes(f, "", 0);
}

static void only_magic(struct bytes *f)
{
	add_magic(f);
}

static void text(struct bytes *f)
{
	add_bytes(f, BYTES("hello, world, this is text\n"));
}

static void short_text(struct bytes *f)
{
	add_bytes(f, BYTES("hi\n"));
}

static void random_bytes(struct bytes *f)
{
	uint32_t x = 4;

	for (int i = 0; i < 1000; i++) {
		x = x * 1664525u + 1013904223u;
		add_bytes(f, &x, sizeof(x));
	}
}

static void compressed_text(struct bytes *f)
{
	add_frame(f, BYTES("hello, world, this is text\n"), 0);
}

/* Adds text as zstd(1) writes it when it reads from a pipe. */
static void streamed_text(struct bytes *f)
{
	add_frame(f, BYTES("hello, world, this is text\n"), NO_SIZE);
}

static void compressed_msgpack(struct bytes *f)
{
	add_frame(f, BYTES(FRAME_1 MARK_OBJECT), 0);
}

/* ---- all of them ------------------------------------------------------------------------- */

static const struct file_case {
	const char *name;
	void (*make)(struct bytes *f);
	enum trace_problem problem;
	unsigned int frames;
} cases[] = {
	{ "good", good, TRACE_OK, 3 },
	{ "hint between", hint_between, TRACE_OK, 2 },
	{ "bad seek table", bad_seek_table, TRACE_OK, 3 },
	{ "largest frame", largest_frame, TRACE_OK, 3 },
	{ "END in the first frame", end_in_first, TRACE_OK, 1 },
	{ "one trace after the other", one_after_the_other, TRACE_OK, 3 },
	{ "requires nothing", requires_nothing, TRACE_OK, 1 },
	{ "newer minor version", minor_9, TRACE_OK, 1 },

	{ "too large a frame", too_large_frame, TRACE_DAMAGED, 1 },
	{ "bomb", bomb, TRACE_DAMAGED, 1 },
	{ "huge size", huge_size, TRACE_DAMAGED, 1 },
	{ "endless frame", endless, TRACE_DAMAGED, 1 },
	{ "reserved block", reserved_block, TRACE_DAMAGED, 1 },
	{ "without checksum", without_checksum, TRACE_DAMAGED, 1 },
	{ "without content size", without_size, TRACE_DAMAGED, 1 },
	{ "wrong content size", wrong_size, TRACE_DAMAGED, 1 },
	{ "dictionary", dictionary, TRACE_DAMAGED, 1 },
	{ "empty frame", empty_frame, TRACE_DAMAGED, 1 },
	{ "without FRAME", without_frame_object, TRACE_DAMAGED, 1 },
	{ "unknown before FRAME", unknown_before_frame_object, TRACE_DAMAGED, 1 },
	{ "without seq", without_seq, TRACE_DAMAGED, 1 },
	{ "gap", gap, TRACE_DAMAGED, 1 },
	{ "same frame twice", same_frame_twice, TRACE_DAMAGED, 2 },
	{ "second HEADER", second_header, TRACE_DAMAGED, 1 },
	{ "no HEADER", no_header, TRACE_DAMAGED, 0 },
	{ "FRAME in the first frame", frame_object_in_first, TRACE_DAMAGED, 0 },
	{ "frame after END", frame_after_end, TRACE_DAMAGED, 2 },
	{ "garbage between", garbage_between, TRACE_DAMAGED, 1 },
	{ "garbage after", garbage_after, TRACE_DAMAGED, 3 },

	{ "major version 2", major_2, TRACE_VERSION, 0 },
	{ "major version 2, new syntax", major_2_and_new_syntax, TRACE_VERSION, 0 },
	{ "HEADER's major", other_major_in_header, TRACE_DAMAGED, 0 },
	{ "no major version", no_major, TRACE_DAMAGED, 0 },
	{ "unknown requirement", requires_something, TRACE_VERSION, 0 },

	{ "nothing", nothing, TRACE_EMPTY, 0 },
	{ "only the magic", only_magic, TRACE_EMPTY, 0 },
	{ "text", text, TRACE_NOT_A_TRACE, 0 },
	{ "without magic", without_magic, TRACE_NOT_A_TRACE, 0 },
	{ "short text", short_text, TRACE_NOT_A_TRACE, 0 },
	{ "random bytes", random_bytes, TRACE_NOT_A_TRACE, 0 },
	{ "compressed text", compressed_text, TRACE_NOT_A_TRACE, 0 },
	{ "streamed text", streamed_text, TRACE_NOT_A_TRACE, 0 },
	{ "compressed msgpack", compressed_msgpack, TRACE_NOT_A_TRACE, 0 },
};

static int error_of(enum trace_problem p)
{
	static const int errors[] = {
		[TRACE_NOT_A_TRACE] = -EMEDIUMTYPE,
		[TRACE_EMPTY] = -EMEDIUMTYPE,
		[TRACE_DAMAGED] = -EBADMSG,
		[TRACE_VERSION] = -EPROTONOSUPPORT,
		[TRACE_IO] = 0,
	};

	return errors[p];
}

static void check_case(const struct file_case *c)
{
	unsigned int before = CU_get_number_of_failures();
	struct bytes f = { 0 };
	struct dump d;

	c->make(&f);
	d = read_bytes(&f);
	CU_ASSERT_EQUAL(d.st.problem, c->problem);
	CU_ASSERT_EQUAL(d.err, error_of(c->problem));
	CU_ASSERT_EQUAL(d.st.frames, c->frames);
	CU_ASSERT_EQUAL(!*d.st.what, c->problem == TRACE_OK);
	CU_ASSERT_EQUAL(d.st.ended, !!strstr(d.text, "127:"));
	CU_ASSERT(c->problem != TRACE_DAMAGED || strstr(d.st.what, "byte"));
	tell_failures(c->name, before, &d);
	free(d.text);
	free_bytes(&f);
}

static void test_files(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_case(&cases[i]);
}

static void check_what(void (*make)(struct bytes *f), const char *what)
{
	struct bytes f = { 0 };
	struct dump d;

	make(&f);
	d = read_bytes(&f);
	CU_ASSERT_PTR_NOT_NULL(strstr(d.st.what, what));
	free(d.text);
	free_bytes(&f);
}

static void test_version_is_named(void)
{
	check_what(major_2, "version 2");
	check_what(no_major, "HEADER's major");
	check_what(requires_something, "'magnet'");
}

static void test_directory(void)
{
	int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dump d = read_all(fd);

	CU_ASSERT_EQUAL(d.err, -EISDIR);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_IO);
	free(d.text);
	close(fd);
}

static void test_closed_file(void)
{
	struct dump d = read_all(-1);

	CU_ASSERT_EQUAL(d.err, -EBADF);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_IO);
	free(d.text);
}

/* ---- the example of the specification ---------------------------------------------------- */

/* Adds the bytes of a line such as "010  28 b5 2f fd   zstd frame". They end at three blanks or at the end of the
 * line. */
static void add_hex_line(struct bytes *b, const char *line)
{
	const char *p = line + 3 + strspn(line + 3, " ");
	unsigned int v;
	int len;

	CU_ASSERT_EQUAL(strtoul(line, NULL, 16), b->n);
	while (strncmp(p, "   ", 3) && sscanf(p, " %2x%n", &v, &len) == 1) {
		add_bytes(b, (uint8_t[]){ (uint8_t)v }, 1);
		p += len;
	}
}

static struct bytes spec_example(FILE *f)
{
	struct bytes b = { 0 };
	char line[256];
	bool inside = false;

	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "000  ", 5))
			inside = true;
		if (inside && line[0] != '\n')
			add_hex_line(&b, line);
	}
	return b;
}

static void test_spec_example(void)
{
	FILE *f = fopen("format/vectors/example.txt", "re");
	struct bytes b;
	struct dump d;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	b = spec_example(f);
	fclose(f);
	d = read_bytes(&b);
	CU_ASSERT_EQUAL(b.n, 288);
	CU_ASSERT_EQUAL(d.st.problem, TRACE_OK);
	CU_ASSERT_EQUAL(d.st.records, 8);
	CU_ASSERT_STRING_EQUAL(d.text, "1: 1=1 2=0 8= 0 10=999\n"
				       "2: 1=1 2=5001000 3=5999000 4= 0\n"
				       "7: 1=1 2= '__sys_sendto' 'udp_sendmsg' 3= 0 0 4= 4096 -16\n"
				       "8: 1=1 2= 1 1 3= 1 2\n"
				       "10: 1=0 2=4000000 3=1000 4=1001 5= 0 -3 6= 2 0 7= 0 0\n"
				       "2: 1=2 2=0 3=0 4= 0\n"
				       "126: 1= 16 43 2= nil 5001000 3= nil 5999000\n"
				       "127: 1=2 2=7 3=2 4=2 5=2 6=0 7=6000000 8='SIGINT'\n");
	free(d.text);
	free_bytes(&b);
}

static const struct unit_test tests[] = {
	{ "files", test_files },
	{ "version_is_named", test_version_is_named },
	{ "directory", test_directory },
	{ "closed_file", test_closed_file },
	{ "spec_example", test_spec_example },
};

int main(void)
{
	return unit_main("trace_frames", tests, ARRAY_SIZE(tests));
}
