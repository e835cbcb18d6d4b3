/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * path_sample.h: follows the paths of a sample of packets (--stages). Each sampled packet has a number, and its events
 * are passed to the recorder.
 *
 * The first checkpoint of a packet decides whether the packet is sampled. The decision is kept when veth pairs,
 * bridges, the loopback and tunnels hand the packet on. For a packet outside the sample, the programs compute one hash
 * and store the number 0 in its entry.
 */
#ifndef NETCOST_PATH_SAMPLE_H
#define NETCOST_PATH_SAMPLE_H

#include "path_events.h"
#include "path_packets.h"

CONFIG __u64 key[2];   /* random key of the hashes of packet numbers and flows */
CONFIG bool addresses; /* set if addresses may be recorded (--host-details) */

/* a packet is sampled if the 32-bit hash of its number is below this value; the recorder maps this variable */
__u64 below;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* the recorder sets the real size before loading */
} events SEC(".maps");

/* Returns the bits of a word that hold a packet's number. Words that are not numbers hold a time in these bits. */
#define NUMBER(word) NETCOST_WORD_NS(word)

/* Hashes with the finalizer of MurmurHash3: each bit of the result depends on each bit of x. */
static __always_inline __u64 hash(__u64 x)
{
	x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
	x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
	return x ^ x >> 33;
}

/* ---- flows ------------------------------------------------------------------------------- */

struct ports {
	__u16 from, to;
};

struct ip4 {
	__u8 version_words, tos;
	__u16 length, id, fragment;
	__u8 ttl, protocol;
	__u16 checksum;
	__u32 from, to;
	struct ports ports; /* valid if the packet has no IP options */
};

struct ip6 {
	__u32 version;
	__u16 length;
	__u8 next, hops;
	__u64 from[2], to[2];
	struct ports ports; /* valid if the packet has no extension headers */
};

static __always_inline __u64 ports_of(const struct ports *p, __u8 protocol)
{
	bool has = protocol == IPPROTO_TCP || protocol == IPPROTO_UDP;

	return (__u64)protocol << 32 | (has ? (__u32)p->from << 16 | p->to : 0);
}

/* Stores the flow except for its addresses. ports: NULL if the flow has no ports. */
static __always_inline void tell_whose(struct netcost_stage_flow *whose, __u8 version,
				       __u8 protocol, const struct ports *ports)
{
	whose->version = version;
	whose->protocol = protocol;
	if (!ports || (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP))
		return;
	whose->has_ports = 1;
	whose->from_port = ports->from;
	whose->to_port = ports->to;
}

static __always_inline __u64 flow_of_ip4(const void *at, struct netcost_stage_flow *whose)
{
	struct ip4 ip;
	bool whole;

	if (bpf_probe_read_kernel(&ip, sizeof(ip), at))
		return 0;
	/* Only the first fragment of a packet has ports, so the flow of each fragment is stored without ports. */
	whole = ip.version_words == 0x45 && !(ip.fragment & __builtin_bswap16(0x3fff));
	if (addresses) {
		__builtin_memcpy(whose->from, &ip.from, sizeof(ip.from));
		__builtin_memcpy(whose->to, &ip.to, sizeof(ip.to));
		tell_whose(whose, 4, ip.protocol, whole ? &ip.ports : NULL);
	}
	return hash(hash(key[0] ^ ((__u64)ip.from << 32 | ip.to)) ^ key[1] ^
		    (whole ? ports_of(&ip.ports, ip.protocol) : (__u64)ip.protocol << 32));
}

static __always_inline __u64 flow_of_ip6(const void *at, struct netcost_stage_flow *whose)
{
	struct ip6 ip;
	__u64 h = key[0];

	if (bpf_probe_read_kernel(&ip, sizeof(ip), at))
		return 0;
	if (addresses) {
		__builtin_memcpy(whose->from, ip.from, sizeof(ip.from));
		__builtin_memcpy(whose->to, ip.to, sizeof(ip.to));
		tell_whose(whose, 6, ip.next, &ip.ports);
	}
	h = hash(hash(h ^ ip.from[0]) ^ ip.from[1]);
	h = hash(hash(h ^ ip.to[0]) ^ ip.to[1]);
	return hash(h ^ key[1] ^ ports_of(&ip.ports, ip.next));
}

