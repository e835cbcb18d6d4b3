// SPDX-License-Identifier: BSD-2-Clause
#include "processes_util.h"

#include <math.h>

#include "report/analysis/diff/diff.h"
#include "report/rules/rules.h"

#define MS 1000000ull

static struct classifier *classifier;

static void processes(struct maker *k, uint64_t first, const uint64_t *pid, size_t n,
		      const char *const *name, const uint64_t *cgroup, const uint64_t *kernel)
{
	uint64_t start_ns[8];

	for (size_t i = 0; i < n; i++)
		start_ns[i] = 100 + pid[i];
	trace_writer_begin(k->w, TRACE_PROCESSES);
	trace_writer_uint(k->w, TRACE_PROCESSES_FIRST, first);
	trace_writer_uints(k->w, TRACE_PROCESSES_PID, pid, n);
	trace_writer_strs(k->w, TRACE_PROCESSES_NAME, name, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_START_NS, start_ns, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_CGROUP, cgroup, n);
	trace_writer_uints(k->w, TRACE_PROCESSES_KERNEL, kernel, n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes PROCESS_STATS. The times are in ms. */
static void stats(struct maker *k, const uint64_t *process, size_t n, const uint64_t *task,
		  const uint64_t *send, const uint64_t *rx)
{
	uint64_t ns[3][8];

	for (size_t i = 0; i < n; i++) {
		ns[0][i] = task[i] * MS;
		ns[1][i] = send[i] * MS;
		ns[2][i] = rx[i] * MS;
	}
	trace_writer_begin(k->w, TRACE_PROCESS_STATS);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_PROCESS, process, n);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_TASK_NS, ns[0], n);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_SOCK_SEND_NS, ns[1], n);
	trace_writer_uints(k->w, TRACE_PROCESS_STATS_RX_SOFTIRQ_NS, ns[2], n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void tick(struct maker *k, uint64_t at_ns)
{
	trace_writer_begin(k->w, TRACE_TICK);
	trace_writer_uint(k->w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_uints(k->w, TRACE_TICK_CPU, U(0, 1));
	trace_writer_uints(k->w, TRACE_TICK_EXACT_NS, U(at_ns, at_ns));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes the times of an event since the beginning, in ms: `ms` on CPU 0 and `other_ms` on CPU 1. */
static void exact(struct maker *k, enum netcost_event event, uint64_t ms, uint64_t other_ms)
{
	trace_writer_begin(k->w, TRACE_EXACT);
	trace_writer_uint(k->w, TRACE_EXACT_EVENT, event);
	trace_writer_uints(k->w, TRACE_EXACT_NS, U(ms * MS, other_ms * MS));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes a reading of the energy zone. `raw` is in uJ. */
static void energy(struct maker *k, uint64_t at_ns, uint64_t raw)
{
	trace_writer_begin(k->w, TRACE_ENERGY);
	trace_writer_uints(k->w, TRACE_ENERGY_READ_NS, &at_ns, 1);
	trace_writer_uints(k->w, TRACE_ENERGY_RAW, &raw, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void make(struct maker *k)
{
	uint64_t task = 0, send = 0, uj = 77;

	maker_cgroup(k, 1, "/");
	maker_cgroup(k, 2, "/system.slice/web.service");
	processes(k, 1, U(10, 11, 12, 13, 0),
		  (const char *const[]){ "web", "db", "worker", "worker", "idle" },
		  (const uint64_t[]){ 2, 1, 1, 2, 0 }, (const uint64_t[]){ 0, 0, 0, 0, 0 });
	trace_writer_begin(k->w, TRACE_ENERGY_ZONE);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_ID, 1);
	trace_writer_str(k->w, TRACE_ENERGY_ZONE_NAME, "package-0");
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_PARENT, 0);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_UNIT_NJ, 1000);
	trace_writer_uint(k->w, TRACE_ENERGY_ZONE_WRAP, 262143328850ull);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
	for (uint64_t i = 0; i <= 10; i++) {
		uint64_t busy = i ? 20 + 10 * i + 5 * i + 40 + 3 + 4 + 7 + 1 : 0;

		task += i ? 20 + 10 * i + 40 + 3 + 4 + 1 : 0;
		send += 5 * i;
		uj += i ? 30000000 + 20000 * busy : 0;
		tick(k, (i + 1) * SECOND);
		exact(k, NETCOST_EV_IDLE, 1000 * i - task - send - 7 * i, 1000 * i);
		exact(k, NETCOST_EV_TASK, task, 0);
		exact(k, NETCOST_EV_SOCK_SEND, send, 0);
		exact(k, NETCOST_EV_RX_SOFTIRQ, 7 * i, 0);
		energy(k, (i + 1) * SECOND, uj);
		if (i)
			stats(k, U(1, 2, 3, 4, 5, 0),
			      (const uint64_t[]){ 20 + 10 * i, 40, 3, 4, 0, 1 },
			      (const uint64_t[]){ 5 * i, 0, 0, 0, 0, 0 },
			      (const uint64_t[]){ 0, 0, 0, 0, 7, 0 });
	}
}

struct trace_reader *reader_on(FILE *f)
{
	struct trace_reader *r;

	lseek(fileno(f), 0, SEEK_SET);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&r, fileno(f)), 0);
	return r;
}

static int see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

void whole_read(struct whole *w, uint64_t every_ns)
{
	struct maker k = maker_new();
	struct trace_reader *r;

	make(&k);
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(k.w), 0);
	intervals_init(&w->iv, every_ns);
	process_times_init(&w->times);
	w->iv.second = &w->times.pieces.watch;
	w->iv.wants_stacks = true;
	r = reader_on(k.file);
	CU_ASSERT_FATAL(intervals_find(&w->iv, r));
	trace_reader_free(r);
	w->m = model_new(MODEL_PROCESSES | MODEL_CGROUPS | DIFF_SIDE_KEEP, classifier);
	model_set_see(w->m, see, &w->iv);
	r = reader_on(k.file);
	CU_ASSERT_EQUAL_FATAL(model_read(w->m, r), 0);
	trace_reader_free(r);
	trace_writer_free(k.w);
	fclose(k.file);
}

void whole_free(struct whole *w)
{
	model_free(w->m);
	intervals_free(&w->iv);
	process_times_free(&w->times);
}

bool is(double v, double wanted)
{
	return fabs(v - wanted) < 1e-6 * fmax(1, fabs(wanted));
}

int processes_main(const char *suite, const struct unit_test *tests, size_t n)
{
	struct rules *rules = rules_load(NULL);
	int status;

	classifier = classifier_new(rules);
	status = unit_main(suite, tests, n);
	classifier_free(classifier);
	rules_free(rules);
	return status;
}
