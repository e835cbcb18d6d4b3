/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * owners.h: receivers of packets (--owners): divides the RX softirq's time into slices, and marks the receiver of each
 * slice. This code runs at level softirq. struct netcost_owners in wire_owners.h describes the data.
 *
 * A task that busy-polls a device for its socket (busy_poll.h) has no slices, because the packets that it polls are
 * charged to the task itself. Its polling runs at level op, so a softirq may come between any two writes and would find
 * a half-written slice. Also, without function probes no event reports busy polling.
 *
 * Rows of dispositions without a process have process 0. Their cgroup field holds the disposition and a number: the
 * drop reason, or the interface to which packets were forwarded.
 */
#ifndef NETCOST_OWNERS_H
#define NETCOST_OWNERS_H

#include "clock.h"
#include "processes.h"
#include "rx_stages.h"

#ifndef flow_at /* the unit tests define their own flow_at */
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

/* The recorder maps this map. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* the recorder sets the real size */
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

/* ---- charging of time ---------------------------------------------------------------------- */

/* Returns the increase of the sum of squares when a row's time in one softirq grows from `ns` to `ns + more`. */
static __always_inline __u64 square_more(__u64 ns, __u64 more)
{
	return (ns + more) * (ns + more) / (1 << NETCOST_SQUARE_BITS) -
	       ns * ns / (1 << NETCOST_SQUARE_BITS);
}

/* Charges time and packets to a disposition without rows. */
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
	row->name[0] = o->name[0]; /* unused if the row belongs to a process */
	row->name[1] = o->name[1];
	row->next = o->taken[half & 1];
	o->taken[half & 1] = index + 1;
}

/*
 * Returns the row of o->key, or takes a free row for it. Returns NULL if there is no room. This function is not
 * inlined, because each program would then have a copy.
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

/*
 * Returns the row of o->key on this CPU, which is usually at the first place tried. Returns NULL if there is no room.
 */
static __always_inline struct netcost_owned *owned_row(struct netcost_owners *o)
{
	__u32 half = process_takes_one();
	__u32 first = (half * processes_cpus + o->cpu) * processes_each;
	__u32 place = process_place(o->key.process, o->key.cgroup);
	__u32 index = first + (place & (processes_each - 1));
	struct netcost_owned *row = OWNED_ROW(index);

	return row && owned_is(row, &o->key) ? row : owned_search(o, half, first, place);
}

/*
 * Returns true if a packet, or the delivery of a list, is in progress. Always false in a softirq that is not observed.
 */
static __always_inline bool owners_in_slice(const struct netcost_owners *o)
{
	return o->packet || o->delivered;
}

/* ---- flows --------------------------------------------------------------------------------- */

/*
 * Stores the receiver of a flow. Usually the flow has the same receiver already, and comparing costs less than writing.
 */
static __always_inline void flow_learn(__u32 flow, const struct netcost_owner *owner)
{
	struct netcost_flow *f = flow ? flow_at(flow & (NETCOST_FLOWS - 1)) : 0;

	if (!f || (f->flow == flow && f->process == owner->process && f->cgroup == owner->cgroup))
		return;
	f->flow = 0; /* a softirq may interrupt this update */
	barrier();
	f->process = owner->process;
	f->cgroup = owner->cgroup;
	barrier();
	f->flow = flow;
}

/* Takes the last receiver of the flow as the packet's receiver. Called if no mark has identified the receiver. */
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

/* Charges time and packets to the row of o->key if the disposition has rows, otherwise to the disposition itself. */
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

/*
 * Ends a turn of NAPI. The time of the turn outside of slices is distributed evenly over the packets that the turn
 * polled.
 */
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
 * Returns the number of packets of the current poll that reached neither GRO nor the receive core. A packet that GRO
 * holds or merges has reached GRO.
 */
static __always_inline __u64 owners_missing(const struct netcost_owners *o, int packets)
{
	__u32 seen = o->poll_gro ? o->poll_gro : o->poll_received;

	return o->looking && packets > 0 && (__u32)packets > seen ? (__u32)packets - seen : 0;
}

/* ---- begin and end of softirqs and of NAPI threads' turns ---------------------------------- */

