/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * owners.h: receivers of packets (--owners): slices of the RX softirq's time, and the marks that are made in them. Runs
 * at level softirq; struct netcost_owners in wire_owners.h describes the data.
 *
 * A task that busy-polls a device for its socket (busy_poll.h) has no slices: what it polls is charged to the task
 * itself. Its polling runs at level op, so a softirq may interrupt any two writes and would find half-written slices.
 * Also, busy polling is not seen at all without function probes.
 *
 * Rows of dispositions without a process have process 0. Their cgroup field holds the disposition and a number: the
 * drop reason, or the interface to which packets were forwarded.
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

/* Mapped. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* the recorder sets it */
	__type(key, __u32);
	__type(value, struct netcost_owned);
} owned_rows SEC(".maps");

#define OWNED_ROW(index) bpf_map_lookup_elem(&owned_rows, &(index))
#endif

#define FATE_KEY(fate, number) ((__u64)(fate) << 32 | (number))

static __always_inline bool fate_has_rows(__u64 fate)
{
	return fate <= NETCOST_FATE_FORWARDED;
}

/* ---- where time goes ----------------------------------------------------------------------- */

/* Returns how much the sum of squares grows if a softirq's time in a row grows from `ns` by `more`. */
static __always_inline __u64 square_more(__u64 ns, __u64 more)
{
	return (ns + more) * (ns + more) / (1 << NETCOST_SQUARE_BITS) -
	       ns * ns / (1 << NETCOST_SQUARE_BITS);
}

