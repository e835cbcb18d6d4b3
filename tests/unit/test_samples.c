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

static const struct unit_test tests[] = {
	{ "grid_next", test_grid_next },
	{ "samples", test_samples },
};

int main(void)
{
	return unit_main("samples", tests, ARRAY_SIZE(tests));
}
