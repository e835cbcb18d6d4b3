// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A packet's way through the host (--stages): what happened to it, when and where, of one packet in so many. By typed
 * tracepoints, and by functions where the kernel lets programs attach to them: src/record/source/stages.c says which.
 *
 * Which packet it is says the address of its sk_buff, as in latency.bpf.c, and the state in which it must be: when another
 * one in the same memory begins, it gets another number. What is sent is freed with an event. Of what is received, GRO,
 * TCP and readers of UDP sockets may free packets unseen: in those states a packet must prove that it is the same one, by
 * what places.h keeps of it.
 *
 * Whether a packet is one of the sample is decided once, where it is first: a pair of virtual interfaces, a bridge, the
 * loopback and tunnels hand it on.
 */
#include "stages_ways.h"
#include "stages_inside.h"
#include "stages_udp.h"

/* ---- the way in -------------------------------------------------------------------------- */

static __always_inline int enter(const struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;
	struct netcost_stages_cpu *c = this_cpu();

	if (!c)
		return 0;
	if (is_of(had, &p) && (is_sent(had) || (NETCOST_CAME_STATE(had) == NETCOST_WAY_RECEIVED &&
						enters_again(&c->batch, &p, skb))))
		step(c, word, had, NETCOST_WAY_ENTERED, NETCOST_STAGE_ENTRY, skb);
	else
		begin(c, &p, word, NETCOST_WAY_ENTERED, NETCOST_STAGE_ENTRY, skb);
	if (is_of(*word, &p))
		set_fact(&p, skb->head, where_now(&c->batch));
	return 0;
}

