// SPDX-License-Identifier: BSD-2-Clause
/*
 * Finds the BPF programs of this host, for others.c: which of them are the recorder's own, and where the others are
 * attached.
 */
#include "others.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <netcost/array.h>

#include "cgroup_programs.h"
#include "interface_programs.h"
#include "record/base/clock.h"
#include "record/base/netlink.h"
#include "record/kernel/admin.h"
#include "record/kernel/bpf_info.h"

#define LINKS_MOST 4096 /* maximum number of links; reading one takes some microseconds */

/* ---- the recorder's programs ------------------------------------------------------------- */

/* Returns the program id of a descriptor, if it is a program or a program's link. Returns 0 if it is neither. */
static uint32_t program_of(int dir, const char *fd)
{
	static const char word[] = "\nprog_id:";
	int file = openat(dir, fd, O_RDONLY | O_CLOEXEC);
	char text[1024];
	const char *p;
	ssize_t n;

	if (file < 0)
		return 0;
	n = read(file, text, sizeof(text) - 1);
	close(file);
	text[n > 0 ? n : 0] = '\0';
	p = strstr(text, word);
	return p ? (uint32_t)strtoul(p + strlen(word), NULL, 10) : 0;
}

static int own(uint32_t **id, size_t *n)
{
	DIR *d = opendir("/proc/self/fdinfo");
	struct dirent *e;
	size_t room = 0;
	int err = 0;

	while (d && !err && (e = readdir(d))) {
		uint32_t program = program_of(dirfd(d), e->d_name);

		if (!program)
			continue;
		err = array_reserve(id, &room, *n + 1, sizeof(**id));
		if (!err)
			(*id)[(*n)++] = program;
	}
	if (d)
		closedir(d);
	return err;
}

/* ---- places of links --------------------------------------------------------------------- */

/* Names of attach points, by enum bpf_attach_type. */
static const char *const attach_types[] = {
	[0] = "inet_ingress",  [1] = "inet_egress",	[2] = "inet_sock_create",
	[3] = "sock_ops",      [6] = "device",		[8] = "bind4",
	[9] = "bind6",	       [10] = "connect4",	[11] = "connect6",
	[12] = "post_bind4",   [13] = "post_bind6",	[14] = "sendmsg4",
	[15] = "sendmsg6",     [17] = "flow_dissector", [18] = "sysctl",
	[19] = "recvmsg4",     [20] = "recvmsg6",	[21] = "getsockopt",
	[22] = "setsockopt",   [29] = "getpeername4",	[30] = "getpeername6",
	[31] = "getsockname4", [32] = "getsockname6",	[34] = "inet_sock_release",
	[36] = "sk_lookup",    [46] = "ingress",	[47] = "egress",
	[54] = "primary",      [55] = "peer",
};

static const char *attach_type(uint32_t number)
{
	bool known = number < sizeof(attach_types) / sizeof(*attach_types) && attach_types[number];

	return known ? attach_types[number] : "";
}

/*
 * Writes the attach point of a link to dst. A link has only the interface's number, in an unknown network namespace, so
 * interfaces of the recorder's own namespace are queried separately.
 */
static void link_place(char *dst, size_t size, const struct bpf_link_about *about)
{
	const struct bpf_link_part *info = &about->info;

	dst[0] = '\0';
	if (info->type == LINK_RAW_TRACEPOINT)
		snprintf(dst, size, "raw_tp %.64s", about->name);
	else if (info->type == LINK_CGROUP)
		snprintf(dst, size, "cgroup %llu %s", (unsigned long long)info->cgroup.id,
			 attach_type(info->cgroup.attach_type));
	else if (info->type == LINK_NETNS)
		snprintf(dst, size, "netns %s", attach_type(info->other.attach_type));
	else if (info->type == LINK_NETFILTER)
		snprintf(dst, size, "netfilter");
	else if (info->type == LINK_NETKIT)
		snprintf(dst, size, "netkit %s", attach_type(info->other.attach_type));
}

static void links(struct admin *admin, others_place_fn *fn, void *ctx)
{
	struct bpf_link_about about[ADMIN_MOST];
	char place[OTHERS_PLACE];
	uint32_t id = 0;
	int got;

	for (int n = 0; n < LINKS_MOST && (got = admin_links(admin, id, about, ADMIN_MOST)) > 0;
	     n += got)
		for (int i = 0; i < got; i++) {
			id = about[i].info.id;
			link_place(place, sizeof(place), &about[i]);
			if (*place)
				fn(ctx, about[i].info.prog_id, place);
		}
}

