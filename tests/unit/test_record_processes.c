// SPDX-License-Identifier: BSD-2-Clause
/* Tests processes.c: rows of processes. The test plays the role of the BPF programs, and uses a file in place of the
 * map. */
#include "record_util.h"

#include <inttypes.h>
#include <stdio.h>

#include <netcost/cpuset.h>
#include <linux/types.h> /* defines __u64 for the wire structs */

#include "bpf/wire.h"
#include "record/exact/exact.h"
#include "record/exact/ladder.h"
#include "record/exact/processes.h"
#include "record/intern/cgroups.h"

#define CPUS 2
#define PIDS 300
#define ROW NETCOST_PROCESS_SHORT

struct host {
	int fd;
	char *rows;
	uint32_t each;
	uint32_t takes;
	struct netcost_cpu *state; /* array of CPUS states */
	uint64_t task_ns[CPUS];
	struct processes *p;
	struct cgroups *cgroups;
	struct ladder ladder;
	struct mem_trace trace;
	uint64_t wanted[PIDS]; /* expected time per pid, ns; only of rows after the first tick */
};

static void host_make(struct host *h)
{
	size_t bytes;

	*h = (struct host){ .each = processes_each(CPUS, UINT64_MAX) };
	bytes = 2 * CPUS * (size_t)h->each * ROW;
	h->fd = memfd_create("rows", MFD_CLOEXEC);
	CU_ASSERT_FATAL(h->fd >= 0 && !ftruncate(h->fd, (off_t)bytes));
	h->rows = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, h->fd, 0);
	CU_ASSERT_FATAL(h->rows != MAP_FAILED);
	h->state = aligned_alloc(_Alignof(struct netcost_cpu), CPUS * sizeof(*h->state));
	CU_ASSERT_PTR_NOT_NULL_FATAL(h->state);
	memset(h->state, 0, CPUS * sizeof(*h->state));
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		h->state[cpu].told.running.cpu = cpu;
	h->ladder.pages.rung = RUNG_SAMPLES;
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		h->ladder.event[e] = (struct ladder_choice){ .rung = RUNG_TRACEPOINT,
							     .timed = true,
							     .uses = HOOK_USE(SWITCHES) };
	CU_ASSERT_EQUAL_FATAL(cgroups_new(&h->cgroups, CGROUPS_V2), 0);
	CU_ASSERT_EQUAL_FATAL(processes_new(&h->p, h->fd, &h->takes, h->state, CPUS, h->each, NULL),
			      0);
	mem_trace_begin(&h->trace);
}

static void host_end(struct host *h)
{
	processes_close(h->p);
	cgroups_free(h->cgroups);
	munmap(h->rows, 2 * CPUS * (size_t)h->each * ROW);
	close(h->fd);
	free(h->state);
	mem_trace_end(&h->trace);
}

/* Charges a process that leaves the CPU after this time, as processes_switch() would. Returns its row. */
static struct netcost_process *goes(struct host *h, unsigned int cpu, uint32_t pid, uint64_t ns)
{
	struct netcost_told *told = &h->state[cpu].told;
	uint32_t half = h->takes, first = (half * CPUS + cpu) * h->each;
	uint32_t index = first + pid % h->each;
	struct netcost_process *row = (void *)(h->rows + index * (size_t)ROW);

	if (told->half != half + 1) {
		told->half = half + 1;
		told->taken[half] = 0;
	}
	if (!row->key.process) {
		row->key = (struct netcost_process_key){ pid, cpu, 7 };
		row->next = told->taken[half];
		row->start_ns = 1000 + pid;
		told->taken[half] = index + 1;
	}
	CU_ASSERT_EQUAL(row->key.process, pid);
	row->counts.own_ns[NETCOST_BASE_TASK] += ns;
	row->counts.switches++;
	told->all.switches++;
	h->task_ns[cpu] += ns;
	return row;
}

static void goes_of(struct host *h, unsigned int cpu, uint32_t pid, uint32_t user, uint32_t is)
{
	struct netcost_process *row = goes(h, cpu, pid, 100);

	row->is = NETCOST_PROCESS_USER | is;
	row->user = user;
}

/* Makes a tick; lent: time, ns, that the process with pid `running` has had the CPU. */
static void tick(struct host *h, uint32_t running, uint64_t lent)
{
	uint32_t cpu_numbers[CPUS] = { 0, 1 };
	struct cpuset cpus = { .cpu = cpu_numbers, .n = CPUS };

	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		struct exact_reading r = { .at_ns = 1 };

		h->state[cpu].told.running = (struct netcost_process_key){ running, cpu, 7 };
		r.ns[NETCOST_EV_TASK] = h->task_ns[cpu] + lent;
		processes_read(h->p, cpu, &h->state[cpu], &r);
	}
	processes_turn(h->p);
	CU_ASSERT_EQUAL(processes_write(h->p, &cpus, &h->ladder, h->cgroups, true, h->trace.w), 0);
}

