/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* tunnels.h: devices that are the end of a tunnel. */
#ifndef NETCOST_TUNNELS_H
#define NETCOST_TUNNELS_H

#include "kernel_types.h"

#include <bpf/bpf_helpers.h>

/*
 * By their kind, as `ip -d link` has it (rtnl_link_ops.kind). All of them give on the struct sk_buff that came into the
 * tunnel, with the outer headers taken off, and nothing else that has not been seen before.
 */
#define TUNNELS(X)                                                                                 \
	X(VXLAN, "vxlan")                                                                          \
	X(GENEVE, "geneve")                                                                        \
	X(BAREUDP, "bareudp")                                                                      \
	X(GRE, "gre")                                                                              \
	X(GRETAP, "gretap")                                                                        \
	X(ERSPAN, "erspan")                                                                        \
	X(IP6GRE, "ip6gre")                                                                        \
	X(IP6GRETAP, "ip6gretap")                                                                  \
	X(IP6ERSPAN, "ip6erspan")                                                                  \
	X(IPIP, "ipip")                                                                            \
	X(IP6TNL, "ip6tnl")                                                                        \
	X(SIT, "sit")                                                                              \
	X(WIREGUARD, "wireguard")

/* There is no memcmp() in a program. */
static __always_inline bool is_same(const char *kind, const char *name, unsigned int size)
{
	bool same = true;

#pragma clang loop unroll(full)
	for (unsigned int i = 0; i < size; i++)
		same &= kind[i] == name[i];
	return same;
}

static __always_inline bool is_tunnel(const struct net_device *device)
{
	const struct rtnl_link_ops *ops = device->rtnl_link_ops;
	char kind[12] = {}; /* longer than each of them: compared with its end */

	if (!ops || bpf_probe_read_kernel_str(kind, sizeof(kind), ops->kind) < 0)
		return false;
#define X(id, name)                                                                                \
	if (is_same(kind, name, sizeof(name)))                                                     \
		return true;
	TUNNELS(X)
#undef X
	return false;
}

#endif
