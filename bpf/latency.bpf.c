// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * How long packets wait (--latency): when each came into the host, or was given to a device, and how old it is at places
 * further on. All by typed tracepoints; which of them are attached says src/record/source/latency.c.
 *
 * A packet's own time, skb->tstamp, would not do: it is off unless someone asks for it, a transmit time may stand
 * there, and it is cleared on the way from one network namespace to another. So the time of entry is kept here.
 *
 * Which entry: the packet's first one. A bridge hands a packet on, and so does a veth pair, where it comes in again: then
 * it keeps its time. What GRO has merged is as old as its first packet.
 *
 * At each checkpoint a packet must prove that it is the one whose entry is known, and not another one in the same memory:
 * by what places.h keeps of it. If it cannot, it is counted without a time. A clone or a segment that enters a device is a
 * new packet from there on.
 */
#include "latency_places.h"
#include "latency_send.h"
#include "latency_tcp.h"
#include "latency_udp.h"

/* ---- the way in -------------------------------------------------------------------------- */

/* A packet enters in whose memory one had that state: is it the same one? */
static __always_inline bool comes_again(const struct netcost_latencies *c, const struct place *p,
					const struct sk_buff *skb, __u64 state)
{
	return (state == NETCOST_CAME_FORWARDED && has_head(p, skb->head)) ||
	       (state == NETCOST_CAME_RECEIVED && enters_again(&c->batch, p, skb));
}

static __always_inline int enter(const struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;
	struct netcost_latencies *c = this_cpu();

	if (!c)
		return 0;
	forget(left, &p); /* the device was one of this host: nothing is completed */
	if (is_of(had, &p) && comes_again(c, &p, skb, NETCOST_CAME_STATE(had)))
		*word = with_state(had, NETCOST_CAME_RECEIVED);
	else
		*word = word_now(&p, NETCOST_CAME_ENTERED, bpf_ktime_get_ns());
	set_fact(&p, skb->head, where_now(&c->batch));
	return 0;
}

