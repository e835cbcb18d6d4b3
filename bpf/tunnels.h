/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* tunnels.h: recognises devices that are the end of a tunnel. */
#ifndef NETCOST_TUNNELS_H
#define NETCOST_TUNNELS_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/*
 * Lists tunnels by the kind of the device, as in `ip -d link` (rtnl_link_ops.kind). All of these devices pass on the
 * struct sk_buff that entered the tunnel, with the outer headers removed. They never pass on a packet that was not seen
 * before.
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

/*
 * The kind of a device, which is compared word by word, because comparing letters would multiply the paths that the
 * verifier follows.
 */
union device_kind {
	char text[16]; /* name of the kind, padded with zeros */
	__u64 word[2];
};

static __always_inline bool is_tunnel(const struct net_device *device)
{
	const struct rtnl_link_ops *ops = BPF_CORE_READ(device, rtnl_link_ops);
	union device_kind kind = {};

	if (!ops ||
	    bpf_probe_read_kernel_str(kind.text, sizeof(kind.text), BPF_CORE_READ(ops, kind)) < 0)
		return false;
#define X(id, name)                                                                                \
	{                                                                                          \
		const union device_kind tunnel = { .text = name };                                 \
                                                                                                   \
		if (kind.word[0] == tunnel.word[0] && kind.word[1] == tunnel.word[1])              \
			return true;                                                               \
	}
	TUNNELS(X)
#undef X
	return false;
}

#endif
