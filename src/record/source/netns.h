/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * netns.h: the network namespaces that we can see: the recorder's own, those of processes, and those that `ip netns`
 * keeps in /run/netns. They are looked up again from time to time; one that is gone keeps its number.
 */
#ifndef NETCOST_NETNS_H
#define NETCOST_NETNS_H

#include <stdint.h>

#define OWN_NETNS "/proc/self/ns/net"

struct netns_list;

/* -ENOMEM */
int netns_new(struct netns_list **lp);
void netns_free(struct netns_list *l); /* NULL is allowed */

/* Call before each round of readings: looks for new namespaces when it is time to. 0 or -ENOMEM. */
int netns_look(struct netns_list *l, uint64_t now);

uint32_t netns_count(const struct netns_list *l);
/* Opens net/dev of namespace i; 0 is our own. -1: it is gone, or we may not see it. */
int netns_open(struct netns_list *l, uint32_t i);
/* It has been read: closes it, or keeps it open until the next round if that is harmless. */
void netns_done(struct netns_list *l, uint32_t i);

#endif