#define ENTRY(tracepoint)                                                                          \
	SEC("tp_btf/" #tracepoint) int BPF_PROG(latency_##tracepoint, struct sk_buff *skb)         \
	{                                                                                          \
		return enter(skb);                                                                 \
	}
ENTRY(netif_rx_entry)
ENTRY(netif_receive_skb_entry)
ENTRY(netif_receive_skb_list_entry)
ENTRY(napi_gro_receive_entry)
ENTRY(napi_gro_frags_entry)

/* One that was not seen to enter does here. */
SEC("tp_btf/netif_receive_skb")
int BPF_PROG(latency_netif_receive_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word, now;
	struct netcost_latencies *c = this_cpu();
	struct whose w;
	bool same;

	if (!c)
		return 0;
	c->received = (__u64)skb;
	same = is_of(had, &p) && has_head(&p, skb->head);
	next_received(&c->batch, &p, same);
	set_received(&c->batch, &p, skb);
	w = whose_device(skb->dev);
	if (same && (NETCOST_CAME_STATE(had) == NETCOST_CAME_RECEIVED ||
		     NETCOST_CAME_STATE(had) == NETCOST_CAME_FORWARDED)) {
		*word = with_state(had, NETCOST_CAME_RECEIVED);
		if (TAIL_IS_ON)
			c->received_ns = bpf_ktime_get_ns();
		return 0;
	}
	now = bpf_ktime_get_ns();
	if (same && NETCOST_CAME_STATE(had) == NETCOST_CAME_ENTERED) {
		*word = with_state(had, NETCOST_CAME_RECEIVED);
		tail_receive(c, p.at, had, now);
		count(c, NETCOST_LATENCY_RECEIVE, &w, had, now);
		return 0;
	}
	*word = word_now(&p, NETCOST_CAME_RECEIVED, now);
	if (TAIL_IS_ON)
		c->received_ns = now;
	lose(c, NETCOST_LATENCY_RECEIVE, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	return 0;
}

/* ---- protocols --------------------------------------------------------------------------- */

/* had: 0: it is not known when the packet came. place: its own; step: of its way. */
static __always_inline void starts(struct netcost_latencies *c, __u64 had, __u32 place, __u32 step,
				   enum netcost_latency hook, const struct whose *w)
{
	__u64 now;

	if (!had)
		return lose(c, hook, w, NETCOST_LATENCY_LOSS_UNKNOWN);
	now = bpf_ktime_get_ns();
	tail_pass(c, place, step, hook, had, now, NETCOST_NOT_COUNTED);
	count(c, hook, w, had, now);
}

/*
 * At the entry of a function that receives packets, where the kernel lets programs attach to it: with softirqs disabled, so
 * that no other one counts at the same time, whichever of two it is.
 */
static __always_inline int function_starts(const struct sk_buff *skb, enum netcost_latency hook)
{
	struct place p = place_of(skb);
	__u64 had = *word_of(came, &p);
	struct netcost_latencies *c = this_cpu();
	struct whose w;
	bool known;

	if (!c)
		return 0;
	known = is_of(had, &p) && NETCOST_CAME_STATE(had) == NETCOST_CAME_RECEIVED &&
		was_received(&c->batch, &p, skb->head);
	w = whose_device(skb->dev);
	starts(c, known ? had : 0, p.at,
	       hook == NETCOST_LATENCY_IP_START ? NETCOST_TAIL_IP : NETCOST_TAIL_PROTOCOL, hook,
	       &w);
	return 0;
}

#define START(function, hook)                                                                      \
	SEC("fentry") int BPF_PROG(latency_##function, struct sk_buff *skb)                        \
	{                                                                                          \
		return function_starts(skb, NETCOST_LATENCY_##hook);                               \
	}
START(ip_rcv_core, IP_START)
START(ip6_rcv_core, IP_START)
START(tcp_v4_rcv, TCP_START)
START(tcp_v6_rcv, TCP_START)
START(udp_rcv, UDP_START)
START(udpv6_rcv, UDP_START)

/* ---- TCP --------------------------------------------------------------------------------- */

/*
 * Of a connection that is established. From here on the packet is freed unseen, where TCP has merged it into another one
 * or needs it no longer: so only a reader of a TCP socket looks for it.
 */
SEC("tp_btf/tcp_probe")
int BPF_PROG(latency_tcp_probe, struct sock *sk, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word, state = NETCOST_CAME_STATE(had);
	struct netcost_latencies *c = this_cpu();
	bool known;

	if (!c)
		return 0;
	known = is_of(had, &p) && state == NETCOST_CAME_RECEIVED &&
		was_received(&c->batch, &p, skb->head);
	if (!tcp_start_by_function) {
		struct whose w = whose_socket(sk, (__u32)skb->skb_iif, 1);

		starts(c, known ? had : 0, p.at, NETCOST_TAIL_PROTOCOL, NETCOST_LATENCY_TCP_START,
		       &w);
	}
	if (tcp_begin(skb) == tcp_end(skb)) {
		if (is_of(had, &p))
			*word = 0;
		return 0;
	}
	if (known) {
		set_fact(&p, skb->head, tcp_where(sk, tcp_begin(skb)));
		*word = with_state(had, (__s32)(tcp_begin(skb) - tcp_next(sk)) > 0 ?
						NETCOST_CAME_BLOCKED :
						NETCOST_CAME_TCP);
	}
	c->tcp_sk = 0; /* a softirq may come in between */
	barrier();
	c->tcp_word = known ? had : 0;
	c->tcp_packet = (__u64)skb;
	if (needs_interface())
		c->tcp_iif = (__u32)skb->skb_iif;
	c->tcp_end = tcp_end(skb);
	barrier();
	c->tcp_sk = (__u64)sk;
	return 0;
}

/* Is it the packet in a TCP socket's queue that the place has? One that came before the connection was, or after it, has no number. */
static __always_inline bool is_in_tcp(const struct sock *sk, const struct sk_buff *skb,
				      const struct place *p, __u64 had)
{
	return is_of(had, p) && (NETCOST_CAME_STATE(had) == NETCOST_CAME_RECEIVED ?
					 has_head(p, skb->head) :
					 fact_of(p)->where == tcp_where(sk, tcp_begin(skb)));
}

/* The first packet of a TCP socket's queue was read, at least in part. A second read of the same packet is not counted. */
static __always_inline void tcp_read(struct netcost_latencies *c, const struct sock *sk,
				     const struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word, state = NETCOST_CAME_STATE(had);
	bool known = is_in_tcp(sk, skb, &p, had);
	struct whose w;

	if (known && state == NETCOST_CAME_DONE)
		return;
	c->place = p.at;
	w = whose_reader(sk, (__u32)skb->skb_iif, 0);
	tail_read(c, sk);
	if (known && (state == NETCOST_CAME_TCP || state == NETCOST_CAME_RECEIVED))
		count(c, NETCOST_LATENCY_TCP_READ, &w, had, bpf_ktime_get_ns());
	else if (known && state == NETCOST_CAME_BLOCKED)
		count(c, NETCOST_LATENCY_TCP_READ_BLOCKED, &w, had, bpf_ktime_get_ns());
	else
		lose(c, NETCOST_LATENCY_TCP_READ, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	set_fact(&p, skb->head, tcp_where(sk, tcp_begin(skb)));
	*word = word_now(&p, NETCOST_CAME_DONE, bpf_ktime_get_ns());
}

/*
 * A piece was read from a TCP socket, whether its data was copied (or thrown away: MSG_TRUNC), and the packet is in the queue
 * still. If no byte of the first packet was taken, it was a look (MSG_PEEK). splice(), and what reads within the kernel, are here
 * once, after all packets that they took: if the queue is empty, that was so.
 */
SEC("tp_btf/tcp_rcv_space_adjust")
int BPF_PROG(latency_tcp_rcv_space_adjust, struct sock *sk)
{
	const struct sk_buff *skb = sk->sk_receive_queue.next;
	struct netcost_latencies *c = this_cpu();
	struct whose w;

	if (!c || sk->sk_protocol != IPPROTO_TCP || !is_inet(sk))
		return 0;
	if ((__u64)skb == (__u64)&sk->sk_receive_queue) {
		w = whose_reader(sk, 0, 0);
		lose(c, NETCOST_LATENCY_TCP_READ, &w, NETCOST_LATENCY_LOSS_OTHER);
	} else if ((__s32)(tcp_copied(sk) - tcp_begin(skb)) > 0) {
		tcp_read(c, sk, skb);
	}
	return 0;
}

/* ---- sockets ----------------------------------------------------------------------------- */

static __always_inline int ready(struct sock *sk)
{
	struct netcost_latencies *c = this_cpu();

	if (!c || !sk || !is_inet(sk))
		return 0;
	if (sk->sk_protocol == IPPROTO_TCP)
		tcp_ready(c, sk);
	else if (sk->sk_protocol == IPPROTO_UDP)
		udp_ready(c, sk);
	return 0;
}

SEC("tp_btf/sk_data_ready")
int BPF_PROG(latency_sk_data_ready, struct sock *sk)
{
	return ready(sk);
}

/* Where that tracepoint is not (before 6.3). */
SEC("fentry")
int BPF_PROG(latency_sock_def_readable, struct sock *sk)
{
	return ready(sk);
}

/*
 * No event says which packet a read of a UDP socket has taken. But they are taken in order, and which one is next was seen
 * before: if it is the first one no more, it was that. Where several read from one socket at the same time, it may not be
 * known.
 */
static __always_inline int reads(struct sock *sk, int ret, int flags)
{
	struct netcost_latencies *c = this_cpu();
	struct netcost_udp_next *n;
	struct whose w;
	__u64 packet, word, *now;

	if (!c || !sk || sk->sk_protocol != IPPROTO_UDP || !is_inet(sk) ||
	    flags & (MSG_PEEK | MSG_ERRQUEUE))
		return 0;
	n = bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!n)
		return 0;
	packet = n->packet;
	word = n->word;
	if (ret >= 0)
		tail_read(c, sk);
	w = whose_reader(sk, (__u32)n->iif, 1);
	if (ret >= 0 && (!packet || !word)) {
		if (only_some())
			n->filtered = w.filtered;
		if (__sync_lock_test_and_set(&n->read_ns, bpf_ktime_get_ns()))
			lose_read(c, &w, NETCOST_LATENCY_LOSS_OTHER);
	} else if (ret >= 0) {
		struct place p = place_at(packet);

		c->place = p.at;
		now = word_of(came, &p);
		if (udp_first(sk) == packet)
			lose_read(c, &w, NETCOST_LATENCY_LOSS_OTHER);
		else if (!is_of(word, &p) || NETCOST_CAME_STATE(word) == NETCOST_CAME_DONE)
			lose_read(c, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
		else if (*now == with_state(word, NETCOST_CAME_DONE)) /* it was dropped */
			lose_read(c, &w, NETCOST_LATENCY_LOSS_OTHER);
		else
			udp_read(c, &w, word, bpf_ktime_get_ns());
		if (*now == word)
			*now = 0; /* from Linux 6.18 on it is freed without an event */
	}
	udp_set_next(n, sk);
	return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(latency_sock_recv_length, struct sock *sk, int ret, int flags)
{
	return reads(sk, ret, flags);
}

/* As well: their arguments are these since 5.19. */
#define RECVMSG(function)                                                                          \
	SEC("fexit")                                                                               \
	int BPF_PROG(latency_##function, struct sock *sk, void *msg, __u64 len, int flags,         \
		     int *addr_len, int ret)                                                       \
	{                                                                                          \
		return reads(sk, ret, flags);                                                      \
	}
RECVMSG(udp_recvmsg)
RECVMSG(udpv6_recvmsg)

/* ---- the way out ------------------------------------------------------------------------- */

#define SENDMSG(function)                                                                          \
	SEC("fentry") int BPF_PROG(latency_##function, struct sock *sk)                            \
	{                                                                                          \
		return send_begins(sk, false);                                                     \
	}                                                                                          \
	SEC("fexit") int BPF_PROG(latency_exit_##function, struct sock *sk)                        \
	{                                                                                          \
		return send_ends(sk);                                                              \
	}
SENDMSG(tcp_sendmsg)
SENDMSG(udp_sendmsg)
SENDMSG(udpv6_sendmsg)

/* Where functions are refused (6.16): of each piece of a call; its end is where all sockets' calls end. */
SEC("tp_btf/tcp_sendmsg_locked")
int BPF_PROG(latency_tcp_sendmsg_locked, struct sock *sk)
{
	return send_begins(sk, true);
}

SEC("tp_btf/sock_send_length")
int BPF_PROG(latency_sock_send_length, struct sock *sk)
{
	return send_ends(sk);
}

SEC("fentry")
int BPF_PROG(latency_sk_stream_wait_memory)
{
	return wait_begins();
}

SEC("fexit")
int BPF_PROG(latency_exit_sk_stream_wait_memory, struct sock *sk)
{
	return wait_ends(sk, NETCOST_LATENCY_TCP_MEMORY);
}

SEC("fentry")
int BPF_PROG(latency_sock_alloc_send_pskb, struct sock *sk, unsigned long header,
	     unsigned long data, int may_not)
{
	return udp_wait_begins(sk, may_not);
}

SEC("fexit")
int BPF_PROG(latency_exit_sock_alloc_send_pskb, struct sock *sk)
{
	return udp_wait_ends(sk);
}

SEC("fentry")
int BPF_PROG(latency_tcp_write_xmit, struct sock *sk)
{
	return tcp_sends_on(sk);
}

SEC("fexit")
int BPF_PROG(latency_exit_tcp_write_xmit, struct sock *sk)
{
	return tcp_has_sent(sk);
}

SEC("tp_btf/net_dev_queue")
int BPF_PROG(latency_net_dev_queue, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word, now = bpf_ktime_get_ns();
	struct netcost_latencies *c;

	if (is_of(had, &p)) {
		bool same = skb->skb_iif && NETCOST_CAME_STATE(had) == NETCOST_CAME_RECEIVED &&
			    (c = this_cpu()) && is_forwarded(&c->batch, &p, skb);

		if (same)
			set_fact(&p, skb->head, 0);
		*word = same ? with_state(had, NETCOST_CAME_FORWARDED) : 0;
	}
	*word_of(left, &p) = word_now(&p, NETCOST_LEFT_QUEUED, now);
	if (TAIL_IS_ON && (c = this_cpu()))
		tail_sent(c, skb, p.at, *word_of(left, &p), now);
	sent_to_queue(skb, now);
	return 0;
}

/* What is made anew on the way, as segments of a large packet are, is counted from here on. */
SEC("tp_btf/net_dev_start_xmit")
int BPF_PROG(latency_net_dev_start_xmit, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(left, &p), had = *word, now = bpf_ktime_get_ns();
	struct netcost_latencies *c = this_cpu();
	bool known = is_of(had, &p) && NETCOST_CAME_STATE(had) == NETCOST_LEFT_QUEUED;
	struct whose w;

	if (!c)
		return 0;
	w = whose_sent(skb);
	tail_send(c, skb, p.at, now);
	if (known)
		count(c, NETCOST_LATENCY_QDISC, &w, had, now);
	else
		lose(c, NETCOST_LATENCY_QDISC, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	*word = word_now(&p, w.filtered ? NETCOST_LEFT_FILTERED : NETCOST_LEFT_SENT, now);
	c->driver_packet = (__u64)skb;
	c->driver_ns = now;
	c->driver_filtered = w.filtered;
	return 0;
}

/* The packet may be freed, and its memory another one's: so its time is not looked for. A device on another one calls its driver. */
SEC("tp_btf/net_dev_xmit")
int BPF_PROG(latency_net_dev_xmit, struct sk_buff *skb, int rc, struct net_device *dev)
{
	struct netcost_latencies *c = this_cpu();
	struct whose w;

	if (!c)
		return 0;
	w = whose_device(dev);
	if (only_some() && c->driver_packet == (__u64)skb)
		w.filtered = c->driver_filtered;
	if (c->driver_packet != (__u64)skb)
		lose(c, NETCOST_LATENCY_DRIVER, &w, NETCOST_LATENCY_LOSS_OTHER);
	else if (!rc)
		count(c, NETCOST_LATENCY_DRIVER, &w, c->driver_ns, bpf_ktime_get_ns());
	c->driver_packet = 0;
	return 0;
}

SEC("tp_btf/consume_skb")
int BPF_PROG(latency_consume_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *in = word_of(came, &p), *word = word_of(left, &p), had = *word;
	struct netcost_latencies *c;
	struct whose w;

	if (is_of(*in, &p)) {
		if (NETCOST_CAME_STATE(*in) == NETCOST_CAME_RECEIVED && is_large(skb))
			__sync_fetch_and_add(&splits, 1);
		*in = 0;
	}
	if (!is_of(had, &p))
		return 0;
	*word = 0;
	if (NETCOST_CAME_STATE(had) < NETCOST_LEFT_SENT || !(c = this_cpu()))
		return 0;
	w = whose_device(skb->dev);
	w.filtered = only_some() && NETCOST_CAME_STATE(had) == NETCOST_LEFT_FILTERED;
	count(c, NETCOST_LATENCY_COMPLETION, &w, had, bpf_ktime_get_ns());
	return 0;
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(latency_kfree_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;

	/* A reader that takes one with a wrong checksum from a UDP socket drops it, and takes the next one. */
	if (is_of(had, &p))
		*word = NETCOST_CAME_STATE(had) == NETCOST_CAME_UDP ?
				with_state(had, NETCOST_CAME_DONE) :
				0;
	forget(left, &p);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
