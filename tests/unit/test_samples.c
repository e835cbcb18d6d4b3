// SPDX-License-Identifier: BSD-2-Clause
/* SAMPLES as samples: the library's sums against those of SPEC.md, section 7, in 128 bits. */
#include "unit.h"

#include "trace_file.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* xorshift: the same in every run */
static uint64_t rnd(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Of any size, small ones as often as large ones. */
static uint64_t rnd_bits(unsigned int bits)
{
	return rnd() >> (64 - 1 - rnd() % bits);
}

__extension__ typedef __int128 wide;

static wide floor_div(wide a, wide b)
{
	wide q = a / b;

	return q - (a % b < 0);
}

static uint64_t next_by_spec(uint64_t expected, int64_t away, uint64_t step)
{
	return expected + (uint64_t)((wide)step * (1 + floor_div((wide)away + step / 2, step)));
}

static void test_grid_next(void)
{
	unsigned int wrong = 0;

	for (int i = 0; i < 1000000; i++) {
		uint64_t step = 1 + rnd_bits(62), expected = rnd_bits(62);
		int64_t away = (int64_t)rnd_bits(62) * (rnd() & 1 ? 1 : -1);

		if (i % 4 == 0) /* near a border */
			away = (int64_t)(step / 2 * (rnd() % 7) + rnd() % 3) * (rnd() & 1 ? 1 : -1);
		wrong += trace_grid_next(expected, away, step) !=
			 next_by_spec(expected, away, step);
		wrong += trace_grid_far(expected, away, step) != next_by_spec(expected, away, step);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(trace_grid_next(5, INT64_MIN, 3), next_by_spec(5, INT64_MIN, 3));
	CU_ASSERT_EQUAL(trace_grid_next(5, INT64_MAX, 3), next_by_spec(5, INT64_MAX, 3));
	CU_ASSERT_EQUAL(trace_grid_next(5, INT64_MIN, INT64_MAX),
			next_by_spec(5, INT64_MIN, INT64_MAX));
	trace_grid_next(5, 7, 0); /* breaks the format: comes to no harm */
	trace_grid_next(5, INT64_MIN, UINT64_MAX);
}

#define N 200

struct columns {
	int64_t off[N];
	uint64_t stack[N], task[N], cgroup[N];
};

static void put_samples(struct trace_writer *w, const struct columns *c, bool grid, bool cgroups)
{
	trace_writer_begin(w, TRACE_SAMPLES, 7 + cgroups);
	trace_writer_uint(w, TRACE_SAMPLES_CPU, 0);
	trace_writer_uint(w, TRACE_SAMPLES_BASE_NS, 5000000);
	trace_writer_uint(w, TRACE_SAMPLES_UNIT_NS, 2000);
	if (!grid) {
		trace_writer_uint(w, TRACE_SAMPLES_STEP, 500);
		trace_writer_ints(w, TRACE_SAMPLES_DT, c->off, N);
	}
	trace_writer_uints(w, TRACE_SAMPLES_STACK, c->stack, N);
	trace_writer_uints(w, TRACE_SAMPLES_TASK, c->task, N);
	if (cgroups)
		trace_writer_uints(w, TRACE_SAMPLES_CGROUP, c->cgroup, N);
	if (grid) {
		trace_writer_uint(w, TRACE_SAMPLES_STEP_NS, 1001001);
		trace_writer_ints(w, TRACE_SAMPLES_OFF, c->off, N);
	}
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static void check_samples(const struct columns *c, bool grid, bool cgroups)
{
	uint64_t expected = 5000000 + (grid ? 0 : 500 * 2000), time;
	struct trace_record rec;
	struct trace_reader *r;
	struct trace_writer *w;
	struct trace_samples s;
	int fd = empty_file();
	unsigned int wrong = 0;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 0), 0);
	CU_ASSERT_EQUAL(put_header(w), 0);
	put_samples(w, c, grid, cgroups);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	trace_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	while (trace_reader_next(r, &rec) > 0 && rec.type != TRACE_SAMPLES)
		;
	s = trace_record_samples(&rec);
	for (int i = 0; i < N; i++) {
		wrong += !trace_samples_next(&s);
		time = expected + (uint64_t)(c->off[i] * 2000);
		expected = grid ? next_by_spec(expected, c->off[i] * 2000, 1001001) :
				  time + 500 * 2000;
		wrong += s.time_ns != time || s.stack != c->stack[i] || s.task != c->task[i];
		wrong += s.cgroup != (cgroups ? c->cgroup[i] : 0);
	}
	wrong += trace_samples_next(&s);
	CU_ASSERT_EQUAL(wrong, 0);
	trace_reader_free(r);
	close(fd);
}

static void test_samples(void)
{
	struct columns c;

	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < N; k++) {
			c.off[k] = (int64_t)rnd_bits(12) - 512;
			c.stack[k] = rnd_bits(20);
			c.task[k] = rnd_bits(10);
			c.cgroup[k] = rnd_bits(5);
		}
		check_samples(&c, i & 1, i & 2);
	}
}

