// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests bpf/latency_send.h with send calls, packets of their sockets and of other sockets, and waits for memory, in any
 * order. A packet must have the time of the call that queued it, or be counted without a time.
 */

#include "path_shim.h"

#include <stdint.h>

#include "random.h"
#include "unit.h"

#define SOCKETS 3 /* two TCP sockets and a UDP socket */

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

static union {
	struct tcp_sock tcp;
	char bytes[1024]; /* keeps the sockets at least as far apart as the kernel's sockets */
} sockets[SOCKETS];
static struct net_device device = { .ifindex = 1 };
static char memory[512] __attribute__((aligned(512)));
static uint32_t wanted[NETCOST_LATENCY_COUNT][NETCOST_LATENCY_BUCKETS];
static uint64_t later[NETCOST_LATENCY_COUNT];

static struct sock *socket_at(unsigned int i)
{
	return &sockets[i].tcp.inet_conn.icsk_inet.sk;
}

static void begin(void)
{
	memset(state, 0, sizeof(state));
	memset(wanted, 0, sizeof(wanted));
	memset(later, 0, sizeof(later));
	memset(&shim_waiting, 0, sizeof(shim_waiting));
	memset(&shim_throttled, 0, sizeof(shim_throttled));
	memset(sources, 0, sizeof(sources));
	measured = ~0u;
	tick = 1;
	shim_now = 5000000000000000;
	for (unsigned int i = 0; i < SOCKETS; i++) {
		socket_at(i)->__sk_common.skc_family = i ? AF_INET : AF_INET6;
		socket_at(i)->__sk_common.skc_state = 1;
		socket_at(i)->sk_protocol = i == 2 ? IPPROTO_UDP : IPPROTO_TCP;
	}
}

/* Queues a packet of a socket; since: start of the socket's send call, 0 if the packet is queued outside of the
 * call. */
static void queue(unsigned int of, uint64_t since)
{
	struct sk_buff *skb = (struct sk_buff *)(void *)memory;
	enum netcost_latency hook = of == 2 ? NETCOST_LATENCY_UDP_SEND : NETCOST_LATENCY_TCP_SEND;

	memset(memory, 0, sizeof(memory));
	skb->dev = &device;
	skb->sk = socket_at(of);
	if (since)
		wanted[hook][netcost_latency_bucket(shim_now - since)]++;
	else
		later[hook]++;
	path_net_dev_queue(skb);
	skb->sk = NULL; /* the packet now looks like a forwarded packet */
	path_net_dev_queue(skb);
}

static void begins(unsigned int of)
{
	struct sock *sk = socket_at(of);

	if (of == 2)
		path_udp_sendmsg(sk);
	else if (rnd(2))
		path_tcp_sendmsg(sk);
	else
		path_tcp_sendmsg_locked(sk);
}

static void waits(unsigned int of)
{
	uint64_t ns = 1 + rnd(30000000);

	path_sk_stream_wait_memory();
	shim_now += ns;
	wanted[NETCOST_LATENCY_TCP_MEMORY][netcost_latency_bucket(ns)]++;
	path_exit_sk_stream_wait_memory(socket_at(of));
}

static void call(void)
{
	unsigned int of = (unsigned int)rnd(SOCKETS), n = (unsigned int)rnd(5);
	uint64_t since = shim_now;

	begins(of);
	while (n--) {
		shim_now += rnd(10000);
		if (!rnd(3) && of != 2) {
			waits(of);
			path_tcp_sendmsg_locked(socket_at(of)); /* the call sends its next piece */
		}
		queue(of, since);
		if (!rnd(4))
			/* an interrupt can queue a packet of another socket */
			queue((of + 1) % SOCKETS, 0);
	}
	shim_now += rnd(1000);
	if (rnd(2))
		path_sock_send_length(socket_at(of));
	else
		path_exit_tcp_sendmsg(socket_at(of));
	if (!rnd(3))
		queue(of, 0);
}

static void check(enum netcost_latency hook)
{
	uint64_t n = 0;

	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		CU_ASSERT_EQUAL(state[0].hist[hook].bucket[b], wanted[hook][b]);
		n += wanted[hook][b];
	}
	CU_ASSERT(n > 0);
	for (unsigned int k = 0; k < NETCOST_LATENCY_LOSS_COUNT; k++)
		CU_ASSERT_EQUAL(state[0].hist[hook].lost[k],
				k == NETCOST_LATENCY_LOSS_LATER ? later[hook] : 0);
}

static void test_calls(void)
{
	begin();
	for (int i = 0; i < 20000; i++)
		call();
	check(NETCOST_LATENCY_TCP_SEND);
	check(NETCOST_LATENCY_UDP_SEND);
	check(NETCOST_LATENCY_TCP_MEMORY);
}

