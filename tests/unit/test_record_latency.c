// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf/latency.bpf.c on packets that come, are merged, forwarded, read and freed in any order, many of them without an event,
 * while their memory is used again at once: what is counted for a packet is its own time, or it is told that there is none.
 */

#include "latency_shim.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "unit.h"

static struct netcost_latencies state[CPUS];

static struct netcost_latencies *shim_states(void)
{
	return state;
}

/* ---- packets ----------------------------------------------------------------------------- */

/* As the kernel's slabs have them: some of them two by two, 232 bytes apart. */
#define PACKETS 256
#define PAIR 512
#define SECOND 232

enum stage { FREE, ENTERED, RECEIVED, IN_TCP, QUEUED_TCP, READ_TCP, OUT, SENT, STAGES };

static char memory[PACKETS / 2][PAIR] __attribute__((aligned(PAIR)));
static struct packet {
	struct sk_buff *skb;
	enum stage stage;
	uint64_t came, left; /* 0: not known to the programs, or not any more */
	struct sock *tcp;
	bool blocked; /* it waits for one before it */
} packet[PACKETS];

/* What there should be, and what came to each hook. */
static uint32_t wanted[NETCOST_LATENCY_COUNT][NETCOST_LATENCY_BUCKETS];
static uint64_t arrived[NETCOST_LATENCY_COUNT];

static const struct rtnl_link_ops vxlan = { "vxlan" }, veth = { "veth" };
static struct net_device tunnel = { .rtnl_link_ops = &vxlan }, pair = { .rtnl_link_ops = &veth };

static union {
	struct inet_sock inet; /* all begin with it */
	struct tcp_sock tcp;
	struct udp_sock udp;
} sockets[3];		    /* two of TCP, one of UDP */
static struct sk_buff tail; /* that takes in others */
static uint64_t merged;
static struct netcost_udp_next next_of_udp;

static struct netcost_udp_next *shim_next(const struct sock *sk)
{
	return sk == &sockets[2].inet.sk ? &next_of_udp : NULL;
}

static void queue_init(struct sk_buff_head *q)
{
	q->next = q->prev = (struct sk_buff *)(void *)q;
}

static void begin(void)
{
	memset(state, 0, sizeof(state));
	memset(came, 0, sizeof(came));
	memset(left, 0, sizeof(left));
	memset(wanted, 0, sizeof(wanted));
	memset(arrived, 0, sizeof(arrived));
	memset(memory, 0, sizeof(memory));
	memset(&next_of_udp, 0, sizeof(next_of_udp));
	tick = 1;
	shim_cpu = 0;
	shim_now = 5000000000000000;
	for (int i = 0; i < PACKETS; i++)
		packet[i] = (struct packet){ .skb = (struct sk_buff *)(void *)(memory[i / 2] +
									       (i % 2) * SECOND) };
	for (int i = 0; i < 3; i++) {
		sockets[i].inet.sk.__sk_common.skc_family = i == 1 ? AF_INET6 : AF_INET;
		sockets[i].inet.sk.sk_protocol = i == 2 ? IPPROTO_UDP : IPPROTO_TCP;
		if (i == 2)
			queue_init(&sockets[i].udp.reader_queue);
		else
			sockets[i].tcp.rcv_nxt = 0;
		queue_init(&sockets[i].inet.sk.sk_receive_queue);
	}
}

/* It is at that hook now; since: 0: nobody knows. */
static void want(enum netcost_latency hook, uint64_t since)
{
	arrived[hook]++;
	if (since)
		wanted[hook][netcost_latency_bucket(shim_now - since)]++;
}

static uint64_t counted(enum netcost_latency hook, unsigned int bucket)
{
	uint64_t n = 0;

	for (int cpu = 0; cpu < CPUS; cpu++)
		n += state[cpu].hist[hook].bucket[bucket];
	return n;
}

