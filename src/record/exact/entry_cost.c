// SPDX-License-Identifier: BSD-2-Clause
#include "entry_cost.h"

#include <errno.h>
#include <linux/bpf.h>
#include <math.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "record/base/clock.h"
#include "record/base/perf_event.h"
#include "record/base/procfs.h"

#define KPROBE_TYPE "/sys/bus/event_source/devices/kprobe/type"
/* calls per batch: a batch takes some microseconds, so that most batches run without an interrupt */
#define CALLS 24
#define BATCHES 64

/*
 * Ratio of the entry cost of a program in real code to its entry cost in this loop. On the path of a datagram over
 * loopback, the entry of each of ten programs takes 23 to 25 ns. In this loop, an entry takes 17 ns (6.18). On the
 * path, the programs compete with the other code for caches and branch predictors.
 */
#define ENTRY_ELSEWHERE 1.4

/* A kernel function that exists for testing attachment. Nothing but tests calls it. */
#define HARMLESS "bpf_fentry_test1"

static const struct bpf_insn do_nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

/* Descriptors of at most two programs and their links; -1 means none. */
struct empty {
	int prog[2], link[2];
	uint32_t function; /* BTF id of HARMLESS */
	char name[16];	   /* this thread's name */
	int test;	   /* a program whose test run calls HARMLESS */
};

/* ---- the events -------------------------------------------------------------------------- */

/* Triggers the tracepoint task_rename. */
static void rename_task(const struct empty *e)
{
	prctl(PR_SET_NAME, e->name, 0, 0, 0);
}

static void call_system(const struct empty *e)
{
	(void)e;
	syscall(SYS_getppid);
}

static void call_function(const struct empty *e)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	bpf_prog_test_run_opts(e->test, &opts);
}

/* ---- empty programs ---------------------------------------------------------------------- */

static int load(enum bpf_prog_type type, enum bpf_attach_type attach, uint32_t function)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach,
		    .attach_btf_id = function);

	return bpf_prog_load(type, "netcost_empty", "GPL", do_nothing, 2, &opts);
}

static int attach_tracepoint(struct empty *e, int i, const char *tracepoint)
{
	e->prog[i] = load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0);
	if (e->prog[i] >= 0)
		e->link[i] = bpf_raw_tracepoint_open(tracepoint, e->prog[i]);
	return e->link[i] < 0 ? -1 : 0;
}

static int attach_rename(struct empty *e)
{
	return attach_tracepoint(e, 0, "task_rename");
}

static int attach_system_calls(struct empty *e)
{
	return attach_tracepoint(e, 0, "sys_enter") ? -1 : attach_tracepoint(e, 1, "sys_exit");
}

static int attach_function(struct empty *e)
{
	static const enum bpf_attach_type type[] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT };

	for (int i = 0; i < 2; i++) {
		e->prog[i] = load(BPF_PROG_TYPE_TRACING, type[i], e->function);
		if (e->prog[i] >= 0)
			e->link[i] = bpf_raw_tracepoint_open(NULL, e->prog[i]);
		if (e->link[i] < 0)
			return -1;
	}
	return 0;
}

static int attach_kprobes(struct empty *e)
{
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr attr = {
			.size = sizeof(attr),
			.type = (__u32)procfs_uint(KPROBE_TYPE, 0),
			.config = (__u64)i, /* 0: kprobe; 1: kretprobe */
			.kprobe_func = (uintptr_t)HARMLESS,
		};

		e->prog[i] = load(BPF_PROG_TYPE_KPROBE, 0, 0);
		e->link[i] = attr.type ? perf_event_open(&attr, 0) : -1;
		if (e->prog[i] < 0 || e->link[i] < 0 ||
		    ioctl(e->link[i], PERF_EVENT_IOC_SET_BPF, e->prog[i]) ||
		    ioctl(e->link[i], PERF_EVENT_IOC_ENABLE, 0))
			return -1;
	}
	return 0;
}

static void detach(struct empty *e)
{
	for (int i = 0; i < 2; i++) {
		if (e->link[i] >= 0)
			close(e->link[i]);
		if (e->prog[i] >= 0)
			close(e->prog[i]);
		e->link[i] = e->prog[i] = -1;
	}
}

/* ---- measuring --------------------------------------------------------------------------- */