/* Tests connections that begin or have ended, other address families, and hosts that do not measure the checkpoint. */
static void test_others(void)
{
	struct sk_buff *skb = (struct sk_buff *)(void *)memory;

	begin();
	memset(memory, 0, sizeof(memory));
	skb->sk = socket_at(1);
	skb->sk->__sk_common.skc_state = TCP_TIME_WAIT;
	path_net_dev_queue(skb);
	skb->sk->__sk_common.skc_state = 1;
	skb->sk->__sk_common.skc_family = 1;
	path_net_dev_queue(skb);
	skb->sk->__sk_common.skc_family = AF_INET;
	measured &= ~(1u << NETCOST_LATENCY_TCP_SEND);
	path_net_dev_queue(skb);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_TCP_SEND].lost[NETCOST_LATENCY_LOSS_LATER],
			0);
	measured = ~0u;
	path_net_dev_queue(skb);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_TCP_SEND].lost[NETCOST_LATENCY_LOSS_LATER],
			1);
	path_exit_sk_stream_wait_memory(socket_at(0)); /* the call began before the recording */
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_TCP_MEMORY].sum_ns, 0);
}

/* Tests that only a call that may wait for memory, and has to, is counted. */
static void test_udp_memory(void)
{
	struct sock *sk = socket_at(2);
	const struct netcost_latency_hist *h = &state[0].hist[NETCOST_LATENCY_UDP_MEMORY];

	begin();
	sk->sk_sndbuf = 1000;
	sk->sk_sndtimeo = 1 << 20;
	for (int i = 0; i < 4; i++) {
		/* a count of 1 is for the socket itself */
		sk->sk_wmem_alloc.refs.counter = i ? 1001 : 1000;
		sk->sk_sndtimeo = i == 2 ? 0 : 1 << 20;
		path_sock_alloc_send_pskb(sk, 0, 0, i == 1);
		shim_now += 5000;
		path_exit_sock_alloc_send_pskb(sk);
	}
	CU_ASSERT_EQUAL(h->sum_ns, 5000);
	sk->sk_protocol = IPPROTO_TCP;
	path_sock_alloc_send_pskb(sk, 0, 0, 0);
	shim_now += 5000;
	path_exit_sock_alloc_send_pskb(sk);
	CU_ASSERT_EQUAL(h->sum_ns, 5000);
}

static void xmits(struct sock *sk, unsigned int bytes, bool throttled, unsigned int left)
{
	path_tcp_write_xmit(sk);
	((struct tcp_sock *)sk)->snd_nxt += bytes;
	sk->sk_tsq_flags |= throttled;
	sk->sk_write_queue.qlen = left;
	path_exit_tcp_write_xmit(sk);
	shim_now += 1000;
}

static void writes(struct sock *sk, bool throttled, unsigned int left)
{
	xmits(sk, 0, throttled, left);
}

/* Tests a wait from the first throttling to the next send. Acknowledgements in between do not end the wait. */
static void test_small_queues(void)
{
	struct sock *sk = socket_at(1);
	const struct netcost_latency_hist *h = &state[0].hist[NETCOST_LATENCY_TCP_TSQ];

	begin();
	writes(sk, false, 3);
	writes(sk, true, 3);
	writes(sk, true, 3);
	writes(sk, true, 2);
	CU_ASSERT_EQUAL(h->sum_ns, 0);
	sk->sk_tsq_flags = 0;
	writes(sk, true, 1); /* the socket is throttled again */
	CU_ASSERT_EQUAL(h->sum_ns, 3000);
	sk->sk_tsq_flags = 0;
	writes(sk, true, 0); /* no data is left that could wait */
	CU_ASSERT_EQUAL(h->sum_ns, 4000);
	sk->sk_tsq_flags = 0;
	writes(sk, false, 1);
	CU_ASSERT_EQUAL(h->sum_ns, 4000);
	CU_ASSERT_EQUAL(h->bucket[netcost_latency_bucket(3000)], 1);
	CU_ASSERT_EQUAL(h->bucket[netcost_latency_bucket(1000)], 1);
}

/* Tests a throttling mark that is not cleared although TCP sends: the wait ends, and another wait begins if data is
 * left. */
static void test_stale_mark(void)
{
	struct sock *sk = socket_at(1);
	const struct netcost_latency_hist *h = &state[0].hist[NETCOST_LATENCY_TCP_TSQ];

	begin();
	xmits(sk, 100, true, 3);
	writes(sk, true, 3);
	CU_ASSERT_EQUAL(h->sum_ns, 0);
	xmits(sk, 100, true, 2); /* the wait of 2 us is over */
	CU_ASSERT_EQUAL(h->sum_ns, 2000);
	xmits(sk, 200, true, 0);
	CU_ASSERT_EQUAL(h->sum_ns, 3000);
	shim_now += 1000000; /* no data is left to send */
	writes(sk, true, 0);
	xmits(sk, 100, true, 1);
	CU_ASSERT_EQUAL(h->sum_ns, 3000);
	sk->sk_tsq_flags = 0;
	xmits(sk, 100, false, 0);
	CU_ASSERT_EQUAL(h->sum_ns, 4000);
	CU_ASSERT_EQUAL(h->bucket[netcost_latency_bucket(1000)], 2);
	CU_ASSERT_EQUAL(h->bucket[netcost_latency_bucket(2000)], 1);
}

static const struct unit_test tests[] = {
	{ "calls", test_calls },	   { "others", test_others },
	{ "udp_memory", test_udp_memory }, { "small_queues", test_small_queues },
	{ "stale_mark", test_stale_mark },
};

int main(void)
{
	return unit_main("latency_send", tests, sizeof(tests) / sizeof(tests[0]));
}
