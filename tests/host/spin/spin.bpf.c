// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Spins for a known time per packet, at hooks where this time must appear in a known event. The time really spent,
 * including interrupts and the hypervisor, is measured around each spin: a recording is compared with spun_ns, not with
 * the requested time. A network softirq that interrupts a spin is included in spun_ns, but not in the event of a send
 * or receive, so use a load where this is rare.
 */
#include "bpf/kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define MOST_TURNS (1 << 20) /* iterations of about 20 ns each; bounds the loop for the verifier */

__u64 spin_ns; /* set by user space at any time */
__u32 process; /* spin_traced: only packets of this process; spin_switched: the task; spin_woken: the CPU */
__u16 port; /* destination port of the packets for spin_port, in network byte order */
__u64 runs, spun_ns, longest_ns;

struct turn {
	__u64 until, now;
};

static long take_turn(__u32 i, struct turn *t)
{
	t->now = bpf_ktime_get_ns();
	return t->now >= t->until;
}

static __always_inline void spin_for(__u64 asked_ns)
{
	__u64 start = bpf_ktime_get_ns(), ns;
	struct turn t = { .until = start + asked_ns, .now = start };

	bpf_loop(MOST_TURNS, take_turn, &t, 0);
	ns = t.now - start;
	__sync_fetch_and_add(&runs, 1);
	__sync_fetch_and_add(&spun_ns, ns);
	if (ns > longest_ns)
		longest_ns =
			ns; /* only informative: an update may be lost if two CPUs update at once */
}

static __always_inline void spin(void)
{
	spin_for(*(volatile __u64 *)&spin_ns);
}

__u64 bytes;
__u64 byte_ps; /* set by user space: additional time per byte of a packet */

/* The first member of struct __sk_buff is the packet's length. */
SEC("tc")
int spin_tc(__u32 *len)
{
	__u64 n = *len;

	spin_for(*(volatile __u64 *)&spin_ns + n * *(volatile __u64 *)&byte_ps / 1000);
	__sync_fetch_and_add(&bytes, n);
	return -1; /* TC_ACT_UNSPEC: continue as if there were no program */
}

/* Parses Ethernet with TCP or UDP; IPv4 without options, IPv6 without extension headers. */
#define TYPE 12
#define TYPE_IPV6 0xdd86 /* in network byte order */
#define DESTINATION_PORT 36
#define DESTINATION_PORT6 56

SEC("tc")
int spin_port(void *ctx)
{
	__u16 type = 0, to = 0;

	bpf_skb_load_bytes(ctx, TYPE, &type, sizeof(type));
	if (!bpf_skb_load_bytes(ctx, type == TYPE_IPV6 ? DESTINATION_PORT6 : DESTINATION_PORT, &to,
				sizeof(to)) &&
	    to == port)
		spin();
	return -1;
}

SEC("xdp")
int spin_xdp(void *ctx)
{
	spin();
	return 2; /* XDP_PASS */
}

SEC("cgroup/sendmsg4")
int spin_sendmsg(void *ctx)
{
	spin();
	return 1; /* allows the packet, in this cgroup and in cgroups below it */
}

SEC("cgroup_skb/egress")
int spin_egress(void *ctx)
{
	spin();
	return 1;
}

SEC("cgroup/recvmsg4")
int spin_recvmsg(void *ctx)
{
	spin();
	return 1;
}

/* Runs in the send call of any process, when a packet is handed to an interface; packets of other processes are
 * ignored. */
SEC("raw_tp/net_dev_queue")
int spin_traced(void *ctx)
{
	if (bpf_get_current_pid_tgid() >> 32 == process)
		spin();
	return 0;
}

/* Runs where a driver without NAPI, such as loopback, hands over any packet, in its transmit function. */
SEC("raw_tp/netif_rx")
int spin_rx(void *ctx)
{
	spin();
	return 0;
}

__u64 switched_ns; /* last time spin_switched ended */

/*
 * Runs when the task gets a CPU, before it runs, with interrupts disabled. It skips switches shortly after a spin: the
 * task may be preempted then, and would never run.
 */
SEC("raw_tp/sched_switch")
int spin_switched(__u64 *args)
{
	const struct task_struct *next = (const void *)args[2];

	if (!process || (__u32)BPF_CORE_READ(next, pid) != process ||
	    bpf_ktime_get_ns() - switched_ns < *(volatile __u64 *)&spin_ns)
		return 0;
	spin();
	switched_ns = bpf_ktime_get_ns();
	return 0;
}

__u64 woken_ns; /* last time spin_woken ended */

/*
 * Runs when the CPU `process` wakes from an idle state, as if waking took longer. The program skips some wakeups,
 * because otherwise the CPU would do nothing else.
 */
SEC("raw_tp/cpu_idle")
int spin_woken(__u64 *args)
{
	if ((__u32)args[0] != ~0u || bpf_get_smp_processor_id() != process ||
	    bpf_ktime_get_ns() - woken_ns < *(volatile __u64 *)&spin_ns)
		return 0;
	spin();
	woken_ns = bpf_ktime_get_ns();
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
