/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * outside.h: counts messages that are sent or received outside of every operation, by process. Included by
 * netcost.bpf.c.
 */
#ifndef NETCOST_OUTSIDE_H
#define NETCOST_OUTSIDE_H

/*
 * Nothing removes rows from this map. If the map is full, messages of further processes are counted without a process.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, NETCOST_OUTSIDE);
	__type(key, struct netcost_outside_key);
	__type(value, struct netcost_outside);
} outside SEC(".maps");

static __always_inline struct netcost_outside *outside_place(const struct sock *sk, bool in_softirq)
{
	struct netcost_outside_key key = { .family = sk->__sk_common.skc_family };
	struct netcost_outside none = { 0 }, *place;
	struct task_struct *task;

	if (!in_softirq) /* in a softirq, the current task is not the sender */
		key.process = bpf_get_current_pid_tgid() >> 32;
	place = bpf_map_lookup_elem(&outside, &key);
	if (place)
		return place;
	task = UNTRUSTED(task_struct, bpf_get_current_task_btf(), hooks_cast);
	if (key.process)
		bpf_probe_read_kernel(none.name, sizeof(none.name), task->group_leader->comm);
	bpf_map_update_elem(&outside, &key, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&outside, &key);
}

static __always_inline void outside_add(const struct netcost_cpu *c, const struct sock *sk,
					bool send)
{
	struct netcost_outside *place = outside_place(sk, c->softirq_start != 0);

	if (place)
		__sync_fetch_and_add(send ? &place->sends : &place->recvs, 1);
}

#endif