/* ---- places at interfaces ---------------------------------------------------------------- */

/* An interface of the recorder's own network namespace. */
struct interface {
	int index;
	char name[IF_NAMESIZE];
	bool filters;
};

struct places {
	others_place_fn *fn;
	void *ctx;
	struct interface *at;
	size_t n, room;
	const struct interface *now;
	const struct interface_side *side;
};

static void tell(const struct places *p, const struct interface *i, uint32_t id, const char *how)
{
	char place[OTHERS_PLACE];

	snprintf(place, sizeof(place), "interface %s %s", i->name, how);
	p->fn(p->ctx, id, place);
}

static bool take_interface(void *ctx, const struct nlmsghdr *m)
{
	static const unsigned int hooks[] = { IFLA_XDP_DRV_PROG_ID, IFLA_XDP_SKB_PROG_ID,
					      IFLA_XDP_HW_PROG_ID };
	static const size_t head = sizeof(struct ifinfomsg);
	struct places *p = ctx;
	struct interface *i;

	if (m->nlmsg_type != RTM_NEWLINK || m->nlmsg_len < NLMSG_LENGTH(head))
		return true;
	if (array_reserve(&p->at, &p->room, p->n + 1, sizeof(*p->at)))
		return false;
	i = &p->at[p->n++];
	*i = (struct interface){ .index = ((const struct ifinfomsg *)NLMSG_DATA(m))->ifi_index };
	snprintf(i->name, sizeof(i->name), "%s", netlink_text(netlink_attr(m, head, IFLA_IFNAME)));
	for (size_t k = 0; k < sizeof(hooks) / sizeof(*hooks); k++) {
		uint32_t id =
			netlink_uint(netlink_inside(netlink_attr(m, head, IFLA_XDP), hooks[k]));

		if (id)
			tell(p, i, id, "xdp");
	}
	return true;
}

/* Notes interfaces with a qdisc that can have filters. */
static bool take_qdisc(void *ctx, const struct nlmsghdr *m)
{
	const struct tcmsg *tc = NLMSG_DATA(m);
	struct places *p = ctx;

	if (m->nlmsg_type != RTM_NEWQDISC || m->nlmsg_len < NLMSG_LENGTH(sizeof(*tc)))
		return true;
	for (size_t i = 0; i < p->n && tc->tcm_parent == TC_H_INGRESS; i++)
		p->at[i].filters |= p->at[i].index == tc->tcm_ifindex;
	return true;
}

static void take_program(void *ctx, uint32_t id)
{
	const struct places *p = ctx;

	if (id)
		tell(p, p->now, id, p->side->name);
}

static void interfaces(others_place_fn *fn, void *ctx)
{
	struct places p = { .fn = fn, .ctx = ctx };

	netlink_list(NETLINK_ROUTE, RTM_GETLINK, &(struct ifinfomsg){ 0 }, sizeof(struct ifinfomsg),
		     take_interface, &p);
	netlink_list(NETLINK_ROUTE, RTM_GETQDISC, &(struct tcmsg){ 0 }, sizeof(struct tcmsg),
		     take_qdisc, &p);
	for (size_t i = 0; i < p.n; i++)
		for (size_t k = 0; k < INTERFACE_SIDES; k++) {
			p.now = &p.at[i];
			p.side = &interface_side[k];
			interface_programs(p.now->index, p.side, p.now->filters, take_program, &p);
		}
	free(p.at);
}

/* ---- all places -------------------------------------------------------------------------- */

static void places(struct admin *admin, others_place_fn *fn, void *ctx)
{
	links(admin, fn, ctx);
	interfaces(fn, ctx);
}

struct cgroup_places {
	others_place_fn *fn;
	void *ctx;
};

static void take_cgroup(void *ctx, uint32_t id, uint64_t cgroup, uint32_t hook)
{
	const struct cgroup_places *p = ctx;
	char place[OTHERS_PLACE];

	snprintf(place, sizeof(place), "cgroup %llu %s", (unsigned long long)cgroup,
		 attach_type(hook));
	p->fn(p->ctx, id, place);
}

static void cgroups(uint64_t types, others_place_fn *fn, void *ctx)
{
	cgroup_programs(types, take_cgroup, &(struct cgroup_places){ fn, ctx });
}

static uint64_t boot_ns(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

static uint64_t mono_ns(void)
{
	return now_ns();
}

const struct others_host others_kernel = {
	.list = admin_programs,
	.own = own,
	.places = places,
	.cgroups = cgroups,
	.now_ns = mono_ns,
	.boot_ns = boot_ns,
};