/*
 * Returns the keyed hash of addresses and ports, or 0 for an unknown protocol. sent: set if the packet is sent, so that
 * its network header is set. whose: zeroed by the caller, and filled if addresses may be recorded.
 */
static __always_inline __u32 flow_of(const struct sk_buff *skb, bool sent,
				     struct netcost_stage_flow *whose)
{
	const void *at = sent ? (const void *)(BPF_CORE_READ(skb, head) +
					       BPF_CORE_READ(skb, network_header)) :
				BPF_CORE_READ(skb, data);
	__u8 version = 0;

	bpf_probe_read_kernel(&version, sizeof(version), at);
	return version >> 4 == 4 ? flow_of_ip4(at, whose) :
	       version >> 4 == 6 ? flow_of_ip6(at, whose) :
				   0;
}

/* ---- events ------------------------------------------------------------------------------ */

/*
 * An event of a sampled packet. Kernel pointers are stored as numbers, so that functions that are not inlined can take
 * them.
 */
struct sampled {
	__u64 number, at_ns;
	__u64 skb;   /* skb whose device is the device of the event; 0: unknown */
	__u64 hook;  /* state of netfilter at the event; 0: none */
	__u64 table; /* address of the name of the hook's table; 0: none */
	__u32 stage, reason;
	__u32 first, flow;
};

/*
 * Stores the netfilter hook of an event. At netfilter hooks, skb->dev of a packet that is sent is not set yet, so the
 * hook's device is stored.
 */
static __always_inline void event_hook(struct netcost_stage_event *e,
				       const struct nf_hook_state *hook)
{
	const struct net_device *device = BPF_CORE_READ(hook, out);

	if (!device)
		device = BPF_CORE_READ(hook, in);
	e->netns = BPF_CORE_READ(device, nd_net.net, ns.inum);
	e->ifindex = BPF_CORE_READ(device, ifindex);
	e->family = BPF_CORE_READ(hook, pf);
	e->hook = BPF_CORE_READ(hook, hook);
}

static __always_inline void event_fill(struct netcost_stage_event *e, const struct sampled *s)
{
	const struct sk_buff *skb = (const struct sk_buff *)s->skb;

	e->at_ns = s->at_ns;
	e->packet = NUMBER(s->number);
	e->netns = skb ? BPF_CORE_READ(skb, dev, nd_net.net, ns.inum) : 0;
	e->ifindex = skb ? BPF_CORE_READ(skb, dev, ifindex) : 0;
	e->flow = s->flow;
	e->reason = s->reason;
	e->cpu = bpf_get_smp_processor_id();
	e->stage = s->stage;
	e->first = s->first;
	e->family = e->hook = 0;
	if (s->hook)
		event_hook(e, (const struct nf_hook_state *)s->hook);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
}

static __always_inline void event_table(struct netcost_stage_table_event *t, __u64 table)
{
	if (!table ||
	    bpf_probe_read_kernel_str(t->table, sizeof(t->table), (const void *)table) < 0)
		t->table[0] = 0;
}

/*
 * Puts an event into the ring. whose: the flow, for a first event if addresses may be recorded; otherwise NULL. Returns
 * true if the ring had room.
 */
static __always_inline bool event_put(const struct sampled *s,
				      const struct netcost_stage_flow *whose)
{
	struct netcost_stage_flow_event *f;
	struct netcost_stage_table_event *t;
	struct netcost_stage_event *e;

	if (whose) {
		f = bpf_ringbuf_reserve(&events, sizeof(*f), 0);
		if (f) {
			f->whose = *whose;
			event_table(&f->of, s->table);
		}
		e = (struct netcost_stage_event *)f;
	} else if (s->table) {
		t = bpf_ringbuf_reserve(&events, sizeof(*t), 0);
		if (t)
			event_table(t, s->table);
		e = (struct netcost_stage_event *)t;
	} else {
		e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	}
	if (e)
		event_fill(e, s);
	return e;
}

