/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * owners.h: whose packets are received (--owners): slices of the RX softirq's time, and what is marked in them. Level
 * softirq: struct netcost_owners in wire.h says what is where.
 *
 * Rows of fates that are no process's have process 0, and instead of the cgroup the fate and a number: why packets were
 * dropped, or where they were forwarded to.
 */
#ifndef NETCOST_OWNERS_H
#define NETCOST_OWNERS_H

#include "clock.h"
#include "processes.h"
#include "rx_stages.h"

#ifndef flow_at /* the unit tests have their own */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, NETCOST_FLOWS);
	__type(key, __u32);
	__type(value, struct netcost_flow);
} flows SEC(".maps");

static __always_inline struct netcost_flow *flow_at(__u32 place)
{
	return bpf_map_lookup_elem(&flows, &place);
}

#define OWNER_MAP(map)                                                                             \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_HASH);                                                   \
		__uint(max_entries, 1); /* the recorder sets it */                                 \
		__type(key, struct netcost_process_key);                                           \
		__type(value, struct netcost_owned);                                               \
	} map SEC(".maps")

/* As those of processes, and with them. */
OWNER_MAP(owned_0);
OWNER_MAP(owned_1);

static const struct netcost_owned nothing_owned;

static __always_inline struct netcost_owned *owned_find(const struct netcost_process_key *key,
							bool one)
{
	return one ? bpf_map_lookup_elem(&owned_1, key) : bpf_map_lookup_elem(&owned_0, key);
}

static __always_inline struct netcost_owned *owned_make(const struct netcost_process_key *key,
							bool one)
{
	if (one)
		bpf_map_update_elem(&owned_1, key, &nothing_owned, BPF_NOEXIST);
	else
		bpf_map_update_elem(&owned_0, key, &nothing_owned, BPF_NOEXIST);
	return owned_find(key, one);
}
#endif

#define FATE_KEY(fate, number) ((__u64)(fate) << 32 | (number))

static __always_inline bool fate_has_rows(__u64 fate)
{
	return fate <= NETCOST_FATE_FORWARDED;
}

/* ---- where time goes ----------------------------------------------------------------------- */

/* What a softirq's time in a row adds to the sum of squares, if it grows from `ns` by `more`. */
static __always_inline __u64 square_more(__u64 ns, __u64 more)
{
	return (ns + more) * (ns + more) / (1 << NETCOST_SQUARE_BITS) -
	       ns * ns / (1 << NETCOST_SQUARE_BITS);
}

/* Not in a row. */
static __always_inline void fate_add(struct netcost_owners *o, __u64 fate, __u64 ns, __u64 packets)
{
	__u64 at = fate & (NETCOST_FATE_SLOTS - 1);

	o->ns[at] += ns;
	o->packets[at] += packets;
	if (owners_every <= 1)
		return;
	if (o->square_of[at] != o->looks) {
		o->square_of[at] = o->looks;
		o->square_ns[at] = 0;
	}
	o->squares[at] += square_more(o->square_ns[at], ns);
	o->square_ns[at] += ns;
}

static __always_inline void owned_add(struct netcost_owned *row, const struct netcost_owners *o)
{
	row->ns += o->to_ns;
	row->packets += o->to_packets;
	if (owners_every <= 1)
		return;
	if (row->look != o->looks) {
		row->look = o->looks;
		row->look_ns = 0;
	}
	row->squares += square_more(row->look_ns, o->to_ns);
	row->look_ns += o->to_ns;
}

/* What came last to a row is put there. */
static __always_inline void owners_flush(struct netcost_owners *o)
{
	struct netcost_process_key key = o->to;
	struct netcost_owned *row;
	bool one;

	if (!o->to_ns && !o->to_packets)
		return;
	one = process_takes_one();
	row = owned_find(&key, one);
	if (!row) {
		row = owned_make(&key, one);
		if (row && o->to_fate == NETCOST_FATE_FORWARDED) {
			row->name[0] = o->to_name[0];
			row->name[1] = o->to_name[1];
		}
	}
	if (row)
		owned_add(row, o);
	else
		fate_add(o, o->to_fate, o->to_ns, o->to_packets);
	o->to_ns = o->to_packets = 0;
}

