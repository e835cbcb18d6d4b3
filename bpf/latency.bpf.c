// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * How long packets wait (--latency): when each came into the host, or was given to a device, and how old it is at places
 * further on. All by typed tracepoints; which of them are attached says src/record/source/latency.c.
 *
 * A packet's own time, skb->tstamp, would not do: it is off unless someone asks for it, a transmit time may stand
 * there, and it is cleared on the way from one network namespace to another. So the time of entry is kept here.
 *
 * Which entry: the packet's first one. A bridge hands a packet on, and so does a veth pair, where it comes in again: then
 * it keeps its time. That it is the same packet, and not another one in the same memory, is known as the kernel has
 * marked it as received (skb_iif), which no new one is; when it is given to a device, and so before a crossing of network
 * namespaces clears that. What leaves a tunnel begins anew. What GRO has merged is as old as its first packet.
 */
#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "latency.h"
#include "wire.h" /* NETCOST_CALL_CAST */

/* The kernel's, for bpf_rdonly_cast(); 0: that is not to be had. */
const volatile __u32 udp_sock_type, tcp_sock_type;

#ifndef kernel_cast
static void *(*const kernel_cast)(const void *obj, __u32 btf_id) = (void *)NETCOST_CALL_CAST;
#endif

/* max_entries is set to the possible CPUs before loading. Mapped: reading it costs no system call. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_latencies);
} latencies SEC(".maps");

__u64 came[NETCOST_CAME_PLACES]; /* mapped, too */
__u64 left[NETCOST_CAME_PLACES];
__u64 tick;   /* of the recorder */
__u64 origin; /* where `came` is */

static __always_inline struct netcost_latencies *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&latencies, &cpu);
}

/* ---- places ------------------------------------------------------------------------------ */

#define ADDRESS_BITS (NETCOST_CAME_HIGH - NETCOST_CAME_LOW)
#define REST_SHIFT (64 - NETCOST_CAME_REST_BITS)
#define STATE(state) ((__u64)(state) << NETCOST_CAME_NS_BITS)

struct place {
	__u32 at;
	__u64 rest; /* where it is in a word */
};

static __always_inline struct place mix(__u64 address)
{
	__u64 mixed = (address >> NETCOST_CAME_LOW) * 0x9e3779b97f4a7c15ull;

	mixed &= (1ull << ADDRESS_BITS) - 1;
	return (struct place){ .at = mixed >> NETCOST_CAME_REST_BITS, .rest = mixed << REST_SHIFT };
}

/* The verifier lets programs compute with the distance of two pointers, but not with a pointer: any other one will do. */
static __always_inline struct place place_of(const struct sk_buff *skb)
{
	return mix((__u64)skb - (__u64)came);
}

static __always_inline __u64 where_came_is(void)
{
	*(volatile __u64 *)&origin = (__u64)came; /* comes back as a number */
	return *(volatile __u64 *)&origin;
}

/* Of one whose address is a number already; and how it becomes one. */
static __always_inline struct place place_at(__u64 packet)
{
	return mix(packet - where_came_is());
}

static __always_inline __u64 address_of(const struct sk_buff *skb)
{
	return (__u64)skb - (__u64)came + where_came_is();
}

static __always_inline __u64 *word_of(__u64 *table, const struct place *p)
{
	return &table[p->at & (NETCOST_CAME_PLACES - 1)];
}

static __always_inline bool is_of(__u64 word, const struct place *p)
{
	return word >> REST_SHIFT << REST_SHIFT == p->rest && NETCOST_CAME_STATE(word);
}

static __always_inline __u64 word_now(const struct place *p, __u64 state, __u64 now)
{
	return p->rest | STATE(state) | NETCOST_CAME_NS(now);
}

static __always_inline __u64 with_state(__u64 word, __u64 state)
{
	return (word & ~STATE((1 << NETCOST_CAME_STATE_BITS) - 1)) | STATE(state);
}

static __always_inline void forget(__u64 *table, const struct place *p)
{
	__u64 *word = word_of(table, p);

	if (is_of(*word, p))
		*word = 0;
}

/* ---- histograms -------------------------------------------------------------------------- */

