/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path_only.h: decides which packets --latency-only selects. Unused criteria are constants, so the verifier removes
 * their code.
 */
#ifndef NETCOST_PATH_ONLY_H
#define NETCOST_PATH_ONLY_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#ifndef CONFIG /* the unit tests define CONFIG themselves and change these values at run time */
#define CONFIG const volatile
#endif
/* Criteria of selection. A criterion that is 0 selects all packets. */
CONFIG __u32 only_interface; /* interface number in the namespace only_netns */
CONFIG __u64 only_netns;     /* inode of the network namespace */
CONFIG __u64 only_cgroup;    /* id of a v2 cgroup; its descendants are selected, too */
CONFIG __u32 only_process;   /* process id in the initial pid namespace */
CONFIG __u32 only_queue;     /* minimum number of packets in the socket's queue */

#define ONLY_DEPTH 32 /* maximum depth of nested cgroups */

static __always_inline bool only_some(void)
{
	return only_netns || only_cgroup || only_process || only_queue;
}

static __always_inline __u64 netns_of(const struct net *net)
{
	return BPF_CORE_READ(net, ns.inum);
}

/* Returns true if the packet's current device is selected. */
static __always_inline bool device_is_asked(const struct net_device *dev)
{
	if (!only_netns)
		return true;
	if (only_interface && (__u32)BPF_CORE_READ(dev, ifindex) != only_interface)
		return false;
	return netns_of(BPF_CORE_READ(dev, nd_net.net)) == only_netns;
}

/* Returns true if a socket is a request socket or time-wait socket, whose struct has little more than the addresses. */
static __always_inline bool is_small(const struct sock *sk)
{
	unsigned char state = sk->__sk_common.skc_state;

	return state == TCP_TIME_WAIT || state == TCP_NEW_SYN_RECV;
}

static __always_inline bool cgroup_is_asked(const struct sock *sk)
{
	const struct cgroup *cgroup;

	if (!only_cgroup)
		return true;
	if (!sk || is_small(sk))
		return false;
	cgroup = BPF_CORE_READ(sk, sk_cgrp_data.cgroup);
	for (int i = 0; i < ONLY_DEPTH && cgroup; i++) {
		const struct kernfs_node *kn = BPF_CORE_READ(cgroup, kn);
		const struct cgroup_subsys_state *parent;

		if (BPF_CORE_READ(kn, id) == only_cgroup)
			return true;
		parent = BPF_CORE_READ(cgroup, self.parent);
		cgroup = parent ? BPF_CORE_READ(parent, cgroup) : 0;
	}
	return false;
}

/*
 * Returns true if the length of the socket's queue is selected. more: number (0 or 1) of packets that count as part of
 * the queue, although these packets have left the queue or are not in it yet.
 */
static __always_inline bool queue_is_asked(const struct sock *sk, __u32 more)
{
	if (!only_queue)
		return true;
	more += BPF_CORE_READ(sk, sk_receive_queue.qlen);
	if (BPF_CORE_READ(sk, sk_protocol) == IPPROTO_UDP)
		more += BPF_CORE_READ((const struct udp_sock *)sk, reader_queue.qlen);
	return more >= only_queue;
}

/*
 * Returns true if a socket's packet that was received on interface iif is selected. If the interface is unknown (iif is
 * 0), the packet is counted as unknown.
 */
static __always_inline bool socket_is_asked(const struct sock *sk, __u32 iif, __u32 more)
{
	if (only_netns && netns_of(BPF_CORE_READ(sk, __sk_common.skc_net.net)) != only_netns)
		return false;
	if (only_interface && iif && iif != only_interface)
		return false;
	return queue_is_asked(sk, more) && cgroup_is_asked(sk);
}

/* Returns true if the running process is selected. */
static __always_inline bool process_is_asked(void)
{
	return !only_process || (__u32)(bpf_get_current_pid_tgid() >> 32) == only_process;
}

#endif
