// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs bpf/path.bpf.c on packets that are received, merged, forwarded, cloned, split, read and freed in any order. Many
 * of these steps have no event. Memory is reused at once, also by clones and segments. A packet must be counted with
 * its own time or without a time.
 */

#include "path_shim.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "unit.h"

static struct netcost_path_cpu state[CPUS];

static struct netcost_path_cpu *shim_states(void)
{
	return state;
}

/* ---- packets ----------------------------------------------------------------------------- */

/* distances of packets in memory, as in the kernel's slabs: some packets form a pair, and are 232 bytes apart */
#define PACKETS 256
#define PAIR 512
#define SECOND 232

enum stage { FREE, ENTERED, BACKLOG, TUNNEL, QUEUED_TCP, READ_TCP, SENT, QUEUED_UDP };

#define LENGTH 100 /* bytes of data */
#define UDP_HEADERS 28

static char memory[PACKETS / 2][PAIR] __attribute__((aligned(PAIR)));
static struct packet {
	struct sk_buff *skb;
	enum stage stage;
	uint64_t came, left; /* 0: the programs do not know the time, or forgot it */
	struct sock *tcp;
	bool blocked; /* the packet waits for an earlier packet */
	bool known;   /* the receive core has seen the packet */
	unsigned int entered_cpu;
} packet[PACKETS];

/* Data of packets. Freed memory is reused first, as in the kernel's slabs. */
static struct data {
	unsigned char bytes[64];
	struct skb_shared_info shared;
	unsigned int users;
} data[PACKETS];
static struct data *unused_data[PACKETS];
static unsigned int nunused;

static void take_data(struct sk_buff *skb)
{
	struct data *d = unused_data[--nunused];

	*d = (struct data){ .users = 1, .shared.dataref.counter = 1 };
	skb->head = d->bytes;
	skb->end = offsetof(struct data, shared);
}

static void leave_data(struct sk_buff *skb)
{
	struct data *d = (struct data *)(void *)skb->head;

	if (d)
		d->shared.dataref.counter--;
	if (d && !--d->users)
		unused_data[nunused++] = d;
	skb->head = NULL;
}

static struct data *data_of(const struct sk_buff *skb)
{
	return (struct data *)(void *)skb->head;
}

/* expected counts of packets with a time */
static uint32_t wanted[NETCOST_LATENCY_COUNT][NETCOST_LATENCY_BUCKETS];
static uint64_t arrived[NETCOST_LATENCY_COUNT];

static const struct rtnl_link_ops vxlan = { "vxlan" }, veth = { "veth" };
static struct net_device tunnel = { .rtnl_link_ops = &vxlan }, pair = { .rtnl_link_ops = &veth };

static union {
	struct inet_sock inet; /* first member of the socket on all paths */
	struct tcp_sock tcp;
	struct udp_sock udp;
} sockets[3];		    /* two TCP sockets and a UDP socket */
static struct sk_buff tail; /* packet into which other packets are merged */
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
	memset(packets, 0, sizeof(packets));
	memset(wanted, 0, sizeof(wanted));
	memset(arrived, 0, sizeof(arrived));
	memset(memory, 0, sizeof(memory));
	memset(&next_of_udp, 0, sizeof(next_of_udp));
	tick = 1;
	measured = ~0u;
	shim_cpu = 0;
	shim_now = 5000000000000000;
	for (nunused = 0; nunused < PACKETS; nunused++)
		unused_data[nunused] = &data[nunused];
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

/* Notes that the packet reaches this checkpoint now; since: time at which the packet began, 0 if unknown. */
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
		n += shim_bucket(&state[cpu], hook, bucket);
	return n;
}

/* Checks that each reported time is expected, and that at most `missing` expected times are not reported. */
static void check(enum netcost_latency hook, uint64_t missing)
{
	uint64_t all = 0, lost = 0, wrong = 0;

	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		all += counted(hook, b);
		wrong += counted(hook, b) > wanted[hook][b];
	}
	for (int cpu = 0; cpu < CPUS; cpu++)
		for (int k = 0; k < NETCOST_LATENCY_LOSS_MERGED; k++)
			lost += shim_lost(&state[cpu], hook, k);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(all + lost <= arrived[hook]);
	CU_ASSERT(all + lost + missing >= arrived[hook]);
	CU_ASSERT(all > 0);
}

