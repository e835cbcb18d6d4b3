/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path_send.h: measures the latency from a send call to the device's queue, and the time for which a send call waits
 * for memory. A packet belongs to a call if the calling task queues the packet for the call's socket during the call.
 * Each socket in a send call has a word, as packets have, and the task is stored next to the word.
 */
#ifndef NETCOST_PATH_SEND_H
#define NETCOST_PATH_SEND_H

#include "path_count.h"

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct netcost_waiting);
} waiting SEC(".maps");

static __always_inline bool is_inet(const struct sock *sk)
{
	unsigned short family = sk->__sk_common.skc_family;

	return family == AF_INET || family == AF_INET6;
}

static __always_inline bool is_sending(const struct place *p)
{
	return is_of(source_of(p)->sends, p) && source_of(p)->sender == bpf_get_current_task();
}

/* Notes that a send call begins. again: set for an event that may fire several times in one call. */
static __always_inline int send_begins(const struct sock *sk, bool again)
{
	struct place p = place_of(sk);
	struct netcost_source *s = source_of(&p);

	if (again && is_sending(&p))
		return 0;
	s->sends = 0; /* a softirq may interrupt this update */
	barrier();
	s->sender = bpf_get_current_task();
	barrier();
	s->sends = word_now(&p, NETCOST_SENDS, bpf_ktime_get_ns());
	return 0;
}

static __always_inline int send_ends(const struct sock *sk)
{
	struct place p = place_of(sk);

	forget(&source_of(&p)->sends, &p);
	return 0;
}

/* Counts a packet that a socket sent. The sender is known only while it is the current task. */
static __always_inline void count_sent(struct netcost_path_cpu *c, enum netcost_latency hook,
				       const struct sk_buff *skb, const struct sock *sk, __u64 now)
{
	__u32 device = needs_interface() ? (__u32)skb->dev->ifindex : 0;
	struct place p = place_of(sk);
	__u64 since = source_of(&p)->sends;
	struct whose w;

	if (is_sending(&p)) {
		w = whose_reader(sk, device, 0);
		count(c, hook, &w, since, now);
	} else {
		w = whose_socket(sk, device, 0);
		lose(c, hook, &w, NETCOST_LATENCY_LOSS_LATER);
	}
}

static __always_inline void sent_to_queue(struct netcost_path_cpu *c, const struct sk_buff *skb,
					  __u64 now)
{
	bool tcp = is_measured(NETCOST_LATENCY_TCP_SEND),
	     udp = is_measured(NETCOST_LATENCY_UDP_SEND);
	const struct sock *sk = skb->sk;

	if ((!tcp && !udp) || !sk || !is_inet(sk) || is_small(sk))
		return;
	if (tcp && sk->sk_protocol == IPPROTO_TCP)
		count_sent(c, NETCOST_LATENCY_TCP_SEND, skb, sk, now);
	else if (udp && sk->sk_protocol == IPPROTO_UDP)
		count_sent(c, NETCOST_LATENCY_UDP_SEND, skb, sk, now);
}

/* ---- waits of sending tasks for memory ------------------------------------------------------- */

static __always_inline struct netcost_waiting *waiting_now(__u64 flags)
{
	return bpf_task_storage_get(&waiting, bpf_get_current_task_btf(), 0, flags);
}

static __always_inline int wait_begins(void)
{
	struct netcost_waiting *t = waiting_now(BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (t)
		t->since_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline int wait_ends(const struct sock *sk, enum netcost_latency hook)
{
	struct netcost_waiting *t = waiting_now(0);
	struct netcost_path_cpu *c = this_cpu();
	struct whose w;

	if (!t || !t->since_ns || !c)
		return 0;
	w = whose_reader(sk, 0, 0);
	count(c, hook, &w, t->since_ns, bpf_ktime_get_ns());
	t->since_ns = 0;
	return 0;
}

static __always_inline bool is_udp(const struct sock *sk)
{
	return sk->sk_protocol == IPPROTO_UDP && is_inet(sk);
}

/*
 * Notes that a wait for memory begins. The condition is the same as in sock_alloc_send_pskb(): the call waits if it may
 * wait and if the socket's unsent data exceeds its send buffer.
 */
static __always_inline int udp_wait_begins(const struct sock *sk, bool may_not)
{
	if (!is_udp(sk) || may_not || !sk->sk_sndtimeo ||
	    sk->sk_wmem_alloc.refs.counter - 1 < sk->sk_sndbuf)
		return 0;
	return wait_begins();
}

static __always_inline int udp_wait_ends(const struct sock *sk)
{
	return is_udp(sk) ? wait_ends(sk, NETCOST_LATENCY_UDP_MEMORY) : 0;
}

/* ---- TCP small queues ---------------------------------------------------------------------- */

/*
 * TCP keeps only a limited amount of data in the devices' queues (TCP small queues), and marks the socket as throttled
 * at the limit. When a packet of the socket is freed, the mark is cleared, and TCP sends on. The map holds the wait of
 * each socket until the socket is closed.
 *
 * The mark can be stale, because TCP checks the amount in flight and not the mark. If ksoftirqd frees packets, only the
 * last of them clears the mark. If an earlier packet has already scheduled TCP (TSQ_QUEUED), no packet clears the mark.
 * The limit rises with the rate. If a packet is freed between TCP's two checks of the limit, TCP sends on although the
 * mark is set. So a wait ends when TCP has sent something, no matter whether the mark is set. The remaining error is
 * harmless. If TCP stops for another reason, such as a full window, a stale mark starts a wait. This wait ends as soon
 * as a packet clears the mark or TCP sends on. When the mark is cleared, TCP's next call is scheduled. So if the mark
 * is cleared while TCP sends, this program sees the cleared mark at TCP's next call.
 */
struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct netcost_throttled);
} throttled SEC(".maps");

static __always_inline bool is_throttled(const struct sock *sk)
{
	return sk->sk_tsq_flags & TSQ_THROTTLED;
}

static __always_inline __u32 sent_by(const struct sock *sk)
{
	const struct tcp_sock *tcp = (const struct tcp_sock *)sk;

	return BPF_CORE_READ(tcp, snd_nxt);
}

static __always_inline void throttled_ends(struct netcost_throttled *t, const struct sock *sk)
{
	struct netcost_path_cpu *c = this_cpu();
	struct whose w;

	if (!c)
		return;
	w = whose_socket(sk, 0, 0);
	count(c, NETCOST_LATENCY_TCP_TSQ, &w, t->since_ns, bpf_ktime_get_ns());
	t->since_ns = 0;
}

static __always_inline int tcp_sends_on(struct sock *sk)
{
	struct netcost_throttled *t;

	if (is_throttled(sk))
		return 0;
	t = bpf_sk_storage_get(&throttled, sk, 0, 0);
	if (t && t->since_ns)
		throttled_ends(t, sk);
	return 0;
}

/* Updates the socket's wait after TCP has sent. If nothing is left to send, there is no wait. */
static __always_inline int tcp_has_sent(struct sock *sk)
{
	bool waits = sk->sk_write_queue.qlen;
	struct netcost_throttled *t;
	__u32 sent;

	if (!is_throttled(sk))
		return 0;
	t = bpf_sk_storage_get(&throttled, sk, 0, waits ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
	if (!t)
		return 0;
	sent = sent_by(sk);
	if (t->since_ns && t->sent != sent)
		throttled_ends(t, sk);
	if (waits && !t->since_ns) {
		t->sent = sent;
		t->since_ns = bpf_ktime_get_ns();
	}
	return 0;
}

#endif
