/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * owners_lists.h: packets that come in lists, as those of drivers that use GRO: the kernel takes all of a list before it
 * delivers the first one. So a packet's time has two pieces. The first one ends when the next packet comes: it is the
 * flow's, or waits here. The second one ends with the packet's mark, as nothing tells where it begins: that of the first
 * packet is the last one's. Marks come in the order of packets, those of some are missing. Part of owners.h.
 *
 * What is done for lists alone is in functions of its own, so that programs are short where none come.
 */
#ifndef NETCOST_OWNERS_LISTS_H
#define NETCOST_OWNERS_LISTS_H

#define LIST_DONE ~0ull /* as a process: it is known, and what follows is not about it */

/* Are there packets before the one that is going on, if one is? */
static __always_inline bool list_is_on(const struct netcost_owners *o)
{
	return o->delivered || (o->listed && o->listed_n);
}

/* The first piece of a packet ends. False: it is known whose that is, or there is no room. */
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
 * A packet has o->fate, and o->key: that one, or if it is not known which, the first one that may be it. Its first piece
 * may have waited for that.
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
	barrier(); /* by memory: otherwise the verifier goes through what follows for each of them */
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

/* Of those that are left nothing told whose they are. */
static __noinline void list_give_up(struct netcost_owners *o)
{
	for (unsigned int i = 0; i < NETCOST_LIST; i++) {
		if (i >= o->listed_n)
			break;
		if (!o->list[i].process)
			fate_add(o, NETCOST_FATE_NO_MARK, o->list[i].ns, 1);
	}
	o->listed_n = o->delivered = 0;
}

static __always_inline void list_end(struct netcost_owners *o)
{
	if (SELDOM(o->listed_n || o->delivered))
		list_give_up(o);
}

#endif
