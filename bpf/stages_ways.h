/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* stages_ways.h: which packets are on their way, of stages.bpf.c, and telling the recorder what happens to those of the sample. */
#ifndef NETCOST_STAGES_WAYS_H
#define NETCOST_STAGES_WAYS_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "places.h"
#include "stages.h"

#ifndef CONFIG /* the unit tests change it as they go */
#define CONFIG const volatile
#endif

CONFIG __u64 key[2];	 /* of numbers and flows: random */
CONFIG __u64 below;	 /* a packet is in the sample if the hash of its number, 32 bits, is */
CONFIG __u32 cpu_bits;	 /* of a packet's number: where it was first */
CONFIG bool has_reasons; /* of kfree_skb (Linux 5.17) */
CONFIG bool addresses;	 /* may be told (--host-details) */
/* Where modules' structs have their members: of nft_pktinfo, nft_chain, nft_table and xt_table. */
CONFIG __u32 nft_hook, nft_table, nft_table_name, xt_table_name;

/* max_entries is set to the possible CPUs before loading. Mapped: reading it costs no system call. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_stages_cpu);
} stages SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, NETCOST_STAGE_RING);
} events SEC(".maps");

static __always_inline struct netcost_stages_cpu *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&stages, &cpu);
}

/* A word's number stands where those of latency.h have a time. */
#define NUMBER(word) NETCOST_CAME_NS(word)

/* The finalizer of MurmurHash3: each bit of it depends on each of x. */
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
	struct ports ports; /* without options */
};

struct ip6 {
	__u32 version;
	__u16 length;
	__u8 next, hops;
	__u64 from[2], to[2];
	struct ports ports; /* without other headers */
};

static __always_inline __u64 ports_of(const struct ports *p, __u8 protocol)
{
	bool has = protocol == IPPROTO_TCP || protocol == IPPROTO_UDP;

	return (__u64)protocol << 32 | (has ? (__u32)p->from << 16 | p->to : 0);
}

/* Whose it is, besides the addresses. ports: NULL: they are not there. */
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
	whole = ip.version_words == 0x45 &&
		!(ip.fragment & __builtin_bswap16(0x3fff)); /* all have the flow of the first */
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
 * Of addresses and ports, with the key. 0: it has none that are known here. sent: its network header is known. whose: zeroed;
 * filled if addresses may be told.
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

/* ---- telling ----------------------------------------------------------------------------- */

/* What is told besides. */
struct more {
	const struct sk_buff *device;		/* it is there, at all these */
	const struct nf_hook_state *hook;	/* of netfilter: likewise */
	const char *table;			/* that hook's */
	const struct netcost_stage_flow *whose; /* of a first one */
	__u32 reason, flow;
	bool first;
};

/* Of a packet that is sent, the device is not in it yet. */
static __always_inline void tell_hook(struct netcost_stage_event *e,
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

static __always_inline void tell_to(struct netcost_stage_event *e, __u64 word,
				    enum netcost_stage stage, __u64 at_ns, const struct more *more)
{
	const struct sk_buff *skb = more->device; /* CO-RE takes it for the kernel's */

	e->at_ns = at_ns;
	e->packet = NUMBER(word);
	e->netns = skb ? BPF_CORE_READ(skb, dev, nd_net.net, ns.inum) : 0;
	e->ifindex = skb ? BPF_CORE_READ(skb, dev, ifindex) : 0;
	e->flow = more->flow;
	e->reason = more->reason;
	e->cpu = bpf_get_smp_processor_id();
	e->stage = stage;
	e->first = more->first;
	e->family = e->hook = 0;
	if (more->hook)
		tell_hook(e, more->hook);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
}

static __always_inline void tell_table(struct netcost_stage_table_event *t, const char *table)
{
	if (!table || bpf_probe_read_kernel_str(t->table, sizeof(t->table), table) < 0)
		t->table[0] = 0;
}

static __always_inline bool tell(struct netcost_stages_cpu *c, __u64 word, enum netcost_stage stage,
				 __u64 at_ns, const struct more *more)
{
	struct netcost_stage_flow_event *f;
	struct netcost_stage_table_event *t;
	struct netcost_stage_event *e;

	if (addresses && more->whose) {
		f = bpf_ringbuf_reserve(&events, sizeof(*f), 0);
		if (f) {
			f->whose = *more->whose;
			tell_table(&f->of, more->table);
		}
		e = (struct netcost_stage_event *)f;
	} else if (more->table) {
		t = bpf_ringbuf_reserve(&events, sizeof(*t), 0);
		if (t)
			tell_table(t, more->table);
		e = (struct netcost_stage_event *)t;
	} else {
		e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);
	}
	if (e)
		tell_to(e, word, stage, at_ns, more);
	else
		__sync_fetch_and_add(&c->full, 1);
	return e;
}