/* ---- random events of packets ------------------------------------------------------------ */

/* Puts a packet that is not on any path into the memory of this packet. */
static void make(struct packet *p)
{
	struct sk_buff *skb = p->skb;

	leave_data(skb);
	memset(skb, 0, sizeof(*skb));
	skb->dev = &pair;
	((uint32_t *)(void *)skb->cb)[1] = rnd(3) ? 100 : 0;
	p->stage = FREE;
	p->came = p->left = 0;
	p->known = false;
	p->tcp = NULL;
}

static void enters(struct packet *p)
{
	static int (*const entry[])(struct sk_buff *) = {
		path_netif_rx_entry,
		path_netif_receive_skb_entry,
		path_netif_receive_skb_list_entry,
		path_napi_gro_receive_entry,
		path_napi_gro_frags_entry,
	};

	if (!p->skb->head)
		take_data(p->skb);
	p->left = 0; /* a device of this host owns the packet */
	if (!p->came)
		p->came = shim_now;
	p->entered_cpu = shim_cpu;
	entry[rnd(5)](p->skb);
	p->stage = ENTERED;
}

static void comes_to_core(struct packet *p)
{
	if (!p->known)
		want(NETCOST_LATENCY_RECEIVE, p->came);
	p->known = true;
	path_netif_receive_skb(p->skb);
	p->skb->skb_iif = 3;
}

static void sends_it(struct packet *p)
{
	if (!p->skb->head)
		take_data(p->skb);
	p->left = shim_now;
	path_net_dev_queue(p->skb);
	shim_now += rnd(100000);
	want(NETCOST_LATENCY_QDISC, p->left);
	p->left = shim_now;
	path_net_dev_start_xmit(p->skb);
	shim_now += rnd(10000);
	want(NETCOST_LATENCY_DRIVER, p->left);
	path_net_dev_xmit(p->skb, 0, NULL);
	p->stage = SENT;
}

static void frees_it(struct packet *p)
{
	if (p->stage == SENT && p->left)
		want(NETCOST_LATENCY_COMPLETION, p->left);
	path_consume_skb(p->skb);
	make(p);
}

static uint32_t next_seq;

static void to_tcp(struct packet *p)
{
	const uint32_t *seq = (const uint32_t *)(const void *)p->skb->cb;

	p->tcp = &sockets[rnd(2)].inet.sk;
	p->blocked = !rnd(5);
	((uint32_t *)(void *)p->skb->cb)[0] = next_seq;
	((uint32_t *)(void *)p->skb->cb)[1] = next_seq + (rnd(3) ? 100 : 0);
	next_seq += 100;
	((struct tcp_sock *)p->tcp)->rcv_nxt = seq[0] - (p->blocked ? 1 + (uint32_t)rnd(1000) : 0);
	want(NETCOST_LATENCY_TCP_START, p->came);
	path_tcp_probe(p->tcp, p->skb);
	p->skb->sk = p->tcp;
	if (seq[0] == seq[1]) {
		make(p); /* freed without an event */
		return;
	}
	if (!rnd(4)) { /* the packet is merged into another packet without an event */
		((uint32_t *)(void *)tail.cb)[1] = seq[1];
		p->tcp->sk_receive_queue.prev = &tail;
		path_sk_data_ready(p->tcp);
		want(NETCOST_LATENCY_TCP_ENQUEUED, p->came);
		merged++;
		make(p);
		return;
	}
	p->tcp->sk_receive_queue.prev = p->skb;
	if (rnd(4)) {
		want(NETCOST_LATENCY_TCP_ENQUEUED, p->came);
		path_sk_data_ready(p->tcp);
	}
	p->stage = QUEUED_TCP;
}

/* Returns a random packet in this stage, NULL if no packet is in it. */
static struct packet *find(enum stage stage)
{
	unsigned int first = (unsigned int)rnd(PACKETS);

	for (unsigned int i = 0; i < PACKETS; i++)
		if (packet[(first + i) % PACKETS].stage == stage)
			return &packet[(first + i) % PACKETS];
	return NULL;
}

/* A bridge floods the packet: it first sends a clone. The clone's memory may belong to a packet that was freed
 * without an event. */
