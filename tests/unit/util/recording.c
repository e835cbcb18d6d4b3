// SPDX-License-Identifier: BSD-2-Clause
#include "recording.h"

#define CPUS 2
#define PROGRAMS 3
#define STEP 1000 /* step of the times of samples, us */
#define DROPS 9

struct recording {
	struct maker k;
	uint64_t symbols, stacks, tasks, cgroups, samples, module;
	uint64_t exact[NETCOST_EV_COUNT][4][CPUS], loss[8][CPUS], stat[10][CPUS], net[3][CPUS];
	uint64_t netdev[8], raw, self[2], lost[CPUS], program[4][PROGRAMS], counted;
	uint64_t drop[DROPS], drops; /* dropped packets by reason; number of reasons so far */
	int64_t late;		     /* delay of the last sample, in units of the record's times */
};

static void rec_begin(struct recording *r, enum trace_type type)
{
	trace_writer_begin(r->k.w, type);
}

static void rec_end(struct recording *r)
{
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(r->k.w), 0);
}

/*
 * Increases n counters of each CPU by random amounts below `by`, and writes each as a column from key 1 + `first` on.
 */
static void rec_grow(struct recording *r, unsigned int first, uint64_t (*v)[CPUS], size_t n,
		     uint64_t by)
{
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < CPUS; i++)
			v[k][i] += rnd(by);
		trace_writer_uints(r->k.w, first + 1 + (unsigned int)k, v[k], CPUS);
	}
}

static void rec_counters(struct recording *r)
{
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		rec_begin(r, TRACE_EXACT);
		trace_writer_uint(r->k.w, TRACE_EXACT_EVENT, e);
		rec_grow(r, 1, r->exact[e], 4, 50000000);
		rec_end(r);
	}
	rec_begin(r, TRACE_EXACT_LOSS);
	rec_grow(r, 0, r->loss, 5, 5);
	trace_writer_uint(r->k.w, TRACE_EXACT_LOSS_TORN, r->loss[5][0] += rnd(3));
	rec_end(r);
	for (int i = 0; i < CPUS; i++)
		trace_writer_lost(r->k.w, (unsigned int)i, r->lost[i] += rnd(4));
	rec_begin(r, TRACE_SAMPLE_LOSS);
	rec_grow(r, 0, &r->loss[6], 1, 500);
	trace_writer_uints(r->k.w, TRACE_SAMPLE_LOSS_LOST, r->lost, CPUS);
	rec_grow(r, 2, &r->loss[7], 1, 2);
	rec_end(r);
	rec_begin(r, TRACE_PROCSTAT);
	rec_grow(r, 0, r->stat, 10, 50);
	rec_end(r);
	rec_begin(r, TRACE_SOFTNET);
	rec_grow(r, 0, r->net, 3, 5000);
	rec_end(r);
}

static void rec_programs(struct recording *r)
{
	rec_begin(r, TRACE_PROGRAM_STATS);
	for (unsigned int k = 0; k < 4; k++) {
		for (int i = 0; i < PROGRAMS; i++)
			r->program[k][i] += rnd(5000);
		trace_writer_uints(r->k.w, 1 + k, r->program[k], PROGRAMS);
	}
	trace_writer_uint(r->k.w, TRACE_PROGRAM_STATS_COUNTED_NS, r->counted += rnd(TICK));
	rec_end(r);
}

static void rec_drops(struct recording *r, uint64_t at_ns)
{
	if (r->drops < DROPS && r->counted % 4 == 0) {
		rec_begin(r, TRACE_DROP_REASONS);
		trace_writer_uint(r->k.w, TRACE_DROP_REASONS_FIRST, ++r->drops);
		trace_writer_strs(r->k.w, TRACE_DROP_REASONS_NAME,
				  (const char *const[]){ r->drops % 2 ? "NO_SOCKET" : "TCP_CSUM" },
				  1);
		trace_writer_uints(r->k.w, TRACE_DROP_REASONS_CPU, U(r->drops / 2 % CPUS));
		rec_end(r);
	}
	for (uint64_t i = 0; i < r->drops; i++)
		r->drop[i] += (r->counted + i) % 50;
	rec_begin(r, TRACE_DROPS);
	trace_writer_uints(r->k.w, TRACE_DROPS_PACKETS, r->drop, r->drops);
	trace_writer_uint(r->k.w, TRACE_DROPS_BEGAN_NS, at_ns + 600);
	trace_writer_uint(r->k.w, TRACE_DROPS_ENDED_NS, at_ns + 800);
	rec_end(r);
}

