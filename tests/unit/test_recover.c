// SPDX-License-Identifier: BSD-2-Clause
/* Damaged traces: what is sound is found again, and what is made of it keeps to the format. */
#include "unit.h"

#include "recover_util.h"

static void test_whole(void)
{
	struct bytes b = rich_trace();
	int fd = file_of(b.p, b.n);
	char what[400];
	struct recovered out;
	struct dump before, after;

	CU_ASSERT(verified(fd, what, sizeof(what)));
	CU_ASSERT_STRING_EQUAL(what, "");
	out = recover_well(fd, "whole", 0);
	CU_ASSERT_EQUAL(out.err, 0);
	CU_ASSERT_EQUAL(out.st.damages, 0);
	CU_ASSERT_EQUAL(out.result.broken, 0);
	lseek(fd, 0, SEEK_SET);
	lseek(out.fd, 0, SEEK_SET);
	before = read_all(fd);
	after = read_all(out.fd);
	/* INDEX and all, as the frames are the same. */
	CU_ASSERT(same_records(&before, &after));
	free(before.text);
	free(after.text);
	close(out.fd);
	close(fd);
	free_bytes(&b);
}

static void test_cut_at_every_byte(void)
{
	struct bytes b = rich_trace();
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);
	int fd = file_of(b.p, b.n);

	CU_ASSERT_EQUAL(n, FRAMES + 2);
	for (size_t len = b.n; len-- > 0;) {
		struct recovered out;
		size_t whole = 0;

		for (size_t i = 0; i < n; i++)
			whole += !e[i].hint && e[i].end <= len;
		CU_ASSERT_EQUAL(ftruncate(fd, (off_t)len), 0);
		out = recover_well(fd, "cut", len);
		CU_ASSERT_EQUAL(out.err, whole ? 0 : -EMEDIUMTYPE);
		CU_ASSERT_EQUAL(out.st.frames, whole);
		CU_ASSERT_EQUAL(out.st.damages, 0);
		CU_ASSERT_EQUAL(out.result.broken, 0);
		close(out.fd);
	}
	close(fd);
	free_bytes(&b);
}

/* The frame of data that byte `at` is in; FRAMES: none. */
static size_t data_frame(const struct extent *e, size_t n, size_t at)
{
	size_t frame = 0;

	for (size_t i = 0; i < n; i++) {
		if (at < e[i].end)
			return e[i].hint ? FRAMES : frame;
		frame += !e[i].hint;
	}
	return FRAMES;
}

static void check_flip(int fd, size_t at, size_t frame)
{
	struct recovered out = recover_well(fd, "flip at", at);
	struct model *m;
	int err = model_err(fd, &m);

	/* zstd has bits that mean nothing: the content is what it was, its checksum says so. */
	if (!out.st.problem)
		frame = FRAMES;
	if (frame == 0) {
		CU_ASSERT(out.err < 0 && err < 0);
	} else {
		/* Every other frame is there, whatever a hint says. */
		CU_ASSERT_EQUAL(out.err, 0);
		CU_ASSERT_EQUAL(err, 0);
		CU_ASSERT_EQUAL(out.st.frames, frame == FRAMES ? FRAMES : FRAMES - 1);
		CU_ASSERT_EQUAL(out.st.frames_missing, frame < FRAMES - 1 ? 1 : 0);
		CU_ASSERT_EQUAL(m->samples, out.result.samples);
		CU_ASSERT_EQUAL(m->samples, frame < FRAMES - 1 ? 12 : 16);
		CU_ASSERT_EQUAL(out.result.broken, 0);
	}
	model_free(m);
	close(out.fd);
}

static void test_every_bit_flipped(void)
{
	struct bytes b = rich_trace();
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);
	int fd = file_of(b.p, b.n);

	for (size_t at = 0; at < b.n; at++) {
		unsigned int before = CU_get_number_of_failures();

		for (int bit = 0; bit < 8; bit++) {
			uint8_t flipped = b.p[at] ^ (uint8_t)(1 << bit);

			CU_ASSERT_EQUAL(pwrite(fd, &flipped, 1, (off_t)at), 1);
			check_flip(fd, at, data_frame(e, n, at));
			if (CU_get_number_of_failures() != before) {
				printf("  byte %zu, bit %d\n", at, bit);
				break;
			}
		}
		CU_ASSERT_EQUAL(pwrite(fd, b.p + at, 1, (off_t)at), 1);
	}
	close(fd);
	free_bytes(&b);
}