static void is_cloned_and_sent(struct packet *p)
{
	struct packet *clone = find(FREE);

	if (!clone)
		return;
	*clone->skb = *p->skb;
	clone->skb->cloned = p->skb->cloned = 1;
	data_of(p->skb)->users++;
	data_of(p->skb)->shared.dataref.counter++;
	sends_it(clone);
	clone->skb->skb_iif = 0;
}

static void is_delivered_on(struct packet *p, bool listed);

/* Hands the packet to the core again. It comes from a bridge, a veth pair, or a tunnel that passes it on at once. */
static void is_handed_on(struct packet *p)
{
	p->skb->dev = rnd(2) ? &pair : &tunnel;
	if (p->skb->dev == &pair)
		sends_it(p);
	if (p->skb->dev == &tunnel || rnd(2))
		p->skb->skb_iif = 0;
	shim_now += rnd(1000);
	enters(p);
	comes_to_core(p);
	is_delivered_on(p, false);
}

static void is_delivered_on(struct packet *p, bool listed)
{
	if (!rnd(4))
		is_cloned_and_sent(p);
	if (rnd(3)) {
		p->stage = BACKLOG;
		if (rnd(2))
			to_tcp(p);
	} else if (!rnd(3)) {
		path_kfree_skb(p->skb);
		make(p);
	} else if (!rnd(3)) {
		/* a packet of a starting connection, or a fragment, is freed without an event */
		make(p);
	} else if (!rnd(3) && !p->skb->cloned) {
		p->stage = TUNNEL;
	} else if (listed) {
		sends_it(p); /* the packet waits in a veth pair */
		p->skb->skb_iif = 0;
	} else {
		is_handed_on(p);
	}
}

