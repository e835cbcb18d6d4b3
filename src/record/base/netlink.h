/* SPDX-License-Identifier: BSD-2-Clause */
/* netlink.h: requests lists from the kernel through netlink. */
#ifndef NETCOST_NETLINK_H
#define NETCOST_NETLINK_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function that is called with each message of a list. It returns false to stop. */
typedef bool netlink_fn(void *ctx, const struct nlmsghdr *message);

/*
 * Requests a list. The request is a message of `type` with `n` bytes of payload; protocol: NETLINK_ROUTE and similar.
 * Returns 0 or -errno. The error may come from the kernel's answer.
 */
int netlink_list(int protocol, uint16_t type, const void *payload, size_t n, netlink_fn *fn,
		 void *ctx);

/*
 * Return the attribute of `type`, or NULL if it is absent. netlink_attr() searches a message after its header of `head`
 * bytes, netlink_inside() searches inside another attribute.
 */
const struct rtattr *netlink_attr(const struct nlmsghdr *message, size_t head, unsigned int type);
const struct rtattr *netlink_inside(const struct rtattr *attr, unsigned int type);

/* Return the value of an attribute; 0 or "" if the attribute is NULL or too short. */
uint32_t netlink_uint(const struct rtattr *attr); /* the value has 1 or 4 bytes */
const char *netlink_text(const struct rtattr *attr);

#endif
