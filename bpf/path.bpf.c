// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Follows packets on their path through the host, for --latency, --tail and --stages. With these options, it also
 * counts drops. There is one program for each tracepoint or function. src/record/source/path/path.c selects the
 * programs that are attached. The constants in path_packets.h select what the programs count, and the verifier removes
 * disabled code.
 *
 * A packet's own time, skb->tstamp, is not usable, because the kernel sets it only on request, may store a transmit
 * time in it, and clears it between network namespaces. So these programs store the time of entry themselves.
 *
 * Latency counts from a packet's first entry. A packet keeps its time of entry when a bridge or a veth pair hands it on
 * and it enters again. A packet that GRO has merged has the time of its first part. A clone or a segment that enters a
 * device is a new packet.
 *
 * A table entry is found by a packet's address, and another packet may have the same address. So at each checkpoint, a
 * packet must prove that the entry is its own, by its state and by the proof in path_packets.h. Sent packets are freed
 * with an event, but GRO, TCP and readers of UDP sockets may free received packets unseen. A packet that cannot prove
 * its identity is counted without a time, and is not followed.
 */
#include "path_count.h"
#include "path_drops.h"
#include "path_inside.h"
#include "path_sample.h"
#include "path_send.h"
#include "path_tcp.h"
#include "path_udp.h"

/* ---- packets that enter ------------------------------------------------------------------ */

static __always_inline int enter(const struct sk_buff *skb)
{
	struct place p = place_of(skb);
	struct netcost_packet *e = entry_of(&p);
	__u64 had = e->in, state = state_of(had, &p), out = state_of(e->out, &p);
	struct netcost_path_cpu *c = this_cpu();
	bool again, keeps;

	if (!c)
		return 0;
	again = (is_received(state) || state == NETCOST_IN_AGAIN) &&
		enters_again(&c->batch, &p, skb);
	keeps = (again && state != NETCOST_IN_CLONED) ||
		(state == NETCOST_IN_FORWARDED && has_head(&p, skb->head));
	/*
	 * The device has handed the packet on within this host, so there is no completion. Other CPUs must see this
	 * write before the clock is read: see sample_returned().
	 */
	if (out && sample_number(&p))
		(void)__sync_lock_test_and_set(&e->out, 0);
	else if (out)
		e->out = 0;
	if (keeps) {
		e->in = with_state(had, NETCOST_IN_AGAIN);
	} else {
		e->in = word_now(&p, NETCOST_IN_ENTERED, time_now(c));
		tail_enter(&p);
	}
	set_proof(&p, skb->head, where_now(&c->batch));
	sample_pass(c, &p, NETCOST_STAGE_ENTRY, skb, is_sent(out) || again);
	return 0;
}

