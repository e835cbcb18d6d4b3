/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * netns.h: finds the network namespaces that are visible to the recorder: its own, those of processes, and those that
 * `ip netns` keeps in /run/netns. The search is repeated from time to time. A namespace that no longer exists keeps its
 * number.
 */
#ifndef NETCOST_NETNS_H
#define NETCOST_NETNS_H

#include <stdint.h>

#define OWN_NETNS "/proc/self/ns/net"

struct netns_list;

struct admin;

/* Creates a list. Returns 0 or -ENOMEM. */
int netns_new(struct netns_list **lp, struct admin *admin);
void netns_free(struct netns_list *l); /* NULL is allowed */

/*
 * Scans for new namespaces if the last scan was long enough ago. Call it before each round of readings. Returns 0 or
 * -ENOMEM.
 */
int netns_look(struct netns_list *l, uint64_t now);

uint32_t netns_count(const struct netns_list *l);
/*
 * Opens net/dev of namespace i. 0 is the recorder's own namespace. Returns -1 if the namespace no longer exists or is
 * not visible.
 */
int netns_open(struct netns_list *l, uint32_t i);
/* Ends the reading of net/dev: closes the file, or keeps it open until the next round if that is harmless. */
void netns_done(struct netns_list *l, uint32_t i);

#endif