static __always_inline void lose(struct netcost_latencies *c, enum netcost_latency hook,
				 enum netcost_latency_loss why)
{
	c->hist[hook].lost[why]++;
}

static __always_inline void note_ends(struct netcost_latency_hist *h, __u64 ns)
{
	__u64 at = *(volatile __u64 *)&tick;

	if (h->half[at & 1].tick != at) {
		h->half[at & 1].min_ns = h->half[at & 1].max_ns = ns;
		h->half[at & 1].tick = at;
	} else if (ns < h->half[at & 1].min_ns) {
		h->half[at & 1].min_ns = ns;
	} else if (ns > h->half[at & 1].max_ns) {
		h->half[at & 1].max_ns = ns;
	}
}

static __always_inline void count(struct netcost_latencies *c, enum netcost_latency hook,
				  __u64 since, __u64 now)
{
	__u64 ns = NETCOST_CAME_NS(now - since);
	struct netcost_latency_hist *h = &c->hist[hook];
	unsigned int bucket;

	if (ns >= NETCOST_CAME_MOST_NS)
		return lose(c, hook, NETCOST_LATENCY_LOSS_OLD);
	bucket = netcost_latency_bucket(ns);
	if (bucket >= NETCOST_LATENCY_BUCKETS)
		return; /* the verifier does not know it */
	h->bucket[bucket]++;
	h->sum_ns += ns;
	note_ends(h, ns);
}

/* ---- the way in -------------------------------------------------------------------------- */

static __always_inline int enter(const struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word, state = NETCOST_CAME_STATE(had);

	forget(left, &p); /* the device was one of this host: nothing is completed */
	if (is_of(had, &p) &&
	    (state == NETCOST_CAME_FORWARDED || (state == NETCOST_CAME_RECEIVED && skb->skb_iif))) {
		*word = with_state(had, NETCOST_CAME_RECEIVED);
		return 0;
	}
	*word = word_now(&p, NETCOST_CAME_ENTERED, bpf_ktime_get_ns());
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

	if (!c)
		return 0;
	c->received = (__u64)skb;
	if (is_of(had, &p) && (NETCOST_CAME_STATE(had) == NETCOST_CAME_RECEIVED ||
			       NETCOST_CAME_STATE(had) == NETCOST_CAME_FORWARDED)) {
		*word = with_state(had, NETCOST_CAME_RECEIVED);
		return 0;
	}
	now = bpf_ktime_get_ns();
	if (is_of(had, &p) && NETCOST_CAME_STATE(had) == NETCOST_CAME_ENTERED) {
		*word = with_state(had, NETCOST_CAME_RECEIVED);
		count(c, NETCOST_LATENCY_RECEIVE, had, now);
		return 0;
	}
	*word = word_now(&p, NETCOST_CAME_RECEIVED, now);
	lose(c, NETCOST_LATENCY_RECEIVE, NETCOST_LATENCY_LOSS_UNKNOWN);
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

/* The first byte that is not there yet: what begins after it has to wait. */
static __always_inline __u32 tcp_next(const struct sock *sk)
{
	const struct tcp_sock *tcp = (const struct tcp_sock *)sk;

	if (tcp_sock_type)
		return ((struct tcp_sock *)kernel_cast(sk, tcp_sock_type))->rcv_nxt;
	return BPF_CORE_READ(tcp, rcv_nxt);
}

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
	bool known = is_of(had, &p) && state == NETCOST_CAME_RECEIVED;

	if (!c)
		return 0;
	if (known)
		count(c, NETCOST_LATENCY_TCP_START, had, bpf_ktime_get_ns());
	else
		lose(c, NETCOST_LATENCY_TCP_START, NETCOST_LATENCY_LOSS_UNKNOWN);
	if (tcp_begin(skb) == tcp_end(skb)) {
		if (is_of(had, &p))
			*word = 0;
		return 0;
	}
	if (known)
		*word = with_state(had, (__s32)(tcp_begin(skb) - tcp_next(sk)) > 0 ?
						NETCOST_CAME_BLOCKED :
						NETCOST_CAME_TCP);
	c->tcp_sk = 0; /* a softirq may come in between */
	barrier();
	c->tcp_word = known ? had : 0;
	c->tcp_packet = (__u64)skb;
	c->tcp_end = tcp_end(skb);
	barrier();
	c->tcp_sk = (__u64)sk;
	return 0;
}