static __always_inline bool same_row(const struct netcost_process_key *a,
				     const struct netcost_process_key *b)
{
	return a->process == b->process && a->cgroup == b->cgroup;
}

/* ---- flows --------------------------------------------------------------------------------- */

static __always_inline void flow_learn(__u32 flow, const struct netcost_owner *owner)
{
	struct netcost_flow *f = flow ? flow_at(flow & (NETCOST_FLOWS - 1)) : 0;

	if (!f)
		return;
	f->flow = 0; /* a softirq may come in between */
	barrier();
	f->process = owner->process;
	f->cgroup = owner->cgroup;
	barrier();
	f->flow = flow;
}

/* No mark told whose the packet is: it is whose its flow is. */
static __always_inline void flow_ask(struct netcost_owners *o)
{
	struct netcost_flow *f = o->flow ? flow_at((__u32)o->flow & (NETCOST_FLOWS - 1)) : 0;

	if (!f || f->flow != (__u32)o->flow || !f->process)
		return;
	o->fate = NETCOST_FATE_DIRECT;
	o->key.process = f->process;
	o->key.cgroup = f->cgroup;
}

/* ---- slices -------------------------------------------------------------------------------- */

/* To the row of o->key, if the fate has rows. */
static __always_inline void owners_charge(struct netcost_owners *o, __u64 fate, __u64 ns,
					  __u64 packets)
{
	if (!fate_has_rows(fate)) {
		fate_add(o, fate, ns, packets);
		return;
	}
	if (!same_row(&o->key, &o->to)) {
		owners_flush(o);
		o->to = o->key;
		o->to.cpu = bpf_get_smp_processor_id();
		o->to_fate = fate;
		o->to_name[0] = o->name[0];
		o->to_name[1] = o->name[1];
	}
	o->to_ns += ns;
	o->to_packets += packets;
}

#include "owners_lists.h"

/* The slice that is going on, or what is between slices, ends at `now`. */
static __always_inline void owners_slice_end(struct netcost_owners *o, __u64 now)
{
	__u64 ns = now - o->since, packet = o->packet;

	if (packet && o->fate == NETCOST_FATE_NO_MARK)
		flow_ask(o);
	o->since = now;
	o->packet = 0;
	if (packet && o->listed && list_keep(o, packet, ns))
		return;
	owners_charge(o, packet || o->delivered ? o->fate : NETCOST_FATE_POOL, ns, packet != 0);
}

/* ---- softirqs, and turns of NAPI threads --------------------------------------------------- */

/* One in owners_every, by chance: so each of them is as likely as any other. */
static __always_inline bool owners_look(void)
{
	return owners_every <= 1 || !((__u64)bpf_get_prandom_u32() * owners_every >> 32);
}

/*
 * A softirq or a task's turn begins or ends at `now`: no slice reaches across. While what ends is still the CPU's state.
 */
static __always_inline void owners_leave(struct netcost_cpu *c, __u64 now)
{
	struct netcost_owners *o = &c->owners;

	if (!in_napi(c))
		return;
	if (o->skipped) {
		o->ns[NETCOST_FATE_SKIPPED] += now - o->since;
		o->since = now;
		return;
	}
	owners_slice_end(o, now);
	list_end(o);
	owners_flush(o);
}

/* While what begins is already the CPU's state. */
static __always_inline void owners_enter(struct netcost_cpu *c, __u64 now)
{
	struct netcost_owners *o = &c->owners;

	o->since = now;
	o->packet = o->listed = o->listed_n = o->delivered = 0;
	if (!in_napi(c))
		return;
	o->skipped = !owners_look();
	o->looks += !o->skipped;
}

/* ---- packets ------------------------------------------------------------------------------- */

static __always_inline bool owners_looks(const struct netcost_cpu *c)
{
	return in_napi(c) && !c->owners.skipped;
}