static const struct way {
	int (*attach)(struct empty *e);
	void (*call)(const struct empty *e);
	int programs; /* number of programs that one call runs */
} ways[ENTRY_KINDS] = {
	[ENTRY_TRACEPOINT] = { attach_rename, rename_task, 1 },
	[ENTRY_SYSCALL] = { attach_system_calls, call_system, 2 },
	[ENTRY_FUNCTION] = { attach_function, call_function, 2 },
	[ENTRY_KPROBE] = { attach_kprobes, call_function, 2 },
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * The time of a call, from the fast batches. On a busy host most batches may be slow, because another task shares the
 * core or preempts this thread. So the batches are sorted by time. ns is the time at one eighth of the sorted batches,
 * and ci95 is half the range of the fastest quarter.
 */
struct quick {
	double ns, ci95;
};

struct batches {
	double ns[BATCHES];
};

static struct quick quick(struct batches *b)
{
	qsort(b->ns, BATCHES, sizeof(*b->ns), compare);
	return (struct quick){ b->ns[BATCHES / 8], (b->ns[BATCHES / 4] - b->ns[0]) / 2 };
}

static void run_batches(const struct empty *e, const struct way *w, struct batches *b, int first,
			int end)
{
	for (int i = first; i < end; i++) {
		uint64_t began = now_ns();

		for (int n = 0; n < CALLS; n++)
			w->call(e);
		b->ns[i] = (double)(now_ns() - began) / CALLS;
	}
}

/* Returns the average time in ns of a run of the first program since the last call, from the BPF statistics. */
static double counted_ns(const struct empty *e, struct bpf_prog_info *info)
{
	uint64_t runs = info->run_cnt, ns = info->run_time_ns;
	__u32 size = sizeof(*info);

	*info = (struct bpf_prog_info){ 0 };
	if (bpf_obj_get_info_by_fd(e->prog[0], info, &size) || info->run_cnt <= runs)
		return NAN;
	return (double)(info->run_time_ns - ns) / (double)(info->run_cnt - runs);
}

/* Measures the same calls while BPF statistics are on. */
static void measure_statistics(struct entry_cost *c, const struct empty *e, const struct way *w,
			       double without_ns)
{
	struct batches on, counted;
	struct bpf_prog_info info = { 0 };
	int fd = bpf_enable_stats(BPF_STATS_RUN_TIME);

	if (fd < 0)
		return;
	for (int i = 0; i < BATCHES; i++) {
		run_batches(e, w, &on, i, i + 1);
		counted.ns[i] = counted_ns(e, &info);
	}
	c->counted = quick(&counted).ns;
	c->statistics = fmax(c->counted, quick(&on).ns - without_ns);
	close(fd);
}

/*
 * Measures the entry cost of one kind. Half of the batches without the programs run before the batches with the
 * programs, and half after them. So a drift of the host's speed cancels out.
 */
static void measure(struct entry_cost *c, struct empty *e, enum entry_kind kind)
{
	const struct way *w = &ways[kind];
	struct batches off, on;
	struct quick without, with;

	run_batches(e, w, &off, 0, BATCHES / 2);
	if (!w->attach(e)) {
		run_batches(e, w, &on, 0, BATCHES);
		with = quick(&on);
		if (kind == ENTRY_TRACEPOINT)
			measure_statistics(c, e, w, with.ns);
		detach(e);
		run_batches(e, w, &off, BATCHES / 2, BATCHES);
		without = quick(&off);
		if (!(with.ns > without.ns)) /* other tasks disturbed the measurement too much */
			return;
		c->entry[kind] = ENTRY_ELSEWHERE * (with.ns - without.ns) / w->programs;
		c->ci95[kind] = ENTRY_ELSEWHERE * hypot(with.ci95, without.ci95) / w->programs;
	}
	detach(e);
}

struct entry_cost entry_cost_none(void)
{
	struct entry_cost c = { .counted = NAN, .statistics = NAN };

	for (enum entry_kind kind = 0; kind < ENTRY_KINDS; kind++)
		c.entry[kind] = c.ci95[kind] = NAN;
	return c;
}

void entry_cost_measure(struct entry_cost *c, unsigned int kinds, uint32_t bpf_fentry_test1)
{
	struct empty e = {
		.prog = { -1, -1 }, .link = { -1, -1 }, .function = bpf_fentry_test1, .test = -1
	};

	prctl(PR_GET_NAME, e.name, 0, 0, 0);
	if (bpf_fentry_test1 && kinds & (1u << ENTRY_FUNCTION | 1u << ENTRY_KPROBE))
		e.test = load(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, bpf_fentry_test1);
	for (enum entry_kind kind = 0; kind < ENTRY_KINDS; kind++)
		if (kinds >> kind & 1 && (ways[kind].call != call_function || e.test >= 0))
			measure(c, &e, kind);
	if (e.test >= 0)
		close(e.test);
}

/* ---- programs ---------------------------------------------------------------------------- */

enum entry_kind entry_kind_of(const struct bpf_program *prog)
{
	const char *section = bpf_program__section_name(prog);
	bool function;

	switch (bpf_program__type(prog)) {
	case BPF_PROG_TYPE_TRACING:
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
	case BPF_PROG_TYPE_TRACEPOINT:
		function = !strncmp(section, "fentry", 6) || !strncmp(section, "fexit", 5);
		return function ? ENTRY_FUNCTION :
		       strstr(section, "/sys_enter") || strstr(section, "/sys_exit") ?
				  ENTRY_SYSCALL :
				  ENTRY_TRACEPOINT;
	case BPF_PROG_TYPE_KPROBE:
		return ENTRY_KPROBE;
	default:
		return ENTRY_NONE;
	}
}
