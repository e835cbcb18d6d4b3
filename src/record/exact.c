// SPDX-License-Identifier: BSD-2-Clause
#include "exact.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/types.h> /* the wire structs' __u64 */

#include "bpf/wire.h"
#include <netcost/cpuset.h>

#include "bpf/netcost.skel.h" /* made by bpftool from bpf/netcost.bpf.c, in build/ */
#include "clock.h"
#include "ladder.h"

/* A program is done within a microsecond, but a softirq may interrupt it for a while. */
#define READ_TRIES 100000

struct exact {
	struct netcost_bpf *skel;
	struct netcost_cpu *cpu; /* mapped */
	unsigned int ncpus;
	size_t map_bytes;
};

/* What each system call does. A call that a machine does not have has no number there. */
static const struct {
	long nr;
	uint8_t kind;
} syscall_kinds[] = {
	{ SYS_write, NETCOST_SYS_SEND },     { SYS_writev, NETCOST_SYS_SEND },
	{ SYS_pwritev2, NETCOST_SYS_SEND },  { SYS_sendto, NETCOST_SYS_SEND },
	{ SYS_sendmsg, NETCOST_SYS_SEND },   { SYS_sendfile, NETCOST_SYS_SEND },
	{ SYS_sendmmsg, NETCOST_SYS_SENDM }, { SYS_read, NETCOST_SYS_RECV },
	{ SYS_readv, NETCOST_SYS_RECV },     { SYS_preadv2, NETCOST_SYS_RECV },
	{ SYS_recvfrom, NETCOST_SYS_RECV },  { SYS_recvmsg, NETCOST_SYS_RECV },
	{ SYS_recvmmsg, NETCOST_SYS_RECVM }, { SYS_splice, NETCOST_SYS_SPLICE },
};

static void choose_programs(struct exact *e, const struct ladder *ladder)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, e->skel->obj)
		bpf_program__set_autoload(prog, ladder_wants(ladder, bpf_program__name(prog)));
}

static int map_cpus(struct exact *e)
{
	void *p;

	e->map_bytes = (size_t)e->ncpus * sizeof(*e->cpu);
	p = mmap(NULL, e->map_bytes, PROT_READ, MAP_SHARED, bpf_map__fd(e->skel->maps.cpus), 0);
	if (p == MAP_FAILED)
		return -errno;
	e->cpu = p;
	return 0;
}

int exact_new(struct exact **ep, const struct ladder *ladder, char *why, size_t whysize)
{
	struct exact *e = calloc(1, sizeof(*e));
	int err;

	*ep = e;
	if (!e)
		return -ENOMEM;
	e->ncpus = (unsigned int)libbpf_num_possible_cpus();
	e->skel = netcost_bpf__open();
	err = e->skel ? 0 : -errno;
	if (!err) {
		choose_programs(e, ladder);
		for (size_t i = 0; i < sizeof(syscall_kinds) / sizeof(syscall_kinds[0]); i++)
			e->skel->rodata->syscalls[syscall_kinds[i].nr] = syscall_kinds[i].kind;
		e->skel->rodata->has_witness = ladder->witness;
		err = bpf_map__set_max_entries(e->skel->maps.cpus, e->ncpus);
	}
	if (!err)
		err = netcost_bpf__load(e->skel);
	if (!err)
		err = map_cpus(e);
	if (err) {
		snprintf(why, whysize, "cannot load the BPF programs: %s", strerror(-err));
		exact_free(e);
		*ep = NULL;
	}
	return err;
}

void exact_free(struct exact *e)
{
	if (!e)
		return;
	if (e->cpu)
		munmap(e->cpu, e->map_bytes);
	netcost_bpf__destroy(e->skel);
	free(e);
}

/*
 * Runs on every CPU once: coming there is a switch, with which a CPU's counting begins. Without it an
 * idle CPU would not be known until something ran there.
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

/*
 * Ends are attached before beginnings: an end without a beginning is ignored, a beginning whose end is
 * missed would count on.
 */
int exact_attach(struct exact *e, const struct cpuset *cpus, char *why, size_t whysize)
{
	static const char *const order[] = { "sched_switch", "softirq_exit",	 "softirq_entry",
					     "sys_exit",     "sock_send_length", "sock_recv_length",
					     "sys_enter" };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		struct bpf_program *prog = bpf_object__find_program_by_name(e->skel->obj, order[i]);
		struct bpf_link **link = NULL;

		if (!prog || !bpf_program__autoload(prog))
			continue;
		for (int k = 0; k < e->skel->skeleton->prog_cnt; k++)
			if (*e->skel->skeleton->progs[k].prog == prog)
				link = e->skel->skeleton->progs[k].link;
		*link = bpf_program__attach(prog);
		if (!*link) {
			int err = -errno;

			snprintf(why, whysize, "cannot attach to %s: %s", order[i], strerror(-err));
			return err;
		}
	}
	visit(cpus, e->ncpus);
	return 0;
}

