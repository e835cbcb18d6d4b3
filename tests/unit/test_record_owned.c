// SPDX-License-Identifier: BSD-2-Clause
/* Tests owners.c: rows of receivers. The test plays the role of the BPF programs, and uses a file in place of the
 * map. */
#include "record_util.h"

#include <linux/btf.h>

#include <netcost/cpuset.h>
#include <netcost/fates.h>
#include <linux/types.h> /* defines __u64 for the wire structs */

#include "bpf/wire.h"
#include "record/exact/exact.h"
#include "record/exact/owners.h"
#include "record/intern/cgroups.h"
#include "record/intern/process_ids.h"
#include "record/kernel/btf_names.h"

#define CPUS 2
#define PIDS 100

struct host {
	int fd;
	struct netcost_owned *rows;
	uint32_t each;
	uint32_t takes;
	struct netcost_cpu *state; /* array of CPUS states */
	uint64_t leaf_ns[CPUS];
	struct owners *o;
	struct btf_names *names;
	struct process_ids *ids;
	struct cgroups *cgroups;
	struct mem_trace trace;
	uint64_t wanted[PIDS]; /* expected time per pid, ns; only of rows after the first tick */
	uint64_t dropped;      /* number of dropped packets */
};

static size_t rows_bytes(const struct host *h)
{
	return 2 * CPUS * (size_t)h->each * sizeof(*h->rows);
}

static void host_make(struct host *h)
{
	static const struct {
		struct btf_header header;
		char text[4];
	} no_names = { { .magic = BTF_MAGIC,
			 .version = 1,
			 .hdr_len = sizeof(struct btf_header),
			 .str_len = 4 },
		       "" };

	*h = (struct host){ .each = 8192 };
	h->fd = memfd_create("rows", MFD_CLOEXEC);
	CU_ASSERT_FATAL(h->fd >= 0 && !ftruncate(h->fd, (off_t)rows_bytes(h)));
	h->rows = mmap(NULL, rows_bytes(h), PROT_READ | PROT_WRITE, MAP_SHARED, h->fd, 0);
	CU_ASSERT_FATAL(h->rows != MAP_FAILED);
	h->state = aligned_alloc(_Alignof(struct netcost_cpu), CPUS * sizeof(*h->state));
	CU_ASSERT_PTR_NOT_NULL_FATAL(h->state);
	memset(h->state, 0, CPUS * sizeof(*h->state));
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&h->names, NULL, &no_names, sizeof(no_names)), 0);
	CU_ASSERT_EQUAL_FATAL(cgroups_new(&h->cgroups, CGROUPS_V2), 0);
	CU_ASSERT_EQUAL_FATAL(process_ids_new(&h->ids), 0);
	CU_ASSERT_EQUAL_FATAL(
		owners_new(&h->o, h->fd, &h->takes, h->state, CPUS, h->each, 1, h->names), 0);
	mem_trace_begin(&h->trace);
}

static void host_end(struct host *h)
{
	owners_free(h->o);
	process_ids_free(h->ids);
	cgroups_free(h->cgroups);
	btf_names_close(h->names);
	munmap(h->rows, rows_bytes(h));
	close(h->fd);
	free(h->state);
	mem_trace_end(&h->trace);
}

/* Charges a packet as owned_row() and owned_add() would. */
static void charge(struct host *h, unsigned int cpu, uint32_t pid, uint64_t cgroup, uint64_t ns)
{
	struct netcost_owners *o = &h->state[cpu].owners;
	uint32_t half = h->takes, first = (half * CPUS + cpu) * h->each;
	uint32_t index = first + pid % h->each;
	struct netcost_owned *row = &h->rows[index];

	if (!row->process && !row->cgroup) {
		row->process = pid;
		row->cgroup = cgroup;
		row->next = o->taken[half];
		o->taken[half] = index + 1;
	}
	CU_ASSERT(row->process == pid && row->cgroup == cgroup);
	row->ns += ns;
	row->packets++;
	h->leaf_ns[cpu] += ns;
}

static void tick(struct host *h)
{
	uint32_t cpu_numbers[CPUS] = { 0, 1 };
	struct cpuset cpus = { .cpu = cpu_numbers, .n = CPUS };

	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		struct exact_reading r = { .at_ns = 1 };

		r.ns[NETCOST_EV_RX_SOFTIRQ] = h->leaf_ns[cpu];
		owners_read(h->o, cpu, &h->state[cpu], &r);
	}
	h->takes = !h->takes;
	process_ids_round(h->ids);
	CU_ASSERT_EQUAL(owners_write(h->o, &cpus, h->ids, h->cgroups, true, h->trace.w), 0);
}

