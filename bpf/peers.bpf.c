// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/* Counts the messages and bytes of IP sockets by peer (--peers). Needs the tracepoints of Linux 6.3. */
#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "peers.h"

#define EPHEMERAL 32768 /* default start of the range of ephemeral ports */

const volatile bool addresses; /* keys contain addresses */

/* Rows are never removed. The recorder sets the size, and adds the row NETCOST_PEER_OTHERS. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 2);
	__type(key, struct netcost_peer_key);
	__type(value, struct netcost_peer);
} peers SEC(".maps");

/* The recorder maps this map into its memory, because it reads `runs` often. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct netcost_peers_cpu);
} peers_cpus SEC(".maps");

bool paused; /* set while nothing is counted; the recorder maps this variable */

static __always_inline enum netcost_peer_class class_of_v4(__u32 a)
{
	if (a >> 24 == 127)
		return NETCOST_PEER_LOOPBACK;
	if (a >> 24 == 10 || a >> 20 == 0xac1 || a >> 16 == 0xc0a8 || a >> 22 == 0x191)
		return NETCOST_PEER_PRIVATE; /* 10/8, 172.16/12, 192.168/16, 100.64/10 */
	if (a >> 16 == 0xa9fe)
		return NETCOST_PEER_LINK_LOCAL;
	return a >> 28 >= 14 ? NETCOST_PEER_MULTICAST : NETCOST_PEER_GLOBAL;
}

static __always_inline enum netcost_peer_class class_of(const __u32 address[4])
{
	__u32 first = bpf_ntohl(address[0]), last = bpf_ntohl(address[3]);
	bool begins_0 = !address[0] && !address[1];

	if (begins_0 && address[2] == bpf_htonl(0xffff) && last)
		return class_of_v4(last);
	if (begins_0 && (!address[2] || address[2] == bpf_htonl(0xffff)) && last <= 1)
		return last ? NETCOST_PEER_LOOPBACK : NETCOST_PEER_UNCONNECTED;
	if (first >> 22 == 0x3fa)
		return NETCOST_PEER_LINK_LOCAL;
	if (first >> 24 == 0xff)
		return NETCOST_PEER_MULTICAST;
	return first >> 25 == 0x7e ? NETCOST_PEER_PRIVATE : NETCOST_PEER_GLOBAL;
}

/*
 * Stores the port of the server. If connect() chose the local port of a TCP socket, the server is the remote side. If
 * only the local port is ephemeral, bind() probably chose the local port, and the server is also the remote side. If it
 * is unknown how the local port was chosen, or if the protocol is not TCP, the server is the side with the lower port.
 * A closed TCP socket has no skc_num.
 */
static __always_inline void set_port(struct netcost_peer_key *key, struct sock *sk)
{
	__u16 local = sk->__sk_common.skc_num, remote = bpf_ntohs(sk->__sk_common.skc_dport);
	struct tcp_sock *tcp = sk->sk_protocol == IPPROTO_TCP ? bpf_skc_to_tcp_sock(sk) : 0;
	struct inet_bind_bucket *bucket = 0;

	if (tcp) {
		local = bpf_ntohs(tcp->inet_conn.icsk_inet.inet_sport);
		bucket = tcp->inet_conn.icsk_bind_hash;
	}
	if (bucket)
		key->is_remote = bucket->fastreuse < 0 ||
				 (remote && remote < EPHEMERAL && local >= EPHEMERAL);
	else
		key->is_remote = remote && (!local || remote < local);
	key->port = key->is_remote ? remote : local;
}

static __always_inline bool has_ports(__u16 protocol)
{
	return protocol == IPPROTO_TCP || protocol == IPPROTO_UDP || protocol == IPPROTO_SCTP ||
	       protocol == IPPROTO_UDPLITE || protocol == IPPROTO_MPTCP;
}

static __always_inline void key_of(struct netcost_peer_key *key, struct sock *sk)
{
	const struct sock_common *c = &sk->__sk_common;

	key->protocol = sk->sk_protocol;
	if (has_ports(key->protocol))
		set_port(key, sk);
	if (c->skc_family == AF_INET) {
		key->address[2] = bpf_htonl(0xffff);
		key->address[3] = c->skc_daddr;
	} else if (bpf_core_field_exists(c->skc_v6_daddr)) {
		BPF_CORE_READ_INTO(&key->address, sk, __sk_common.skc_v6_daddr);
	}
	key->class = class_of(key->address);
	if (!addresses || key->class == NETCOST_PEER_UNCONNECTED)
		__builtin_memset(key->address, 0, sizeof(key->address));
}

static __always_inline struct netcost_peer *place_of(struct sock *sk)
{
	struct netcost_peer_key key = { 0 };
	struct netcost_peer none = { 0 }, *place;

	key_of(&key, sk);
	place = bpf_map_lookup_elem(&peers, &key);
	if (place)
		return place;
	bpf_map_update_elem(&peers, &key, &none, BPF_NOEXIST);
	place = bpf_map_lookup_elem(&peers, &key);
	if (place)
		return place;
	__builtin_memset(&key, 0, sizeof(key));
	return bpf_map_lookup_elem(&peers, &key);
}

/* Returns true if a message is counted. Also counts the run of the program, so each program calls this exactly once. */
static __always_inline bool counts(const struct sock *sk, int ret, int flags)
{
	__u16 family = sk->__sk_common.skc_family;
	__u32 cpu = bpf_get_smp_processor_id();
	struct netcost_peers_cpu *c = bpf_map_lookup_elem(&peers_cpus, &cpu);

	if (*(volatile bool *)&paused)
		return false;
	if (c)
		c->runs++;
	return ret >= 0 && !(flags & (MSG_PEEK | MSG_ERRQUEUE)) &&
	       (family == AF_INET || family == AF_INET6);
}

/*
 * The sums need not be atomic, because the kernel never runs a tracepoint's program recursively. The kernel counts a
 * skipped run as a miss.
 */
SEC("tp_btf/sock_send_length")
int BPF_PROG(peer_sends, struct sock *sk, int ret, int flags)
{
	struct netcost_peer *p = counts(sk, ret, 0) ? place_of(sk) : 0;

	if (!p)
		return 0;
	p->sends++;
	p->send_bytes += ret;
	return 0;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(peer_receives, struct sock *sk, int ret, int flags)
{
	struct netcost_peer *p = counts(sk, ret, flags) ? place_of(sk) : 0;

	if (!p)
		return 0;
	p->recvs++;
	p->recv_bytes += ret;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