void exact_detach(struct exact *e)
{
	netcost_bpf__detach(e->skel);
}

/* ---- reading ----------------------------------------------------------------------------- */

struct sequences {
	uint64_t softirq, change, op;
};

static struct sequences sequences(const volatile struct netcost_cpu *c)
{
	struct sequences s = { c->softirq_seq, c->switch_seq, c->op_seq };

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return s;
}

/*
 * The clock is read before the sequences are compared: if nothing changed, then nothing changed up to
 * `now`, and what is going on in the copy was still going on then.
 */
static bool try_copy(const struct netcost_cpu *c, struct netcost_cpu *copy, uint64_t *now)
{
	struct sequences before = sequences(c), after;

	memcpy(copy, (const void *)c, sizeof(*copy));
	*now = now_ns();
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	after = sequences(c);
	return !(before.softirq & 1) && !(before.change & 1) && !(before.op & 1) &&
	       before.softirq == after.softirq && before.change == after.change &&
	       before.op == after.op && copy->mark == *(const volatile __u64 *)&c->mark;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void exact_derive(const struct netcost_cpu *c, uint64_t now, struct exact_reading *r)
{
	/* BPF's clock (ktime_get_mono_fast_ns) may be a few ns ahead of the one that gave `now`. */
	uint64_t at =
		later(now, c->softirq_start ? c->softirq_start : c->seg_start + c->softirq_ns);
	uint64_t in_softirq = c->softirq_start ? at - c->softirq_start : 0;
	uint64_t clock = at - c->softirq_ns - in_softirq, op_start = NETCOST_MARK_NS(c->mark);
	uint64_t base[NETCOST_BASES], event = NETCOST_MARK_EVENT(c->mark);
	uint64_t op_all = 0, op_io = 0;

	memcpy(r->ns, c->op_ns, sizeof(r->ns));
	memcpy(r->calls, c->calls, sizeof(r->calls));
	memcpy(r->failed, c->failed, sizeof(r->failed));
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		r->bytes[e] = c->uncounted[e] ? EXACT_UNKNOWN : c->bytes[e];
	memcpy(base, c->base_ns, sizeof(base));
	if (c->seg_base < NETCOST_BASES)
		base[c->seg_base] += clock - c->seg_start;
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		op_all += c->op_ns[e];
		op_io += c->io_op_ns[e];
	}
	if (c->mark && event < NETCOST_EV_COUNT) {
		uint64_t start = later(op_start, c->seg_start);
		uint64_t ns = later(clock, start) - start;

		r->ns[event] += ns;
		op_all += ns;
		op_io += c->seg_base == NETCOST_EV_IO_WORKER ? ns : 0;
	}
	r->ns[NETCOST_EV_IDLE] = base[NETCOST_EV_IDLE];
	r->ns[NETCOST_EV_IO_WORKER] = base[NETCOST_EV_IO_WORKER] - op_io;
	r->ns[NETCOST_EV_TASK] = base[NETCOST_EV_TASK] - (op_all - op_io);
	r->ns[NETCOST_EV_RX_SOFTIRQ] = c->rx_ns;
	r->ns[NETCOST_EV_TX_SOFTIRQ] = c->tx_ns;
	if (c->softirq_start)
		r->ns[c->softirq_event == NETCOST_EV_TX_SOFTIRQ ? NETCOST_EV_TX_SOFTIRQ :
								  NETCOST_EV_RX_SOFTIRQ] +=
			in_softirq;
	for (int b = 0; b < NETCOST_BASES; b++)
		r->calls[b] = c->runs[b];
	r->calls[NETCOST_EV_RX_SOFTIRQ] = c->rx_runs;
	r->calls[NETCOST_EV_TX_SOFTIRQ] = c->tx_runs;
	r->at_ns = c->seg_start ? at : 0;
	r->untracked = c->untracked;
	r->sends_outside = c->sends_outside;
	r->recvs_outside = c->recvs_outside;
	r->sends_inside = c->sends_inside;
	r->recvs_inside = c->recvs_inside;
}

void exact_read(const struct exact *e, unsigned int cpu, struct exact_reading *r)
{
	struct netcost_cpu copy;
	uint64_t now = 0;
	int tries = 0;

	*r = (struct exact_reading){ 0 };
	if (cpu >= e->ncpus)
		return;
	while (!try_copy(&e->cpu[cpu], &copy, &now))
		if (++tries == READ_TRIES) {
			r->torn = true;
			break;
		}
	exact_derive(&copy, now, r);
}