/* All packets of a list reach the core before the first packet is delivered. They entered on the current CPU. */
static void is_list(struct packet *first)
{
	struct packet *list[4] = { first };
	unsigned int n = 1;

	for (int i = 0; i < PACKETS && n < 4; i++)
		if (&packet[i] != first && packet[i].stage == ENTERED &&
		    packet[i].entered_cpu == shim_cpu)
			list[n++] = &packet[i];
	for (unsigned int i = 0; i < n; i++)
		comes_to_core(list[i]);
	for (unsigned int i = 0; i < n; i++)
		is_delivered_on(list[i], true);
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
			sends_it(p);
		break;
	case ENTERED:
		if (!rnd(3)) {
			make(p); /* the packet is merged into another packet without an event */
		} else if (p->entered_cpu == shim_cpu && rnd(2)) {
			is_list(p);
		} else {
			comes_to_core(p);
			is_delivered_on(p, false);
		}
		break;
	case BACKLOG:
		to_tcp(p);
		break;
	case TUNNEL:
		p->skb->dev = &tunnel;
		p->skb->skb_iif = 0;
		enters(p);
		comes_to_core(p);
		is_delivered_on(p, false);
		break;
	case QUEUED_TCP:
	case READ_TCP: /* the rest of the packet is read */
		p->tcp->sk_receive_queue.next = p->skb;
		((struct tcp_sock *)p->tcp)->copied_seq = ((uint32_t *)(void *)p->skb->cb)[0];
		path_tcp_rcv_space_adjust(p->tcp); /* the reader only peeks */
		((struct tcp_sock *)p->tcp)->copied_seq++;
		if (p->stage == QUEUED_TCP)
			want(p->blocked ? NETCOST_LATENCY_TCP_READ_BLOCKED :
					  NETCOST_LATENCY_TCP_READ,
			     p->came);
		path_tcp_rcv_space_adjust(p->tcp);
		if (p->stage == READ_TCP)
			make(p); /* the packet is freed without an event */
		else
			p->stage = READ_TCP;
		break;
	default:
		if (rnd(2)) {
			frees_it(p);
		} else { /* the packet is sent to the loopback interface */
			enters(p);
		}
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

/* Takes a packet from the reader's own queue. If that queue is empty, first moves all received packets to it. */
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

/* number of clones, of segments, and of packets that follow a split packet in a list */
static uint64_t nmade;

/* device address of a received packet that a UDP socket will get: an address in the kernel */
#define KERNEL_ADDRESS ((struct net_device *)(uintptr_t)INT64_MIN)

/* Queues a packet to the socket. */
static void is_put(struct udp_sock *u, struct packet *p)
{
	p->stage = QUEUED_UDP;
	p->skb->dev = NULL;
	p->skb->transport_header = 20;
	p->skb->data = p->skb->head + UDP_HEADERS;
	put(&u->inet.sk.sk_receive_queue, p->skb);
	arrived[NETCOST_LATENCY_UDP_ENQUEUED]++;
}

static void is_queued_udp(struct udp_sock *u, struct packet *p, bool elsewhere)
{
	struct packet *own;

	is_put(u, p);
	own = elsewhere && nunused ? find(FREE) : NULL;
	if (!own) {
		path_sk_data_ready(&u->inet.sk);
		return;
	}
	shim_cpu ^= 1;
	enters(own);
	comes_to_core(own);
	is_put(u, own);
	path_sk_data_ready(&u->inet.sk);
	path_sk_data_ready(&u->inet.sk);
	shim_cpu ^= 1;
}

/* Queues a clone or a segment of this packet; elsewhere: another CPU queues a packet of its own at the same time. */
static void is_made_for_udp(struct udp_sock *u, const struct packet *of, bool segment,
			    bool elsewhere)
{
	struct packet *p = find(FREE);

	if (!p)
		return;
	*p->skb = *of->skb;
	if (segment) {
		take_data(p->skb);
	} else {
		p->skb->cloned = 1;
		data_of(of->skb)->users++;
		data_of(of->skb)->shared.dataref.counter++;
	}
	p->came = 0;
	nmade++;
	is_queued_udp(u, p, elsewhere);
}

/* Splits a large packet, which is freed after that. */
static void is_split(struct udp_sock *u, struct packet *p, bool elsewhere)
{
	struct packet whole = *p;
	struct sk_buff skb = *p->skb;

	data_of(p->skb)->shared.gso_size = LENGTH;
	path_consume_skb(p->skb);
	make(p);
	whole.skb = &skb;
	for (unsigned int i = 0; i < 3; i++)
		is_made_for_udp(u, &whole, true, elsewhere);
}

/* Receives up to n packets, in a list or separately. Some of them are cloned, split, or freed without an event. */
static void comes_udp(struct udp_sock *u, unsigned int n)
{
	struct packet *list[4];
	bool listed = rnd(2), elsewhere = !rnd(8), split = false;

	for (unsigned int i = 0; i < n; i++) {
		list[i] = find(FREE);
		if (!list[i])
			n = i;
		else if (!listed)
			n = i + 1;
		if (!list[i])
			break;
		enters(list[i]);
		shim_now += rnd(5000);
	}
	for (unsigned int i = 0; i < n; i++) {
		comes_to_core(list[i]);
		list[i]->skb->dev = KERNEL_ADDRESS;
	}
	for (unsigned int i = 0; i < n; i++) {
		struct packet *p = list[i];

		if (!rnd(10)) {
			make(p); /* the packet is freed without an event */
			continue;
		}
		if (!rnd(10)) {
			is_split(u, p, elsewhere);
			split = true;
			continue;
		}
		if (!rnd(10))
			is_made_for_udp(u, p, false, elsewhere);
		nmade += split && ((elsewhere && !p->skb->cloned) || i + 1 < n);
		is_queued_udp(u, p, elsewhere && !p->skb->cloned);
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
		make(p); /* the packet is freed without an event */
		n++;
	}
	while (n--)
		path_sock_recv_length(&u->inet.sk, (int)rnd(2), 0);
}

static uint64_t lost(enum netcost_latency hook)
{
	uint64_t n = 0;

	for (int cpu = 0; cpu < CPUS; cpu++)
		for (int k = 0; k < NETCOST_LATENCY_LOSS_COUNT; k++)
			n += shim_lost(&state[cpu], hook, k);
	return n;
}

static void test_udp(unsigned int readers)
{
	struct udp_sock *u = &sockets[2].udp;

	begin();
	nmade = 0;
	for (int i = 0; i < PACKETS; i++)
		make(&packet[i]);
	for (int i = 0; i < 20000; i++) {
		shim_cpu = (unsigned int)rnd(CPUS);
		shim_now += rnd(1000000);
		if (rnd(2) && nunused > 20)
			comes_udp(u, 1 + (unsigned int)rnd(4));
		else
			reads_udp(u, 1 + (unsigned int)rnd(rnd(8) ? readers : 3 * readers));
		if (!rnd(10)) { /* these calls receive no packet */
			path_sock_recv_length(&u->inet.sk, 5, MSG_PEEK);
			path_sock_recv_length(&u->inet.sk, -11, 0);
		}
	}
	check(NETCOST_LATENCY_UDP_READ, 1); /* the last packet may not be known yet */
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_RECEIVE), 0);
}

