/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * owners.h: whose packets are received (--owners): slices of the RX softirq's time, and what is marked in them. Level
 * softirq: struct netcost_owners in wire.h says what is where.
 *
 * A task that polls a device for its socket (busy_poll.h) is left alone: what it polls stays its own. Its polling is of level
 * op, so that a softirq may come between any two writes of it, and would find slices half begun; and it is not seen at all
 * where functions have no probes.
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

/* Mapped, too. */
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
	row->name[0] = o->name[0]; /* nobody asks for a process's */
	row->name[1] = o->name[1];
	row->next = o->taken[half & 1];
	o->taken[half & 1] = index + 1;
}

/* The row of o->key, or a free one, which is taken. NULL: there is no room. Not inlined: each program would have a copy. */
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

/* The row of o->key on this CPU: most often the first one where it may be. NULL: there is no room. */
static __always_inline struct netcost_owned *owned_row(struct netcost_owners *o)
{
	__u32 half = process_takes_one();
	__u32 first = (half * processes_cpus + o->cpu) * processes_each;
	__u32 place = process_place(o->key.process, o->key.cgroup);
	__u32 index = first + (place & (processes_each - 1));
	struct netcost_owned *row = OWNED_ROW(index);

	return row && owned_is(row, &o->key) ? row : owned_search(o, half, first, place);
}

/* Is it a packet's time, or that of a list that is delivered? Never if it is not looked. */
static __always_inline bool owners_in_slice(const struct netcost_owners *o)
{
	return o->packet || o->delivered;
}

/* ---- flows --------------------------------------------------------------------------------- */

/* Most often it is known: to find that costs less than to write it. */
static __always_inline void flow_learn(__u32 flow, const struct netcost_owner *owner)
{
	struct netcost_flow *f = flow ? flow_at(flow & (NETCOST_FLOWS - 1)) : 0;

	if (!f || (f->flow == flow && f->process == owner->process && f->cgroup == owner->cgroup))
		return;
	f->flow = 0; /* a softirq may come in between */
	barrier();
	f->process = owner->process;
	f->cgroup = owner->cgroup;
	barrier();
	f->flow = flow;
}

/* No mark told whose the packet is: it is whose its flow is. */
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

/* To the row of o->key, if the fate has rows. */
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

/* The slice that is going on ends at `now`. */
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

/* Likewise, or what is between slices. */
static __always_inline void owners_slice_end(struct netcost_owners *o, __u64 now)
{
	if (owners_in_slice(o)) {
		owners_packet_ends(o, now);
		return;
	}
	o->pool_ns += now - o->since;
	o->since = now;
}

/* What a turn took outside of slices belongs to the packets that it polled, in equal shares. */
static __always_inline void owners_pool_ends(struct netcost_owners *o)
{
	__u64 ns = o->xdp ? o->pool_ns * o->xdp / o->polled : 0;

	if (o->xdp)
		fate_add(o, NETCOST_FATE_XDP, ns, o->xdp);
	fate_add(o, NETCOST_FATE_POOL, o->pool_ns - ns, 0);
	o->pool_ns = 0;
	o->xdp = o->polled = 0;
}

/* How many of the packets of the poll that ends neither GRO nor the receive core got. What GRO keeps, or merges, it got. */
static __always_inline __u64 owners_missing(const struct netcost_owners *o, int packets)
{
	__u32 seen = o->poll_gro ? o->poll_gro : o->poll_received;

	return o->looking && packets > 0 && (__u32)packets > seen ? (__u32)packets - seen : 0;
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
	if (!o->looking) {
		o->ns[NETCOST_FATE_SKIPPED] += now - o->since;
		return;
	}
	owners_slice_end(o, now);
	owners_pool_ends(o);
	list_end(o);
	o->looking = 0;
}

/* While what begins is already the CPU's state. In between nothing is going on: no packet, no list. */
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
 * A packet, or the next one of a list. The same one again: a bridge, or a tunnel, hands it back; but one that was forwarded,
 * as into a container, comes as a new one.
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
		list_end(o); /* another one begins */
	o->packet = packet;
	o->poll_received++;
	o->flow = flow;
	o->fate = NETCOST_FATE_NO_MARK;
	o->weak = 0;
}

/* The time of the current packet and list ends: the driver runs. */
static __always_inline void owners_to_driver(struct netcost_cpu *c)
{
	struct netcost_owners *o = &c->owners;

	if (owners_in_slice(o))
		owners_packet_ends(o, cpu_clock(c));
	list_end(o);
}

/* GRO got a packet, which it may keep for a list; the driver goes on. */
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

/* A poll ended. packets: those that it polled; xdp: the number of these that XDP took in the driver. */
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

/* Is there a packet whose fate may be marked? If so, it is being looked. */
static __always_inline bool owners_may_mark(const struct netcost_cpu *c)
{
	return owners_in_slice(&c->owners);
}

/* Whose packets are from here on: of a mark. NULL: of nobody who is known. */
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

/* In a list: what was done up to now was still the last packet's way to here, or was done for that socket. */
static __always_inline void owners_slice_to(struct netcost_owners *o,
					    const struct netcost_owner *owner, __u64 now)
{
	if (!o->packet)
		owners_are(o, owner);
	owners_slice_end(o, now);
	o->delivered = 1;
}

/* Does a copy of the packet reach another process's socket, as with multicast? A tap gets a copy of every packet. */
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
 * A packet reached a socket. owner: NULL: of which nobody is known. packet: which one; 0: that is not known. again: it had
 * a mark before, or may have had. The last mark counts, as taps get their copy first. If a packet is copied to sockets of several
 * processes, its time is nobody's: no event says how much of it each copy took.
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

/* As the packet before it; not in a list. */
static __always_inline void owners_mark_same(struct netcost_owners *o)
{
	o->fate = NETCOST_FATE_DIRECT;
	o->weak = 0;
	flow_learn(o->flow, &o->key);
}

/* It woke someone: that says who receives, if nothing better does. */
static __always_inline void owners_mark_woken(struct netcost_owners *o,
					      const struct netcost_owner *woken)
{
	if ((o->fate == NETCOST_FATE_DIRECT && !o->weak) || o->fate == NETCOST_FATE_SEVERAL)
		return;
	owners_are(o, woken);
	o->weak = 1;
}

/* Is that the packet that goes on, or one of its list? */
static __always_inline bool owners_has(const struct netcost_owners *o, __u64 packet)
{
	return packet == o->packet || list_has(o, packet);
}

/* One that is known. Of a list it is the one that goes on, or it has its time between two marks. */
static __always_inline void owners_mark_fate(struct netcost_cpu *c, __u64 packet, __u64 fate,
					     __u32 number, __u64 name0, __u64 name1)
{
	struct netcost_owners *o = &c->owners;
	bool of_list = packet != o->packet;

	if (!owners_has(o, packet))
		return;
	if (of_list && o->packet) /* the last one has come: now they are delivered */
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