/* Nothing that is not so; all that is so, or it is told, but for `missing`. */
static void check(enum netcost_latency hook, uint64_t missing)
{
	uint64_t all = 0, lost = 0, wrong = 0;

	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		all += counted(hook, b);
		wrong += counted(hook, b) > wanted[hook][b];
	}
	for (int cpu = 0; cpu < CPUS; cpu++)
		for (int k = 0; k < NETCOST_LATENCY_LOSS_MERGED; k++)
			lost += state[cpu].hist[hook].lost[k];
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(all + lost <= arrived[hook]);
	CU_ASSERT(all + lost + missing >= arrived[hook]);
	CU_ASSERT(all > 0);
}

/* ---- what becomes of packets, in any order ------------------------------------------------- */

/* Memory of another kind of packet, at the same place. */
static void make(struct packet *p)
{
	struct sk_buff *skb = p->skb;

	memset(skb, 0, sizeof(*skb));
	skb->dev = &pair;
	((uint32_t *)(void *)skb->cb)[1] = rnd(3) ? 100 : 0;
	p->stage = FREE;
	p->came = p->left = 0;
	p->tcp = NULL;
}

static void enters(struct packet *p)
{
	static int (*const entry[])(struct sk_buff *) = {
		latency_netif_rx_entry,
		latency_netif_receive_skb_entry,
		latency_netif_receive_skb_list_entry,
		latency_napi_gro_receive_entry,
		latency_napi_gro_frags_entry,
	};

	p->left = 0; /* a device of this host has it */
	if (!p->came)
		p->came = shim_now;
	entry[rnd(5)](p->skb);
	p->stage = ENTERED;
}

static void is_received(struct packet *p, bool again)
{
	if (!again)
		want(NETCOST_LATENCY_RECEIVE, p->came);
	latency_netif_receive_skb(p->skb);
	p->skb->skb_iif = 3;
	p->stage = RECEIVED;
}

static void is_sent(struct packet *p)
{
	p->left = shim_now;
	latency_net_dev_queue(p->skb);
	shim_now += rnd(100000);
	want(NETCOST_LATENCY_QDISC, p->left);
	p->left = shim_now;
	latency_net_dev_start_xmit(p->skb);
	shim_now += rnd(10000);
	want(NETCOST_LATENCY_DRIVER, p->left);
	latency_net_dev_xmit(p->skb, 0, NULL);
	p->stage = SENT;
}

static void is_freed(struct packet *p)
{
	if (p->stage == SENT && p->left)
		want(NETCOST_LATENCY_COMPLETION, p->left);
	latency_consume_skb(p->skb);
	make(p);
}

static void to_tcp(struct packet *p)
{
	const uint32_t *seq = (const uint32_t *)(const void *)p->skb->cb;

	p->tcp = &sockets[rnd(2)].inet.sk;
	p->blocked = !rnd(5);
	((struct tcp_sock *)p->tcp)->rcv_nxt = seq[0] - (p->blocked ? 1 + (uint32_t)rnd(1000) : 0);
	want(NETCOST_LATENCY_TCP_START, p->came);
	latency_tcp_probe(p->tcp, p->skb);
	p->skb->sk = p->tcp;
	if (seq[0] == seq[1]) {
		make(p); /* unseen */
		return;
	}
	if (!rnd(4)) { /* merged into another one, unseen */
		((uint32_t *)(void *)tail.cb)[1] = seq[1];
		p->tcp->sk_receive_queue.prev = &tail;
		latency_sk_data_ready(p->tcp);
		want(NETCOST_LATENCY_TCP_ENQUEUED, p->came);
		merged++;
		make(p);
		return;
	}
	p->tcp->sk_receive_queue.prev = p->skb;
	if (rnd(4)) {
		want(NETCOST_LATENCY_TCP_ENQUEUED, p->came);
		latency_sk_data_ready(p->tcp);
	}
	p->stage = QUEUED_TCP;
}