/* Checks the sums of the trace by pid. */
static void check(struct host *h)
{
	uint64_t pid_of[4 * PIDS] = { 0 }, got[PIDS] = { 0 }, nobody = 0, defined = 0;
	struct trace_record rec;
	int err;

	mem_trace_read(&h->trace);
	while ((err = trace_reader_next(h->trace.r, &rec)) == 1) {
		uint32_t n = rec.type == TRACE_PROCESSES ?
				     column_size(&rec, TRACE_PROCESSES_PID) :
			     rec.type == TRACE_PROCESS_STATS ?
				     column_size(&rec, TRACE_PROCESS_STATS_PROCESS) :
				     0;

		for (uint32_t i = 0; i < n && rec.type == TRACE_PROCESSES; i++)
			if (++defined < 4 * PIDS)
				pid_of[defined] = column_at(&rec, TRACE_PROCESSES_PID, i);
		for (uint32_t i = 0; i < n && rec.type == TRACE_PROCESS_STATS; i++) {
			uint64_t id = column_at(&rec, TRACE_PROCESS_STATS_PROCESS, i),
				 ns = column_at(&rec, TRACE_PROCESS_STATS_TASK_NS, i);

			if (id && id < 4 * PIDS && pid_of[id] < PIDS)
				got[pid_of[id]] += ns;
			else
				nobody += ns;
		}
	}
	CU_ASSERT_EQUAL(err, 0);
	CU_ASSERT_EQUAL(nobody, 0);
	for (uint32_t pid = 0; pid < PIDS; pid++)
		CU_ASSERT_EQUAL(got[pid], h->wanted[pid]);
}

/* Tests CPUs that have no row for a while, and rows that are reused in another order: each nanosecond counts once. */
static void test_processes_rounds(void)
{
	struct host h;

	host_make(&h);
	goes(&h, 0, 5, 12345); /* charged before the first tick, so not reported */
	tick(&h, 0, 0);
	for (uint32_t i = 1; i < 40; i++) {
		uint32_t many = i % 7 ? i % 7 * 40 : 0;

		for (uint32_t k = 0; k < many; k++) {
			uint32_t pid = 1 + (i * 31 + k * 17) % (PIDS - 1);
			unsigned int cpu = i % 5 ? (i + k) % CPUS : 0;

			goes(&h, cpu, pid, 10 + k);
			h.wanted[pid] += 10 + k;
		}
		tick(&h, 0, 0);
	}
	check(&h);
	host_end(&h);
}

/* Tests that the time of the running process is charged at once, and not again when the process leaves. */
static void test_processes_running(void)
{
	struct host h;

	host_make(&h);
	tick(&h, 0, 0);
	tick(&h, 9, 500);
	tick(&h, 9, 800);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		goes(&h, cpu, 9, 1000);
	h.wanted[9] = CPUS * 1000;
	tick(&h, 0, 0);
	check(&h);
	host_end(&h);
}

/* Tests that the row of the running process may be the row that makes the array grow. */
static void test_processes_running_grows(void)
{
	for (uint32_t others = 1; others < 60; others++) {
		struct host h;

		host_make(&h);
		tick(&h, 0, 0);
		for (uint32_t pid = 1; pid <= others; pid++) {
			goes(&h, 0, pid, 10);
			h.wanted[pid] = 10;
		}
		tick(&h, 99, 500);
		h.wanted[99] = CPUS * 500;
		check(&h);
		host_end(&h);
	}
}

/* Tests a row that belongs to another process by the time of the tick, because a context switch was not seen. */
static void test_processes_unseen(void)
{
	struct host h;

	host_make(&h);
	tick(&h, 0, 0);
	tick(&h, 9, 500);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		goes(&h, cpu, 10, 700)->counts.unseen++;
		h.state[cpu].told.all.unseen++;
		goes(&h, cpu, 11, 600);
	}
	h.wanted[9] = CPUS * 500;
	h.wanted[10] = CPUS * 200;
	h.wanted[11] = CPUS * 600;
	tick(&h, 0, 0);
	tick(&h, 0, 0);
	check(&h);
	host_end(&h);
}