/*
 * In the same call, most of the time: otherwise the packet was one that is not told of. If the last one in the queue is
 * another one, and ends where this one did, it has taken this one in.
 */
static __always_inline void tcp_ready(struct netcost_latencies *c, const struct sock *sk)
{
	const struct sk_buff *last = sk->sk_receive_queue.prev;
	__u64 had = c->tcp_word;

	if (c->tcp_sk != (__u64)sk)
		return;
	c->tcp_sk = 0;
	if ((__u64)last != c->tcp_packet && (__u64)last != (__u64)&sk->sk_receive_queue &&
	    tcp_end(last) == (__u32)c->tcp_end)
		lose(c, NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_LOSS_MERGED);
	if (had)
		count(c, NETCOST_LATENCY_TCP_ENQUEUED, had, bpf_ktime_get_ns());
	else
		lose(c, NETCOST_LATENCY_TCP_ENQUEUED, NETCOST_LATENCY_LOSS_UNKNOWN);
}

static __always_inline bool is_inet(const struct sock *sk)
{
	unsigned short family = sk->__sk_common.skc_family;

	return family == AF_INET || family == AF_INET6;
}

/* Other sockets' packets come here, too. A second read of the same packet is not counted. */
SEC("tp_btf/skb_copy_datagram_iovec")
int BPF_PROG(latency_skb_copy_datagram_iovec, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word, state = NETCOST_CAME_STATE(had);
	struct netcost_latencies *c;
	struct sock *sk = skb->sk;

	if (!sk || sk->sk_protocol != IPPROTO_TCP || !is_inet(sk) || !(c = this_cpu()))
		return 0;
	if (!is_of(had, &p)) {
		lose(c, NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_LOSS_UNKNOWN);
	} else if (state == NETCOST_CAME_TCP || state == NETCOST_CAME_RECEIVED) {
		count(c, NETCOST_LATENCY_TCP_READ, had, bpf_ktime_get_ns());
		*word = with_state(had, NETCOST_CAME_DONE);
	} else if (state == NETCOST_CAME_BLOCKED) {
		count(c, NETCOST_LATENCY_TCP_READ_BLOCKED, had, bpf_ktime_get_ns());
		*word = with_state(had, NETCOST_CAME_DONE);
	}
	return 0;
}

/* ---- UDP --------------------------------------------------------------------------------- */

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct netcost_udp_next);
} udp_next SEC(".maps");

/* A load, or a call where the verifier cannot get the type. */
static __always_inline __u64 reader_first(const struct sock *sk)
{
	const struct udp_sock *udp = (const struct udp_sock *)sk;

	if (udp_sock_type)
		return address_of(
			((struct udp_sock *)kernel_cast(sk, udp_sock_type))->reader_queue.next);
	return (__u64)BPF_CORE_READ(udp, reader_queue.next);
}

/* A queue that is empty points to itself. Readers move all of the one to the other one, when that is empty. 0: both are. */
static __always_inline __u64 udp_first(const struct sock *sk)
{
	__u64 first = reader_first(sk);

	if (first && first != (__u64) & ((const struct udp_sock *)sk)->reader_queue)
		return first;
	first = address_of(sk->sk_receive_queue.next);
	return first == (__u64)&sk->sk_receive_queue ? 0 : first;
}

static __always_inline __u64 udp_word(__u64 packet)
{
	struct place p = place_at(packet);
	__u64 word = packet ? *word_of(came, &p) : 0;

	return is_of(word, &p) ? word : 0;
}

/* What is said to be next is so, as it is looked at again. */
static __always_inline void udp_set_next(struct netcost_udp_next *n, struct sock *sk)
{
	for (int i = 0; i < 2; i++) {
		__u64 first = udp_first(sk);

		n->packet = 0;
		barrier();
		n->word = udp_word(first);
		barrier();
		n->packet = first;
		if (udp_first(sk) == first)
			return;
	}
	n->packet = 0;
}

