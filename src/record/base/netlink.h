/* SPDX-License-Identifier: BSD-2-Clause */
/* netlink.h: lists that the kernel gives through netlink. */
#ifndef NETCOST_NETLINK_H
#define NETCOST_NETLINK_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called with each message of a list. Returns false to stop. */
typedef bool netlink_fn(void *ctx, const struct nlmsghdr *message);

/*
 * Requests a list. The request is a message of that type with `n` bytes of payload; protocol:
 * NETLINK_ROUTE …. 0 or -errno, including that of the kernel's answer.
 */
int netlink_list(int protocol, uint16_t type, const void *payload, size_t n, netlink_fn *fn,
		 void *ctx);

/*
 * Returns the attribute of that type after a message's header of `head` bytes, or inside another
 * attribute; NULL: absent.
 */
const struct rtattr *netlink_attr(const struct nlmsghdr *message, size_t head, unsigned int type);
const struct rtattr *netlink_inside(const struct rtattr *attr, unsigned int type);

/* Returns the attribute's value; 0 or "" if it is NULL or too short. */
uint32_t netlink_uint(const struct rtattr *attr); /* 1 or 4 bytes */
const char *netlink_text(const struct rtattr *attr);

#endif
