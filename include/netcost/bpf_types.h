/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_types.h: the types of BPF programs by number, because the headers of old libraries lack some types.
 *
 * 	number	name, as in bpftool	in the path of packets or sockets
 */
#ifndef NETCOST_BPF_TYPES_H
#define NETCOST_BPF_TYPES_H

#define NETCOST_BPF_TYPES(X)                                                                       \
	X(6, "xdp", true)                                                                          \
	X(3, "sched_cls", true)                                                                    \
	X(4, "sched_act", true)                                                                    \
	X(8, "cgroup_skb", true)                                                                   \
	X(9, "cgroup_sock", true)                                                                  \
	X(18, "cgroup_sock_addr", true)                                                            \
	X(25, "cgroup_sockopt", true)                                                              \
	X(1, "socket_filter", true)                                                                \
	X(13, "sock_ops", true)                                                                    \
	X(14, "sk_skb", true)                                                                      \
	X(16, "sk_msg", true)                                                                      \
	X(30, "sk_lookup", true)                                                                   \
	X(21, "sk_reuseport", true)                                                                \
	X(22, "flow_dissector", true)                                                              \
	X(10, "lwt_in", true)                                                                      \
	X(11, "lwt_out", true)                                                                     \
	X(12, "lwt_xmit", true)                                                                    \
	X(19, "lwt_seg6local", true)                                                               \
	X(32, "netfilter", true)                                                                   \
	X(2, "kprobe", false)                                                                      \
	X(5, "tracepoint", false)                                                                  \
	X(7, "perf_event", false)                                                                  \
	X(15, "cgroup_device", false)                                                              \
	X(17, "raw_tracepoint", false)                                                             \
	X(20, "lirc_mode2", false)                                                                 \
	X(23, "cgroup_sysctl", false)                                                              \
	X(24, "raw_tracepoint_writable", false)                                                    \
	X(26, "tracing", false)                                                                    \
	X(27, "struct_ops", false)                                                                 \
	X(28, "ext", false)                                                                        \
	X(29, "lsm", false)                                                                        \
	X(31, "syscall", false)

#endif