static void step(struct packet *p)
{
	shim_cpu = (unsigned int)rnd(CPUS);
	shim_now += rnd(rnd(4) ? 1000 : 3000000);
	switch (p->stage) {
	case FREE:
		if (rnd(3))
			enters(p);
		else
			is_sent(p);
		break;
	case ENTERED:
		if (rnd(3))
			is_received(p, false);
		else
			make(p); /* merged into another one, unseen */
		break;
	case RECEIVED:
		if (rnd(3)) {
			to_tcp(p);
		} else if (rnd(2)) {
			latency_kfree_skb(p->skb);
			make(p);
		} else { /* a bridge, and a pair of virtual interfaces: a crossing of namespaces; or a tunnel */
			p->skb->dev = rnd(2) ? &pair : &tunnel;
			if (p->skb->dev == &pair)
				is_sent(p);
			p->skb->skb_iif = 0;
			shim_now += rnd(1000);
			enters(p);
			is_received(p, true);
		}
		break;
	case QUEUED_TCP:
		want(p->blocked ? NETCOST_LATENCY_TCP_READ_BLOCKED : NETCOST_LATENCY_TCP_READ,
		     p->came);
		latency_skb_copy_datagram_iovec(p->skb);
		p->stage = READ_TCP;
		break;
	case READ_TCP:
		latency_skb_copy_datagram_iovec(p->skb); /* the rest of it */
		make(p);				 /* unseen */
		break;
	default:
		if (rnd(2))
			is_freed(p);
		else
			enters(p); /* loopback */
	}
}

static void test_any_order(void)
{
	begin();
	for (int i = 0; i < PACKETS; i++)
		make(&packet[i]);
	for (int i = 0; i < 400000; i++)
		step(&packet[rnd(PACKETS)]);
	check(NETCOST_LATENCY_RECEIVE, 0);
	check(NETCOST_LATENCY_TCP_START, 0);
	check(NETCOST_LATENCY_TCP_ENQUEUED, 0);
	check(NETCOST_LATENCY_TCP_READ, 0);
	check(NETCOST_LATENCY_TCP_READ_BLOCKED, 0);
	check(NETCOST_LATENCY_QDISC, 0);
	check(NETCOST_LATENCY_DRIVER, 0);
	for (int cpu = 0; cpu < CPUS; cpu++)
		merged -=
			state[cpu].hist[NETCOST_LATENCY_TCP_READ].lost[NETCOST_LATENCY_LOSS_MERGED];
	CU_ASSERT_EQUAL(merged, 0);
	check(NETCOST_LATENCY_COMPLETION, arrived[NETCOST_LATENCY_COMPLETION] / 100);
}

/* ---- UDP --------------------------------------------------------------------------------- */

static void put(struct sk_buff_head *q, struct sk_buff *skb)
{
	struct sk_buff *end = (struct sk_buff *)(void *)q;

	skb->next = end;
	skb->prev = q->prev;
	if (q->prev == end)
		q->next = skb;
	else
		q->prev->next = skb;
	q->prev = skb;
}

static struct sk_buff *take(struct sk_buff_head *q)
{
	struct sk_buff *end = (struct sk_buff *)(void *)q, *first = q->next;

	if (first == end)
		return NULL;
	q->next = first->next;
	if (first->next == end)
		q->prev = end;
	else
		first->next->prev = end;
	return first;
}

/* All at once to the reader's own queue, when that is empty. */
static struct sk_buff *read_udp(struct udp_sock *u)
{
	struct sk_buff *skb = take(&u->reader_queue), *more;

	if (skb)
		return skb;
	while ((more = take(&u->inet.sk.sk_receive_queue)))
		put(&u->reader_queue, more);
	return take(&u->reader_queue);
}

static struct packet *packet_of(const struct sk_buff *skb)
{
	for (int i = 0; i < PACKETS; i++)
		if (packet[i].skb == skb)
			return &packet[i];
	return NULL;
}