/* Charges a disposition that has no row. */
static __always_inline void fate_add(struct netcost_owners *o, __u64 fate, __u64 ns, __u64 packets)
{
	__u64 at = fate & (NETCOST_FATE_SLOTS - 1);

	o->ns[at] += ns;
	if (packets)
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

static __always_inline void owned_add(struct netcost_owned *row, const struct netcost_owners *o,
				      __u64 ns, __u64 packets)
{
	row->ns += ns;
	row->packets += packets;
	if (owners_every <= 1)
		return;
	if (row->look != o->looks) {
		row->look = o->looks;
		row->look_ns = 0;
	}
	row->squares += square_more(row->look_ns, ns);
	row->look_ns += ns;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static __always_inline bool owned_is(const struct netcost_owned *row,
				     const struct netcost_owner *key)
{
	return row->process == key->process && row->cgroup == key->cgroup;
}

static __always_inline void owned_take(struct netcost_owners *o, struct netcost_owned *row,
				       __u32 half, __u32 index)
{
	row->process = o->key.process;
	row->cgroup = o->key.cgroup;
	row->name[0] = o->name[0]; /* unused if the row is a process's */
	row->name[1] = o->name[1];
	row->next = o->taken[half & 1];
	o->taken[half & 1] = index + 1;
}

/*
 * Returns the row of o->key, or takes a free row for it. NULL: no room. Not inlined, because each
 * program would have a copy.
 */
static __noinline struct netcost_owned *owned_search(struct netcost_owners *o, __u32 half,
						     __u32 first, __u32 place)
{
#pragma unroll
	for (__u32 way = 0; way < NETCOST_PROCESS_WAYS; way++) {
		__u32 index = first + ((place + way) & (processes_each - 1));
		struct netcost_owned *row = OWNED_ROW(index);

		if (!row)
			return 0;
		if (owned_is(row, &o->key))
			return row;
		if (row->process || row->cgroup)
			continue;
		owned_take(o, row, half, index);
		return row;
	}
	return 0;
}

/* Returns the row of o->key on this CPU, usually at the first place tried. NULL: no room. */
static __always_inline struct netcost_owned *owned_row(struct netcost_owners *o)
{
	__u32 half = process_takes_one();
	__u32 first = (half * processes_cpus + o->cpu) * processes_each;
	__u32 place = process_place(o->key.process, o->key.cgroup);
	__u32 index = first + (place & (processes_each - 1));
	struct netcost_owned *row = OWNED_ROW(index);

	return row && owned_is(row, &o->key) ? row : owned_search(o, half, first, place);
}

/* Returns whether a packet or a list in delivery is in progress. Always false in a softirq that is not observed. */
static __always_inline bool owners_in_slice(const struct netcost_owners *o)
{
	return o->packet || o->delivered;
}

/* ---- flows --------------------------------------------------------------------------------- */

/* Usually the flow is known already, and comparing costs less than writing. */
static __always_inline void flow_learn(__u32 flow, const struct netcost_owner *owner)
{
	struct netcost_flow *f = flow ? flow_at(flow & (NETCOST_FLOWS - 1)) : 0;

	if (!f || (f->flow == flow && f->process == owner->process && f->cgroup == owner->cgroup))
		return;
	f->flow = 0; /* a softirq may interrupt this */
	barrier();
	f->process = owner->process;
	f->cgroup = owner->cgroup;
	barrier();
	f->flow = flow;
}

/* No mark identified the packet's receiver: use the last receiver of its flow. */
static __noinline void flow_ask(struct netcost_owners *o)
{
	struct netcost_flow *f = o->flow ? flow_at(o->flow & (NETCOST_FLOWS - 1)) : 0;

	if (!f || f->flow != o->flow || !f->process)
		return;
	o->fate = NETCOST_FATE_DIRECT;
	o->key.process = f->process;
	o->key.cgroup = f->cgroup;
	o->key_of = 0;
}

/* ---- slices -------------------------------------------------------------------------------- */

/* Charges the row of o->key if the disposition has rows, otherwise the disposition. */
static __always_inline void owners_charge(struct netcost_owners *o, __u64 fate, __u64 ns,
					  __u64 packets)
{
	struct netcost_owned *row = fate_has_rows(fate) ? owned_row(o) : 0;

	if (row)
		owned_add(row, o, ns, packets);
	else
		fate_add(o, fate, ns, packets);
}

#include "owners_lists.h"

/* Ends the current slice at `now`. */
static __always_inline void owners_packet_ends(struct netcost_owners *o, __u64 now)
{
	__u64 ns = now - o->since, packet = o->packet;

	if (SELDOM(packet && o->fate == NETCOST_FATE_NO_MARK))
		flow_ask(o);
	o->since = now;
	o->packet = 0;
	if (SELDOM(packet && o->listed) && list_keep(o, packet, ns))
		return;
	owners_charge(o, o->fate, ns, packet != 0);
}

/* Ends the current slice at `now`, or the interval between two slices. */
static __always_inline void owners_slice_end(struct netcost_owners *o, __u64 now)
{
	if (owners_in_slice(o)) {
		owners_packet_ends(o, now);
		return;
	}
	o->pool_ns += now - o->since;
	o->since = now;
}

/* Ends a turn of NAPI. Its time outside of slices is distributed evenly over the packets that it polled. */
static __always_inline void owners_pool_ends(struct netcost_owners *o)
{
	__u64 ns = o->xdp ? o->pool_ns * o->xdp / o->polled : 0;

	if (o->xdp)
		fate_add(o, NETCOST_FATE_XDP, ns, o->xdp);
	fate_add(o, NETCOST_FATE_POOL, o->pool_ns - ns, 0);
	o->pool_ns = 0;
	o->xdp = o->polled = 0;
}

/*
 * Returns the number of packets of the current poll that neither GRO nor the receive core got. A
 * packet that GRO holds or merges counts as got.
 */
static __always_inline __u64 owners_missing(const struct netcost_owners *o, int packets)
{
	__u32 seen = o->poll_gro ? o->poll_gro : o->poll_received;

	return o->looking && packets > 0 && (__u32)packets > seen ? (__u32)packets - seen : 0;
}

/* ---- softirqs, and turns of NAPI threads --------------------------------------------------- */

/* Chooses one in owners_every softirqs at random, so that each is equally likely. */
static __always_inline bool owners_look(void)
{
	return owners_every <= 1 || !((__u64)bpf_get_prandom_u32() * owners_every >> 32);
}

/*
 * A softirq or a NAPI thread's turn begins or ends at `now`: no slice spans that. Called while the
 * CPU's state is still that of the part that ends.
 */
static __always_inline void owners_leave(struct netcost_cpu *c, __u64 now)
{
	struct netcost_owners *o = &c->owners;

	if (!in_napi(c))
		return;
	if (!o->looking) {
		o->ns[NETCOST_FATE_SKIPPED] += now - o->since;
		return;
	}
	owners_slice_end(o, now);
	owners_pool_ends(o);
	list_end(o);
	o->looking = 0;
}

/*
 * Called when the CPU's state is already that of the part that begins. In between there is neither a packet nor a list.
 */
static __always_inline void owners_enter(struct netcost_cpu *c, __u64 now)
{
	struct netcost_owners *o = &c->owners;

	if (!in_napi(c))
		return;
	o->since = now;
	o->listed = 0;
	o->key_of = 0;
	o->cpu = bpf_get_smp_processor_id();
	o->looking = owners_look();
	if (owners_every > 1)
		o->looks += o->looking;
}

/* ---- packets ------------------------------------------------------------------------------- */

/*
 * A packet enters the receive core, or the next packet of a list does. A bridge or a tunnel hands back the same packet,
 * which continues its slice; a packet that was forwarded, for example into a container, is a new one.
 */
static __always_inline void owners_packet(struct netcost_cpu *c, __u64 packet, __u32 flow)
{
	struct netcost_owners *o = &c->owners;

	if (!o->looking)
		return;
	if (o->packet == packet && o->fate != NETCOST_FATE_FORWARDED)
		return;
	owners_slice_end(o, cpu_clock(c));
	if (o->delivered)
		list_end(o); /* another list begins */
	o->packet = packet;
	o->poll_received++;
	o->flow = flow;
	o->fate = NETCOST_FATE_NO_MARK;
	o->weak = 0;
}

/* Ends the slice of the current packet and list: the driver runs. */
static __always_inline void owners_to_driver(struct netcost_cpu *c)
{
	struct netcost_owners *o = &c->owners;

	if (owners_in_slice(o))
		owners_packet_ends(o, cpu_clock(c));
	list_end(o);
}

/* GRO got a packet, and may hold it for a list; the driver goes on. */
static __always_inline void owners_gro_got(struct netcost_cpu *c)
{
	struct netcost_owners *o = &c->owners;

	if (!o->looking)
		return;
	owners_to_driver(c);
	o->poll_gro++;
	o->listed = true;
	o->key_of = 0;
}

/* A poll ended. packets: number of packets that it polled; xdp: the number of these that XDP took in the driver. */
static __always_inline void owners_poll_ends(struct netcost_cpu *c, __u32 packets, __u32 xdp)
{
	struct netcost_owners *o = &c->owners;

	if (!o->looking)
		return;
	owners_to_driver(c);
	o->polled += packets;
	o->xdp += xdp;
	o->poll_gro = o->poll_received = 0;
	o->listed = 0;
	o->key_of = 0;
}

/* Returns whether there is a packet that can be marked. True only if this softirq is observed. */
static __always_inline bool owners_may_mark(const struct netcost_cpu *c)
{
	return owners_in_slice(&c->owners);
}

/* Sets the current receiver from a mark; NULL: unknown. */
static __always_inline void owners_are(struct netcost_owners *o, const struct netcost_owner *owner)
{
	bool known = owner && owner->process;

	o->fate = known ? NETCOST_FATE_DIRECT : NETCOST_FATE_NO_OWNER;
	o->weak = 0;
	o->key_of = 0;
	if (!known)
		return;
	o->key.process = owner->process;
	o->key.cgroup = owner->cgroup;
}

/* In a list, the time up to now was spent on the last packet's path to this point, or for this socket. */
static __always_inline void owners_slice_to(struct netcost_owners *o,
					    const struct netcost_owner *owner, __u64 now)
{
	if (!o->packet)
		owners_are(o, owner);
	owners_slice_end(o, now);
	o->delivered = 1;
}

/*
 * Returns whether a copy of the packet reaches another process's socket, as with multicast. A tap,
 * which gets a copy of every packet, does not count.
 */
static __always_inline bool owners_is_copied(const struct netcost_owners *o,
					     const struct netcost_owner *owner)
{
	if (!o->packet)
		return false;
	if (o->fate == NETCOST_FATE_SEVERAL)
		return true;
	if (o->fate != NETCOST_FATE_DIRECT || o->weak || o->tap)
		return false;
	return !owner || owner->process != o->key.process || owner->cgroup != o->key.cgroup;
}

/*
 * Records that a packet reached a socket. owner: the receiver, NULL if unknown. packet: 0 if unknown. again: the packet
 * had a mark before, or may have had one. The last mark counts, because taps get their copy first. The time of a packet
 * that is copied to sockets of several processes is unattributed: no event reports the time of each copy.
 */
static __always_inline void owners_mark_socket(struct netcost_cpu *c,
					       const struct netcost_owner *owner, __u64 packet,
					       bool again)
{
	struct netcost_owners *o = &c->owners;
	bool of_list = list_is_on(o) && (!packet || packet != o->packet);

	if (SELDOM(!of_list && !packet && !again && owners_is_copied(o, owner))) {
		o->fate = NETCOST_FATE_SEVERAL;
		o->key_of = 0;
		return;
	}
	if (of_list)
		owners_slice_to(o, owner, cpu_clock(c));
	owners_are(o, owner);
	if (of_list && (packet || !again))
		list_mark(o, owner, packet);
	else if (!of_list && o->fate == NETCOST_FATE_DIRECT)
		flow_learn(o->flow, owner);
}

/* Marks the packet like the packet before it. Not for lists. */
static __always_inline void owners_mark_same(struct netcost_owners *o)
{
	o->fate = NETCOST_FATE_DIRECT;
	o->weak = 0;
	flow_learn(o->flow, &o->key);
}

/* The packet woke a process, which is taken as the receiver unless a stronger mark identifies it. */
static __always_inline void owners_mark_woken(struct netcost_owners *o,
					      const struct netcost_owner *woken)
{
	if ((o->fate == NETCOST_FATE_DIRECT && !o->weak) || o->fate == NETCOST_FATE_SEVERAL)
		return;
	owners_are(o, woken);
	o->weak = 1;
}

/* Returns whether the packet is the current one, or one in its list. */
static __always_inline bool owners_has(const struct netcost_owners *o, __u64 packet)
{
	return packet == o->packet || list_has(o, packet);
}

/*
 * Records the disposition of a known packet. A packet of a list is either the current one, or its
 * time is that between two marks.
 */
static __always_inline void owners_mark_fate(struct netcost_cpu *c, __u64 packet, __u64 fate,
					     __u32 number, __u64 name0, __u64 name1)
{
	struct netcost_owners *o = &c->owners;
	bool of_list = packet != o->packet;

	if (!owners_has(o, packet))
		return;
	if (of_list && o->packet) /* the last packet of the list has arrived: delivery begins */
		owners_packet_ends(o, cpu_clock(c));
	o->fate = fate;
	o->weak = 0;
	o->key_of = 0;
	o->key.process = 0;
	o->key.cgroup = FATE_KEY(fate, number);
	o->name[0] = name0;
	o->name[1] = name1;
	if (!of_list)
		return;
	o->delivered = 1;
	owners_packet_ends(o, cpu_clock(c));
	list_mark(o, 0, packet);
}

#endif
