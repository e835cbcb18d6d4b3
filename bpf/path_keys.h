/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path_keys.h: histograms by interface, cgroup or process. Also determines the key of a packet, and whether
 * --latency-only selects the packet. A packet is counted by key before it is counted by checkpoint. So if a reader
 * reads the counts by checkpoint first, the counts by key contain all of these packets.
 */
#ifndef NETCOST_PATH_KEYS_H
#define NETCOST_PATH_KEYS_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "path.h"
#include "path_only.h"

#ifndef CONFIG /* the unit tests define CONFIG themselves and change these values at run time */
#define CONFIG const volatile
#endif
/* 1 + enum netcost_latency_by; 0 if the option is off, and the verifier then removes all of this code */
CONFIG __u32 latency_by;
CONFIG bool cgroups_known; /* set if sockets have a v2 cgroup */

/* The recorder sets max_entries of both maps before loading if the maps are needed. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct netcost_latency_key);
	__type(value, __u32);
} latency_keys SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_latency_keyed);
} keyed SEC(".maps");

__u32 keys_taken;

/* The key of a packet. All fields are 0 if the key is unknown. */
struct whose {
	struct netcost_latency_key key;
	const void *name; /* address of the name in kernel memory; 0: unknown */
	bool filtered;	  /* set if --latency-only excludes the packet */
};

static __always_inline bool is_by(enum netcost_latency_by by)
{
	return latency_by == by + 1u;
}

/* Returns true if a packet's key or selection needs the interface on which a socket's packet was received. */
static __always_inline bool needs_interface(void)
{
	return is_by(NETCOST_LATENCY_BY_INTERFACE) || only_interface;
}

/* ---- keys of packets --------------------------------------------------------------------- */

/* Returns the key of a packet by its current device. */
static __always_inline struct whose whose_device(const struct net_device *dev)
{
	struct whose w = { .filtered = !device_is_asked(dev) };

	if (!is_by(NETCOST_LATENCY_BY_INTERFACE) || !dev)
		return w;
	w.key.number = (__u32)BPF_CORE_READ(dev, ifindex);
	w.key.id = netns_of(BPF_CORE_READ(dev, nd_net.net));
	w.name = &dev->name;
	return w;
}

/*
 * Returns the key of a sent packet by its device. If the packet's socket belongs to this host, the socket decides
 * whether the cgroup is selected.
 */
static __always_inline struct whose whose_sent(const struct sk_buff *skb)
{
	struct whose w = whose_device(skb->dev);

	w.filtered = w.filtered || !cgroup_is_asked(skb->sk);
	return w;
}

/*
 * Returns the key of a packet by its socket. The key is either the interface on which the packet was received, in the
 * socket's network namespace, or the socket's cgroup. more: number of packets that count as part of the queue, although
 * these packets have left the queue or are not in it yet.
 */
static __always_inline struct whose whose_socket(const struct sock *sk, __u32 iif, __u32 more)
{
	struct whose w = { .filtered = !socket_is_asked(sk, iif, more) };

	if (is_by(NETCOST_LATENCY_BY_INTERFACE) && iif) {
		w.key.number = iif;
		w.key.id = netns_of(BPF_CORE_READ(sk, __sk_common.skc_net.net));
	} else if (is_by(NETCOST_LATENCY_BY_CGROUP) && cgroups_known) {
		const struct cgroup *cgroup = BPF_CORE_READ(sk, sk_cgrp_data.cgroup);
		const struct kernfs_node *kn = BPF_CORE_READ(cgroup, kn);

		w.key.id = BPF_CORE_READ(kn, id);
	}
	return w;
}

/* Returns the key of a packet by its socket, or by the process that reads the packet. */
static __always_inline struct whose whose_reader(const struct sock *sk, __u32 iif, __u32 more)
{
	const struct task_struct *task, *leader;
	struct whose w = whose_socket(sk, iif, more);

	w.filtered = w.filtered || !process_is_asked();
	if (!is_by(NETCOST_LATENCY_BY_PROCESS))
		return w;
	task = (const struct task_struct *)bpf_get_current_task();
	leader = BPF_CORE_READ(task, group_leader);
	w.name = &leader->comm;
	w.key.number = (__u32)BPF_CORE_READ(leader, pid);
	w.key.id = BPF_CORE_READ(leader, start_time);
	return w;
}

/* ---- histograms -------------------------------------------------------------------------- */

static __always_inline __u32 new_key(const struct netcost_latency_key *key, const void *name)
{
	__u32 rest = NETCOST_LATENCY_COUNT + key->hook, at, *other;
	struct netcost_latency_keyed *k;

	if (*(volatile __u32 *)&keys_taken >= NETCOST_LATENCY_KEYS)
		return rest;
	at = NETCOST_LATENCY_FIRST_KEY + __sync_fetch_and_add(&keys_taken, 1);
	k = bpf_map_lookup_elem(&keyed, &at);
	if (!k)
		return rest;
	k->key = *key;
	if (name)
		bpf_probe_read_kernel_str(k->name, sizeof(k->name), name);
	if (!bpf_map_update_elem(&latency_keys, key, &at, BPF_NOEXIST))
		return at;
	/* another CPU has inserted the row since the lookup */
	other = bpf_map_lookup_elem(&latency_keys, key);
	return other ? *other : rest;
}

static __always_inline __u32 key_at(enum netcost_latency hook, const struct whose *w)
{
	struct netcost_latency_key key = w->key;
	__u32 *at;

	if (!key.number && !key.id)
		return hook;
	key.hook = hook;
	at = bpf_map_lookup_elem(&latency_keys, &key);
	return at ? *at : new_key(&key, w->name);
}

/* Counts a packet by key. An atomic addition whose result is used is ordered before later accesses on all machines. */
static __always_inline void count_key(const struct netcost_path_cpu *c, enum netcost_latency hook,
				      const struct whose *w, unsigned int bucket, __u64 ns)
{
	struct netcost_latency_keyed *k;
	__u32 at, before;

	if (!latency_by || !c->keyed)
		return;
	at = key_at(hook, w);
	k = bpf_map_lookup_elem(&keyed, &at);
	if (!k)
		return;
	__sync_fetch_and_add(&k->sum_ns, ns);
	before = __sync_fetch_and_add(&k->bucket[bucket], 1);
	__asm__ volatile("" ::"r"(before));
}

#endif