/* So many come at a time, and are told one by one. */
static void comes_udp(struct udp_sock *u, unsigned int n)
{
	unsigned int told = 0;

	for (unsigned int i = 0; i < PACKETS && told < n; i++) {
		struct packet *p = &packet[i];

		if (p->stage != FREE)
			continue;
		enters(p);
		shim_now += rnd(5000);
		is_received(p, false);
		put(&u->inet.sk.sk_receive_queue, p->skb);
		told++;
	}
	while (told--) {
		arrived[NETCOST_LATENCY_UDP_ENQUEUED]++;
		latency_sk_data_ready(&u->inet.sk);
	}
}

static void reads_udp(struct udp_sock *u, unsigned int readers)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < readers; i++) {
		struct sk_buff *skb = read_udp(u);
		struct packet *p = packet_of(skb);

		if (!p)
			continue;
		want(NETCOST_LATENCY_UDP_READ, p->came);
		make(p); /* unseen */
		n++;
	}
	while (n--)
		latency_sock_recv_length(&u->inet.sk, (int)rnd(2), 0);
}

static uint64_t lost(enum netcost_latency hook)
{
	uint64_t n = 0;

	for (int cpu = 0; cpu < CPUS; cpu++)
		for (int k = 0; k < NETCOST_LATENCY_LOSS_COUNT; k++)
			n += state[cpu].hist[hook].lost[k];
	return n;
}

static void test_udp(unsigned int readers)
{
	struct udp_sock *u = &sockets[2].udp;

	begin();
	for (int i = 0; i < PACKETS; i++)
		make(&packet[i]);
	for (int i = 0; i < 20000; i++) {
		shim_cpu = (unsigned int)rnd(CPUS);
		shim_now += rnd(1000000);
		if (rnd(2))
			comes_udp(u, 1 + (unsigned int)rnd(4));
		else
			reads_udp(u, 1 + (unsigned int)rnd(rnd(8) ? readers : 3 * readers));
		if (!rnd(10)) { /* these take none */
			latency_sock_recv_length(&u->inet.sk, 5, MSG_PEEK);
			latency_sock_recv_length(&u->inet.sk, -11, 0);
		}
	}
	check(NETCOST_LATENCY_UDP_READ, 1); /* of the last one it may not be known yet */
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_RECEIVE), 0);
}

static void test_one_reader(void)
{
	test_udp(1);
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_UDP_ENQUEUED), 0);
}

static void test_readers(void)
{
	test_udp(4);
}

/* What is there at the first look, and what waits for too long. */
static void test_ends(void)
{
	struct packet *p = &packet[7];

	begin();
	make(p);
	latency_tcp_probe(&sockets[0].inet.sk, p->skb);
	latency_netif_receive_skb(p->skb);
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_TCP_START), 1);
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_RECEIVE), 1);
	latency_netif_rx_entry(p->skb);
	shim_now += NETCOST_CAME_MOST_NS;
	latency_netif_receive_skb(p->skb);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].lost[NETCOST_LATENCY_LOSS_OLD], 1);
	latency_netif_rx_entry(p->skb);
	tick = 4;
	latency_netif_receive_skb(p->skb);
	CU_ASSERT_EQUAL(counted(NETCOST_LATENCY_RECEIVE, 0), 1);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].half[0].tick, 4);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].half[0].max_ns, 0);
	/* The next packets of the tick. */
	for (unsigned int ns = 100; ns > 10; ns -= 30) {
		latency_netif_rx_entry(p->skb);
		shim_now += ns;
		latency_netif_receive_skb(p->skb);
	}
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].half[0].max_ns, 100);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].half[0].min_ns, 0);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].sum_ns, 100 + 70 + 40);
	/* Of another address family. */
	sockets[0].inet.sk.__sk_common.skc_family = 1;
	p->skb->sk = &sockets[0].inet.sk;
	latency_skb_copy_datagram_iovec(p->skb);
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_TCP_READ), 0);
}

static const struct unit_test tests[] = {
	{ "any_order", test_any_order },
	{ "one_reader", test_one_reader },
	{ "readers", test_readers },
	{ "ends", test_ends },
};

int main(void)
{
	return unit_main("latency_programs", tests, sizeof(tests) / sizeof(tests[0]));
}
