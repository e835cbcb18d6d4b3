// SPDX-License-Identifier: BSD-2-Clause
/* BPF programs that packets and sockets pass. Those of the recorder's own are of other types. */
#include <errno.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <netcost/messages.h>
#include <netcost/text_append.h>

#include "context_rows.h"
#include "record/base/netlink.h"

#define PROGRAMS_MAX 2000 /* to look at one takes some us */

#define TCX_INGRESS 46 /* BPF_TCX_INGRESS, of Linux 6.6 */
#define TCX_EGRESS 47

static int info_of(uint32_t id, struct bpf_prog_info *info)
{
	int fd = bpf_prog_get_fd_by_id(id), err;
	uint32_t len = sizeof(*info);

	memset(info, 0, sizeof(*info));
	if (fd < 0)
		return -errno;
	err = bpf_obj_get_info_by_fd(fd, info, &len) ? -errno : 0;
	info->name[sizeof(info->name) - 1] = '\0';
	close(fd);
	return err;
}

static void append(char *list, size_t size, const struct bpf_prog_info *info)
{
	text_append(list, size, ", ", *info->name ? "prog %s" : "nameless program", info->name);
}

void context_program(char *list, size_t size, uint32_t id)
{
	struct bpf_prog_info info;

	if (!info_of(id, &info))
		append(list, size, &info);
	else
		text_append(list, size, ", ", "unknown program");
}

/* ---- of an interface --------------------------------------------------------------------- */

struct filters {
	char text[CONTEXT_VALUE];
	unsigned int others; /* which are no BPF programs */
};

static bool take_filter(void *ctx, const struct nlmsghdr *m)
{
	static const size_t head = sizeof(struct tcmsg);
	const struct rtattr *options = netlink_attr(m, head, TCA_OPTIONS);
	const char *kind = netlink_text(netlink_attr(m, head, TCA_KIND));
	uint32_t id = netlink_uint(netlink_inside(options, TCA_BPF_ID));
	struct filters *f = ctx;

	if (m->nlmsg_type != RTM_NEWTFILTER || !options)
		return true;
	if (strcmp(kind, "bpf")) {
		f->others += netlink_inside(options, 1) != NULL; /* not a filter's empty head */
		return true;
	}
	if (id)
		context_program(f->text, sizeof(f->text), id);
	return true;
}

/* The ways by which programs are attached to one side of an interface: filters of clsact, and tcx. */
static const struct side {
	const char *name;
	uint32_t parent;
	int tcx;
} sides[] = {
	{ "tc ingress", TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS), TCX_INGRESS },
	{ "tc egress", TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS), TCX_EGRESS },
};

static void take_tcx(struct filters *f, const struct context_link *l, const struct side *s)
{
	uint32_t id[32], n = sizeof(id) / sizeof(*id), flags;

	if (bpf_prog_query(l->index, (enum bpf_attach_type)s->tcx, 0, &flags, id, &n))
		return; /* before Linux 6.6; what else it may be, filters say, too */
	for (uint32_t i = 0; i < n && i < sizeof(id) / sizeof(*id); i++)
		context_program(f->text, sizeof(f->text), id[i]);
}

static void side(struct context_rows *r, const struct context_link *l, const struct side *s)
{
	const struct tcmsg request = { .tcm_ifindex = l->index, .tcm_parent = s->parent };
	char subject[CONTEXT_SUBJECT];
	struct filters f = { 0 };
	int err = l->classifies ? netlink_list(NETLINK_ROUTE, RTM_GETTFILTER, &request,
					       sizeof(request), take_filter, &f) :
				  0;

	snprintf(subject, sizeof(subject), "interface %s", l->name);
	take_tcx(&f, l, s);
	if (f.others)
		text_append(f.text, sizeof(f.text), ", ", "%u filters", f.others);
	if (err)
		context_refused(r, subject, s->name, err);
	else if (f.text[0])
		context_value(r, subject, s->name, f.text);
}

void context_link_programs(struct context_rows *r, const struct context_link *l)
{
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++)
		side(r, l, &sides[i]);
}

/* ---- of the host ------------------------------------------------------------------------- */

/* Types by number: the headers of old libraries do not have all. */
static const struct {
	uint32_t type;
	const char *name;
} types[] = {
	{ 6, "xdp" },
	{ 3, "sched_cls" },
	{ 4, "sched_act" },
	{ 8, "cgroup_skb" },
	{ 9, "cgroup_sock" },
	{ 18, "cgroup_sock_addr" },
	{ 25, "cgroup_sockopt" },
	{ 1, "socket_filter" },
	{ 13, "sock_ops" },
	{ 14, "sk_skb" },
	{ 16, "sk_msg" },
	{ 30, "sk_lookup" },
	{ 21, "sk_reuseport" },
	{ 22, "flow_dissector" },
	{ 10, "lwt_in" },
	{ 11, "lwt_out" },
	{ 12, "lwt_xmit" },
	{ 19, "lwt_seg6local" },
	{ 32, "netfilter" },
};

#define TYPES (sizeof(types) / sizeof(*types))

/* A list has each name once. */
static bool has_name(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; (p = strstr(p, name)); p += n)
		if (p >= list + strlen("prog ") && p[-1] == ' ' && (p[n] == ',' || !p[n]))
			return true;
	return false;
}

static void take_program(char (*names)[CONTEXT_VALUE], uint32_t id)
{
	struct bpf_prog_info info;

	if (info_of(id, &info))
		return; /* it may have ended just now */
	for (size_t i = 0; i < TYPES; i++)
		if (types[i].type == info.type && !has_name(names[i], info.name))
			append(names[i], sizeof(names[i]), &info);
}

void context_programs(struct context_rows *r)
{
	char(*names)[CONTEXT_VALUE] = calloc(TYPES, sizeof(*names));
	unsigned int seen = 0;
	uint32_t id = 0;
	int err = 0;

	if (!names) {
		r->no_memory = true;
		return;
	}
	while (seen < PROGRAMS_MAX && !(err = bpf_prog_get_next_id(id, &id) ? -errno : 0)) {
		take_program(names, id);
		seen++;
	}
	if (seen == PROGRAMS_MAX)
		context_add(r, "bpf", "programs", "", said_too_many_programs);
	else
		context_refused(r, "bpf", "programs", err); /* -ENOENT: that was the last */
	for (size_t i = 0; i < TYPES; i++)
		if (*names[i])
			context_value(r, "bpf", types[i].name, names[i]);
	free(names);
}
