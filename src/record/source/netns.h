/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * netns.h: the network namespaces that we can see: the recorder's own, those that processes live in, and those that
 * `ip netns` keeps under /run/netns. Looked for again from time to time; one that is gone keeps its number.
 */
#ifndef NETCOST_NETNS_H
#define NETCOST_NETNS_H

#include <stdint.h>

#define OWN_NETNS "/proc/self/ns/net"

struct netns_list;

/* -ENOMEM */
int netns_new(struct netns_list **lp);
void netns_free(struct netns_list *l); /* takes NULL */

/* Before each round of readings: looks for new ones where it is time to. 0 or -ENOMEM. */
int netns_look(struct netns_list *l, uint64_t now);

uint32_t netns_count(const struct netns_list *l);
/* net/dev of one, from 0, which is our own; -1: not there any more, or not ours to see. */
int netns_open(struct netns_list *l, uint32_t i);
/* It has been read: closes it, or keeps it open until the next round where that does no harm. */
void netns_done(struct netns_list *l, uint32_t i);

#endif
