// SPDX-License-Identifier: BSD-2-Clause
/* Reads settings of the interfaces of the recorder's own network namespace, from rtnetlink. */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h> /* TC_H_ROOT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/text_append.h>

#include "context_rows.h"
#include "record/base/netlink.h"

struct links {
	struct admin *admin;
	struct context_link *link;
	size_t n, size;
	bool no_memory;
};

/* ---- interfaces -------------------------------------------------------------------------- */

/* The XDP attach modes of an interface. */
static const struct {
	unsigned int attribute;
	const char *hook;
} xdp_hooks[] = {
	{ IFLA_XDP_DRV_PROG_ID, "driver" },
	{ IFLA_XDP_SKB_PROG_ID, "generic" },
	{ IFLA_XDP_HW_PROG_ID, "hardware" },
};

static void take_xdp(struct admin *admin, struct context_link *l, const struct rtattr *xdp)
{
	for (size_t i = 0; i < sizeof(xdp_hooks) / sizeof(*xdp_hooks); i++) {
		uint32_t id = netlink_uint(netlink_inside(xdp, xdp_hooks[i].attribute));
		char program[CONTEXT_VALUE] = "";

		if (!id)
			continue;
		context_program(admin, program, sizeof(program), id);
		text_append(l->xdp, sizeof(l->xdp), ", ", "%s %s", xdp_hooks[i].hook, program);
	}
}

static bool take_link(void *ctx, const struct nlmsghdr *m)
{
	static const size_t head = sizeof(struct ifinfomsg);
	const struct rtattr *address = netlink_attr(m, head, IFLA_ADDRESS);
	const struct rtattr *info = netlink_attr(m, head, IFLA_LINKINFO);
	struct links *links = ctx;
	struct context_link *l;

	if (m->nlmsg_type != RTM_NEWLINK || m->nlmsg_len < NLMSG_LENGTH(head))
		return true;
	links->no_memory |= array_reserve(&links->link, &links->size, links->n + 1, sizeof(*l)) !=
			    0;
	if (links->no_memory)
		return false;
	l = &links->link[links->n++];
	*l = (struct context_link){
		.index = ((const struct ifinfomsg *)NLMSG_DATA(m))->ifi_index,
		.master = (int)netlink_uint(netlink_attr(m, head, IFLA_MASTER)),
		.mtu = netlink_uint(netlink_attr(m, head, IFLA_MTU)),
		.queue_length = netlink_uint(netlink_attr(m, head, IFLA_TXQLEN)),
	};
	snprintf(l->name, sizeof(l->name), "%s", netlink_text(netlink_attr(m, head, IFLA_IFNAME)));
	snprintf(l->kind, sizeof(l->kind), "%s",
		 netlink_text(netlink_inside(info, IFLA_INFO_KIND)));
	snprintf(l->qdisc, sizeof(l->qdisc), "%s", netlink_text(netlink_attr(m, head, IFLA_QDISC)));
	if (address && RTA_PAYLOAD(address) <= sizeof(l->address)) {
		l->address_n = RTA_PAYLOAD(address);
		memcpy(l->address, RTA_DATA(address), l->address_n);
	}
	take_xdp(links->admin, l, netlink_attr(m, head, IFLA_XDP));
	return true;
}

static struct context_link *find_link(const struct links *links, int index)
{
	for (size_t i = 0; i < links->n; i++)
		if (links->link[i].index == index)
			return &links->link[i];
	return NULL;
}

/* ---- qdiscs ------------------------------------------------------------------------------ */

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (strcspn(p, " ") == n && !memcmp(p, word, n))
			return true;
	return false;
}

/*
 * Takes a qdisc, at the root or below it. The kernel lists the qdiscs of an interface one after the other, so the
 * interface is usually that of the previous qdisc.
 */
static bool take_qdisc(void *ctx, const struct nlmsghdr *m)
{
	static const size_t head = sizeof(struct tcmsg);
	const char *kind = netlink_text(netlink_attr(m, head, TCA_KIND));
	const struct tcmsg *tc = NLMSG_DATA(m);
	struct context_link *l;

	if (m->nlmsg_type != RTM_NEWQDISC || m->nlmsg_len < NLMSG_LENGTH(head))
		return true;
	l = find_link(ctx, tc->tcm_ifindex);
	if (!l || tc->tcm_parent == TC_H_ROOT)
		return true;
	if (tc->tcm_parent == TC_H_INGRESS) { /* TC_H_CLSACT has the same value */
		l->classifies = true;
		return true;
	}
	if (!has_word(l->qdisc, kind))
		text_append(l->qdisc, sizeof(l->qdisc), " ", "%s", kind);
	return true;
}

/* ---- rows -------------------------------------------------------------------------------- */

static void add_link(struct context_rows *r, const struct links *links,
		     const struct context_link *l)
{
	const struct context_link *master = l->master ? find_link(links, l->master) : NULL;
	char subject[CONTEXT_SUBJECT], text[CONTEXT_SUBJECT];

	snprintf(subject, sizeof(subject), "interface %s", l->name);
	context_ethtool(r, l->name);
	if (l->kind[0])
		context_value(r, subject, "kind", l->kind);
	context_number(r, subject, "mtu", l->mtu);
	context_value(r, subject, "qdisc", l->qdisc);
	context_number(r, subject, "tx_queue_len", l->queue_length);
	if (master) {
		snprintf(text, sizeof(text), "interface %s", master->name);
		context_value(r, subject, "master", text);
	}
	if (l->xdp[0])
		context_value(r, subject, "xdp", l->xdp);
	context_link_programs(r, l);
	context_queues(r, l);
}

void context_links(struct context_rows *r)
{
	struct links links = { .admin = r->admin };
	int err = netlink_list(NETLINK_ROUTE, RTM_GETLINK, &(struct ifinfomsg){ 0 },
			       sizeof(struct ifinfomsg), take_link, &links);

	if (!err)
		err = netlink_list(NETLINK_ROUTE, RTM_GETQDISC, &(struct tcmsg){ 0 },
				   sizeof(struct tcmsg), take_qdisc, &links);
	if (err)
		context_refused(r, "interface", "all", err);
	r->no_memory |= links.no_memory;
	for (size_t i = 0; i < links.n && !r->no_memory; i++)
		if (links.link[i].name[0])
			add_link(r, &links, &links.link[i]);
	free(links.link);
}
