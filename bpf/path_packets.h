/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path_packets.h: the table of packets by the address of their sk_buff, and the proof that a packet is the packet of
 * the entry.
 */
#ifndef NETCOST_PATH_PACKETS_H
#define NETCOST_PATH_PACKETS_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "path.h"
#include "tunnels.h"

#ifndef CONFIG /* the unit tests define CONFIG themselves and change these values at run time */
#define CONFIG const volatile
#endif

/* Constants that select what the programs count. The verifier removes the code for everything else. */
CONFIG __u32
	/* checkpoints at which packets are counted: one bit for each enum netcost_latency */
	measured;
CONFIG bool with_tail;	 /* the programs save what CPUs did while the slowest packets waited */
CONFIG bool with_sample; /* the programs follow a sample of packets */
CONFIG bool with_drops;	 /* the programs count dropped packets by drop reason */
CONFIG bool has_reasons; /* kfree_skb has the drop reason as an argument (Linux 5.17) */
/* number of low bits of a packet's number that hold the CPU on which the packet began */
CONFIG __u32 cpu_bits;
CONFIG __u32 sk_buff_type, udp_sock_type,
	tcp_sock_type; /* BTF ids of types for bpf_rdonly_cast(); 0: the kernel lacks the type */

#ifndef kernel_cast
static void *(*const kernel_cast)(const void *obj, __u32 btf_id) = (void *)NETCOST_CALL_CAST;
#endif

#define LINE __attribute__((aligned(64)))	    /* aligns to a cache line */
struct netcost_packet packets[NETCOST_PLACES] LINE; /* the recorder maps this array */
struct netcost_source sources[NETCOST_PLACES] LINE; /* the recorder maps this array */
__u64 origin;					    /* address of `packets` */
/* number of large packets that were split for sockets */
__u64 splits;
/* set while some programs are detached; then only drops are counted. The recorder maps this variable. */
bool paused;
/*
 * time at which the programs were attached, ns; the programs have not seen anything earlier. The recorder maps this
 * variable.
 */
__u64 attached_ns;

/*
 * The recorder sets max_entries to the number of possible CPUs before loading. The recorder maps this map into its
 * memory, so that reading it costs no system call.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_path_cpu);
} path_cpus SEC(".maps");

/* Returns the state of this CPU, or NULL while counting is paused. Each program calls this exactly once. */
static __always_inline struct netcost_path_cpu *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct netcost_path_cpu *c = bpf_map_lookup_elem(&path_cpus, &cpu);

	if (*(volatile bool *)&paused)
		return 0;
	if (c)
		/* the run of a program that interrupts this addition may be missing from the count */
		c->runs++;
	return c;
}

/*
 * Returns the time of an event; each program reads the clock once. If no time is needed, returns a number that is new
 * on this CPU. So the packet's word differs from the word of an earlier packet at the same address.
 */
static __always_inline __u64 time_now(const struct netcost_path_cpu *c)
{
	if (measured)
		return bpf_ktime_get_ns();
	return c->packets << cpu_bits | bpf_get_smp_processor_id();
}

/* ---- places ------------------------------------------------------------------------------ */

#define ADDRESS_BITS (NETCOST_PLACE_HIGH - NETCOST_PLACE_LOW)
#define REST_SHIFT (64 - NETCOST_REST_BITS)
#define STATE(state) ((__u64)(state) << NETCOST_WORD_NS_BITS)

struct place {
	__u32 at;
	__u64 rest; /* rest of the address, already shifted to its position in a word */
};

static __always_inline struct place mix(__u64 address)
{
	__u64 mixed = (address >> NETCOST_PLACE_LOW) * 0x9e3779b97f4a7c15ull;

	mixed &= (1ull << ADDRESS_BITS) - 1;
	return (struct place){ .at = mixed >> NETCOST_REST_BITS, .rest = mixed << REST_SHIFT };
}

/*
 * Converts a pointer to a number. The result is used only for comparisons, because the verifier allows the difference
 * of two pointers, but no arithmetic on one pointer.
 */
static __always_inline __u64 number_of(const void *pointer)
{
	return (__u64)pointer - (__u64)packets;
}

static __always_inline struct place place_of(const void *object)
{
	return mix(number_of(object));
}

/* Returns the address of the packets' table, which is written once and read by all CPUs. */
static __always_inline __u64 where_packets_are(void)
{
	if (!*(volatile __u64 *)&origin)
		/* the pointer is stored here and read back as a number */
		*(volatile __u64 *)&origin = (__u64)packets;
	return *(volatile __u64 *)&origin;
}