/* Decides at random whether a softirq is observed. The probability is 1 / owners_every for each softirq. */
static __always_inline bool owners_look(void)
{
	return owners_every <= 1 || !((__u64)bpf_get_prandom_u32() * owners_every >> 32);
}

/*
 * Ends the current slice because a softirq or a NAPI thread's turn begins or ends at `now`. Called before the CPU's
 * state changes.
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
 * Starts the accounting of the softirq or turn that begins at `now`. Called after the CPU's state has changed. Between
 * owners_leave() and this call, there is neither a packet nor a list.
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
 * Starts the slice of a packet that enters the receive core, alone or as the next packet of a list. A bridge or a
 * tunnel hands back the same packet, which continues its slice. A packet that was forwarded, for example into a
 * container, is a new packet.
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
		list_goes_on(o);
	o->packet = packet;
	o->poll_received++;
	o->flow = flow;
	o->fate = NETCOST_FATE_NO_MARK;
	o->weak = 0;
}

/* Ends the slice of the current packet and list, because the driver runs again. */
static __always_inline void owners_to_driver(struct netcost_cpu *c)
{
	struct netcost_owners *o = &c->owners;

	if (owners_in_slice(o))
		owners_packet_ends(o, cpu_clock(c));
	list_end(o);
}

/* Notes that GRO got a packet, which it may hold for a list. The driver then continues. */
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

/* Ends a poll. packets: number of polled packets; xdp: number of polled packets that XDP took in the driver. */
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

/* Returns true if there is a packet that can be marked. Always false in a softirq that is not observed. */
static __always_inline bool owners_may_mark(const struct netcost_cpu *c)
{
	return owners_in_slice(&c->owners);
}

/* Sets the current receiver from a mark. NULL means that the receiver is unknown. */
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

/*
 * Ends a slice during the delivery of a list. If there is a current packet, it is the last packet of the list, and the
 * slice is its path up to this point. Otherwise the slice is the delivery of a packet to this receiver's socket.
 */
static __always_inline void owners_slice_to(struct netcost_owners *o,
					    const struct netcost_owner *owner, __u64 now)
{
	if (!o->packet)
		owners_are(o, owner);
	owners_slice_end(o, now);
	o->delivered = 1;
}

/*
 * Returns true if a copy of the packet reaches a socket of another process, as with multicast. A tap, which gets a copy
 * of every packet, is ignored.
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
 * Records that a packet reached a socket. owner: the receiver, NULL if unknown. packet: 0 if unknown. again: set if the
 * packet has, or may have, an earlier mark. The last mark counts, because taps get their copy first. The time of a
 * packet that is copied to sockets of several processes is unattributed, because no event reports the time of each
 * copy.
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

/* Gives the packet the same mark as the previous packet. Not called for lists. */
static __always_inline void owners_mark_same(struct netcost_owners *o)
{
	o->fate = NETCOST_FATE_DIRECT;
	o->weak = 0;
	flow_learn(o->flow, &o->key);
}

/* Marks the process that the packet woke as the packet's receiver, unless a stronger mark identifies the receiver. */
static __always_inline void owners_mark_woken(struct netcost_owners *o,
					      const struct netcost_owner *woken)
{
	if ((o->fate == NETCOST_FATE_DIRECT && !o->weak) || o->fate == NETCOST_FATE_SEVERAL)
		return;
	owners_are(o, woken);
	o->weak = 1;
}

/* Returns true if the packet is the current packet or a packet of the current list. */
static __always_inline bool owners_has(const struct netcost_owners *o, __u64 packet)
{
	return packet == o->packet || list_has(o, packet);
}

/*
 * Records the disposition of a known packet. A packet that is not the current packet belongs to a list. Then the time
 * since the previous mark is charged to this packet.
 */
static __always_inline void owners_mark_fate(struct netcost_cpu *c, __u64 packet, __u64 fate,
					     __u32 number, __u64 name0, __u64 name1)
{
	struct netcost_owners *o = &c->owners;
	bool of_list = packet != o->packet;

	if (!owners_has(o, packet))
		return;
	if (of_list && o->packet) /* the last packet of the list has arrived, so delivery begins */
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