/* As lose() and count(), of what two programs count, of which one may interrupt the other one. */
static __always_inline void lose_read(struct netcost_latencies *c, enum netcost_latency_loss why)
{
	__sync_fetch_and_add(&c->hist[NETCOST_LATENCY_UDP_READ].lost[why], 1);
}

/* The packets in a socket's queue that were not told yet are the last ones. Says where the time of one of them is. */
#define UDP_BEFORE 8
static __always_inline bool udp_last(const struct sock *sk, struct place *p)
{
	const struct sk_buff *skb = sk->sk_receive_queue.prev;

	for (int i = 0; i < UDP_BEFORE; i++) {
		__u64 word;

		*p = place_of(skb);
		word = *word_of(came, p);
		if (!is_of(word, p))
			return false;
		if (NETCOST_CAME_STATE(word) == NETCOST_CAME_RECEIVED)
			return true;
		if (NETCOST_CAME_STATE(word) != NETCOST_CAME_UDP)
			return false;
		skb = skb->prev;
	}
	return false;
}

/*
 * A reader that does not wait may have taken it before it was told. Of a list of packets the last one that was received is
 * not the one: but as long as UDP has not had it, its device is there, at an address of the kernel.
 */
static __always_inline __u64 udp_taken(const struct netcost_latencies *c)
{
	__u64 packet = c->received;
	__s64 device = packet ? (__s64)BPF_CORE_READ((struct sk_buff *)packet, dev) : -1;

	return device >= 0 ? packet : 0;
}

static __always_inline void udp_read(struct netcost_latencies *c, __u64 word, __u64 now)
{
	__u64 ns = NETCOST_CAME_NS(now - word);
	struct netcost_latency_hist *h = &c->hist[NETCOST_LATENCY_UDP_READ];
	unsigned int bucket = netcost_latency_bucket(ns);

	if (ns >= NETCOST_CAME_MOST_NS)
		return lose_read(c, NETCOST_LATENCY_LOSS_OLD);
	if (bucket >= NETCOST_LATENCY_BUCKETS)
		return;
	__sync_fetch_and_add(&h->bucket[bucket], 1);
	__sync_fetch_and_add(&h->sum_ns, ns);
	note_ends(h, ns);
}

/* It is not in the queue any more: its reader has been here, or will be. */
static __always_inline void udp_was_read(struct netcost_latencies *c, struct netcost_udp_next *n,
					 __u64 packet, __u64 word)
{
	__u64 read_ns = __sync_lock_test_and_set(&n->read_ns, 0);

	if (read_ns) {
		udp_read(c, word, read_ns);
	} else if (!n->packet) {
		n->word = word;
		barrier();
		n->packet = packet;
	}
}

/* It is in the queue: which one a read took that is not known will not be known. */
static __always_inline void udp_is_there(struct netcost_latencies *c, struct netcost_udp_next *n,
					 struct sock *sk)
{
	if (n->read_ns && __sync_lock_test_and_set(&n->read_ns, 0))
		lose_read(c, NETCOST_LATENCY_LOSS_OTHER);
	if (!n->packet)
		udp_set_next(n, sk);
}

static __always_inline void udp_ready(struct netcost_latencies *c, struct sock *sk)
{
	struct netcost_udp_next *n =
		bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 taken = 0, word;
	struct place p;
	bool queued = udp_last(sk, &p);

	if (!queued) {
		taken = udp_taken(c);
		p = place_at(taken);
	}
	word = *word_of(came, &p);
	if ((!queued && !taken) || !is_of(word, &p) ||
	    NETCOST_CAME_STATE(word) != NETCOST_CAME_RECEIVED) {
		lose(c, NETCOST_LATENCY_UDP_ENQUEUED, NETCOST_LATENCY_LOSS_UNKNOWN);
		taken = 0;
	} else {
		*word_of(came, &p) = with_state(word, NETCOST_CAME_UDP);
		count(c, NETCOST_LATENCY_UDP_ENQUEUED, word, bpf_ktime_get_ns());
	}
	if (n && taken)
		udp_was_read(c, n, taken, word);
	else if (n)
		udp_is_there(c, n, sk);
}

SEC("tp_btf/sk_data_ready")
int BPF_PROG(latency_sk_data_ready, struct sock *sk)
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

