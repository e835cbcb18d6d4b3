// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Work of a known length, for each packet, at places where it must appear in a known event. What was
 * really spent, an interrupt or the hypervisor's share included, is measured around each piece: not the
 * length that was asked for is what a recording is compared with, but spun_ns. A network softirq that comes
 * meanwhile is in it, too, but not in the event of a send or receive: it takes a load where that is rare.
 */
#include "bpf/kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define MOST_TURNS (1 << 20) /* of about 20 ns each: a bound for the verifier, not for us */

__u64 spin_ns; /* set from outside, at any time */
__u32 process; /* whose packets spin_traced sees; spin_switched: the task; spin_woken: the CPU */
__u16 port;    /* to which those are sent that spin_port sees, as on the wire */
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
		longest_ns = ns; /* a hint for people: two CPUs at once may lose one */
}

static __always_inline void spin(void)
{
	spin_for(*(volatile __u64 *)&spin_ns);
}

__u64 bytes;
__u64 byte_ps; /* set from outside: added per byte of a packet */

/* The first member of struct __sk_buff is the packet's length. */
SEC("tc")
int spin_tc(__u32 *len)
{
	__u64 n = *len;

	spin_for(*(volatile __u64 *)&spin_ns + n * *(volatile __u64 *)&byte_ps / 1000);
	__sync_fetch_and_add(&bytes, n);
	return -1; /* TC_ACT_UNSPEC: as if nobody had looked */
}

/* In Ethernet. The port is one of TCP or UDP, and IPv4 has no options, IPv6 no extension headers. */
#define TYPE 12
#define TYPE_IPV6 0xdd86 /* as on the wire */
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
	return 1; /* let it pass, here and below */
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

/* In the sender's send, as that is when a packet is handed to an interface: whoever sends, so others are left alone. */
SEC("raw_tp/net_dev_queue")
int spin_traced(void *ctx)
{
	if (bpf_get_current_pid_tgid() >> 32 == process)
		spin();
	return 0;
}

/* Where a driver without NAPI, such as loopback's, hands packets over: of all of them, in its function that sends. */
SEC("raw_tp/netif_rx")
int spin_rx(void *ctx)
{
	spin();
	return 0;
}

__u64 switched_ns; /* spin_switched ended then */

/*
 * When it gets a CPU, before it runs: with interrupts disabled. Not again soon: it may be preempted after that, and would never
 * run.
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

__u64 woken_ns; /* spin_woken ended then */

/*
 * As a CPU, `process`, wakes from an idle state: it is as if that took longer. Not each time, or it would do nothing else.
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