/* Returns the place of a packet whose address is a number. place_of() does the same for a pointer. */
static __always_inline struct place place_at(__u64 packet)
{
	return mix(packet - where_packets_are());
}

static __always_inline __u64 address_of(const void *object)
{
	return number_of(object) + where_packets_are();
}

static __always_inline struct netcost_packet *entry_of(const struct place *p)
{
	return &packets[p->at & (NETCOST_PLACES - 1)];
}

static __always_inline struct netcost_source *source_of(const struct place *p)
{
	return &sources[p->at & (NETCOST_PLACES - 1)];
}

/*
 * Returns the state of a word. If the word belongs to another packet, the result matches no state. The result must only
 * be compared with states other than 0.
 */
static __always_inline __u64 raw_state(__u64 word, const struct place *p)
{
	return (word ^ p->rest) >> NETCOST_WORD_NS_BITS;
}

/*
 * Returns the state of a word, or 0 if the word is free or belongs to another packet. The rest of the address is stored
 * above the state. The code has no branch, because a branch would double the number of paths that the verifier follows.
 */
static __always_inline __u64 state_of(__u64 word, const struct place *p)
{
	__u64 state = raw_state(word, p);
	__u64 same = (__u64)((__s64)(state - (1 << NETCOST_STATE_BITS)) >> 63);

	barrier_var(same); /* prevents the compiler from generating a branch */
	return state & same;
}

static __always_inline bool is_of(__u64 word, const struct place *p)
{
	return state_of(word, p);
}

static __always_inline __u64 word_now(const struct place *p, __u64 state, __u64 now)
{
	return p->rest | STATE(state) | NETCOST_WORD_NS(now);
}

static __always_inline __u64 with_state(__u64 word, __u64 state)
{
	return (word & ~STATE((1 << NETCOST_STATE_BITS) - 1)) | STATE(state);
}

static __always_inline void forget(__u64 *word, const struct place *p)
{
	if (is_of(*word, p))
		*word = 0;
}

static __always_inline bool is_sent(__u64 out_state)
{
	return out_state == NETCOST_OUT_SENT || out_state == NETCOST_OUT_FILTERED ||
	       out_state == NETCOST_OUT_CLONED;
}

/* Returns true if the receive core has got the packet and no protocol has got it yet. */
static __always_inline bool is_received(__u64 in_state)
{
	return in_state == NETCOST_IN_RECEIVED || in_state == NETCOST_IN_CLONED;
}

/* ---- proofs that a packet is the same ------------------------------------------------------ */

/*
 * Returns NETCOST_WHERE() of the packet that this CPU received last. Many sk_buffs are freed without an event, so a
 * word may belong to an earlier packet with the same address. Every packet from a driver passes a checkpoint that
 * resets its entry. All other packets are clones or segments, which the stack makes from a packet that it is
 * delivering. A clone shares skb->head with that packet. A packet that is split into segments is freed with an event
 * before any of the segments reaches a checkpoint.
 */
static __always_inline __u64 where_now(const struct netcost_batch *b)
{
	return NETCOST_WHERE(b->order, (__u64)bpf_get_smp_processor_id());
}

static __always_inline bool is_this_cpu(__u64 where)
{
	return (__u16)where == (__u16)bpf_get_smp_processor_id();
}

static __always_inline void set_proof(const struct place *p, const void *head, __u64 where)
{
	struct netcost_packet *e = entry_of(p);

	e->head = NETCOST_HEAD(head, 0);
	e->where = where;
}

/*
 * Numbers a packet that the receive core got. entered: set if the table still has the entry that was made when the
 * packet entered the host. Packets that this CPU received before that entry was made may have been freed, so another
 * packet may have their head. Packets received since then were in memory together with this packet, so the heads of all
 * these packets differ.
 */
static __always_inline void next_received(struct netcost_batch *b, const struct place *p,
					  bool entered)
{
	__u64 where = entry_of(p)->where, gone = b->order;

	if (entered && is_this_cpu(where))
		gone = where >> NETCOST_WHERE_CPU_BITS;
	if (b->first <= gone)
		b->first = gone + 1;
	b->order++;
}

static __always_inline __u64 splits_now(void)
{
	return *(volatile __u64 *)&splits;
}

static __always_inline void set_received(const struct netcost_batch *b, const struct place *p,
					 const struct sk_buff *skb)
{
	struct netcost_packet *e = entry_of(p);

	e->head = NETCOST_HEAD(skb->head, splits_now());
	e->where = where_now(b);
}

static __always_inline bool has_head(const struct place *p, const void *head)
{
	return !((entry_of(p)->head ^ NETCOST_HEAD(head, 0)) >> 16);
}

