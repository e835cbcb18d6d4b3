// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests latencies by interface, cgroup and process: bpf/path_keys.h and the recorder's part of the work. Packets also
 * arrive while a tick is read. In each bucket, the rows of a checkpoint must sum to its count, and each packet must be
 * in its own row or in the row of unknown packets.
 */

#include "path_shim.h"

#include <stdint.h>

#include "model_maker.h"
#include "random.h"
#include "record/source/path/latency_keys.h"
#include "unit.h"

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

/* ---- a host: two namespaces, with two devices and a socket each; a cgroup and a reader for each socket
 * --------------- */

#define EACH 2

static struct net net[EACH];
static struct net_device device[EACH][2];
static struct tcp_sock tcp[EACH];
static struct kernfs_node node[EACH];
static struct cgroup cgroup[EACH];
static struct task_struct task[EACH];
static char memory[512] __attribute__((aligned(512)));
static uint64_t came_to[EACH][2]; /* number of packets by namespace and device */

static struct latency_keys *keys;
/* counts at the last reading */
static uint64_t seen[NETCOST_LATENCY_COUNT][NETCOST_LATENCY_BUCKETS];

static void begin(enum netcost_latency_by by)
{
	memset(state, 0, sizeof(state));
	memset(shim_keyed, 0, sizeof(shim_keyed));
	memset(came_to, 0, sizeof(came_to));
	memset(seen, 0, sizeof(seen));
	shim_keys = keys_taken = 0;
	latency_by = by + 1u;
	cgroups_known = true;
	tick = 1;
	measured = ~0u;
	shim_now = 5000000000000000;
	for (int i = 0; i < EACH; i++) {
		struct sock *sk = &tcp[i].inet_conn.icsk_inet.sk;

		net[i].ns.inum = 100u + (unsigned int)i;
		for (int k = 0; k < 2; k++)
			device[i][k] = (struct net_device){ .name = { 'e', (char)('0' + i),
								      (char)('0' + k) },
							    .ifindex = k + 1,
							    .nd_net = { &net[i] } };
		node[i].id = 0x100000000 + (uint64_t)i;
		cgroup[i].kn = &node[i];
		sk->__sk_common.skc_family = AF_INET;
		sk->__sk_common.skc_net.net = &net[i];
		sk->sk_protocol = IPPROTO_TCP;
		sk->sk_cgrp_data.cgroup = &cgroup[i];
		task[i] = (struct task_struct){ .pid = 10 + i,
						.start_time = 7,
						.group_leader = &task[i],
						.comm = { 'r', (char)('0' + i) } };
	}
	for (int i = 0; i < CPUS; i++)
		state[i].keyed = 1;
	CU_ASSERT_EQUAL_FATAL(latency_keys_new(&keys, by, shim_keyed, &keys_taken), 0);
}

/* Receives a packet on any device. A process reads it. */
static void packet(void)
{
	struct sk_buff *skb = (struct sk_buff *)(void *)memory;
	unsigned int i = (unsigned int)rnd(EACH), k = (unsigned int)rnd(2);
	struct sock *sk = &tcp[i].inet_conn.icsk_inet.sk;

	shim_cpu = (unsigned int)rnd(CPUS);
	memset(memory, 0, sizeof(memory));
	skb->dev = &device[i][k];
	((uint32_t *)(void *)skb->cb)[1] = 100;
	path_netif_rx_entry(skb);
	shim_now += rnd(10000);
	path_netif_receive_skb(skb);
	skb->skb_iif = skb->dev->ifindex;
	skb->dev = NULL;
	path_tcp_probe(sk, skb);
	skb->sk = sk;
	sk->sk_receive_queue.prev = sk->sk_receive_queue.next = skb;
	tcp[i].copied_seq = 100;
	path_sk_data_ready(sk);
	shim_task = &task[i];
	path_tcp_rcv_space_adjust(sk);
	came_to[i][k]++;
}

