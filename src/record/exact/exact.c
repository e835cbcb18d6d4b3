// SPDX-License-Identifier: BSD-2-Clause
#include "exact_impl.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h> /* PROT_READ */
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/wire.h"
#include <netcost/reasons.h>
#include <netcost/cpuset.h>

#include "attach.h"
#include "bpf/netcost.skel.h" /* made by bpftool from bpf/netcost.bpf.c, in build/ */
#include "ladder.h"
#include "outside.h"
#include "owners.h"
#include "pmu.h"
#include "processes.h"
#include "quiet.h"
#include "record/base/clock.h"
#include "record/base/procfs.h"
#include "record/kernel/tracing.h"

/* What each system call does. A call that a machine does not have has no number there. */
static const struct {
	long nr;
	uint8_t what;
} syscalls[] = {
	{ SYS_write, NETCOST_SEND },
	{ SYS_writev, NETCOST_SEND },
	{ SYS_pwritev2, NETCOST_SEND },
	{ SYS_sendto, NETCOST_SEND },
	{ SYS_sendmsg, NETCOST_SEND },
	{ SYS_sendfile, NETCOST_SEND },
	{ SYS_sendmmsg, NETCOST_SENDM },
	{ SYS_read, NETCOST_RECV },
	{ SYS_readv, NETCOST_RECV },
	{ SYS_preadv2, NETCOST_RECV },
	{ SYS_splice, NETCOST_SPLICE },
	{ SYS_recvfrom, NETCOST_RECV | NETCOST_FLAGS3 },
	{ SYS_recvmsg, NETCOST_RECV | NETCOST_FLAGS2 },
	{ SYS_recvmmsg, NETCOST_RECVM | NETCOST_FLAGS3 },
};

/* The pair of programs of a row, on the function that it has here. */
static int choose_pair(struct exact *e, unsigned int row, const char *function)
{
	int err = 0;

	for (int begin = 0; begin < 2 && function && !err; begin++) {
		char name[HOOK_NAME];

		err = probe_function(&e->probe,
				     bpf_object__find_program_by_name(
					     e->probe.obj,
					     hook_row_program(row, RUNG_FENTRY, begin, name)),
				     function);
	}
	return err;
}

/* Those of functions need to be told of which; and the one that is run, not attached. */
static int choose_owners(struct exact *e, const struct ladder *ladder)
{
	const struct hook_program *p;
	int err = 0;

	bpf_program__set_autoload(e->skel->progs.owners_fill, ladder->owners_every);
	bpf_map__set_autocreate(e->skel->maps.owner_of, ladder->owners_every);
	for (unsigned int i = 0; !err && (p = ladder_program(ladder, &i)); i++)
		if (p->function)
			err = probe_function(
				&e->probe, bpf_object__find_program_by_name(e->probe.obj, p->name),
				p->function);
	return err;
}

static int choose_programs(struct exact *e, const struct ladder *ladder)
{
	struct bpf_program *prog;
	int err = 0;

	bpf_object__for_each_program (prog, e->probe.obj)
		bpf_program__set_autoload(prog, ladder_wants(ladder, bpf_program__name(prog)));
	bpf_program__set_autoload(e->skel->progs.selftest_begin, true);
	if (ladder->pages.rung == RUNG_FENTRY)
		err = probe_function(&e->probe, e->skel->progs.page_fentry, ladder->pages.function);
	for (unsigned int row = 0; ladder->sockets == RUNG_FENTRY && row < HOOK_ROWS && !err; row++)
		err = choose_pair(e, row, hook_function(&ladder->hook[row]));
	return err ? err : choose_owners(e, ladder);
}

/* Are the bytes of sendmmsg and recvmmsg counted? By the witness, or by the functions that they call. */
static bool counts_messages(const struct ladder *ladder)
{
	bool all = ladder->sockets < RUNG_TRACEPOINT;

	for (enum hook row = 0; row < HOOK_COUNT; row++)
		all &= !hook_is_message(row) || hook_function(&ladder->hook[row]);
	return ladder->witness || all;
}

static void configure(struct exact *e, const struct ladder *ladder)
{
	for (size_t i = 0; i < sizeof(syscalls) / sizeof(syscalls[0]); i++)
		e->skel->rodata->syscalls[syscalls[i].nr] = syscalls[i].what;
	for (enum hook row = 0; row < HOOK_COUNT; row++)
		e->skel->rodata->hooks[row] = hook_config(&ladder->hook[row], row);
	for (unsigned int row = HOOK_COUNT; row < HOOK_ROWS; row++)
		if (hook_function(&ladder->hook[row]))
			e->skel->rodata->stage_hooks[hook_id(row)] = hook_descs[row].stage;
	e->skel->rodata->hardirqs = ladder_counts_hardirqs(ladder);
	e->skel->rodata->processes = ladder->processes;
	e->skel->rodata->cgroup_place = ladder->cgroup_place;
	e->skel->rodata->processes_each = processes_each(e->ncpus);
	e->skel->rodata->processes_cpus = e->ncpus;
	e->skel->rodata->pmu_events = pmu_events(ladder->pmu);
	e->skel->rodata->owners_every = (uint32_t)ladder->owners_every;
	e->skel->rodata->full = ladder->full;
	e->skel->rodata->full_polls = ladder->stages == RUNG_TRACEPOINT;
	e->skel->rodata->polls_witness = ladder_polls_are_witness(ladder);
	e->skel->rodata->hooks_cast = ladder->casts;
	e->skel->rodata->has_witness = ladder->witness;
	e->skel->rodata->counts_messages = counts_messages(ladder);
	e->skel->rodata->counts_calls = ladder->calls;
}