/*
 * No event says which packet a read of a UDP socket has taken. But they are taken in order, and which one is next was seen
 * before: if it is the first one no more, it was that. Where several read from one socket at the same time, it may not be
 * known.
 */
SEC("tp_btf/sock_recv_length")
int BPF_PROG(latency_sock_recv_length, struct sock *sk, int ret, int flags)
{
	struct netcost_latencies *c = this_cpu();
	struct netcost_udp_next *n;
	__u64 packet, word;

	if (!c || !sk || sk->sk_protocol != IPPROTO_UDP || !is_inet(sk) ||
	    flags & (MSG_PEEK | MSG_ERRQUEUE))
		return 0;
	n = bpf_sk_storage_get(&udp_next, sk, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!n)
		return 0;
	packet = n->packet;
	word = n->word;
	if (ret >= 0 && !packet) {
		if (__sync_lock_test_and_set(&n->read_ns, bpf_ktime_get_ns()))
			lose_read(c, NETCOST_LATENCY_LOSS_OTHER);
	} else if (ret >= 0) {
		struct place p = place_at(packet);

		if (udp_first(sk) == packet)
			lose_read(c, NETCOST_LATENCY_LOSS_OTHER);
		else if (!is_of(word, &p))
			lose_read(c, NETCOST_LATENCY_LOSS_UNKNOWN);
		else
			udp_read(c, word, bpf_ktime_get_ns());
	}
	udp_set_next(n, sk);
	return 0;
}

/* ---- the way out ------------------------------------------------------------------------- */

SEC("tp_btf/net_dev_queue")
int BPF_PROG(latency_net_dev_queue, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(came, &p), had = *word;

	if (is_of(had, &p)) {
		bool same = skb->skb_iif && NETCOST_CAME_STATE(had) == NETCOST_CAME_RECEIVED;

		*word = same ? with_state(had, NETCOST_CAME_FORWARDED) : 0;
	}
	*word_of(left, &p) = word_now(&p, NETCOST_LEFT_QUEUED, bpf_ktime_get_ns());
	return 0;
}

/* What is made anew on the way, as segments of a large packet are, is counted from here on. */
SEC("tp_btf/net_dev_start_xmit")
int BPF_PROG(latency_net_dev_start_xmit, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(left, &p), had = *word, now = bpf_ktime_get_ns();
	struct netcost_latencies *c = this_cpu();

	if (!c)
		return 0;
	if (is_of(had, &p) && NETCOST_CAME_STATE(had) == NETCOST_LEFT_QUEUED)
		count(c, NETCOST_LATENCY_QDISC, had, now);
	else
		lose(c, NETCOST_LATENCY_QDISC, NETCOST_LATENCY_LOSS_UNKNOWN);
	*word = word_now(&p, NETCOST_LEFT_SENT, now);
	c->driver_packet = (__u64)skb;
	c->driver_ns = now;
	return 0;
}

/* The packet may be freed, and its memory another one's: so its time is not looked for. A device on another one calls its driver. */
SEC("tp_btf/net_dev_xmit")
int BPF_PROG(latency_net_dev_xmit, struct sk_buff *skb, int rc)
{
	struct netcost_latencies *c = this_cpu();

	if (!c)
		return 0;
	if (c->driver_packet != (__u64)skb)
		lose(c, NETCOST_LATENCY_DRIVER, NETCOST_LATENCY_LOSS_OTHER);
	else if (!rc)
		count(c, NETCOST_LATENCY_DRIVER, c->driver_ns, bpf_ktime_get_ns());
	c->driver_packet = 0;
	return 0;
}

SEC("tp_btf/consume_skb")
int BPF_PROG(latency_consume_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);
	__u64 *word = word_of(left, &p), had = *word;
	struct netcost_latencies *c;

	forget(came, &p);
	if (!is_of(had, &p))
		return 0;
	*word = 0;
	if (NETCOST_CAME_STATE(had) == NETCOST_LEFT_SENT && (c = this_cpu()))
		count(c, NETCOST_LATENCY_COMPLETION, had, bpf_ktime_get_ns());
	return 0;
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(latency_kfree_skb, struct sk_buff *skb)
{
	struct place p = place_of(skb);

	forget(came, &p);
	forget(left, &p);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