/*
 * A packet, or the next one of a list. The same one again: a bridge, or a tunnel, hands it back; but one that was forwarded,
 * as into a container, comes as a new one.
 */
static __always_inline void owners_packet(struct netcost_cpu *c, __u64 packet, __u32 flow)
{
	struct netcost_owners *o = &c->owners;

	if (!owners_looks(c))
		return;
	if (o->packet == packet && o->fate != NETCOST_FATE_FORWARDED)
		return;
	owners_slice_end(o, cpu_clock(c));
	if (o->delivered)
		list_end(o); /* another one begins */
	o->packet = packet;
	o->flow = flow;
	o->fate = NETCOST_FATE_NO_MARK;
	o->weak = 0;
}

/* Driver and GRO go on, or the poll is over. listed: GRO keeps some, for a list. */
static __always_inline void owners_packets_end(struct netcost_cpu *c, bool listed)
{
	if (!owners_looks(c))
		return;
	if (c->owners.packet || c->owners.delivered)
		owners_slice_end(&c->owners, cpu_clock(c));
	list_end(&c->owners);
	c->owners.listed = listed;
}

/* Is there a packet whose fate may be marked? */
static __always_inline bool owners_may_mark(const struct netcost_cpu *c)
{
	return owners_looks(c) && (c->owners.packet || c->owners.delivered);
}

/* Whose packets are from here on: of a mark. NULL: of nobody who is known. */
static __always_inline void owners_are(struct netcost_owners *o, const struct netcost_owner *owner)
{
	bool known = owner && owner->process;

	o->fate = known ? NETCOST_FATE_DIRECT : NETCOST_FATE_NO_OWNER;
	o->weak = 0;
	if (!known)
		return;
	o->key.process = owner->process;
	o->key.cgroup = owner->cgroup;
}

/* In a list: what was done up to now was still the last packet's way to here, or was done for that socket. */
static __always_inline void owners_slice_to(struct netcost_owners *o,
					    const struct netcost_owner *owner, __u64 now)
{
	if (!o->packet)
		owners_are(o, owner);
	owners_slice_end(o, now);
	o->delivered = 1;
}

/*
 * A packet reached a socket. owner: NULL: of which nobody is known. packet: which one; 0: that is not known. again: it had
 * a mark before, or may have had. The last mark counts: taps come before.
 */
static __always_inline void owners_mark_socket(struct netcost_cpu *c,
					       const struct netcost_owner *owner, __u64 packet,
					       bool again)
{
	struct netcost_owners *o = &c->owners;
	bool of_list = list_is_on(o) && (!packet || packet != o->packet);

	if (of_list)
		owners_slice_to(o, owner, cpu_clock(c));
	owners_are(o, owner);
	if (of_list && (packet || !again))
		list_mark(o, owner, packet);
	else if (!of_list && o->fate == NETCOST_FATE_DIRECT)
		flow_learn(o->flow, owner);
}

/* It woke someone: that says who receives, if nothing better does. */
static __always_inline void owners_mark_woken(struct netcost_owners *o,
					      const struct netcost_owner *woken)
{
	if (o->fate == NETCOST_FATE_DIRECT && !o->weak)
		return;
	owners_are(o, woken);
	o->weak = 1;
}

/* One that is known. Of a list it is the one that goes on, or it has its time between two marks. */
static __always_inline void owners_mark_fate(struct netcost_cpu *c, __u64 packet, __u64 fate,
					     __u32 number, __u64 name0, __u64 name1)
{
	struct netcost_owners *o = &c->owners;
	bool of_list = packet != o->packet;

	if (of_list && !list_has(o, packet))
		return;
	if (of_list && o->packet)
		owners_slice_end(o,
				 cpu_clock(c)); /* the last one has come: now they are delivered */
	o->fate = fate;
	o->weak = 0;
	o->key.process = 0;
	o->key.cgroup = FATE_KEY(fate, number);
	o->name[0] = name0;
	o->name[1] = name1;
	if (!of_list)
		return;
	o->delivered = 1;
	owners_slice_end(o, cpu_clock(c));
	list_mark(o, 0, packet);
}

#endif