/* Each set of frames missing, HEADER's apart. */
static void test_every_frame_missing(void)
{
	struct bytes b = rich_trace();
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);

	CU_ASSERT_EQUAL_FATAL(n, FRAMES + 2);
	for (unsigned int set = 0; set < 1u << (FRAMES - 1); set++) {
		struct bytes part = { 0 };
		struct recovered out;
		struct model *m;
		int fd;

		add_bytes(&part, b.p, e[1].end);
		for (unsigned int i = 0; i < FRAMES - 1; i++)
			if (!(set & 1u << i))
				add_bytes(&part, b.p + e[i + 2].start,
					  e[i + 2].end - e[i + 2].start);
		fd = file_of(part.p, part.n);
		out = recover_well(fd, "set", set);
		CU_ASSERT_EQUAL(out.err, 0);
		CU_ASSERT_EQUAL(out.result.broken, 0);
		CU_ASSERT_EQUAL(model_err(fd, &m), 0);
		CU_ASSERT_EQUAL(out.result.samples,
				16 - 4 * (unsigned int)__builtin_popcount(set & 0xf));
		model_free(m);
		close(out.fd);
		close(fd);
		free_bytes(&part);
	}
	free_bytes(&b);
}

static void put_list(struct trace_writer *w, uint64_t id, const uint64_t *stack, size_t n)
{
	trace_writer_begin(w, TRACE_STACK_CODES, 2);
	trace_writer_uint(w, TRACE_STACK_CODES_ID, id);
	trace_writer_uints(w, TRACE_STACK_CODES_STACK, stack, n);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

/* Of user code, and of the stacks that the list has first and second, and of stack 3. */
static void put_listed(struct trace_writer *w, uint64_t list)
{
	trace_writer_begin(w, TRACE_SAMPLES, 8);
	for (unsigned int key = TRACE_SAMPLES_CPU; key <= TRACE_SAMPLES_STEP; key++)
		trace_writer_uint(w, key, 1);
	trace_writer_ints(w, TRACE_SAMPLES_DT, I(0, 0, 0, 0));
	trace_writer_uints(w, TRACE_SAMPLES_STACK, U(0, 1, 2, 5));
	trace_writer_uints(w, TRACE_SAMPLES_TASK, U(0, 0, 0, 0));
	trace_writer_uint(w, TRACE_SAMPLES_CODES, list);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

/* HEADER; ids and a list; the second list; samples by it; the third list, and samples. */
static struct bytes trace_of_lists(void)
{
	struct maker k = maker_new();
	struct bytes b;

	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	maker_symbols(&k, 1, (const char *const[]){ "a", "b", "c" }, 3);
	maker_stacks(&k, 1, U(1, 2, 3), U(1, 2, 3));
	put_list(k.w, 1, U(1, 2));
	put_listed(k.w, 1);
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	put_list(k.w, 2, U(3, 2));
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	put_listed(k.w, 2);
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	put_list(k.w, 3, U(2, 3));
	put_listed(k.w, 3);
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	trace_writer_free(k.w);
	b = contents(fileno(k.file));
	fclose(k.file);
	return b;
}

static void check_counts(int fd, const uint64_t *count, uint32_t nstacks)
{
	struct model *m;

	CU_ASSERT_EQUAL(model_err(fd, &m), 0);
	CU_ASSERT_EQUAL_FATAL(m->nstacks, nstacks);
	for (uint32_t id = 0; id <= nstacks; id++)
		CU_ASSERT_EQUAL(m->count[id], count[id]);
	model_free(m);
}

/* Samples by a list that is lost are of a stack that is not known; those by others are as they were. */
static void test_lost_list(void)
{
	struct bytes b = trace_of_lists(), part = { 0 };
	struct extent e[MAX_FRAMES];
	struct recovered out;
	int fd = file_of(b.p, b.n);

	CU_ASSERT_EQUAL_FATAL(split_frames(&b, e), 6);
	check_counts(fd, (uint64_t[]){ 3, 1, 3, 5 }, 3);
	close(fd);
	add_bytes(&part, b.p, e[2].end);
	add_bytes(&part, b.p + e[4].start, b.n - e[4].start);
	fd = file_of(part.p, part.n);
	check_counts(fd, (uint64_t[]){ 3, 1, 2, 3, 3 }, 4);
	out = recover_well(fd, "lost list", 0);
	CU_ASSERT_EQUAL(out.result.broken, 0);
	CU_ASSERT_EQUAL(out.result.lost, 3);
	check_counts(out.fd, (uint64_t[]){ 3, 1, 2, 3, 3 }, 4);
	close(out.fd);
	close(fd);
	free_bytes(&part);
	free_bytes(&b);
}

static const struct unit_test tests[] = {
	{ "whole", test_whole },
	{ "cut_at_every_byte", test_cut_at_every_byte },
	{ "every_bit_flipped", test_every_bit_flipped },
	{ "every_frame_missing", test_every_frame_missing },
	{ "lost_list", test_lost_list },
};

int main(void)
{
	return unit_main("recover", tests, ARRAY_SIZE(tests));
}