/* The types that the programs name for the verifier. */
static int configure_casts(struct exact *e)
{
#define TYPE(name)                                                                                 \
	e->skel->rodata->types.name = tracing_struct(e->probe.tracing, #name);                     \
	if (!e->skel->rodata->types.name)                                                          \
		return -ESRCH;
	NETCOST_CAST_TYPES(TYPE)
#undef TYPE
	return 0;
}

static int allocate(struct exact *e)
{
	e->ncpus = (unsigned int)libbpf_num_possible_cpus();
	e->at_begin = aligned_alloc(_Alignof(struct netcost_cpu), e->ncpus * sizeof(*e->at_begin));
	e->past = calloc(e->ncpus, sizeof(*e->past));
	e->gap = calloc(e->ncpus, sizeof(*e->gap));
	e->last = calloc(e->ncpus, sizeof(*e->last));
	if (!e->at_begin || !e->past || !e->gap || !e->last)
		return -ENOMEM;
	memset(e->at_begin, 0, e->ncpus * sizeof(*e->at_begin));
	return 0;
}

PROBE_OPENER(netcost)

/* For the rows of processes, and of who receives. */
static int make_room(struct exact *e, const struct ladder *ladder)
{
	uint32_t size = (uint32_t)processes_row_size(ladder->pmu);
	struct bpf_map *rows = e->skel->maps.process_rows;
	int err = bpf_map__set_max_entries(rows, 2 * e->ncpus * processes_each(e->ncpus));

	if (!err && size < bpf_map__value_size(rows))
		err = bpf_map__set_value_size(rows, size);
	if (!err && pmu_events(ladder->pmu))
		err = bpf_map__set_max_entries(e->skel->maps.pmu_counters,
					       e->ncpus * NETCOST_PMU_EVENTS);
	if (!err && ladder->owners_every)
		err = bpf_map__set_max_entries(e->skel->maps.owned_rows, owners_room(e->ncpus));
	return err;
}

static int load(struct exact *e, const struct ladder *ladder)
{
	int err = choose_programs(e, ladder);

	if (err)
		return err;
	configure(e, ladder);
	if (ladder->casts)
		err = configure_casts(e);
	if (!err)
		err = bpf_map__set_max_entries(e->skel->maps.cpus, e->ncpus);
	if (!err && ladder->processes)
		err = make_room(e, ladder);
	if (!err)
		err = probe_load(&e->probe);
	if (err)
		return err;
	e->cpu = probe_map(&e->probe, e->skel->maps.cpus, e->ncpus * sizeof(*e->cpu), PROT_READ);
	return e->cpu ? 0 : -errno;
}

static int make_processes(struct exact *e, const struct ladder *ladder)
{
	int err = 0;

	if (pmu_events(ladder->pmu))
		err = pmu_give(ladder->pmu, bpf_map__fd(e->skel->maps.pmu_counters));
	if (!err)
		err = processes_new(&e->processes, bpf_map__fd(e->skel->maps.process_rows),
				    &e->skel->bss->processes_map, e->cpu, e->ncpus, ladder->pmu);
	return err;
}

static int make_owners(struct exact *e, const struct ladder *ladder)
{
	return owners_new(&e->owners, bpf_map__fd(e->skel->maps.owned_rows),
			  &e->skel->bss->processes_map, e->cpu, e->ncpus, ladder->owners_every,
			  ladder->names);
}

static int make(struct exact *e, const struct ladder *ladder, struct tracing *tracing)
{
	int err = allocate(e);

	if (!err)
		err = probe_open(&e->probe, netcost_open, tracing);
	e->skel = e->probe.skel;
	if (!err)
		err = load(e, ladder);
	if (!err && ladder->processes)
		err = make_processes(e, ladder);
	if (!err && ladder->owners_every)
		err = make_owners(e, ladder);
	return err ? err :
		     outside_new(&e->outside, bpf_map__fd(e->skel->maps.outside),
				 procfs_initial_pids());
}

int exact_new(struct exact **ep, struct tracing *tracing, const struct ladder *ladder,
	      uint64_t *refused, char *why, size_t whysize)
{
	struct exact *e = calloc(1, sizeof(*e));
	int err;

	*ep = NULL;
	if (!e)
		return -ENOMEM;
	err = make(e, ladder, tracing);
	if (err)
		snprintf(why, whysize, reason_not_loaded, -err);
	else
		err = attach_new(&e->attach, e->probe.obj, ladder, refused, why, whysize);
	if (err)
		exact_free(e);
	else
		*ep = e;
	return err;
}

void exact_free(struct exact *e)
{
	if (!e)
		return;
	attach_free(e->attach);
	free(e->at_begin);
	free(e->past);
	free(e->gap);
	free(e->last);
	outside_free(e->outside);
	processes_close(e->processes);
	owners_free(e->owners);
	probe_close(&e->probe);
	free(e);
}

/*
 * Runs on every CPU once: that makes the CPU switch tasks, which begins its counting. Otherwise nothing would be known
 * of an idle CPU until something ran there.
 */
static void visit(const struct cpuset *cpus, unsigned int ncpus)
{
	size_t size = CPU_ALLOC_SIZE(ncpus);
	cpu_set_t *before = CPU_ALLOC(ncpus), *one = CPU_ALLOC(ncpus);

	if (before && one && !sched_getaffinity(0, size, before)) {
		for (unsigned int i = 0; i < cpus->n; i++) {
			CPU_ZERO_S(size, one);
			CPU_SET_S(cpus->cpu[i], size, one);
			if (!sched_setaffinity(0, size, one))
				usleep(100); /* a switch on the CPU where we stay, too */
		}
		sched_setaffinity(0, size, before);
	}
	CPU_FREE(before);
	CPU_FREE(one);
}

const struct attach *exact_attached(const struct exact *e)
{
	return e->attach;
}

int exact_map_fd(const struct exact *e)
{
	return bpf_map__fd(e->skel->maps.cpus);
}

int exact_irqs_fd(const struct exact *e)
{
	return e->skel->rodata->hardirqs ? bpf_map__fd(e->skel->maps.irqs) : -1;
}

bool exact_counts_messages(const struct exact *e)
{
	return e->skel->rodata->counts_messages;
}

volatile struct netcost_selftest *exact_selftest_begin(struct exact *e)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int fd = bpf_program__fd(e->skel->progs.selftest_begin);

	if (bpf_prog_test_run_opts(fd, &opts))
		return NULL;
	return &e->skel->bss->selftest;
}

