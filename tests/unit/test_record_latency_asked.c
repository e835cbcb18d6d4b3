// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests bpf/latency_only.h on packets of two namespaces with two devices each, for sockets of nested cgroups. Packets
 * that match the filter are counted as without it. All other packets are only counted as filtered.
 */

#include "path_shim.h"

#include <stdint.h>

#include "random.h"
#include "unit.h"

#define EACH 2
#define SENT 3 /* sent packets have neither a socket queue nor a reader */

static struct netcost_path_cpu state[CPUS];

static struct netcost_path_cpu *shim_states(void)
{
	return state;
}

static struct netcost_udp_next *shim_next(const struct sock *sk)
{
	(void)sk;
	return NULL;
}

static struct net net[EACH];
static struct net_device device[EACH][EACH];
static struct tcp_sock tcp[EACH];
static struct kernfs_node node[EACH + 1];
/* the first cgroup is at the top, and contains the last cgroup */
static struct cgroup cgroup[EACH + 1];
static char memory[512] __attribute__((aligned(512)));

/* properties of a packet, or the filter for these properties */
struct way {
	unsigned int ns, dev, cgroup, pid, queue;
};

static struct way asked; /* the filter: numbers from 1 on; 0: any value */

static void begin(struct way w)
{
	memset(state, 0, sizeof(state));
	memset(packets, 0, sizeof(packets));
	asked = w;
	only_netns = w.ns ? 99u + w.ns : 0;
	only_interface = w.dev;
	only_cgroup = w.cgroup ? 199u + w.cgroup : 0;
	only_process = w.pid;
	only_queue = w.queue;
	tick = 1;
	measured = ~(1u << NETCOST_LATENCY_TCP_SEND | 1u << NETCOST_LATENCY_UDP_SEND);
	shim_now = 5000000000000000;
	for (unsigned int i = 0; i < EACH + 1; i++) {
		node[i].id = 200u + i;
		cgroup[i].kn = &node[i];
		cgroup[i].self = (struct cgroup_subsys_state){ .cgroup = &cgroup[i] };
	}
	cgroup[EACH].self.parent = &cgroup[0].self;
	for (unsigned int i = 0; i < EACH; i++) {
		net[i].ns.inum = 100u + i;
		for (unsigned int k = 0; k < EACH; k++)
			device[i][k] =
				(struct net_device){ .ifindex = (int)k + 1, .nd_net = { &net[i] } };
	}
}

static bool in_cgroup(unsigned int is)
{
	return !asked.cgroup || asked.cgroup == is || (asked.cgroup == 1 && is == EACH + 1);
}

static bool of_device(const struct way *p)
{
	return (!asked.ns || asked.ns == p->ns) && (!asked.dev || asked.dev == p->dev);
}

static bool of_socket(const struct way *p)
{
	return of_device(p) && in_cgroup(p->cgroup) && p->queue >= asked.queue;
}

static struct {
	uint64_t counted, filtered;
} wanted[NETCOST_LATENCY_COUNT];

static void want(enum netcost_latency hook, bool is)
{
	if (is)
		wanted[hook].counted++;
	else
		wanted[hook].filtered++;
}

static void one_in(const struct way *p, struct sk_buff *skb)
{
	struct sock *sk = &tcp[p->ns - 1].inet_conn.icsk_inet.sk;

	memset(memory, 0, sizeof(memory));
	skb->dev = &device[p->ns - 1][p->dev - 1];
	((uint32_t *)(void *)skb->cb)[1] = 100;
	sk->__sk_common =
		(struct sock_common){ .skc_family = AF_INET, .skc_net = { &net[p->ns - 1] } };
	sk->sk_protocol = IPPROTO_TCP;
	sk->sk_cgrp_data.cgroup = &cgroup[p->cgroup - 1];
	path_netif_rx_entry(skb);
	shim_now += 100;
	want(NETCOST_LATENCY_RECEIVE, of_device(p));
	path_netif_receive_skb(skb);
	skb->skb_iif = skb->dev->ifindex;
	skb->dev = NULL;
	sk->sk_receive_queue.qlen = p->queue - 1;
	want(NETCOST_LATENCY_TCP_START, of_socket(p));
	path_tcp_probe(sk, skb);
	skb->sk = sk;
	sk->sk_receive_queue.prev = sk->sk_receive_queue.next = skb;
	tcp[p->ns - 1].copied_seq = 100;
	sk->sk_receive_queue.qlen = p->queue;
	want(NETCOST_LATENCY_TCP_ENQUEUED, of_socket(p));
	path_sk_data_ready(sk);
	shim_pid = p->pid;
	want(NETCOST_LATENCY_TCP_READ, of_socket(p) && (!asked.pid || asked.pid == p->pid));
	path_tcp_rcv_space_adjust(sk);
	path_kfree_skb(skb);
}

