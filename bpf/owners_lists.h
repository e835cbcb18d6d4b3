/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * owners_lists.h: packets in lists, which drivers with GRO produce. The kernel receives all packets of a list, or those
 * of one protocol, before it delivers the first of them. So a packet's time has two intervals. The first interval ends
 * when the next packet arrives. It is charged to the flow's receiver, or it is stored here until the receiver is known.
 * The second interval ends with the packet's mark. No event reports the beginning of the second interval. For the first
 * packet, the second interval begins when the first interval of the last packet ends. Marks come in the order of the
 * packets, and some packets have no mark. Part of owners.h.
 *
 * Code that only lists need is in separate functions, so that the programs stay short if there are no lists.
 */
#ifndef NETCOST_OWNERS_LISTS_H
#define NETCOST_OWNERS_LISTS_H

/* Value of netcost_listed.process if the packet's disposition is known, so that later marks belong to other packets. */
#define LIST_DONE ~0ull

/* Returns true if the list has packets before the current packet, or has any packets if there is no current packet. */
static __always_inline bool list_is_on(const struct netcost_owners *o)
{
	return o->delivered || (o->listed && o->listed_n);
}

/* Ends the first interval of a packet. Returns false if the receiver is known already or if there is no room. */
static __noinline bool list_keep(struct netcost_owners *o, __u64 packet, __u64 ns)
{
	bool known = o->fate != NETCOST_FATE_NO_MARK;
	struct netcost_listed *l;

	if (o->listed_n >= NETCOST_LIST)
		return false;
	l = &o->list[o->listed_n++ & (NETCOST_LIST - 1)];
	l->packet = packet;
	l->flow = o->flow;
	l->ns = ns;
	l->process = !known ? 0 : o->fate == NETCOST_FATE_DIRECT ? o->key.process : LIST_DONE;
	return !known;
}

static __noinline bool list_find(const struct netcost_owners *o, __u64 packet)
{
	for (unsigned int i = 0; i < NETCOST_LIST; i++)
		if (i < o->listed_n && o->list[i].packet == packet &&
		    o->list[i].process != LIST_DONE)
			return true;
	return false;
}

static __always_inline bool list_has(const struct netcost_owners *o, __u64 packet)
{
	return SELDOM(o->listed_n) && list_find(o, packet);
}

/*
 * Assigns o->fate and o->key to a packet. If the packet is not identified (0), the first matching packet in the list is
 * taken. The packet's first interval may have been stored until this assignment.
 */
static __noinline void list_mark(struct netcost_owners *o, const struct netcost_owner *owner,
				 __u64 packet)
{
	struct netcost_listed *l;

	o->marked = NETCOST_LIST;
	for (unsigned int i = 0; i < NETCOST_LIST && i < o->listed_n; i++) {
		l = &o->list[i];
		if (packet ? l->packet != packet :
			     l->process && (!owner || l->process != owner->process))
			continue;
		o->marked = i;
		break;
	}
	/*
	 * forces the index into memory; otherwise the verifier would follow the rest of the function for each value of
	 * the index
	 */
	barrier();
	if (o->marked >= NETCOST_LIST)
		return;
	l = &o->list[o->marked & (NETCOST_LIST - 1)];
	if (!l->process) {
		owners_charge(o, o->fate, l->ns, 1);
		if (owner && o->fate == NETCOST_FATE_DIRECT)
			flow_learn(l->flow, owner);
	}
	l->process = LIST_DONE;
}

/* Gives up on the packets in front of `end`: their receivers are unknown. */
static __noinline void list_give_up(struct netcost_owners *o, unsigned int end)
{
	for (unsigned int i = 0; i < NETCOST_LIST; i++) {
		if (i >= end)
			break;
		if (!o->list[i].process)
			fate_add(o, NETCOST_FATE_NO_MARK, o->list[i].ns, 1);
	}
	o->listed_n = o->delivered = 0;
}

static __always_inline void list_end(struct netcost_owners *o)
{
	if (SELDOM(o->listed_n || o->delivered))
		list_give_up(o, o->listed_n);
}

/*
 * A packet arrives after a delivery. Either the next list begins, or the kernel has delivered a part of the list. When
 * a packet of another protocol or device arrives, __netif_receive_skb_list_core() delivers the packets before it. So
 * all packets except the last packet have been delivered. If the last packet is marked, the last packet has been
 * delivered, too.
 */
static __noinline void list_goes_on(struct netcost_owners *o)
{
	unsigned int last = o->listed_n - 1;

	if (last >= NETCOST_LIST) {
		o->delivered = 0;
		return;
	}
	list_give_up(o, last);
	if (o->list[last].process == LIST_DONE)
		return;
	o->list[0] = o->list[last];
	o->listed_n = 1;
}

#endif