void exact_selftest_end(struct exact *e)
{
	e->skel->bss->selftest.tid = 0;
}

/* ---- counting ----------------------------------------------------------------------------- */

void exact_begin(struct exact *e, const struct cpuset *cpus)
{
	uint64_t now;

	visit(cpus, e->ncpus);
	for (unsigned int cpu = 0; cpu < e->ncpus; cpu++)
		(void)exact_copy(e, cpu, &e->at_begin[cpu], &now);
	if (e->owners)
		owners_fill(e->skel->progs.owners_fill);
	outside_begin(e->outside);
}

struct outside *exact_outside(const struct exact *e)
{
	return e->outside;
}

struct processes *exact_processes(const struct exact *e)
{
	return e->processes;
}

struct owners *exact_owners(const struct exact *e)
{
	return e->owners;
}

/* ---- windows ----------------------------------------------------------------------------- */

/*
 * All states begin anew. Programs that end what was not begun since find nothing begun, and do nothing: calls and
 * softirqs that go on meanwhile are not counted, as when a recording begins. What tasks had parked belongs to another
 * window.
 */
static int reset(struct exact *e)
{
	struct netcost_cpu state = { .window = ++e->window };
	int err = 0;

	quiet_wait();
	if (e->processes)
		processes_reset(e->processes); /* it goes by the states */
	if (e->owners)
		owners_reset(e->owners); /* likewise */
	memset(e->skel->bss->slots, 0, sizeof(e->skel->bss->slots));
	for (__u32 cpu = 0; cpu < e->ncpus && !err; cpu++)
		err = bpf_map_update_elem(bpf_map__fd(e->skel->maps.cpus), &cpu, &state, BPF_ANY);
	memset(e->at_begin, 0, e->ncpus * sizeof(*e->at_begin));
	memset(e->past, 0, e->ncpus * sizeof(*e->past));
	return err;
}

/* A switch may park what a function's program began, so those of functions begin last and end first. */
static void pause_functions(struct exact *e, bool paused)
{
	*(volatile bool *)&e->skel->bss->paused = paused;
}

void exact_off(struct exact *e)
{
	pause_functions(e, true);
	attach_off(e->attach);
}

int exact_on(struct exact *e, const struct cpuset *cpus, char *why, size_t whysize)
{
	int err = reset(e);
	uint64_t now;

	if (err) {
		snprintf(why, whysize, "cannot reset the counters: %s", strerror(-err));
		return err;
	}
	err = attach_on(e->attach, why, whysize);
	if (err)
		return err;
	pause_functions(e, false);
	visit(cpus, e->ncpus);
	now = now_ns();
	for (unsigned int cpu = 0; cpu < e->ncpus; cpu++)
		e->gap[cpu] = (struct exact_gap){ .before = e->last[cpu], .attached_ns = now };
	outside_begin(e->outside);
	return 0;
}