/* Checks the sums of the trace by pid, and the number of dropped packets. The time of every disposition is known, so
 * no time is open. */
static void check(struct host *h)
{
	uint64_t pid_of[4 * PIDS] = { 0 }, got[PIDS] = { 0 }, defined = 0, dropped = 0, open = 0;
	struct trace_record rec;
	int err;

	mem_trace_read(&h->trace);
	while ((err = trace_reader_next(h->trace.r, &rec)) == 1) {
		for (uint32_t i = 0;
		     rec.type == TRACE_PROCESSES && i < column_size(&rec, TRACE_PROCESSES_PID); i++)
			if (++defined < 4 * PIDS)
				pid_of[defined] = column_at(&rec, TRACE_PROCESSES_PID, i);
		for (uint32_t i = 0; rec.type == TRACE_OWNER_STATS &&
				     i < column_size(&rec, TRACE_OWNER_STATS_PROCESS);
		     i++) {
			uint64_t id = column_at(&rec, TRACE_OWNER_STATS_PROCESS, i);

			CU_ASSERT_FATAL(id && id < 4 * PIDS && pid_of[id] < PIDS);
			got[pid_of[id]] += column_at(&rec, TRACE_OWNER_STATS_NS, i);
		}
		for (uint32_t i = 0;
		     rec.type == TRACE_RX_FATES && i < column_size(&rec, TRACE_RX_FATES_FATE);
		     i++) {
			uint64_t fate = column_at(&rec, TRACE_RX_FATES_FATE, i);

			open += fate == NETCOST_FATE_OPEN;
			if (fate == NETCOST_FATE_DROPPED)
				dropped += column_at(&rec, TRACE_RX_FATES_PACKETS, i);
		}
	}
	CU_ASSERT_EQUAL(err, 0);
	CU_ASSERT_EQUAL(open, 0);
	CU_ASSERT_EQUAL(dropped, h->dropped);
	for (uint32_t pid = 0; pid < PIDS; pid++)
		CU_ASSERT_EQUAL(got[pid], h->wanted[pid]);
}

/* Tests CPUs that have no row for a while, and rows that are reused in another order: each nanosecond counts once. */
static void test_owned_rounds(void)
{
	struct host h;

	host_make(&h);
	charge(&h, 0, 5, 7, 12345); /* charged before the first tick, so not reported */
	tick(&h);
	for (uint32_t i = 1; i < 40; i++) {
		uint32_t many = i % 7 ? i % 7 * 15 : 0;

		for (uint32_t k = 0; k < many; k++) {
			uint32_t pid = 1 + (i * 31 + k * 17) % (PIDS - 1);
			unsigned int cpu = i % 5 ? (i + k) % CPUS : 0;

			charge(&h, cpu, pid, 7, 10 + k);
			h.wanted[pid] += 10 + k;
		}
		if (i % 3) {
			charge(&h, i % CPUS, 0, (uint64_t)NETCOST_FATE_DROPPED << 32 | 9, 100);
			h.dropped++;
		}
		tick(&h);
	}
	check(&h);
	host_end(&h);
}

/* Tests that both halves are emptied when counting restarts, and that their content is not reported. */
static void test_owned_reset(void)
{
	struct host h;

	host_make(&h);
	tick(&h);
	charge(&h, 0, 5, 7, 1000);
	h.takes = !h.takes;
	charge(&h, 0, 6, 7, 1000);
	owners_reset(h.o);
	memset(h.state, 0, CPUS * sizeof(*h.state));
	memset(h.leaf_ns, 0, sizeof(h.leaf_ns));
	for (size_t i = 0; i < rows_bytes(&h) / sizeof(*h.rows); i++)
		CU_ASSERT_FATAL(!h.rows[i].process && !h.rows[i].ns);
	tick(&h);
	charge(&h, 1, 6, 7, 500);
	h.wanted[6] = 500;
	tick(&h);
	check(&h);
	host_end(&h);
}

static const struct unit_test tests[] = {
	{ "owned_rounds", test_owned_rounds },
	{ "owned_reset", test_owned_reset },
};

int main(void)
{
	return unit_main("record_owned", tests, sizeof(tests) / sizeof(tests[0]));
}