static void test_one_reader(void)
{
	test_udp(1);
	CU_ASSERT(lost(NETCOST_LATENCY_UDP_ENQUEUED) <= nmade);
	CU_ASSERT(2 * nmade < arrived[NETCOST_LATENCY_UDP_ENQUEUED]);
}

static void test_readers(void)
{
	test_udp(4);
}

/* Tests a packet that was noted as the next one of its socket before the programs were last attached. */
static void test_read_after_pause(void)
{
	struct netcost_latency_hist *h = &state[0].hist[NETCOST_LATENCY_UDP_READ];
	struct whose w = { 0 };

	begin();
	attached_ns = shim_now + 1;
	udp_read(&state[0], h, &w, shim_now, shim_now + 1000);
	CU_ASSERT_EQUAL(h->lost[NETCOST_LATENCY_LOSS_OLD], 1);
	CU_ASSERT_EQUAL(h->sum_ns, 0);
	attached_ns = 0;
}

/* Tests unknown packets, packets that wait too long, and the start of another tick. */
static void test_ends(void)
{
	struct packet *p = &packet[7];

	begin();
	make(p);
	path_tcp_probe(&sockets[0].inet.sk, p->skb);
	path_netif_receive_skb(p->skb);
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_TCP_START), 1);
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_RECEIVE), 1);
	path_netif_rx_entry(p->skb);
	shim_now += NETCOST_WORD_MOST_NS;
	path_netif_receive_skb(p->skb);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].lost[NETCOST_LATENCY_LOSS_OLD], 1);
	path_netif_rx_entry(p->skb);
	tick = 4;
	path_netif_receive_skb(p->skb);
	CU_ASSERT_EQUAL(counted(NETCOST_LATENCY_RECEIVE, 0), 1);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].half[0].tick, 4);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].half[0].max_ns, 0);
	/* These packets arrive in the next tick. */
	for (unsigned int ns = 100; ns > 10; ns -= 30) {
		path_netif_rx_entry(p->skb);
		shim_now += ns;
		path_netif_receive_skb(p->skb);
	}
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].half[0].max_ns, 100);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].half[0].min_ns, 0);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_RECEIVE].sum_ns, 100 + 70 + 40);
	/* The socket has another address family. */
	sockets[0].inet.sk.__sk_common.skc_family = 1;
	sockets[0].inet.sk.sk_receive_queue.next = p->skb;
	sockets[0].tcp.copied_seq = 1;
	path_tcp_rcv_space_adjust(&sockets[0].inet.sk);
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_TCP_READ), 0);
	/* The programs do not know the first packet. Later, the reader empties the queue without events. */
	sockets[0].inet.sk.__sk_common.skc_family = AF_INET;
	path_kfree_skb(p->skb);
	for (int i = 0; i < 3; i++)
		path_tcp_rcv_space_adjust(&sockets[0].inet.sk);
	CU_ASSERT_EQUAL(lost(NETCOST_LATENCY_TCP_READ), 1);
	queue_init(&sockets[0].inet.sk.sk_receive_queue);
	path_tcp_rcv_space_adjust(&sockets[0].inet.sk);
	CU_ASSERT_EQUAL(state[0].hist[NETCOST_LATENCY_TCP_READ].lost[NETCOST_LATENCY_LOSS_OTHER],
			1);
}

static const struct unit_test tests[] = {
	{ "any_order", test_any_order }, { "one_reader", test_one_reader },
	{ "readers", test_readers },	 { "read_after_pause", test_read_after_pause },
	{ "ends", test_ends },
};

int main(void)
{
	return unit_main("latency_programs", tests, sizeof(tests) / sizeof(tests[0]));
}
