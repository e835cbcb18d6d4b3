// SPDX-License-Identifier: BSD-2-Clause
#include "ladder.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>	/* bpf_prog_load, bpf_raw_tracepoint_open */
#include <bpf/btf.h>	/* btf__load_vmlinux_btf, btf__find_by_name_kind */
#include <bpf/libbpf.h> /* libbpf_set_print */

#include "procfs.h"

/* In every kernel with BPF trampolines, made to be attached to, and called by tests only. */
#define HARMLESS_FUNCTION "bpf_fentry_test1"

/* ---- rungs ------------------------------------------------------------------------------- */

static int load_fentry(const struct btf *btf)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	int id = btf__find_by_name_kind(btf, HARMLESS_FUNCTION, BTF_KIND_FUNC);

	if (id < 0)
		return -ENOENT;
	opts.attach_btf_id = (__u32)id;
	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "probe", "GPL", insns, 2, &opts);
}

static int fentry_usable(const struct btf *btf, char *why)
{
	int prog = load_fentry(btf), link, err;

	if (prog < 0) {
		snprintf(why, LADDER_WHY, "refused when loading: %s", strerror(-prog));
		return prog;
	}
	link = bpf_raw_tracepoint_open(NULL, prog);
	err = link < 0 ? -errno : 0;
	if (err)
		snprintf(why, LADDER_WHY, "refused when attaching: %s", strerror(-err));
	else
		close(link);
	close(prog);
	return err;
}

static int kprobe_usable(const struct btf *btf, char *why)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (__u32)procfs_uint("/sys/bus/event_source/devices/kprobe/type", 0),
		.kprobe_func = (uintptr_t)HARMLESS_FUNCTION,
	};
	int fd, err;

	(void)btf;
	if (!attr.type) {
		snprintf(why, LADDER_WHY, "not built into this kernel (CONFIG_KPROBES)");
		return -ENOENT;
	}
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		snprintf(why, LADDER_WHY, "refused: %s", strerror(-err));
		return err;
	}
	close(fd);
	return 0;
}

static int always_usable(const struct btf *btf, char *why)
{
	(void)btf;
	(void)why;
	return 0;
}

static const struct rung_desc {
	const char *name;
	int (*usable)(const struct btf *btf, char *why);
} rungs[RUNG_COUNT] = {
	[RUNG_FENTRY] = { "fentry", fentry_usable },
	[RUNG_KPROBE] = { "kprobe", kprobe_usable },
	[RUNG_TRACEPOINT] = { "tracepoint", always_usable },
	[RUNG_SAMPLES] = { "samples", always_usable },
};

const char *rung_name(enum rung r)
{
	return rungs[r].name;
}

/* ---- probes ------------------------------------------------------------------------------ */

/*
 * best: the rung the event's ladder begins at. The scheduler and the softirqs have tracepoints at just
 * the right places: nothing is better. tracepoints: must all be in the kernel's BTF.
 */
struct probe_desc {
	enum netcost_event event;
	enum rung best, rung;
	const char *programs[LADDER_PROGRAMS], *hooks[LADDER_PROGRAMS],
		*tracepoints[LADDER_PROGRAMS];
};

#define SWITCH                                                                                     \
	{ "sched_switch" }, { "sched_switch" },                                                    \
	{                                                                                          \
		"sched_switch"                                                                     \
	}
#define SOFTIRQ                                                                                    \
	{ "softirq_entry", "softirq_exit" }, { "softirq_entry", "softirq_exit" },                  \
	{                                                                                          \
		"softirq_entry", "softirq_exit"                                                    \
	}
#define SYSCALL                                                                                    \
	{ "sys_enter", "sys_exit", "sched_switch" }, { "sys_enter", "sys_exit" },                  \
	{                                                                                          \
		"sys_enter", "sys_exit", "sched_switch"                                            \
	}

static const struct probe_desc probes[] = {
	{ NETCOST_EV_IDLE, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SWITCH },
	{ NETCOST_EV_TASK, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SWITCH },
	{ NETCOST_EV_IO_WORKER, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SWITCH },
	{ NETCOST_EV_SOCK_SEND, RUNG_FENTRY, RUNG_TRACEPOINT, SYSCALL },
	{ NETCOST_EV_SOCK_RECV, RUNG_FENTRY, RUNG_TRACEPOINT, SYSCALL },
	{ NETCOST_EV_SOCK_LOCAL, RUNG_FENTRY, RUNG_TRACEPOINT, SYSCALL },
	{ NETCOST_EV_RX_SOFTIRQ, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SOFTIRQ },
	{ NETCOST_EV_TX_SOFTIRQ, RUNG_TRACEPOINT, RUNG_TRACEPOINT, SOFTIRQ },
};

#define NPROBES (sizeof(probes) / sizeof(probes[0]))

