// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Takes samples for --net-only on each CPU's clock event, but only while the CPU does network work. perf records the
 * time, the task, the cgroup and whether the CPU was in user mode; the program adds the stack.
 */
#include "cpu.h" /* the map of CPU states belongs to the exact programs */
#include "sample.h"

struct stack {
	__u64 ip[NETCOST_SAMPLER_STACK];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} rings SEC(".maps"); /* one ring for each CPU */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stack);
} scratch SEC(".maps");

__u64 lost[NETCOST_SAMPLER_CPUS]; /* number of samples lost on each CPU, for any reason */

/*
 * Returns true if the CPU is in a network softirq, or in a task that sends, receives or polls, according to the state
 * that the exact programs keep.
 */
static __always_inline bool in_network(__u32 cpu)
{
	const struct netcost_cpu *c = bpf_map_lookup_elem(&cpus, &cpu);
	__u64 event;

	if (!c)
		return false;
	event = NETCOST_MARK_EVENT(c->mark);
	return c->softirq_start || c->seg_base == NETCOST_BASE_NAPI ||
	       event == NETCOST_EV_SOCK_SEND || event == NETCOST_EV_SOCK_RECV ||
	       event == NETCOST_EV_RX_BUSY_POLL;
}

/* Takes a sample. Returns 0, so that perf drops its own sample. In user mode there is no kernel stack. */
SEC("perf_event")
int netcost_sample(void *ctx)
{
	__u32 zero = 0, cpu = bpf_get_smp_processor_id();
	struct stack *s = bpf_map_lookup_elem(&scratch, &zero);
	long n;

	if (!s)
		return 0; /* cannot happen, because each CPU has a ring */
	if (!in_network(cpu))
		return 0;
	n = bpf_get_stack(ctx, s, sizeof(*s), 0);
	if (n < 0 || n > (long)sizeof(*s))
		n = 0;
	if (bpf_perf_event_output(ctx, &rings, BPF_F_CURRENT_CPU, s, n) &&
	    cpu < NETCOST_SAMPLER_CPUS)
		lost[cpu]++; /* only the event of this CPU writes this counter */
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