static void arrive(int n)
{
	while (n--)
		packet();
}

/* ---- the recorder ------------------------------------------------------------------------ */

static void read_hooks(void)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
			uint64_t now = 0;

			for (int cpu = 0; cpu < CPUS; cpu++)
				now += state[cpu].keyed ? shim_bucket(&state[cpu], h, b) : 0;
			latency_keys_add(keys, h, b, now - seen[h][b]);
			seen[h][b] = now;
		}
}

/* Makes n ticks. Some packets arrive before each reading, some during it, and some after it. */
static void ticks(struct maker *k, int n)
{
	for (int i = 0; i < n; i++) {
		arrive((int)rnd(50));
		read_hooks();
		arrive((int)rnd(5));
		maker_tick(k, 1000 + (uint64_t)i, U(0, 1));
		CU_ASSERT_EQUAL(latency_keys_tick(keys, k->w), 0);
	}
}

static struct model *read_it(struct maker *k)
{
	struct model *m = model_new(MODEL_LATENCY_BY, NULL);

	CU_ASSERT_EQUAL_FATAL(maker_read(k, m), 0);
	latency_keys_free(keys);
	return m;
}

static struct model_latency_by by_row(const struct model *m, size_t i)
{
	return model_latency_by(m->store[MODEL_STORE_LATENCY_BY], i);
}

/* Checks that the sums of rows equal the counts of the checkpoints at the last reading. */
static void check_sums(const struct model *m)
{
	uint64_t wrong = 0, all = 0;

	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
			uint64_t n = 0;

			for (size_t i = 0; i < model_latency_bys(m); i++) {
				struct model_latency_by row = by_row(m, i);

				if (row.hook == h)
					n += row.dist->bucket[b];
			}
			wrong += n != seen[h][b];
			all += n;
		}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(all > 0);
}

static uint64_t packets_of(struct model_latency_by row)
{
	return row.dist ? dist_count(row.dist) : 0;
}

/* Returns a row. The row has no histogram. */
static struct model_latency_by row(const struct model *m, unsigned int hook,
				   enum netcost_latency_which which, uint64_t number, uint64_t id)
{
	for (size_t i = 0; i < model_latency_bys(m); i++) {
		struct model_latency_by b = by_row(m, i);

		if (b.hook == hook && b.which == which && b.number == number && b.id == id)
			return b;
	}
	return (struct model_latency_by){ .name = "" };
}

static uint64_t not_known(const struct model *m, unsigned int hook)
{
	return packets_of(row(m, hook, NETCOST_LATENCY_NOT_KNOWN, TRACE_NIL, TRACE_NIL));
}

/* ---- tests ------------------------------------------------------------------------------- */

static void test_sums(void)
{
	for (int by = 0; by < NETCOST_LATENCY_BY_COUNT; by++) {
		struct maker k = maker_new();
		struct model *m;

		begin((enum netcost_latency_by)by);
		ticks(&k, 50);
		m = read_it(&k);
		check_sums(m);
		model_free(m);
	}
}

static struct model *thousand(enum netcost_latency_by by)
{
	struct maker k = maker_new();

	begin(by);
	arrive(1000);
	read_hooks();
	maker_tick(&k, 1000, U(0, 1));
	CU_ASSERT_EQUAL(latency_keys_tick(keys, k.w), 0);
	return read_it(&k);
}

/* Tests that interfaces at a socket's checkpoints are named by the device that the packet arrived on. */
static void test_interface(void)
{
	static const unsigned int hooks[] = { NETCOST_LATENCY_RECEIVE, NETCOST_LATENCY_TCP_START,
					      NETCOST_LATENCY_TCP_ENQUEUED,
					      NETCOST_LATENCY_TCP_READ };
	struct model *m = thousand(NETCOST_LATENCY_BY_INTERFACE);

	for (size_t h = 0; h < 4; h++)
		for (unsigned int i = 0; i < EACH; i++)
			for (unsigned int d = 0; d < 2; d++) {
				struct model_latency_by b =
					row(m, hooks[h], NETCOST_LATENCY_ONE, d + 1, 100 + i);

				CU_ASSERT_EQUAL(packets_of(b), came_to[i][d]);
				CU_ASSERT_STRING_EQUAL(b.name, device[i][d].name);
			}
	CU_ASSERT_EQUAL(model_latency_bys(m), 4 * EACH * 2);
	model_free(m);
}

