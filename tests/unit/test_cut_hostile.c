// SPDX-License-Identifier: BSD-2-Clause
/* Tests parts of damaged or hostile traces: a part that is cut out is still well-formed. */
#include "unit.h"

#include "cut_util.h"

/* ---- damaged ----------------------------------------------------------------------------- */

/* Damages random bits and truncates the trace. cut_part() checks that the part is always well-formed. */
static void test_damaged(void)
{
	int fd = record(6, true);
	struct bytes b = contents(fd);
	struct extent e[MAX_FRAMES];
	size_t header = split_frames(&b, e) ? e[1].end : 0;

	for (int i = 0; i < 300; i++) {
		size_t at = rnd(b.n);
		uint8_t flipped = b.p[at] ^ (uint8_t)(1 << rnd(8));
		struct part_cut p;

		CU_ASSERT_EQUAL(pwrite(fd, &flipped, 1, (off_t)at), 1);
		p = cut_part(fd, "1.7", "3.6", false);
		CU_ASSERT(!p.err || at < header);
		part_free(&p);
		CU_ASSERT_EQUAL(pwrite(fd, b.p + at, 1, (off_t)at), 1);
	}
	for (int i = 0; i < 100; i++) {
		struct part_cut p;

		CU_ASSERT_EQUAL(ftruncate(fd, (off_t)rnd(b.n)), 0);
		p = cut_part(fd, "0.7", "1.6", false);
		CU_ASSERT(!p.err || p.err == -EMEDIUMTYPE || p.err == -ENODATA);
		part_free(&p);
		CU_ASSERT_EQUAL(pwrite(fd, b.p, b.n, 0), (ssize_t)b.n);
	}
	free_bytes(&b);
	close(fd);
}

/* Checks that a missing frame loses only its own records and definitions. */
static void test_frame_missing(void)
{
	int fd = record(8, true);
	struct bytes b = contents(fd), part = { 0 };
	struct extent e[MAX_FRAMES];
	size_t n = split_frames(&b, e);
	struct part_cut p;

	CU_ASSERT_FATAL(n > 6);
	add_bytes(&part, b.p, e[2].start);
	/* the frame of the first second is missing */
	add_bytes(&part, b.p + e[3].start, b.n - e[3].start);
	close(fd);
	fd = file_of(part.p, part.n);
	p = cut_part(fd, "4", "6", false);
	CU_ASSERT_EQUAL(p.err, 0);
	CU_ASSERT_EQUAL(p.result.broken, 0);
	CU_ASSERT(p.result.lost > 0);
	CU_ASSERT_EQUAL(p.ticks, 5);
	part_free(&p);
	close(fd);
	part.n = 0;
	add_bytes(&part, b.p, e[6].start);
	add_bytes(&part, b.p + e[7].start, b.n - e[7].start);
	fd = file_of(part.p, part.n);
	p = cut_part(fd, "1", "2", false); /* the missing frame is after this part */
	CU_ASSERT_EQUAL(p.err, 0);
	CU_ASSERT_EQUAL(p.result.lost, 0);
	CU_ASSERT(p.result.samples > 0);
	part_free(&p);
	close(fd);
	free_bytes(&part);
	free_bytes(&b);
}

/*
 * Checks that ids may not skip where only frames outside the part are left out, because these frames are not missing.
 */
static void test_nothing_missing(void)
{
	static const char *const names[] = { "a", "b" };
	struct maker k = maker_new();
	struct part_cut p;

	for (uint64_t i = 1; i <= 3; i++) {
		CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
		trace_writer_time(k.w, i * SECOND);
		if (i == 3)
			maker_symbols(&k, 5, names, 2);
		maker_tick(&k, i * SECOND, U(0, 1));
	}
	CU_ASSERT_EQUAL(trace_writer_flush(k.w), 0);
	trace_writer_free(k.w);
	p = cut_part(fileno(k.file), "1.9", NULL, false);
	CU_ASSERT_EQUAL(p.err, 0);
	CU_ASSERT_EQUAL(p.ticks, 2);
	CU_ASSERT_EQUAL(p.result.broken, 1);
	CU_ASSERT_EQUAL(p.result.lost, 0);
	part_free(&p);
	fclose(k.file);
}

/* ---- hostile ----------------------------------------------------------------------------- */

static void far_begin(struct maker *k, uint64_t unit_ns)
{
	CU_ASSERT_EQUAL(trace_writer_flush(k->w), 0);
	trace_writer_begin(k->w, TRACE_SAMPLES);
	trace_writer_uint(k->w, TRACE_SAMPLES_CPU, 0);
	trace_writer_uint(k->w, TRACE_SAMPLES_BASE_NS, 1000);
	trace_writer_uint(k->w, TRACE_SAMPLES_UNIT_NS, unit_ns);
}

/* Ends the record and cuts a part out of the trace. INDEX claims that the record's times are from 1000 to 5000. */
static void far_cut(struct maker *k)
{
	struct part_cut p;

	CU_ASSERT_EQUAL(trace_writer_end(k->w), 0);
	trace_writer_time(k->w, 1000);
	trace_writer_time(k->w, 5000);
	CU_ASSERT_EQUAL(trace_writer_flush(k->w), 0);
	trace_writer_free(k->w);
	p = cut_part(fileno(k->file), "500ns", "3000ns", false);
	CU_ASSERT(!p.err || p.err == -ENODATA);
	part_free(&p);
	fclose(k->file);
}

/* Checks SAMPLES with times near the limits. Times that cannot be represented are skipped and counted. */
static void test_far_times(void)
{
	static const int64_t huge = INT64_C(1) << 62;
	const struct {
		uint64_t unit, step;
		int64_t dt[6];
	} cases[] = {
		{ 1, 0, { 1500, huge, -huge, 0, 10, -10 } },
		{ 1, 0, { 1500, huge, huge, huge, huge, 0 } }, /* the sum overflows once */
		{ 1, INT64_MAX, { 0, 0, 0, 0, 0, 0 } },
		{ 0, 1000, { 1, 2, 3, 4, 5, 6 } },
		{ UINT64_C(1) << 62, 1, { 0, 0, 0, 0, 0, 0 } },
		{ 1, 1000, { -huge, huge, -huge, huge, 1, 1 } },
		{ 3, 7, { -1, huge - 3, -huge, 2, huge, 1 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct maker k = maker_new();
		uint64_t zero[6] = { 0 };

		far_begin(&k, cases[i].unit);
		trace_writer_uint(k.w, TRACE_SAMPLES_STEP, cases[i].step);
		trace_writer_ints(k.w, TRACE_SAMPLES_DT, cases[i].dt, 6);
		trace_writer_uints(k.w, TRACE_SAMPLES_STACK, zero, 6);
		trace_writer_uints(k.w, TRACE_SAMPLES_TASK, zero, 6);
		far_cut(&k);
	}
}

static const struct unit_test tests[] = {
	{ "damaged", test_damaged },
	{ "frame_missing", test_frame_missing },
	{ "nothing_missing", test_nothing_missing },
	{ "far_times", test_far_times },
};

int main(void)
{
	return unit_main("cut_hostile", tests, ARRAY_SIZE(tests));
}
