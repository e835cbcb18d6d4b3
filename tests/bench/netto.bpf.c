// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The programs that Netto attaches, written from its paper (table I, and IV-A1, IV-B), so that they
 * do the same work. A task's state is in task storage, the times of a CPU are in a per-CPU array,
 * and stacks of the RX softirq are in a mapped array. Netto's controller, which reads them twice a
 * second, is not included.
 */
#include "bpf/kernel_types.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

enum netto_event { SEND, RECEIVE, TX, RX, IO_WORKER, NONE };

struct netto_cpu {
	__u64 since, switched, accounted, sampling;
	__u64 ns[NONE];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} netto_tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netto_cpu);
} netto_cpus SEC(".maps");

#define STACKS 4096
struct netto_stack {
	__u64 head, frame[127];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, STACKS);
	__type(key, __u32);
	__type(value, struct netto_stack);
} netto_stacks SEC(".maps");

__u64 netto_stack_count;
const __u64 nothing = NONE;

static __always_inline struct netto_cpu *netto_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&netto_cpus, &zero);
}

static __always_inline __u64 *task_made(void)
{
	return bpf_task_storage_get(&netto_tasks, bpf_get_current_task_btf(), (void *)&nothing,
				    BPF_LOCAL_STORAGE_GET_F_CREATE);
}

static __always_inline __u64 *task_known(struct task_struct *task)
{
	return bpf_task_storage_get(&netto_tasks, task, NULL, 0);
}

static __always_inline void account(struct netto_cpu *c, __u64 event, __u64 now)
{
	__u64 ns = now - c->since;

	if (event >= NONE)
		return;
	c->ns[event] += ns;
	c->accounted += ns;
}

static __always_inline int begin(enum netto_event event)
{
	__u64 now = bpf_ktime_get_ns(), *task = task_made();
	struct netto_cpu *c = netto_cpu();

	if (task && c) {
		c->since = now;
		*task = event;
	}
	return 0;
}

static __always_inline int end(enum netto_event event)
{
	__u64 *task = task_known(bpf_get_current_task_btf());
	struct netto_cpu *c = netto_cpu();

	if (task && c) {
		account(c, event, bpf_ktime_get_ns());
		*task = NONE;
	}
	return 0;
}

SEC("fentry/sock_sendmsg") int netto_send_begin(void *ctx)
{
	return begin(SEND);
}

SEC("fexit/sock_sendmsg") int netto_send_end(void *ctx)
{
	return end(SEND);
}

SEC("fentry/sock_recvmsg") int netto_recv_begin(void *ctx)
{
	return begin(RECEIVE);
}

SEC("fexit/sock_recvmsg") int netto_recv_end(void *ctx)
{
	return end(RECEIVE);
}

SEC("tp_btf/softirq_entry") int BPF_PROG(netto_softirq_entry, unsigned int vec)
{
	__u64 now = bpf_ktime_get_ns(), *task;
	struct netto_cpu *c;

	if (vec != NET_RX_SOFTIRQ && vec != NET_TX_SOFTIRQ)
		return 0;
	task = task_made();
	c = netto_cpu();
	if (task && c) {
		account(c, *task, now);
		c->since = now;
		if (vec == NET_RX_SOFTIRQ)
			c->sampling = 1;
	}
	return 0;
}

SEC("tp_btf/softirq_exit") int BPF_PROG(netto_softirq_exit, unsigned int vec)
{
	__u64 now = bpf_ktime_get_ns(), *task;
	struct netto_cpu *c;

	if (vec != NET_RX_SOFTIRQ && vec != NET_TX_SOFTIRQ)
		return 0;
	task = task_known(bpf_get_current_task_btf());
	c = netto_cpu();
	if (task && c) {
		account(c, vec == NET_TX_SOFTIRQ ? TX : RX, now);
		if (vec == NET_RX_SOFTIRQ)
			c->sampling = 0;
		if (*task != NONE)
			c->since = now;
	}
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(netto_sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 now = bpf_ktime_get_ns();
	__u64 *before = task_known(prev), *after = task_known(next);
	struct netto_cpu *c = netto_cpu();

	if (!c)
		return 0;
	if (before)
		account(c, *before, now);
	if (after && *after != NONE)
		c->since = now;
	if (prev->flags & PF_IO_WORKER)
		c->ns[IO_WORKER] += now - c->switched - c->accounted;
	c->switched = now;
	c->accounted = 0;
	return 0;
}

SEC("perf_event") int netto_sample(void *ctx)
{
	struct netto_cpu *c = netto_cpu();
	struct netto_stack *stack;
	__u32 at;

	if (!c || !c->sampling)
		return 0;
	at = (__u32)__sync_fetch_and_add(&netto_stack_count, 1) % STACKS;
	stack = bpf_map_lookup_elem(&netto_stacks, &at);
	if (stack)
		stack->head = (__u64)bpf_get_stack(ctx, stack->frame, sizeof(stack->frame), 0)
				      << 32 |
			      bpf_get_smp_processor_id();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