/* Tests that ids restart in the next file, also for the running process. Its time until then is in the earlier file. */
static void test_processes_again(void)
{
	struct host h;

	host_make(&h);
	tick(&h, 0, 0);
	goes(&h, 0, 3, 100);
	tick(&h, 9, 500);
	cgroups_again(h.cgroups);
	processes_again(h.p, h.cgroups);
	mem_trace_end(&h.trace);
	mem_trace_begin(&h.trace);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		goes(&h, cpu, 9, 1000);
	goes(&h, 0, 4, 70);
	h.wanted[4] = 70;
	h.wanted[9] = CPUS * 500;
	tick(&h, 0, 0);
	check(&h);
	host_end(&h);
}

/* Writes the defined processes to dst, each as "PID USER". */
static void defined(struct host *h, char *dst, size_t size)
{
	struct trace_record rec;

	*dst = '\0';
	mem_trace_read(&h->trace);
	while (trace_reader_next(h->trace.r, &rec) == 1) {
		if (rec.type != TRACE_PROCESSES)
			continue;
		for (uint32_t i = 0; i < column_size(&rec, TRACE_PROCESSES_PID); i++) {
			uint64_t user = column_at(&rec, TRACE_PROCESSES_USER, i);
			size_t at = strlen(dst);

			at += (size_t)snprintf(dst + at, size - at, "%s%" PRIu64 " ",
					       at ? ", " : "",
					       column_at(&rec, TRACE_PROCESSES_PID, i));
			snprintf(dst + at, size - at, user == TRACE_NIL ? "nil" : "%" PRIu64, user);
		}
	}
}

#define NO_ONE 5000000 /* pid that no host has, so that nothing can be read about it */

/* Tests users: a pid with another user is another process, but a pid with an unknown user is not. The user at the
 * end of the process counts. */
static void test_processes_users(void)
{
	struct host h;
	char text[200];

	host_make(&h);
	tick(&h, 0, 0);
	goes_of(&h, 0, NO_ONE, 1000, 0);
	goes(&h, 0, NO_ONE + 1, 100);
	tick(&h, 0, 0);
	goes_of(&h, 0, NO_ONE, 1000, 0);
	/* in the same round: the user of the last process is unknown */
	goes_of(&h, 1, NO_ONE, 7, 0);
	goes_of(&h, 0, NO_ONE + 2, 0, 0);
	goes_of(&h, 1, NO_ONE + 2, 33, NETCOST_PROCESS_ENDED);
	tick(&h, 0, 0);
	goes(&h, 0, NO_ONE, 100);
	tick(&h, 0, 0);
	goes_of(&h, 0, NO_ONE, 7, 0);
	goes_of(&h, 0, NO_ONE + 1, 0, 0);
	tick(&h, 0, 0);
	defined(&h, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "5000001 nil, 5000000 1000, 5000002 33, 5000001 0, 5000000 7");
	host_end(&h);
}

/* Tests a restart of all counts in the middle of a round. */
static void test_processes_reset(void)
{
	struct host h;

	host_make(&h);
	tick(&h, 0, 0);
	goes(&h, 0, 3, 100);
	goes(&h, 1, 4, 100);
	processes_reset(h.p);
	memset(h.state, 0, CPUS * sizeof(*h.state));
	memset(h.task_ns, 0, sizeof(h.task_ns));
	goes(&h, 1, 3, 70);
	h.wanted[3] = 70;
	tick(&h, 0, 0);
	check(&h);
	host_end(&h);
}

/* Tests that the memory does not grow with the number of CPUs. */
static void test_processes_room(void)
{
	for (uint32_t n = 1; n <= 768; n++) {
		uint32_t each = processes_each(n, UINT64_MAX);

		CU_ASSERT_EQUAL(each & (each - 1), 0);
		CU_ASSERT(each >= 64 && each * n <= 49152);
		CU_ASSERT(2 * (uint64_t)each * n * sizeof(struct netcost_process) <= 64 << 20);
		each = processes_each(n, 32 << 20);
		CU_ASSERT(each == 64 || 2 * each * n * sizeof(struct netcost_process) <= 4 << 20);
	}
}

static const struct unit_test tests[] = {
	{ "processes_rounds", test_processes_rounds },
	{ "processes_running", test_processes_running },
	{ "processes_running_grows", test_processes_running_grows },
	{ "processes_unseen", test_processes_unseen },
	{ "processes_again", test_processes_again },
	{ "processes_users", test_processes_users },
	{ "processes_reset", test_processes_reset },
	{ "processes_room", test_processes_room },
};

int main(void)
{
	return unit_main("record_processes", tests, sizeof(tests) / sizeof(tests[0]));
}
