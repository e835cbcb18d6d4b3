// SPDX-License-Identifier: BSD-2-Clause
#include "interface_programs.h"

#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <string.h>

#include <bpf/bpf.h>

#include "record/base/netlink.h"

#define TCX_INGRESS 46 /* BPF_TCX_INGRESS, of Linux 6.6 */
#define TCX_EGRESS 47

const struct interface_side interface_side[INTERFACE_SIDES] = {
	{ "tc ingress", TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_INGRESS), TCX_INGRESS },
	{ "tc egress", TC_H_MAKE(TC_H_CLSACT, TC_H_MIN_EGRESS), TCX_EGRESS },
};

struct take {
	interface_program_fn *fn;
	void *ctx;
};

static bool take_filter(void *ctx, const struct nlmsghdr *m)
{
	static const size_t head = sizeof(struct tcmsg);
	const struct rtattr *options = netlink_attr(m, head, TCA_OPTIONS);
	const char *kind = netlink_text(netlink_attr(m, head, TCA_KIND));
	uint32_t id = netlink_uint(netlink_inside(options, TCA_BPF_ID));
	const struct take *t = ctx;

	if (m->nlmsg_type != RTM_NEWTFILTER || !options)
		return true;
	if (!strcmp(kind, "bpf")) {
		if (id)
			t->fn(t->ctx, id);
	} else if (netlink_inside(options, 1)) {
		/* a filter; the head of the list has no options */
		t->fn(t->ctx, 0);
	}
	return true;
}

static void take_tcx(int ifindex, const struct interface_side *s, const struct take *t)
{
	uint32_t id[32], n = sizeof(id) / sizeof(*id), flags;

	if (bpf_prog_query(ifindex, (enum bpf_attach_type)s->tcx, 0, &flags, id, &n))
		/* Linux before 6.6 has no tcx; other errors are also reported when filters are listed */
		return;
	for (uint32_t i = 0; i < n && i < sizeof(id) / sizeof(*id); i++)
		t->fn(t->ctx, id[i]);
}

int interface_programs(int ifindex, const struct interface_side *side, bool filters,
		       interface_program_fn *fn, void *ctx)
{
	const struct tcmsg request = { .tcm_ifindex = ifindex, .tcm_parent = side->parent };
	struct take t = { fn, ctx };
	int err = 0;

	if (filters)
		err = netlink_list(NETLINK_ROUTE, RTM_GETTFILTER, &request, sizeof(request),
				   take_filter, &t);
	take_tcx(ifindex, side, &t);
	return err;
}