static const char *const witnesses[] = { "sock_send_length", "sock_recv_length", NULL };
static const char *const nothing[] = { NULL };

static const char *missing_tracepoint(const struct btf *btf, const char *const *names)
{
	char typedef_name[64];

	for (; *names; names++) {
		snprintf(typedef_name, sizeof(typedef_name), "btf_trace_%s", *names);
		if (btf__find_by_name_kind(btf, typedef_name, BTF_KIND_TYPEDEF) < 0)
			return *names;
	}
	return NULL;
}

struct host {
	struct btf *btf;
	int usable[RUNG_COUNT]; /* 0, or why not: -errno */
	char why[RUNG_COUNT][LADDER_WHY];
};

/* Is there a row for this event on this rung that the host has all parts of? */
static const struct probe_desc *find_probe(const struct host *h, enum netcost_event event,
					   enum rung rung, char *why)
{
	snprintf(why, LADDER_WHY,
		 "the host has it; this version of netcost has no programs for it");
	for (size_t i = 0; i < NPROBES; i++) {
		const char *missing;

		if (probes[i].event != event || probes[i].rung != rung)
			continue;
		missing = missing_tracepoint(h->btf, probes[i].tracepoints);
		if (!missing)
			return &probes[i];
		snprintf(why, LADDER_WHY, "the kernel has no tracepoint %s", missing);
	}
	return NULL;
}

static enum rung best_rung(enum netcost_event event)
{
	for (size_t i = 0; i < NPROBES; i++)
		if (probes[i].event == event)
			return probes[i].best;
	return RUNG_SAMPLES;
}

static void choose_event(struct ladder_choice *c, const struct host *h, enum netcost_event event)
{
	*c = (struct ladder_choice){ .rung = RUNG_SAMPLES, .programs = nothing, .hooks = nothing };
	for (enum rung r = best_rung(event); r < RUNG_SAMPLES; r++) {
		const struct probe_desc *p;

		if (h->usable[r]) {
			snprintf(c->refused[r], LADDER_WHY, "%s", h->why[r]);
			continue;
		}
		p = find_probe(h, event, r, c->refused[r]);
		if (!p)
			continue;
		c->refused[r][0] = '\0';
		c->rung = r;
		c->programs = p->programs;
		c->hooks = p->hooks;
		return;
	}
}

/* May this process load tracing programs at all? */
static int bpf_usable(char *why, size_t size)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "probe", "GPL", insns, 2, NULL);

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (fd == -EPERM || fd == -EACCES)
		snprintf(
			why, size,
			"not allowed to load BPF programs; run as root, or give CAP_BPF and CAP_PERFMON");
	else if (fd == -ENOSYS)
		snprintf(why, size, "this kernel has no bpf(2)");
	else
		snprintf(why, size, "cannot load BPF programs: %s", strerror(-fd));
	return fd;
}

/* One reason for all rungs is said once, for the best. */
static void refuse_all(struct ladder *l, const char *why)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		struct ladder_choice *c = &l->event[e];

		*c = (struct ladder_choice){ .rung = RUNG_SAMPLES,
					     .programs = nothing,
					     .hooks = nothing };
		snprintf(c->refused[best_rung(e)], LADDER_WHY, "%s", why);
	}
	snprintf(l->witness_why, sizeof(l->witness_why), "%s", why);
}

static int open_host(struct host *h, char *why, size_t whysize)
{
	int err = bpf_usable(why, whysize);

	if (err)
		return err;
	h->btf = btf__load_vmlinux_btf();
	if (!h->btf) {
		err = -errno;
		snprintf(why, whysize,
			 "the kernel has no BTF: /sys/kernel/btf/vmlinux is not to be read "
			 "(CONFIG_DEBUG_INFO_BTF)");
		return err;
	}
	for (enum rung r = 0; r < RUNG_COUNT; r++)
		h->usable[r] = rungs[r].usable(h->btf, h->why[r]);
	return 0;
}

int ladder_choose(struct ladder *l, char *why, size_t whysize)
{
	struct host h = { 0 };
	const char *missing;
	int err;

	libbpf_set_print(NULL); /* what is wrong is said once, and by us */
	*l = (struct ladder){ 0 };
	err = open_host(&h, why, whysize);
	if (err) {
		refuse_all(l, why);
		return err;
	}
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		choose_event(&l->event[e], &h, e);
	missing = missing_tracepoint(h.btf, witnesses);
	l->witness = !missing;
	if (missing)
		snprintf(l->witness_why, sizeof(l->witness_why),
			 "the kernel has no tracepoint %s (Linux 6.3)", missing);
	btf__free(h.btf);
	return 0;
}

static bool is_in(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

bool ladder_wants(const struct ladder *l, const char *program)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		if (is_in(l->event[e].programs, program))
			return true;
	return l->witness && is_in(witnesses, program);
}