static void test_cgroup(void)
{
	struct model *m = thousand(NETCOST_LATENCY_BY_CGROUP);

	for (unsigned int i = 0; i < EACH; i++)
		CU_ASSERT_EQUAL(packets_of(row(m, NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_ONE,
					       node[i].id, node[i].id)),
				came_to[i][0] + came_to[i][1]);
	CU_ASSERT_EQUAL(not_known(m, NETCOST_LATENCY_RECEIVE), 1000);
	CU_ASSERT_EQUAL(not_known(m, NETCOST_LATENCY_TCP_READ), 0);
	model_free(m);
}

static void test_process(void)
{
	struct model *m = thousand(NETCOST_LATENCY_BY_PROCESS);
	struct model_latency_by b;

	for (unsigned int i = 0; i < EACH; i++) {
		b = row(m, NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_ONE, 10 + i, 7);
		CU_ASSERT_EQUAL(packets_of(b), came_to[i][0] + came_to[i][1]);
		CU_ASSERT_STRING_EQUAL(b.name, task[i].comm);
	}
	CU_ASSERT_EQUAL(not_known(m, NETCOST_LATENCY_TCP_ENQUEUED), 1000);
	model_free(m);
}

/* Tests more readers than there are rows. */
static void test_rest(void)
{
	struct maker k = maker_new();
	struct model *m;
	uint64_t n = 0;

	begin(NETCOST_LATENCY_BY_PROCESS);
	for (uint64_t i = 0; i < NETCOST_LATENCY_KEYS + 90; i++) {
		task[0].start_time = task[1].start_time = 1000 + i;
		packet();
	}
	read_hooks();
	maker_tick(&k, 1000, U(0, 1));
	CU_ASSERT_EQUAL(latency_keys_tick(keys, k.w), 0);
	m = read_it(&k);
	check_sums(m);
	for (size_t i = 0; i < model_latency_bys(m); i++)
		n += by_row(m, i).which == NETCOST_LATENCY_ONE;
	CU_ASSERT_EQUAL(n, NETCOST_LATENCY_KEYS);
	CU_ASSERT_EQUAL(packets_of(row(m, NETCOST_LATENCY_TCP_READ, NETCOST_LATENCY_REST, TRACE_NIL,
				       TRACE_NIL)),
			90);
	model_free(m);
}

/* Tests that packets of a CPU that is not recorded are in no row, and that no packet is in a row if the key was not
 * requested. */
static void test_not_asked(void)
{
	struct maker k = maker_new();
	struct model *m;

	begin(NETCOST_LATENCY_BY_INTERFACE);
	state[1].keyed = 0;
	ticks(&k, 5);
	m = read_it(&k);
	check_sums(m);
	model_free(m);

	k = maker_new();
	begin(NETCOST_LATENCY_BY_INTERFACE);
	latency_by = 0;
	arrive(10);
	CU_ASSERT_EQUAL(keys_taken, 0);
	maker_tick(&k, 1000, U(0, 1));
	CU_ASSERT_EQUAL(latency_keys_tick(keys, k.w), 0);
	m = read_it(&k);
	CU_ASSERT_EQUAL(model_latency_bys(m), 0);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "sums", test_sums },	   { "interface", test_interface },
	{ "cgroup", test_cgroup }, { "process", test_process },
	{ "rest", test_rest },	   { "not asked", test_not_asked },
};

int main(void)
{
	return unit_main("record_latency_keys", tests, sizeof(tests) / sizeof(tests[0]));
}