/*
 * Records events of sampled packets. Events are rare, so these functions are not inlined. Thus the verifier checks them
 * once, and their code is outside of the hot path of packets that are not sampled. They return true if the ring had
 * room.
 */
__noinline int sample_event(struct sampled *s)
{
	return s && event_put(s, NULL);
}

/* Records the first event of a packet. skb: the packet whose path begins; s->skb may be 0. */
__noinline int sample_first(struct sampled *s, __u64 skb)
{
	struct netcost_stage_flow whose = {};

	if (!s)
		return 0;
	s->first = 1;
	s->flow = flow_of((const struct sk_buff *)skb,
			  s->stage != NETCOST_STAGE_ENTRY && s->stage != NETCOST_STAGE_RECEIVE,
			  &whose);
	s->at_ns = bpf_ktime_get_ns();
	return event_put(s, addresses ? &whose : NULL);
}

/* ---- the sample -------------------------------------------------------------------------- */

static __always_inline bool change(__u64 *word, __u64 had, __u64 now)
{
	return __sync_val_compare_and_swap(word, had, now) == had;
}

/*
 * Returns the number of the packet and the remaining bits of its address, as the entry has them. Returns 0 if the
 * packet is not sampled or the entry belongs to another packet.
 */
static __always_inline __u64 sample_number(const struct place *p)
{
	__u64 number = with_sample ? entry_of(p)->number : 0;

	return number && number >> REST_SHIFT << REST_SHIFT == p->rest ? number : 0;
}

/* Stops following the path of the entry's packet. */
static __always_inline void sample_leave(const struct place *p)
{
	__u64 had = sample_number(p);

	if (had)
		change(&entry_of(p)->number, had, 0);
}

/*
 * Records an event of the entry's packet, whose path continues. The clock is read before the number is checked for the
 * last time. The program that ends the path takes the number first and reads the clock afterwards, so the time of the
 * last event is later. A packet whose event cannot be recorded leaves the sample, so each recorded path is complete up
 * to its last event.
 */
static __always_inline void sample_step_with(struct netcost_path_cpu *c, const struct place *p,
					     struct sampled *s)
{
	__u64 had = sample_number(p), *number = &entry_of(p)->number;

	if (!had)
		return;
	s->number = had;
	s->at_ns = bpf_ktime_get_ns();
	if (!change(number, had, had) || sample_event(s))
		return;
	__sync_fetch_and_add(&c->full, 1);
	change(number, had, 0);
}

/*
 * Records that the driver returned for a sampled packet, which may already be on another CPU. out: the word of the
 * packet's transmit path. The other CPU changes that word before it reads the clock. So if the word is still unchanged
 * after this CPU has read the clock, this event is earlier than the other CPU's events. The event's place in the ring
 * is reserved before the clock is read. Otherwise the recorder might read a later event of the packet first, and could
 * not sort this event any more.
 */
static __always_inline void sample_returned(struct netcost_path_cpu *c, const struct place *p,
					    __u64 had, __u64 out)
{
	struct netcost_stage_event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	struct sampled s = { .number = had, .stage = NETCOST_STAGE_RETURNED };
	__u64 *number = &entry_of(p)->number;

	s.at_ns = bpf_ktime_get_ns();
	if (!change(number, had, had) || *(volatile __u64 *)&entry_of(p)->out != out) {
		if (e)
			bpf_ringbuf_discard(e, BPF_RB_NO_WAKEUP);
		return;
	}
	if (e) {
		event_fill(e, &s);
		return;
	}
	__sync_fetch_and_add(&c->full, 1);
	change(number, had, 0);
}

