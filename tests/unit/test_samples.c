// SPDX-License-Identifier: BSD-2-Clause
/* Tests SAMPLES as samples: the library's sums are compared with the sums of SPEC.md, section 7. */
#include "unit.h"

#include "trace_file.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Returns a random number (xorshift). The sequence is the same in every run. */
static uint64_t rnd(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Returns a random number of random size: small numbers are as frequent as large numbers. */
static uint64_t rnd_bits(unsigned int bits)
{
	return rnd() >> (64 - 1 - rnd() % bits);
}

#define N 200

struct columns {
	int64_t dt[N];
	uint64_t stack[N], task[N], cgroup[N];
};

static void put_samples(struct trace_writer *w, const struct columns *c, bool cgroups)
{
	trace_writer_begin(w, TRACE_SAMPLES);
	trace_writer_uint(w, TRACE_SAMPLES_CPU, 0);
	trace_writer_uint(w, TRACE_SAMPLES_BASE_NS, 5000000);
	trace_writer_uint(w, TRACE_SAMPLES_UNIT_NS, 2000);
	trace_writer_uint(w, TRACE_SAMPLES_STEP, 500);
	trace_writer_ints(w, TRACE_SAMPLES_DT, c->dt, N);
	trace_writer_uints(w, TRACE_SAMPLES_STACK, c->stack, N);
	trace_writer_uints(w, TRACE_SAMPLES_TASK, c->task, N);
	if (cgroups)
		trace_writer_uints(w, TRACE_SAMPLES_CGROUP, c->cgroup, N);
	CU_ASSERT_EQUAL(trace_writer_end(w), 0);
}

static void check_samples(const struct columns *c, bool cgroups)
{
	uint64_t time = 5000000;
	struct trace_record rec;
	struct trace_reader *r;
	struct trace_writer *w;
	struct trace_samples s;
	int fd = empty_file();
	unsigned int wrong = 0;

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&w, fd, 0), 0);
	CU_ASSERT_EQUAL(put_header(w), 0);
	put_samples(w, c, cgroups);
	CU_ASSERT_EQUAL(trace_writer_flush(w), 0);
	trace_writer_free(w);
	lseek(fd, 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fd), 0);
	while (trace_reader_next(r, &rec) > 0 && rec.type != TRACE_SAMPLES)
		;
	s = trace_record_samples(&rec);
	for (int i = 0; i < N; i++) {
		wrong += !trace_samples_next(&s);
		time += (uint64_t)((500 + c->dt[i]) * 2000);
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

	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < N; k++) {
			c.dt[k] = (int64_t)rnd_bits(12) - 512;
			c.stack[k] = rnd_bits(20);
			c.task[k] = rnd_bits(10);
			c.cgroup[k] = rnd_bits(5);
		}
		check_samples(&c, i);
	}
}

static const struct unit_test tests[] = {
	{ "samples", test_samples },
};

int main(void)
{
	return unit_main("samples", tests, ARRAY_SIZE(tests));
}
