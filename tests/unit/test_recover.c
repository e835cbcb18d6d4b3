// SPDX-License-Identifier: BSD-2-Clause
/* Tests damaged traces: intact data is recovered, and the result is well-formed. */
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
	/* All records are the same, even INDEX, because the frames are the same. */
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

/* Returns the data frame that contains byte `at`, FRAMES if no frame contains it. */
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

	/* A change of some bits of a zstd frame has no effect. The checksum shows that the content is unchanged. */
	if (!out.st.problem)
		frame = FRAMES;
	if (frame == 0) {
		CU_ASSERT(out.err < 0 && err < 0);
	} else {
		/* All other frames are recovered, whatever a hint says. */
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

			if (!flips(at, bit))
				continue;

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

/* Tests all sets of missing frames, except sets with HEADER's frame. */
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

static const struct unit_test tests[] = {
	{ "whole", test_whole },
	{ "cut_at_every_byte", test_cut_at_every_byte },
	{ "every_bit_flipped", test_every_bit_flipped },
	{ "every_frame_missing", test_every_frame_missing },
};

int main(void)
{
	return unit_main("recover", tests, ARRAY_SIZE(tests));
}