static __always_inline bool change(__u64 *word, __u64 had, __u64 now)
{
	return __sync_val_compare_and_swap(word, had, now) == had;
}

/*
 * From one state into another. What happens next, on another CPU, sees that, and so is later. A packet of which
 * something cannot be told is no longer one of the sample: of each there is the way up to some point, without gaps.
 */
static __always_inline __u64 step_with(struct netcost_stages_cpu *c, __u64 *word, __u64 had,
				       enum netcost_way state, enum netcost_stage stage,
				       const struct more *more)
{
	__u64 now = with_state(had, state), at_ns;

	if (!NUMBER(had)) {
		*word = now;
		return now;
	}
	at_ns = bpf_ktime_get_ns();
	if (!change(word, had, now))
		return 0;
	if (tell(c, now, stage, at_ns, more))
		return now;
	had = now & ~(NETCOST_CAME_NS(~0ull));
	return change(word, now, had) ? had : 0;
}

static __always_inline __u64 step(struct netcost_stages_cpu *c, __u64 *word, __u64 had,
				  enum netcost_way state, enum netcost_stage stage,
				  const struct sk_buff *device)
{
	const struct more more = { .device = device };

	return step_with(c, word, had, state, stage, &more);
}

/* The last of it. at_ns: 0: now. */
static __always_inline void end(struct netcost_stages_cpu *c, __u64 *word, __u64 had,
				enum netcost_stage stage, __u64 at_ns, __u32 reason)
{
	const struct more more = { .reason = reason };

	if (change(word, had, 0) && NUMBER(had))
		tell(c, had, stage, at_ns ? at_ns : bpf_ktime_get_ns(), &more);
}

/* One that is new to us. What is not in the sample does not take the place of what is. */
static __always_inline __u64 begin_with(struct netcost_stages_cpu *c, const struct place *p,
					__u64 *word, enum netcost_way state,
					enum netcost_stage stage, const struct sk_buff *skb,
					struct more *more)
{
	__u64 number = __sync_fetch_and_add(&c->packets, 1) + 1, had = *word, now;
	struct netcost_stage_flow whose = {};
	bool other = NETCOST_CAME_STATE(had) && NUMBER(had) && !is_of(had, p);

	number = NUMBER(number << cpu_bits | bpf_get_smp_processor_id());
	if (hash(number ^ key[0]) >> 32 >= below)
		number = 0;
	now = p->rest | STATE(state) | number;
	if (!number) {
		if (!other)
			*word = now;
		return now;
	}
	more->first = true;
	more->flow = flow_of(skb, stage != NETCOST_STAGE_ENTRY && stage != NETCOST_STAGE_RECEIVE,
			     &whose);
	more->whose = &whose;
	if (other)
		__sync_fetch_and_add(&c->evicted, 1);
	if (!tell(c, now, stage, bpf_ktime_get_ns(), more))
		now = p->rest | STATE(state);
	*word = now;
	return now;
}

static __always_inline __u64 begin(struct netcost_stages_cpu *c, const struct place *p, __u64 *word,
				   enum netcost_way state, enum netcost_stage stage,
				   const struct sk_buff *skb)
{
	struct more more = { .device = skb };

	return begin_with(c, p, word, state, stage, skb, &more);
}

#endif