static void rec_tick(struct recording *r, uint64_t at_ns)
{
	uint64_t exact_ns[CPUS] = { at_ns + 100, at_ns + 200 };

	trace_writer_time(r->k.w, at_ns);
	trace_writer_time(r->k.w, at_ns + 1000);
	rec_begin(r, TRACE_TICK);
	trace_writer_uint(r->k.w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(r->k.w, TRACE_TICK_CPU, U(0, 1));
	trace_writer_uints(r->k.w, TRACE_TICK_EXACT_NS, exact_ns, CPUS);
	rec_end(r);
	rec_counters(r);
	rec_begin(r, TRACE_NETDEV_STATS);
	trace_writer_uints(r->k.w, TRACE_NETDEV_STATS_ID, U(1));
	for (unsigned int k = 0; k < 8; k++)
		trace_writer_uints(r->k.w, 2 + k, U(r->netdev[k] += rnd(1000)));
	rec_end(r);
	rec_begin(r, TRACE_ENERGY);
	trace_writer_uints(r->k.w, TRACE_ENERGY_READ_NS, U(at_ns + 500));
	trace_writer_uints(r->k.w, TRACE_ENERGY_RAW, U(r->raw = (r->raw + rnd(3000)) % 10000));
	rec_end(r);
	rec_programs(r);
	rec_drops(r, at_ns);
	rec_begin(r, TRACE_SELF);
	trace_writer_uint(r->k.w, TRACE_SELF_USER_US, r->self[0] += rnd(1000));
	trace_writer_uint(r->k.w, TRACE_SELF_SYSTEM_US, r->self[1] += rnd(1000));
	trace_writer_uint(r->k.w, TRACE_SELF_MAXRSS_KIB, 5000);
	trace_writer_uint(r->k.w, TRACE_SELF_WRITTEN, trace_writer_bytes(r->k.w));
	rec_end(r);
}

static void rec_clock(struct recording *r, uint64_t at_ns)
{
	trace_writer_time(r->k.w, at_ns);
	rec_begin(r, TRACE_CLOCK);
	trace_writer_uint(r->k.w, TRACE_CLOCK_MONO_NS, at_ns);
	trace_writer_uint(r->k.w, TRACE_CLOCK_REAL_NS, at_ns + 5 * SECOND);
	rec_end(r);
}

static void rec_define_symbols(struct recording *r)
{
	static const char *const known[] = { "udp_sendmsg", "net_rx_action", "do_idle",
					     "__x64_sys_sendto" };
	const char *known_name = known[rnd(4)];
	uint64_t module = rnd(r->module + 1);
	int64_t offset = -(int64_t)rnd(1000);
	char name[32];

	snprintf(name, sizeof(name), "function_%" PRIu64, r->symbols);
	maker_two_symbols(&r->k, r->symbols + 1, (const char *const[]){ known_name, name },
			  (uint64_t[]){ module, 0 }, (int64_t[]){ offset, 70000 });
	r->symbols += 2;
}

static void rec_define(struct recording *r)
{
	char path[32];

	maker_name(&r->k, TRACE_MODULE, ++r->module, "module");
	rec_define_symbols(r);
	for (int i = 0; i < 6; i++, r->stacks++) { /* stays below the maximum depth of stacks */
		uint64_t id = r->stacks + 1, up = rnd(3) ? 1 + rnd(id) : id;

		maker_stacks(&r->k, id, U(up), U(rnd(r->symbols + 1)));
	}
	r->tasks++;
	maker_task(&r->k, r->tasks, 100 + r->tasks, 100, "a task");
	snprintf(path, sizeof(path), "/a/%" PRIu64, ++r->cgroups);
	maker_cgroup(&r->k, r->cgroups, path);
}

/* Writes one second of samples. Occasionally a sample is late and comes after later ones. */
static void rec_samples(struct recording *r, uint64_t cpu, uint64_t from_ns)
{
	enum { N = 200 };
	uint64_t stack[N], task[N], cgroup[N], end_us = from_ns / 1000 + N * (STEP + 4000);
	uint64_t base_ns = from_ns / 1000 * 1000;
	uint64_t tick_us = (from_ns / TICK + 1) * TICK / 1000, t = from_ns / 1000;
	int64_t dt[N];

	for (int i = 0; i < N; i++) {
		int64_t late = rnd(20) ? (int64_t)rnd(300) : (int64_t)rnd(20000);

		dt[i] = 3990 + late - r->late;
		r->late = late;
		if (i == N / 2) /* one sample exactly at a tick */
			dt[i] = (int64_t)(tick_us - t) - STEP;
		t += STEP + (uint64_t)dt[i];
		stack[i] = rnd(r->stacks + 1);
		task[i] = rnd(r->tasks + 1);
		cgroup[i] = rnd(r->cgroups + 1);
	}
	r->late = 0;
	trace_writer_time(r->k.w, from_ns);
	trace_writer_time(r->k.w, end_us * 1000 + 20000000);
	rec_begin(r, TRACE_SAMPLES);
	trace_writer_uint(r->k.w, TRACE_SAMPLES_CPU, cpu);
	trace_writer_uint(r->k.w, TRACE_SAMPLES_BASE_NS, base_ns);
	trace_writer_uint(r->k.w, TRACE_SAMPLES_UNIT_NS, 1000);
	trace_writer_uint(r->k.w, TRACE_SAMPLES_STEP, STEP);
	trace_writer_ints(r->k.w, TRACE_SAMPLES_DT, dt, N);
	trace_writer_uints(r->k.w, TRACE_SAMPLES_STACK, stack, N);
	trace_writer_uints(r->k.w, TRACE_SAMPLES_TASK, task, N);
	if (!cpu) /* a recorder writes these for all CPUs or for none */
		trace_writer_uints(r->k.w, TRACE_SAMPLES_CGROUP, cgroup, N);
	rec_end(r);
	r->samples += N;
}

static void rec_start(struct recording *r)
{
	rec_begin(r, TRACE_HEADER);
	trace_writer_uint(r->k.w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	trace_writer_uint(r->k.w, TRACE_HEADER_MINOR, TRACE_MINOR);
	trace_writer_uints(r->k.w, TRACE_HEADER_CPUS, U(1, 0));
	trace_writer_uint(r->k.w, TRACE_HEADER_SAMPLE_HZ, 200);
	trace_writer_uint(r->k.w, TRACE_HEADER_TICK_MS, 500);
	trace_writer_uint(r->k.w, TRACE_HEADER_START_NS, START);
	rec_end(r);
	rec_clock(r, START);
	rec_begin(r, TRACE_SOURCE);
	trace_writer_str(r->k.w, TRACE_SOURCE_NAME, "samples");
	trace_writer_str(r->k.w, TRACE_SOURCE_STATE, "measured");
	rec_end(r);
	maker_name(&r->k, TRACE_NETDEV, 1, "eth0");
	rec_begin(r, TRACE_ENERGY_ZONE);
	trace_writer_uint(r->k.w, TRACE_ENERGY_ZONE_ID, 1);
	trace_writer_str(r->k.w, TRACE_ENERGY_ZONE_NAME, "package-0");
	trace_writer_uint(r->k.w, TRACE_ENERGY_ZONE_UNIT_NJ, 1000);
	trace_writer_uint(r->k.w, TRACE_ENERGY_ZONE_WRAP, 9999);
	rec_end(r);
	for (uint64_t i = 1; i <= PROGRAMS; i++)
		maker_name(&r->k, TRACE_PROGRAM, i, i == 1 ? "fentry_0" : "fexit_0");
	CU_ASSERT_EQUAL(trace_writer_flush(r->k.w), 0);
}

int record(unsigned int seconds, bool ticks)
{
	struct recording r = { 0 };
	struct trace_totals t = { .at_ns = START + seconds * SECOND + 1000, .why = "over" };
	int fd = empty_file();

	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&r.k.w, fd, CPUS), 0);
	rec_start(&r);
	for (unsigned int s = 0; s < seconds; s++) {
		uint64_t at = START + s * SECOND;

		for (uint64_t k = 1; ticks && k <= 2; k++)
			rec_tick(&r, at + k * TICK);
		for (unsigned int i = 0; !ticks && i < CPUS; i++)
			trace_writer_lost(r.k.w, i, r.lost[i] += rnd(4));
		for (int i = s ? 0 : 2; i < 3 && (s < 4 || !rnd(3)); i++)
			rec_define(&r);
		if (s % 3 == 2)
			rec_clock(&r, at + SECOND - 1);
		if (s % 4 == 1)
			put_mark(r.k.w, at + 300000000, s == 1 ? "first" : "again");
		for (uint64_t i = 0; i < CPUS; i++)
			rec_samples(&r, i, at - (s ? rnd(10000000) : 0));
		CU_ASSERT_EQUAL(trace_writer_flush(r.k.w), 0);
	}
	t.samples = r.samples;
	t.symbols = r.symbols;
	t.stacks = r.stacks;
	t.tasks = r.tasks;
	CU_ASSERT_EQUAL(trace_writer_finish(r.k.w, &t), 0);
	trace_writer_free(r.k.w);
	lseek(fd, 0, SEEK_SET);
	return fd;
}