/*
 * Calls sample_step_with() for a sampled packet. at: address of an skb whose device is known, or 0 if the device is not
 * recorded.
 */
static __always_inline void sample_steps(struct netcost_path_cpu *c, const struct place *p,
					 enum netcost_stage stage, __u64 at)
{
	struct sampled s = { .stage = stage, .skb = at };

	sample_step_with(c, p, &s);
}

/*
 * Records a step of a packet if it is sampled. skb: an skb whose device is known, or NULL if the device is not
 * recorded.
 */
static __always_inline void sample_step(struct netcost_path_cpu *c, const struct place *p,
					enum netcost_stage stage, const struct sk_buff *skb)
{
	if (sample_number(p))
		sample_steps(c, p, stage, skb ? address_of(skb) : 0);
}

/* Records the last event of a sampled packet, unless another program has done so already. */
static __always_inline void sample_ends(struct netcost_path_cpu *c, const struct place *p,
					__u64 number, enum netcost_stage stage, __u64 at_ns,
					__u32 reason)
{
	struct sampled s = { .number = number, .stage = stage, .reason = reason };

	if (!change(&entry_of(p)->number, number, 0))
		return;
	s.at_ns = at_ns ? at_ns : bpf_ktime_get_ns();
	if (!sample_event(&s))
		__sync_fetch_and_add(&c->full, 1);
}

/* Records the last event of a packet if it is sampled. at_ns: time of the event; 0 means now. */
static __always_inline void sample_end(struct netcost_path_cpu *c, const struct place *p,
				       enum netcost_stage stage, __u64 at_ns, __u32 reason)
{
	__u64 number = sample_number(p);

	if (number)
		sample_ends(c, p, number, stage, at_ns, reason);
}

/*
 * Decides at random whether a packet that is seen for the first time is sampled. Returns its number if it is sampled,
 * otherwise 0. If the entry belonged to another sampled packet, that packet is no longer followed.
 */
static __always_inline __u64 sample_draw(struct netcost_path_cpu *c, const struct place *p)
{
	struct netcost_packet *e = entry_of(p);
	__u64 number, had = e->number;

	number = __sync_fetch_and_add(&c->packets, 1) + 1;
	number = NUMBER(number << cpu_bits | bpf_get_smp_processor_id());
	if (had) {
		if (had >> REST_SHIFT << REST_SHIFT != p->rest)
			__sync_fetch_and_add(&c->evicted, 1);
		e->number = 0;
	}
	return hash(number ^ key[0]) >> 32 < *(volatile __u64 *)&below ? number : 0;
}

/* Records the first event of a sampled packet. skb: the packet's address. */
static __always_inline void sample_begin_with(struct netcost_path_cpu *c, const struct place *p,
					      __u64 number, __u64 skb, struct sampled *s)
{
	s->number = number;
	if (sample_first(s, skb))
		entry_of(p)->number = p->rest | number;
	else
		__sync_fetch_and_add(&c->full, 1);
}

static __always_inline void sample_begins(struct netcost_path_cpu *c, const struct place *p,
					  __u64 number, enum netcost_stage stage, __u64 skb)
{
	struct sampled s = { .stage = stage, .skb = skb };

	sample_begin_with(c, p, number, skb, &s);
}

static __always_inline void sample_begin(struct netcost_path_cpu *c, const struct place *p,
					 enum netcost_stage stage, const struct sk_buff *skb)
{
	__u64 number = with_sample ? sample_draw(c, p) : 0;

	if (number)
		sample_begins(c, p, number, stage, address_of(skb));
}

/* Continues the path of a known packet (goes_on), or begins the path of an unknown packet. */
static __always_inline void sample_pass(struct netcost_path_cpu *c, const struct place *p,
					enum netcost_stage stage, const struct sk_buff *skb,
					bool goes_on)
{
	if (goes_on)
		sample_step(c, p, stage, skb);
	else
		sample_begin(c, p, stage, skb);
}

#endif