#define ENTRY(tracepoint)                                                                          \
	SEC("tp_btf/" #tracepoint) int BPF_PROG(path_##tracepoint, struct sk_buff *skb)            \
	{                                                                                          \
		return enter(skb);                                                                 \
	}
ENTRY(netif_rx_entry)
ENTRY(netif_receive_skb_entry)
ENTRY(netif_receive_skb_list_entry)
ENTRY(napi_gro_receive_entry)
ENTRY(napi_gro_frags_entry)

/*
 * Counts a packet that the receive core got. state: the state of the packet's receive path; same: set if the packet
 * proved to be the packet of the table entry.
 */
static __always_inline void count_received(struct netcost_path_cpu *c, const struct place *p,
					   const struct sk_buff *skb, __u64 state, bool same)
{
	struct netcost_packet *e = entry_of(p);
	__u64 had = e->in, now = time_now(c);
	struct whose w = whose_device(skb->dev);

	if (same && (state == NETCOST_IN_RECEIVED || state == NETCOST_IN_AGAIN ||
		     state == NETCOST_IN_FORWARDED)) {
		e->in = with_state(had, NETCOST_IN_RECEIVED);
	} else if (same && state == NETCOST_IN_ENTERED) {
		e->in = with_state(had, NETCOST_IN_RECEIVED);
		tail_receive(c, p, had, now);
		count(c, NETCOST_LATENCY_RECEIVE, &w, had, now);
	} else { /* no event reported the packet's entry, so its path begins here */
		e->in = word_now(p, NETCOST_IN_RECEIVED, now);
		tail_enter(p);
		lose(c, NETCOST_LATENCY_RECEIVE, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	}
	if (with_tail)
		c->received_ns = now;
}

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(path_netif_receive_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	struct netcost_packet *e = entry_of(&p);
	__u64 state = state_of(e->in, &p), out = state_of(e->out, &p);
	struct netcost_path_cpu *c = this_cpu();
	bool same, goes_on;

	if (!c)
		return 0;
	c->received = (__u64)skb;
	same = state && has_head(&p, skb->head);
	goes_on = is_sent(out) ||
		  (same && (state == NETCOST_IN_ENTERED || state == NETCOST_IN_AGAIN));
	next_received(&c->batch, &p, same);
	set_received(&c->batch, &p, skb);
	if (out)
		e->out = 0;
	count_received(c, &p, skb, state, same);
	if (goes_on || !same || !is_received(state) || !skb->skb_iif)
		sample_pass(c, &p, NETCOST_STAGE_RECEIVE, skb, goes_on);
	return 0;
}

/* ---- protocols --------------------------------------------------------------------------- */

#define START(function, hook)                                                                      \
	SEC("fentry") int BPF_PROG(path_##function, struct sk_buff *skb)                           \
	{                                                                                          \
		return function_starts(skb, NETCOST_LATENCY_##hook);                               \
	}
START(tcp_v4_rcv, TCP_START)
START(tcp_v6_rcv, TCP_START)
START(udp_rcv, UDP_START)
START(udpv6_rcv, UDP_START)

#define IP_START(function)                                                                         \
	SEC("fentry") int BPF_PROG(path_##function, struct sk_buff *skb)                           \
	{                                                                                          \
		function_starts(skb, NETCOST_LATENCY_IP_START);                                    \
		return passes(skb, NETCOST_STAGE_IP, false);                                       \
	}
IP_START(ip_rcv_core)
IP_START(ip6_rcv_core)

SEC("tp_btf/tcp_probe")
int BPF_PROG(path_tcp_probe, struct sock *sk, struct sk_buff *skb)
{
	struct netcost_path_cpu *c = this_cpu();

	if (c)
		tcp_has(c, sk, skb);
	return 0;
}

/*
 * Counts a packet whose data was read from a TCP socket, either copied or discarded (MSG_TRUNC). The packet is still in
 * the queue. If no byte of the first packet was consumed, the reader only looked at the data (MSG_PEEK). For splice()
 * and for readers within the kernel, this event fires once, after all packets that they consumed. In that case the
 * queue is empty.
 */
SEC("tp_btf/tcp_rcv_space_adjust")
int BPF_PROG(path_tcp_rcv_space_adjust, struct sock *sk)
{
	const struct sk_buff *skb = sk->sk_receive_queue.next;
	struct netcost_path_cpu *c = this_cpu();
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
	struct netcost_path_cpu *c = this_cpu();

	if (!c || !sk || !is_inet(sk))
		return 0;
	if (sk->sk_protocol == IPPROTO_TCP)
		tcp_ready(c, sk);
	else if (sk->sk_protocol == IPPROTO_UDP)
		udp_ready(c, sk);
	return 0;
}

SEC("tp_btf/sk_data_ready")
int BPF_PROG(path_sk_data_ready, struct sock *sk)
{
	return ready(sk);
}

/* Replaces the tracepoint sk_data_ready on kernels that lack this tracepoint (before 6.3). */
SEC("fentry")
int BPF_PROG(path_sock_def_readable, struct sock *sk)
{
	return ready(sk);
}

static __always_inline int reads(struct sock *sk, int ret, int flags)
{
	struct netcost_path_cpu *c = this_cpu();

	if (c && sk && sk->sk_protocol == IPPROTO_UDP && is_inet(sk) &&
	    !(flags & (MSG_PEEK | MSG_ERRQUEUE)))
		udp_reads(c, sk, ret);
	return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(path_sock_recv_length, struct sock *sk, int ret, int flags)
{
	return reads(sk, ret, flags);
}

/*
 * Replaces the tracepoint sock_recv_length on kernels that lack this tracepoint. The arguments of the functions are
 * those of Linux 5.19 and later.
 */
#define RECVMSG(function)                                                                          \
	SEC("fexit")                                                                               \
	int BPF_PROG(path_##function, struct sock *sk, void *msg, __u64 len, int flags,            \
		     int *addr_len, int ret)                                                       \
	{                                                                                          \
		return reads(sk, ret, flags);                                                      \
	}
RECVMSG(udp_recvmsg)
RECVMSG(udpv6_recvmsg)

/* ---- packets that leave ------------------------------------------------------------------ */

#define SENDMSG(function)                                                                          \
	SEC("fentry") int BPF_PROG(path_##function, struct sock *sk)                               \
	{                                                                                          \
		return send_begins(sk, false);                                                     \
	}                                                                                          \
	SEC("fexit") int BPF_PROG(path_exit_##function, struct sock *sk)                           \
	{                                                                                          \
		return send_ends(sk);                                                              \
	}
SENDMSG(tcp_sendmsg)
SENDMSG(udp_sendmsg)
SENDMSG(udpv6_sendmsg)

/*
 * Replaces the function probes on kernels that refuse them (6.16). The tracepoint fires for each chunk of data in a
 * send call, and sock_send_length fires when the call ends.
 */
SEC("tp_btf/tcp_sendmsg_locked")
int BPF_PROG(path_tcp_sendmsg_locked, struct sock *sk)
{
	return send_begins(sk, true);
}

SEC("tp_btf/sock_send_length")
int BPF_PROG(path_sock_send_length, struct sock *sk)
{
	return send_ends(sk);
}

SEC("fentry")
int BPF_PROG(path_sk_stream_wait_memory)
{
	return wait_begins();
}

SEC("fexit")
int BPF_PROG(path_exit_sk_stream_wait_memory, struct sock *sk)
{
	return wait_ends(sk, NETCOST_LATENCY_TCP_MEMORY);
}

SEC("fentry")
int BPF_PROG(path_sock_alloc_send_pskb, struct sock *sk, unsigned long header, unsigned long data,
	     int may_not)
{
	return udp_wait_begins(sk, may_not);
}

SEC("fexit")
int BPF_PROG(path_exit_sock_alloc_send_pskb, struct sock *sk)
{
	return udp_wait_ends(sk);
}

SEC("fentry")
int BPF_PROG(path_tcp_write_xmit, struct sock *sk)
{
	return tcp_sends_on(sk);
}

SEC("fexit")
int BPF_PROG(path_exit_tcp_write_xmit, struct sock *sk)
{
	return tcp_has_sent(sk);
}

/* Follows a packet that a stacked device passes to the device below it. */
SEC("tp_btf/net_dev_queue")
int BPF_PROG(path_net_dev_queue, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	struct netcost_packet *e = entry_of(&p);
	__u64 had = e->in, state = state_of(had, &p), out = state_of(e->out, &p), now;
	struct netcost_path_cpu *c = this_cpu();
	bool forwarded;

	if (!c)
		return 0;
	now = time_now(c);
	forwarded = is_received(state) && skb->skb_iif && is_forwarded(&c->batch, &p, skb);
	if (forwarded && state == NETCOST_IN_RECEIVED) {
		set_proof(&p, skb->head, 0);
		e->in = with_state(had, NETCOST_IN_FORWARDED);
	} else if (state) {
		e->in = 0;
	}
	e->out = word_now(&p, NETCOST_OUT_QUEUED, now);
	tail_sent(skb, &p);
	sample_pass(c, &p, NETCOST_STAGE_QUEUED, skb, out || forwarded);
	sent_to_queue(c, skb, now);
	return 0;
}

/*
 * Counts and follows segments of a large packet, and other packets that are made in the transmit path, from this
 * checkpoint on.
 */
SEC("tp_btf/net_dev_start_xmit")
int BPF_PROG(path_net_dev_start_xmit, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	struct netcost_packet *e = entry_of(&p);
	__u64 had = e->out, out = state_of(had, &p), now;
	struct netcost_path_cpu *c = this_cpu();
	struct whose w;

	if (!c)
		return 0;
	now = time_now(c);
	w = whose_sent(skb);
	tail_send(c, skb, &p, now);
	if (out == NETCOST_OUT_QUEUED)
		count(c, NETCOST_LATENCY_QDISC, &w, had, now);
	else
		lose(c, NETCOST_LATENCY_QDISC, &w, NETCOST_LATENCY_LOSS_UNKNOWN);
	e->out = word_now(&p, w.filtered ? NETCOST_OUT_FILTERED : NETCOST_OUT_SENT, now);
	sample_pass(c, &p, NETCOST_STAGE_DRIVER, skb, out);
	c->driver_number = sample_number(&p);
	if (!measured && !c->driver_number)
		return 0; /* nothing is measured when the driver returns */
	c->driver_packet = (__u64)skb;
	c->driver_ns = now;
	c->driver_filtered = w.filtered;
	return 0;
}

/*
 * Follows a packet whose driver has returned. The packet may have been freed and its memory reused, so its time is not
 * looked up. The packet is followed only while the table entry has the packet's number, which is unique. Before the
 * driver of a stacked device returns, it calls another driver, and this call overwrites the stored packet.
 */
SEC("tp_btf/net_dev_xmit")
int BPF_PROG(path_net_dev_xmit, struct sk_buff *skb, int rc, struct net_device *dev)
{
	struct netcost_path_cpu *c = this_cpu();
	struct place p = place_of(skb);
	struct whose w;

	if (!c || (!measured && !c->driver_number))
		return 0;
	w = whose_device(dev);
	if (only_some() && c->driver_packet == (__u64)skb)
		w.filtered = c->driver_filtered;
	if (c->driver_packet != (__u64)skb)
		lose(c, NETCOST_LATENCY_DRIVER, &w, NETCOST_LATENCY_LOSS_OTHER);
	else if (!rc)
		count(c, NETCOST_LATENCY_DRIVER, &w, c->driver_ns, time_now(c));
	if (!rc && c->driver_packet == (__u64)skb && c->driver_number) {
		__u64 out = entry_of(&p)->out;

		if (c->driver_number == sample_number(&p) && is_sent(state_of(out, &p)))
			sample_returned(c, &p, c->driver_number, out);
	}
	c->driver_packet = c->driver_number = 0;
	return 0;
}

/* ---- the end of a packet ----------------------------------------------------------------- */

/*
 * Returns true if the freed packet is the packet of the table entry. in: the state of the entry's receive path. A
 * packet in a TCP socket is freed without an event, so the freed packet is another one.
 */
static __always_inline bool is_freed(const struct netcost_path_cpu *c, const struct place *p,
				     const struct sk_buff *skb, __u64 in)
{
	if (is_of(entry_of(p)->out, p))
		return true;
	if (!in || in == NETCOST_IN_TCP || in == NETCOST_IN_BLOCKED || in == NETCOST_IN_TCP_CLONED)
		return false;
	if (in == NETCOST_IN_ENTERED || in == NETCOST_IN_AGAIN)
		return skb->dev && has_head(p, skb->head);
	return skb->skb_iif &&
	       (has_head(p, skb->head) || (is_received(in) && is_last(&c->batch, p)));
}

static __always_inline void sample_freed(struct netcost_path_cpu *c, const struct place *p,
					 const struct sk_buff *skb, enum netcost_stage stage,
					 __u32 reason)
{
	if (!sample_number(p))
		return;
	if (is_freed(c, p, skb, state_of(entry_of(p)->in, p)))
		sample_end(c, p, stage, 0, reason);
	else
		sample_leave(p);
}

/*
 * Handles a packet that was consumed. If the packet was in a UDP socket, a reader has consumed it, because packets that
 * leave a UDP socket in any other way fire kfree_skb.
 */
SEC("tp_btf/consume_skb")
int BPF_PROG(path_consume_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	struct netcost_packet *e = entry_of(&p);
	__u64 had = e->out, in = state_of(e->in, &p), out = state_of(had, &p);
	struct netcost_path_cpu *c;
	bool splits_here, udp;
	struct whose w;

	if ((!in && !out) || !(c = this_cpu()))
		return 0;
	splits_here = is_received(in) && is_large(skb);
	udp = !out && (in == NETCOST_IN_UDP || in == NETCOST_IN_DONE);
	if (splits_here)
		__sync_fetch_and_add(&splits, 1);
	sample_freed(c, &p, skb,
		     udp		 ? NETCOST_STAGE_READ :
		     splits_here && !out ? NETCOST_STAGE_SPLIT :
					   NETCOST_STAGE_FREED,
		     0);
	if (in)
		e->in = in == NETCOST_IN_UDP ? with_state(e->in, NETCOST_IN_READ) : 0;
	if (out)
		e->out = 0;
	if (out != NETCOST_OUT_SENT && out != NETCOST_OUT_FILTERED)
		return 0;
	w = whose_device(skb->dev);
	w.filtered = only_some() && out == NETCOST_OUT_FILTERED;
	count(c, NETCOST_LATENCY_COMPLETION, &w, had, time_now(c));
	return 0;
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(path_kfree_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	struct netcost_packet *e = entry_of(&p);
	__u64 in = state_of(e->in, &p);
	struct netcost_path_cpu *c = this_cpu();
	__u32 reason = has_reasons ? (__u32)ctx[2] : 0;

	if (with_drops)
		count_drop(reason);
	if (c)
		sample_freed(c, &p, skb, NETCOST_STAGE_DROPPED, reason);
	/* a reader of a UDP socket drops a packet with a wrong checksum, and takes the next packet */
	if (in)
		e->in = in == NETCOST_IN_UDP ? with_state(e->in, NETCOST_IN_DONE) : 0;
	forget(&e->out, &p);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