/* Frees a packet in the driver, when the packet no longer has a socket. A forwarded packet never had a socket. */
static void one_out(const struct way *p, struct sk_buff *skb)
{
	struct sock *sk = &tcp[p->ns - 1].inet_conn.icsk_inet.sk;
	bool forwarded = !rnd(4),
	     is = of_device(p) && (forwarded ? !asked.cgroup : in_cgroup(p->cgroup));

	memset(memory, 0, sizeof(memory));
	skb->dev = &device[p->ns - 1][p->dev - 1];
	sk->sk_cgrp_data.cgroup = &cgroup[p->cgroup - 1];
	skb->sk = forwarded ? NULL : sk;
	path_net_dev_queue(skb);
	shim_now += 50;
	want(NETCOST_LATENCY_QDISC, is);
	path_net_dev_start_xmit(skb);
	skb->sk = NULL;
	want(NETCOST_LATENCY_DRIVER, is);
	path_net_dev_xmit(skb, 0, &device[p->ns - 1][p->dev - 1]);
	want(NETCOST_LATENCY_COMPLETION, is);
	path_consume_skb(skb);
}

static void check(void)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		uint64_t counted = 0, other = 0;

		for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++)
			counted += shim_bucket(&state[0], h, b);
		for (unsigned int k = 0; k < NETCOST_LATENCY_LOSS_FILTERED; k++)
			other += shim_lost(&state[0], h, k);
		CU_ASSERT_EQUAL(counted, wanted[h].counted);
		CU_ASSERT_EQUAL(other, 0);
		CU_ASSERT_EQUAL(shim_lost(&state[0], h, NETCOST_LATENCY_LOSS_FILTERED),
				wanted[h].filtered);
	}
}

static void ask(struct way w)
{
	struct sk_buff *skb = (struct sk_buff *)(void *)memory;

	memset(wanted, 0, sizeof(wanted));
	begin(w);
	for (int i = 0; i < 2000; i++) {
		struct way p = { 1 + (unsigned int)rnd(EACH), 1 + (unsigned int)rnd(EACH),
				 1 + (unsigned int)rnd(EACH + 1), 1 + (unsigned int)rnd(3),
				 1 + (unsigned int)rnd(5) };

		if (rnd(SENT))
			one_in(&p, skb);
		else
			one_out(&p, skb);
	}
	check();
}

static void test_any(void)
{
	ask((struct way){ 0 });
	CU_ASSERT_EQUAL(wanted[NETCOST_LATENCY_QDISC].filtered, 0);
}

static void test_each(void)
{
	ask((struct way){ .ns = 1 });
	ask((struct way){ .ns = 2, .dev = 1 });
	ask((struct way){ .cgroup = 1 });
	ask((struct way){ .cgroup = 3 });
	ask((struct way){ .pid = 2 });
	ask((struct way){ .queue = 3 });
	CU_ASSERT(wanted[NETCOST_LATENCY_TCP_READ].counted > 0);
	CU_ASSERT(wanted[NETCOST_LATENCY_TCP_READ].filtered > 0);
}

static void test_all(void)
{
	ask((struct way){ .ns = 1, .dev = 2, .cgroup = 1, .pid = 3, .queue = 2 });
	CU_ASSERT(wanted[NETCOST_LATENCY_TCP_READ].counted > 0);
}

static void test_no_cgroup(void)
{
	struct way p = { 1, 1, 1, 1, 1 };

	memset(wanted, 0, sizeof(wanted));
	begin((struct way){ .cgroup = 1 });
	tcp[0].inet_conn.icsk_inet.sk.__sk_common.skc_state = TCP_NEW_SYN_RECV;
	CU_ASSERT(!cgroup_is_asked(&tcp[0].inet_conn.icsk_inet.sk));
	tcp[0].inet_conn.icsk_inet.sk.__sk_common.skc_state = 1;
	tcp[0].inet_conn.icsk_inet.sk.sk_cgrp_data.cgroup = &cgroup[p.cgroup - 1];
	CU_ASSERT(cgroup_is_asked(&tcp[0].inet_conn.icsk_inet.sk));
	CU_ASSERT(!cgroup_is_asked(NULL));
}

static const struct unit_test tests[] = {
	{ "any", test_any },
	{ "each", test_each },
	{ "all", test_all },
	{ "no_cgroup", test_no_cgroup },
};

int main(void)
{
	return unit_main("latency_asked", tests, sizeof(tests) / sizeof(tests[0]));
}