/* Lists of stacks of any length, one behind the other; samples of any of their stacks and of others. */
static void put_list(struct trace_writer *w, uint64_t id, const uint64_t *stack, size_t n)
{
	trace_writer_begin(w, TRACE_STACK_CODES, 2);
	trace_writer_uint(w, TRACE_STACK_CODES_ID, id);
	trace_writer_uints(w, TRACE_STACK_CODES_STACK, stack, n);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static void put_coded(struct trace_writer *w, uint64_t list, const uint64_t *v, size_t n)
{
	trace_writer_begin(w, TRACE_SAMPLES, 2);
	trace_writer_uints(w, TRACE_SAMPLES_STACK, v, n);
	trace_writer_uint(w, TRACE_SAMPLES_CODES, list);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static struct trace_reader *read_again(int fd, struct trace_writer *w)
{
	struct trace_reader *r;

	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	trace_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	return r;
}

/* The next SAMPLES's stacks; false: its list is not the last one. */
static bool next_stacks(struct trace_reader *r, struct trace_stacks *s)
{
	struct trace_record rec;

	do {
		CU_ASSERT_EQUAL_FATAL(trace_reader_next(r, &rec), 1);
	} while (rec.type != TRACE_SAMPLES);
	return trace_record_stacks(&rec, s);
}

static void test_lists(void)
{
	uint64_t list[TRACE_MAX_CODES], v[300], id = 0;
	unsigned int wrong = 0;

	for (size_t n = 0; n <= TRACE_MAX_CODES; n++)
		list[n < TRACE_MAX_CODES ? n : 0] = rnd_bits(26);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		v[i] = i;
	for (size_t n = 0; n <= TRACE_MAX_CODES; n++) {
		struct trace_writer *w;
		struct trace_reader *r;
		struct trace_stacks s;
		int fd = empty_file();

		CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 0), 0);
		CU_ASSERT_EQUAL(put_header(w), 0);
		put_list(w, 1, v, n / 2);
		put_list(w, 2, list, n);
		put_coded(w, 2, v, ARRAY_SIZE(v));
		r = read_again(fd, w);
		CU_ASSERT_TRUE(next_stacks(r, &s));
		for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
			wrong += !trace_stacks_next(&s, &id);
			wrong += id != (i && i <= n ? list[i - 1] : i ? i - n : 0);
		}
		wrong += trace_stacks_next(&s, &id);
		trace_reader_free(r);
		close(fd);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Lists that are not the last one, or that the reader has no room for; and ids that are none. */
static void test_bad_lists(void)
{
	static const struct {
		uint64_t first, second, codes;
		size_t n;
		bool known;
	} cases[] = {
		{ 1, 2, 2, 127, true }, { 1, 2, 1, 3, false },	 { 1, 2, 3, 3, false },
		{ 1, 1, 1, 3, false },	{ 2, 1, 1, 3, false },	 { 2, 1, 2, 3, false },
		{ 1, 2, 0, 3, false },	{ 1, 2, 2, 128, false }, { 1, 9, 9, 3, true },
		{ 0, 0, 0, 3, false },
	};
	uint64_t far[128];

	for (size_t i = 0; i < ARRAY_SIZE(far); i++)
		far[i] = i % 3 ? INT64_MAX : i % 2 ? TRACE_NIL : UINT64_C(1) << 32;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct trace_writer *w;
		struct trace_reader *r;
		struct trace_stacks s;
		uint64_t id;
		int fd = empty_file();

		CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 0), 0);
		CU_ASSERT_EQUAL(put_header(w), 0);
		put_list(w, cases[i].first, far, 2);
		put_list(w, cases[i].second, far, cases[i].n);
		put_coded(w, cases[i].codes, (uint64_t[]){ 1, 2, 3, TRACE_NIL }, 4);
		r = read_again(fd, w);
		CU_ASSERT_EQUAL(next_stacks(r, &s), cases[i].known);
		CU_ASSERT_EQUAL(s.c.n, cases[i].known ? 4 : 0);
		while (trace_stacks_next(&s, &id))
			CU_ASSERT(id >= TRACE_MAX_ID);
		trace_reader_free(r);
		close(fd);
	}
}

/* Nothing holds across parts. */
static void test_lists_of_parts(void)
{
	struct trace_totals totals = { .why = "over" };
	struct trace_writer *w;
	struct trace_reader *r;
	struct trace_stacks s;
	int fd = empty_file();

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 0), 0);
	CU_ASSERT_EQUAL(put_header(w), 0);
	put_list(w, 1, (uint64_t[]){ 5 }, 1);
	put_coded(w, 1, (uint64_t[]){ 1 }, 1);
	CU_ASSERT_EQUAL(trace_writer_next(w, &totals, 0), 0);
	CU_ASSERT_EQUAL(put_header(w), 0);
	put_coded(w, 1, (uint64_t[]){ 1 }, 1);
	put_list(w, 1, (uint64_t[]){ 6 }, 1);
	put_coded(w, 1, (uint64_t[]){ 1 }, 1);
	r = read_again(fd, w);
	CU_ASSERT_TRUE(next_stacks(r, &s) && trace_stack_of(s.codes, 1) == 5);
	CU_ASSERT_EQUAL(trace_reader_part(r), 1);
	CU_ASSERT_FALSE(next_stacks(r, &s));
	CU_ASSERT_TRUE(next_stacks(r, &s) && trace_stack_of(s.codes, 1) == 6);
	trace_reader_free(r);
	close(fd);
}

static const struct unit_test tests[] = {
	{ "grid_next", test_grid_next },
	{ "samples", test_samples },
	{ "lists", test_lists },
	{ "bad_lists", test_bad_lists },
	{ "lists_of_parts", test_lists_of_parts },
};

int main(void)
{
	return unit_main("samples", tests, ARRAY_SIZE(tests));
}