static __always_inline const struct skb_shared_info *shared_of(const struct sk_buff *skb)
{
	return (const void *)((__u64)skb->head + skb->end);
}

static __always_inline bool has_clones(const struct sk_buff *skb)
{
	return BPF_CORE_READ_BITFIELD(skb, cloned) &&
	       (__u16)BPF_CORE_READ(shared_of(skb), dataref.counter) != 1;
}

/* Returns true if the packet will be split when it is sent, or at a socket. */
static __always_inline bool is_large(const struct sk_buff *skb)
{
	return BPF_CORE_READ(shared_of(skb), gso_size);
}

/*
 * Returns true if a received packet that was held for a while is still the same packet. This is the case if its head is
 * unchanged and it has no clones.
 */
static __always_inline bool is_kept(const struct place *p, const struct sk_buff *skb)
{
	return has_head(p, skb->head) && !has_clones(skb);
}

/*
 * Returns true if a received packet is the last packet that this CPU received. The packet's head may have changed since
 * the receive.
 */
static __always_inline bool is_last(const struct netcost_batch *b, const struct place *p)
{
	return entry_of(p)->where == where_now(b);
}

/* Returns true if a received packet is being delivered on this CPU. */
static __always_inline bool is_delivered(const struct netcost_batch *b, const struct place *p,
					 const void *head)
{
	__u64 where = entry_of(p)->where;

	return where == where_now(b) ||
	       (is_this_cpu(where) && has_head(p, head) && where >= NETCOST_WHERE(b->first, 0ull));
}

/*
 * Returns true if the packet was received. There are two cases: the packet is the last packet that this CPU received,
 * or the packet's head is the head in the entry. In the second case, any CPU may have received the packet. An equal
 * head is sufficient at checkpoints that clones and segments never reach.
 */
static __always_inline bool was_received(const struct netcost_batch *b, const struct place *p,
					 const void *head)
{
	return is_last(b, p) || has_head(p, head);
}

/*
 * Returns true if the device is a tunnel's end. The function takes the device's address as a number and is not inlined,
 * so that the verifier follows its comparisons once and not on each path.
 */
__noinline int path_tunnel(__u64 device)
{
	return is_tunnel((const struct net_device *)device);
}

/*
 * Returns true if a received packet enters again, because a bridge or the end of a tunnel hands it on. A tunnel's
 * packet that has no clones may have waited for a softirq.
 */
static __always_inline bool enters_again(const struct netcost_batch *b, const struct place *p,
					 const struct sk_buff *skb)
{
	if (is_delivered(b, p, skb->head))
		return skb->skb_iif || path_tunnel(address_of(skb->dev));
	return is_kept(p, skb) && path_tunnel(address_of(skb->dev));
}

/*
 * Returns true if a received packet is being forwarded. The packet may have been held until the neighbour's address was
 * resolved, or by a program.
 */
static __always_inline bool is_forwarded(const struct netcost_batch *b, const struct place *p,
					 const struct sk_buff *skb)
{
	return is_delivered(b, p, skb->head) || is_kept(p, skb);
}

/*
 * Returns true if a received packet is the packet in a UDP socket's queue. Since Linux 6.18, a CPU that enqueues its
 * own packet may also enqueue packets of other CPUs. If any packet has been split since the received packet arrived, a
 * packet in the queue that is not a clone may be a segment.
 */
static __always_inline bool in_udp_queue(const struct netcost_batch *b, const struct place *p,
					 const struct sk_buff *skb)
{
	const struct netcost_packet *e = entry_of(p);

	if (e->where == where_now(b))
		return true;
	if (e->head != NETCOST_HEAD(skb->head, splits_now()))
		return false;
	return is_this_cpu(e->where) ? e->where >= NETCOST_WHERE(b->first, 0ull) :
				       !BPF_CORE_READ_BITFIELD(skb, cloned);
}

/*
 * Returns true if UDP has processed the last received packet, which may have been freed. If so, skb->data points behind
 * the UDP header. packet: the packet's address.
 */
static __always_inline bool was_in_udp(const struct netcost_batch *b, __u64 packet,
				       const struct sk_buff *skb)
{
	struct place p = place_at(packet);
	const unsigned char *head = BPF_CORE_READ(skb, head);

	return (__s64)BPF_CORE_READ(skb, dev) >= 0 && is_last(b, &p) && has_head(&p, head) &&
	       BPF_CORE_READ(skb, data) == head + BPF_CORE_READ(skb, transport_header) + 8;
}

/* Returns the identity of a packet in a TCP socket's queue, where its sequence number is unique. */
static __always_inline __u64 tcp_where(const struct sock *sk, __u32 begin)
{
	return number_of(sk) << 32 | begin;
}

#endif
