/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parts.h: the parts of the RX softirq's time: Netto's sub-events (Parola and Miano, "Netto", NetSoft 2024, table II)
 * and related parts.
 *
 * Parts nest: connection tracking runs inside prerouting, inside bridging, inside the driver's poll. So each part has
 * two times. The *inclusive* time, from entry to exit, is the time that Netto reports. It is counted once even if the
 * part nests in itself (a bridge hands a packet back to netif_receive_skb). The *exclusive* time is the time during
 * which the part is the innermost part. The exclusive times and the RX softirq's own time ("self") sum to the time of
 * the RX softirq.
 *
 * There is one row per part. The numbers are written to traces, so they are never reused or changed. Parts are exact
 * with --exact=full (bpf/wire.h has the functions), and always available from samples (the rules have the names).
 *
 * 	id	ENUM		key		title			what it includes
 */
#ifndef NETCOST_PARTS_H
#define NETCOST_PARTS_H

#define NETCOST_PARTS(X)                                                                           \
	X(0, DRIVER_POLL, "driver_poll", "driver poll",                                            \
	  "NAPI polls, including polls of the backlog")                                            \
	X(1, GRO, "gro", "GRO", "merging of segments: napi_gro_receive(), and flushes of GRO")     \
	X(2, RECEIVE, "receive", "receive core",                                                   \
	  "netif_receive_skb(): taps, dispatch to protocols")                                      \
	X(3, XDP_GENERIC, "xdp_generic", "XDP generic", "XDP programs on skbs")                    \
	X(4, TC_INGRESS, "tc_ingress", "TC classify", "classifiers and actions on ingress")        \
	X(5, NF_INGRESS, "nf_ingress", "NF ingress", "netfilter's netdev hook on ingress")         \
	X(6, CONNTRACK, "conntrack", "conntrack", "connection tracking")                           \
	X(7, BRIDGING, "bridging", "bridging", "the software bridge")                              \
	X(8, PREROUTING_V4, "prerouting_v4", "NF prerouting v4", "netfilter, IPv4 prerouting")     \
	X(9, PREROUTING_V6, "prerouting_v6", "NF prerouting v6", "netfilter, IPv6 prerouting")     \
	X(10, FORWARD_V4, "forward_v4", "forwarding v4",                                           \
	  "IPv4 forwarding, including transmission")                                               \
	X(11, FORWARD_V6, "forward_v6", "forwarding v6",                                           \
	  "IPv6 forwarding, including transmission")                                               \
	X(12, LOCAL_V4, "local_v4", "local delivery v4", "IPv4 to this host: TCP, UDP, ICMP …")    \
	X(13, LOCAL_V6, "local_v6", "local delivery v6", "IPv6 to this host")

enum netcost_part {
#define X(id, name, key, title, doc) NETCOST_PART_##name = id,
	NETCOST_PARTS(X)
#undef X
		NETCOST_PART_COUNT
};

#endif