#define ENTRY(tracepoint)                                                                          \
	SEC("tp_btf/" #tracepoint) int BPF_PROG(stages_##tracepoint, struct sk_buff *skb)          \
	{                                                                                          \
		return enter(skb);                                                                 \
	}
ENTRY(netif_rx_entry)
ENTRY(netif_receive_skb_entry)
ENTRY(netif_receive_skb_list_entry)
ENTRY(napi_gro_receive_entry)
ENTRY(napi_gro_frags_entry)

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(stages_netif_receive_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;
	struct netcost_stages_cpu *c = this_cpu();
	bool same;

	if (!c)
		return 0;
	c->received = address_of(skb);
	same = is_of(had, &p) && has_head(&p, skb->head);
	next_received(&c->batch, &p, same);
	if ((is_of(had, &p) && is_sent(had)) ||
	    (same && NETCOST_CAME_STATE(had) == NETCOST_WAY_ENTERED))
		step(c, word, had, NETCOST_WAY_RECEIVED, NETCOST_STAGE_RECEIVE, skb);
	else if (!same || NETCOST_CAME_STATE(had) != NETCOST_WAY_RECEIVED || !skb->skb_iif)
		begin(c, &p, word, NETCOST_WAY_RECEIVED, NETCOST_STAGE_RECEIVE, skb);
	if (is_of(*word, &p))
		set_received(&c->batch, &p, skb);
	return 0;
}

/* ---- TCP --------------------------------------------------------------------------------- */

/* struct tcp_skb_cb begins with the sequence numbers of a packet's beginning and end. */
static __always_inline __u32 tcp_begin(const struct sk_buff *skb)
{
	return ((const __u32 *)skb->cb)[0];
}

static __always_inline __u32 tcp_end(const struct sk_buff *skb)
{
	return ((const __u32 *)skb->cb)[1];
}

SEC("tp_btf/tcp_probe")
int BPF_PROG(stages_tcp_probe, struct sock *sk, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;
	struct netcost_stages_cpu *c = this_cpu();
	bool known;

	if (!c)
		return 0;
	c->tcp_sk = 0; /* a softirq may come in between */
	known = is_of(had, &p) && NETCOST_CAME_STATE(had) == NETCOST_WAY_RECEIVED &&
		was_received(&c->batch, &p, skb->head);
	if (!known)
		return 0;
	if (tcp_begin(skb) == tcp_end(skb)) {
		end(c, word, had, NETCOST_STAGE_NO_DATA, 0, 0);
		return 0;
	}
	set_fact(&p, skb->head, tcp_where(sk, tcp_begin(skb)));
	had = step(c, word, had, NETCOST_WAY_TCP, NETCOST_STAGE_TCP, NULL);
	barrier();
	c->tcp_word = had;
	c->tcp_packet = address_of(skb);
	c->tcp_end = tcp_end(skb);
	barrier();
	c->tcp_sk = had ? (__u64)sk : 0;
	return 0;
}

/* In the same call, most of the time; as in latency.bpf.c. A merged one is freed unseen. */
static __always_inline void tcp_ready(struct netcost_stages_cpu *c, const struct sock *sk)
{
	const struct sk_buff *last = sk->sk_receive_queue.prev;
	struct place p = place_at(c->tcp_packet);
	__u64 *word = word_of(came, &p), had = c->tcp_word, at = address_of(last);

	if (c->tcp_sk != (__u64)sk)
		return;
	c->tcp_sk = 0;
	if (at != c->tcp_packet && at != (__u64)&sk->sk_receive_queue &&
	    tcp_end(last) == (__u32)c->tcp_end)
		end(c, word, had, NETCOST_STAGE_MERGED, 0, 0);
	else if (had == *word)
		step(c, word, had, NETCOST_WAY_TCP, NETCOST_STAGE_SOCKET, NULL);
}

static __always_inline bool is_inet(const struct sock *sk)
{
	unsigned short family = sk->__sk_common.skc_family;

	return family == AF_INET || family == AF_INET6;
}

/* A TCP packet is read: see the same hook in latency.bpf.c. */
SEC("tp_btf/tcp_rcv_space_adjust")
int BPF_PROG(stages_tcp_rcv_space_adjust, struct sock *sk)
{
	const struct sk_buff *skb = sk->sk_receive_queue.next;
	const struct tcp_sock *tcp = (const struct tcp_sock *)sk;
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word, state = NETCOST_CAME_STATE(had);
	struct netcost_stages_cpu *c;

	if (!is_of(had, &p) || !NUMBER(had) || sk->sk_protocol != IPPROTO_TCP || !is_inet(sk))
		return 0;
	if ((__s32)(BPF_CORE_READ(tcp, copied_seq) - tcp_begin(skb)) <= 0 || !(c = this_cpu()))
		return 0;
	if (state == NETCOST_WAY_TCP ? fact_of(&p)->where == tcp_where(sk, tcp_begin(skb)) :
				       state == NETCOST_WAY_RECEIVED && has_head(&p, skb->head))
		end(c, word, had, NETCOST_STAGE_READ, 0, 0);
	return 0;
}

/* ---- sockets ----------------------------------------------------------------------------- */

static __always_inline int ready(struct sock *sk)
{
	struct netcost_stages_cpu *c = this_cpu();

	if (!c || !sk || !is_inet(sk))
		return 0;
	if (sk->sk_protocol == IPPROTO_TCP)
		tcp_ready(c, sk);
	else if (sk->sk_protocol == IPPROTO_UDP)
		udp_ready(c, sk);
	return 0;
}

SEC("tp_btf/sk_data_ready")
int BPF_PROG(stages_sk_data_ready, struct sock *sk)
{
	return ready(sk);
}

/* Where that tracepoint is not (before 6.3). */
SEC("fentry")
int BPF_PROG(stages_sock_def_readable, struct sock *sk)
{
	return ready(sk);
}

static __always_inline int reads(struct sock *sk, int ret, int flags)
{
	struct netcost_stages_cpu *c = this_cpu();

	if (c && sk && sk->sk_protocol == IPPROTO_UDP && is_inet(sk) &&
	    !(flags & (MSG_PEEK | MSG_ERRQUEUE)))
		udp_reads(c, sk, ret);
	return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(stages_sock_recv_length, struct sock *sk, int ret, int flags)
{
	return reads(sk, ret, flags);
}

/* As well: their arguments are these since 5.19. */
#define RECVMSG(function)                                                                          \
	SEC("fexit")                                                                               \
	int BPF_PROG(stages_##function, struct sock *sk, void *msg, __u64 len, int flags,          \
		     int *addr_len, int ret)                                                       \
	{                                                                                          \
		return reads(sk, ret, flags);                                                      \
	}
RECVMSG(udp_recvmsg)
RECVMSG(udpv6_recvmsg)

/* ---- the way out ------------------------------------------------------------------------- */

/* A device on another one hands it on. */
SEC("tp_btf/net_dev_queue")
int BPF_PROG(stages_net_dev_queue, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;
	struct netcost_stages_cpu *c = this_cpu();

	if (!c)
		return 0;
	if (is_of(had, &p) && (is_sent(had) || NETCOST_CAME_STATE(had) == NETCOST_WAY_QUEUED ||
			       (NETCOST_CAME_STATE(had) == NETCOST_WAY_RECEIVED && skb->skb_iif &&
				is_forwarded(&c->batch, &p, skb))))
		step(c, word, had, NETCOST_WAY_QUEUED, NETCOST_STAGE_QUEUED, skb);
	else
		begin(c, &p, word, NETCOST_WAY_QUEUED, NETCOST_STAGE_QUEUED, skb);
	return 0;
}

/* What is made anew on the way, as segments of a large packet are, begins here. */
SEC("tp_btf/net_dev_start_xmit")
int BPF_PROG(stages_net_dev_start_xmit, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;
	struct netcost_stages_cpu *c = this_cpu();

	if (!c)
		return 0;
	if (is_of(had, &p) && (is_sent(had) || NETCOST_CAME_STATE(had) == NETCOST_WAY_QUEUED))
		had = step(c, word, had, NETCOST_WAY_DRIVER, NETCOST_STAGE_DRIVER, skb);
	else
		had = begin(c, &p, word, NETCOST_WAY_DRIVER, NETCOST_STAGE_DRIVER, skb);
	c->driver_word = had;
	c->driver_packet = had ? address_of(skb) : 0;
	return 0;
}

/* The packet may be freed, and its memory another one's: only its address is looked at. */
SEC("tp_btf/net_dev_xmit")
int BPF_PROG(stages_net_dev_xmit, struct sk_buff *skb, int rc)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;
	struct netcost_stages_cpu *c = this_cpu();

	if (!c)
		return 0;
	if (!rc && had && had == c->driver_word && is_of(had, &p) &&
	    NETCOST_CAME_STATE(had) == NETCOST_WAY_DRIVER)
		step(c, word, had, NETCOST_WAY_RETURNED, NETCOST_STAGE_RETURNED, NULL);
	c->driver_word = 0;
	return 0;
}

/* ---- the end ----------------------------------------------------------------------------- */

/* Is the packet in that state the one that is freed? */
static __always_inline bool is_freed(const struct netcost_stages_cpu *c, const struct place *p,
				     const struct sk_buff *skb, __u64 word)
{
	__u64 state = NETCOST_CAME_STATE(word);

	if (is_sent(word) || state == NETCOST_WAY_QUEUED)
		return true;
	if (state == NETCOST_WAY_ENTERED)
		return skb->dev && has_head(p, skb->head);
	return skb->skb_iif &&
	       (has_head(p, skb->head) || (state == NETCOST_WAY_RECEIVED && is_last(&c->batch, p)));
}

static __always_inline void freed(const struct sk_buff *skb, enum netcost_stage stage, __u32 reason)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;
	struct netcost_stages_cpu *c;

	if (!is_of(had, &p) || NETCOST_CAME_STATE(had) == NETCOST_WAY_TCP || !(c = this_cpu()))
		return;
	if (!is_freed(c, &p, skb, had)) {
		change(word, had, 0);
		return;
	}
	if (stage == NETCOST_STAGE_FREED && NETCOST_CAME_STATE(had) == NETCOST_WAY_RECEIVED &&
	    is_large(skb)) {
		__sync_fetch_and_add(&splits, 1);
		stage = NETCOST_STAGE_SPLIT;
	}
	end(c, word, had, stage, 0, reason);
}

/* From a UDP socket a reader has taken it: whatever else happens to those in it is kfree_skb. */
SEC("tp_btf/consume_skb")
int BPF_PROG(stages_consume_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 had = *word_of(came, &p);
	bool udp = is_of(had, &p) && NETCOST_CAME_STATE(had) == NETCOST_WAY_UDP;

	freed(skb, udp ? NETCOST_STAGE_READ : NETCOST_STAGE_FREED, 0);
	return 0;
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(stages_kfree_skb, struct sk_buff *skb)
{
	freed(skb, NETCOST_STAGE_DROPPED, has_reasons ? (__u32)ctx[2] : 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
