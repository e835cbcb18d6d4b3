// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests bpf/owners.h, which decides to whom the time of packets is charged. There is one CPU, whose clock the test
 * advances, and rows in memory. After each step, the sum of the time in rows, the time outside of rows and the open
 * time equals the time of RX softirqs and NAPI threads.
 */
#include "owners_shim.h"

/* ---- tests ------------------------------------------------------------------------------- */

static void test_slices(void)
{
	begin(1);
	softirq(true);
	pass(50); /* time of the driver */
	packet(0x10, 300);
	reaches(1);
	pass(20); /* the packet's time ends when the next packet begins */
	packet(0x20, 400);
	reaches(2);
	packet(0x10, 100); /* another packet at the same address */
	reaches(1);
	owners_poll_ends(&m.c, 0, 0);
	pass(30); /* time after the poll */
	softirq(false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 420);
	CU_ASSERT_EQUAL(row(1, 7)->packets, 2);
	CU_ASSERT_EQUAL(row(2, 7)->ns, 400);
	CU_ASSERT_EQUAL(row(2, 7)->packets, 1);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_POOL], 80);
	CU_ASSERT_EQUAL(m.c.owners.packets[NETCOST_FATE_POOL], 0);
}

/* Tests packets that XDP took: they only share the unattributed time of their own softirq, in equal parts. */
static void test_xdp(void)
{
	begin(1);
	softirq(true);
	pass(50);
	packet(0x10, 300); /* received without GRO */
	reaches(1);
	CU_ASSERT_EQUAL(owners_missing(&m.c.owners, 4), 3);
	owners_poll_ends(&m.c, 4, 3);
	pass(30); /* time after the poll */
	softirq(false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 300);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_XDP], 60);
	CU_ASSERT_EQUAL(m.c.owners.packets[NETCOST_FATE_XDP], 3);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_POOL], 20);
	softirq(true); /* packets that GRO keeps or merges are not missing */
	pass(100);
	owners_gro_got(&m.c);
	owners_gro_got(&m.c);
	CU_ASSERT_EQUAL(owners_missing(&m.c.owners, 2), 0);
	CU_ASSERT_EQUAL(owners_missing(&m.c.owners, 1), 0);
	owners_poll_ends(&m.c, 2, 0);
	packet(0x20, 10); /* GRO's list is delivered after the poll */
	reaches(1);
	CU_ASSERT_EQUAL(owners_missing(&m.c.owners, 0), 0);
	softirq(false);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_XDP], 60);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_POOL], 120);
}

/* Tests marks: a packet that a bridge hands back counts once, and only its last mark counts. */
static void test_marks(void)
{
	begin(1);
	softirq(true);
	packet(0x10, 100);
	taps(5);
	packet(0x10, 100);
	reaches(1);
	packet(0x20, 10); /* no mark names the receiver */
	packet(0x30, 20);
	reaches(0); /* no process uses the socket */
	packet(0x40, 30);
	reaches(1);
	owners_mark_fate(&m.c, 0x40, NETCOST_FATE_DROPPED, 9, 0, 0);
	packet(0x50, 40);
	owners_mark_fate(&m.c, 0x50, NETCOST_FATE_FORWARDED, 3, 0, 0);
	owners_mark_fate(&m.c, 0x58, NETCOST_FATE_FORWARDED, 4, 0, 0); /* the reply */
	/* forwarded into a container */
	packet(0x50, 45);
	reaches(4);
	packet(0x60, 50);
	wakes(1);
	reaches(2);
	packet(0x70, 60);
	reaches(2);
	wakes(1); /* a weaker mark */
	packet(0x80, 70);
	wakes(1);
	softirq(false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 270);
	CU_ASSERT_EQUAL(row(1, 7)->packets, 2);
	CU_ASSERT_EQUAL(row(2, 7)->ns, 110);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_NO_MARK], 10);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_NO_OWNER], 20);
	CU_ASSERT_EQUAL(row(0, FATE_KEY(NETCOST_FATE_DROPPED, 9))->ns, 30);
	CU_ASSERT_EQUAL(row(0, FATE_KEY(NETCOST_FATE_FORWARDED, 3))->packets, 1);
	CU_ASSERT_EQUAL(row(0, FATE_KEY(NETCOST_FATE_FORWARDED, 3))->ns, 40);
	CU_ASSERT_EQUAL(row(4, 7)->ns, 45);
	CU_ASSERT_EQUAL(row(5, 7)->packets, 0);
}

/* Tests that copies of a packet for sockets of several processes are unattributed. Copies for several sockets of one
 * process, or for taps, are attributed. */
static void test_copies(void)
{
	begin(1);
	softirq(true);
	packet(0x10, 100);
	reaches(1);
	pass(10);
	reaches(2);
	wakes(2);
	pass(20);
	reaches(1);
	packet(0x20, 200);
	reaches(1);
	reaches(1);
	packet(0x30, 300);
	taps(3);
	reaches(2);
	packet(0x40, 400);
	reaches(1);
	reaches(0); /* this copy has no known receiver */
	packet(0x50, 500);
	packet_reaches(0x50, 1); /* the mark identifies the packet, so it is no copy */
	packet_reaches(0x50, 2);
	softirq(false);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_SEVERAL], 530);
	CU_ASSERT_EQUAL(m.c.owners.packets[NETCOST_FATE_SEVERAL], 2);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 200);
	CU_ASSERT_EQUAL(row(1, 7)->packets, 1);
	CU_ASSERT_EQUAL(row(2, 7)->ns, 800);
	CU_ASSERT_EQUAL(row(3, 7)->packets, 0);
}

/* Tests that the time of a hard interrupt is not charged to a packet, and that time before the programs were
 * attached is not charged at all. */
static void test_edges(void)
{
	begin(1);
	owners_packet(&m.c, 0x10, 0);
	CU_ASSERT(!owners_may_mark(&m.c));
	softirq(true);
	packet(0x10, 100);
	reaches(1);
	hardirq_begin(&m.c, 5);
	pass(1000);
	hardirq_end(&m.c, 5, &(__u64){ 0 });
	pass(10);
	softirq(false);
	pass(500); /* time outside of softirqs */
	softirq_begin(&m.c, NETCOST_EV_TX_SOFTIRQ);
	owners_packet(&m.c, 0x10, 0);
	pass(500);
	softirq_end(&m.c, NETCOST_EV_TX_SOFTIRQ);
	softirq(true);
	pass(5);
	softirq(false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 110);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_POOL], 5);
}

/* Tests a NAPI thread that a softirq interrupts between two polls. */
static void test_thread(void)
{
	static struct kernfs_node node = { .id = 7 };
	static struct cgroup cgroup = { .kn = &node };
	static struct css_set css = { .dfl_cgrp = &cgroup };
	struct task_struct idle = { .pid = 0, .flags = PF_KTHREAD, .prio = 120 },
			   thread = { .pid = 9,
				      .tgid = 9,
				      .flags = PF_KTHREAD,
				      .prio = 120,
				      .comm = "napi/eth0-8193",
				      .cgroups = &css };

	begin(1);
	task_switch(&m.c, &thread, &idle, false);
	pass(100);
	task_switch(&m.c, &idle, &thread, false);
	pass(10);
	packet(0x10, 200);
	reaches(1);
	owners_poll_ends(&m.c, 0, 0);
	pass(5);
	softirq_begin(&m.c, NETCOST_EV_RX_SOFTIRQ);
	packet(0x20, 300);
	reaches(2);
	softirq_end(&m.c, NETCOST_EV_RX_SOFTIRQ);
	pass(15);
	task_switch(&m.c, &thread, &idle, false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 200);
	CU_ASSERT_EQUAL(row(2, 7)->ns, 300);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_POOL], 30);
	CU_ASSERT_EQUAL(accounted(), m.c.softirq_ns + m.c.base_ns[NETCOST_BASE_NAPI]);
}

/* Tests that a packet without a mark gets the receiver of its flow, unless it has no flow, or another flow has the
 * slot. */
static void test_flows(void)
{
	begin(1);
	softirq(true);
	packet_of(77, 0x10, 100);
	reaches(1);
	packet_of(78, 0x20, 200);
	reaches(2);
	packet_of(77, 0x30, 10);
	packet_of(77 + NETCOST_FLOWS, 0x40, 20);
	packet(0x50, 30);
	softirq(false);
	softirq(true);
	packet_of(78, 0x10, 40);
	packet_of(77, 0x20, 50);
	reaches(3); /* the flow has another receiver from here on */
	packet_of(77, 0x30, 60);
	softirq(false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 110);
	CU_ASSERT_EQUAL(row(2, 7)->ns, 240);
	CU_ASSERT_EQUAL(row(3, 7)->ns, 110);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_NO_MARK], 50);
	CU_ASSERT_EQUAL(m.c.owners.packets[NETCOST_FATE_NO_MARK], 2);
}

/*
 * Tests a driver with GRO: it takes three packets before the first packet is delivered. The second part of the first
 * packet's time is charged to the last packet.
 */
static void test_list(void)
{
	begin(1);
	softirq(true);
	pass(5);
	owners_gro_got(&m.c); /* GRO has kept the first packet */
	packet_of(0, 0x10, 100);
	packet_of(0, 0x20, 200);
	packet_of(78, 0x30, 300);
	pass(10);
	reaches(1);
	pass(20);
	reaches(2);
	pass(30);
	reaches(3);
	pass(40);
	owners_gro_got(&m.c);
	pass(6);
	/* The next list: one packet is not marked, but its flow is known; one packet has neither a mark nor a flow. */
	packet_of(0, 0x10, 100);
	packet_of(78, 0x20, 200);
	packet_of(0, 0x30, 300);
	packet_of(0, 0x40, 400);
	reaches(1);
	pass(20);
	reaches(3);
	pass(50);
	owners_mark_fate(&m.c, 0x40, NETCOST_FATE_DROPPED, 9, 0, 0);
	/* this packet is not in the list */
	owners_mark_fate(&m.c, 0x99, NETCOST_FATE_DROPPED, 9, 0, 0);
	pass(7);
	softirq(false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 100 + 100);
	CU_ASSERT_EQUAL(row(1, 7)->packets, 2);
	CU_ASSERT_EQUAL(row(2, 7)->ns, 200 + 20);
	CU_ASSERT_EQUAL(row(2, 7)->packets, 1);
	CU_ASSERT_EQUAL(row(3, 7)->ns, 310 + 30 + 40 + 200 + 20);
	CU_ASSERT_EQUAL(row(3, 7)->packets, 2);
	CU_ASSERT_EQUAL(row(0, FATE_KEY(NETCOST_FATE_DROPPED, 9))->ns, 400 + 50 + 7);
	CU_ASSERT_EQUAL(row(0, FATE_KEY(NETCOST_FATE_DROPPED, 9))->packets, 1);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_NO_MARK], 300);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_POOL], 11);
}

/*
 * Tests a list of two protocols: when the first packet of the second one arrives, the first one's are delivered. The
 * packet that has arrived keeps its place, but a packet before it that nobody marked does not.
 */
static void test_list_of_protocols(void)
{
	begin(1);
	softirq(true);
	owners_gro_got(&m.c);
	packet_of(0, 0x10, 100);
	packet_of(0, 0x20, 200);
	owners_mark_fate(&m.c, 0x10, NETCOST_FATE_DROPPED, 9, 0, 0);
	packet_of(0, 0x30, 300);
	packet_of(0, 0x40, 400);
	reaches(1);
	reaches(2); /* 0x40 is not delivered yet, and 0x10 does not get this mark */
	packet_of(0, 0x50, 500);
	packet_of(0, 0x60, 600);
	reaches(3);
	packet_of(0, 0x70, 700); /* 0x50 is over, and 0x60 may be waiting */
	reaches(4);
	softirq(false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 200);
	CU_ASSERT_EQUAL(row(2, 7)->ns, 300);
	CU_ASSERT_EQUAL(row(3, 7)->ns, 400);
	CU_ASSERT_EQUAL(row(4, 7)->ns, 600);
	CU_ASSERT_EQUAL(m.c.owners.packets[NETCOST_FATE_NO_MARK], 2);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_NO_MARK], 500 + 700);
}

/* Tests that TCP's marks identify the packet. Only a second mark does not identify a packet, and no other packet
 * gets it. */
static void test_list_tcp(void)
{
	struct netcost_owner one = { .process = 1, .cgroup = 7 };

	begin(1);
	softirq(true);
	owners_gro_got(&m.c);
	for (unsigned int i = 1; i <= NETCOST_LIST + 2; i++)
		packet_of(0, i << 4, 100);
	packet_reaches(0x30, 3);
	owners_mark_socket(&m.c, &one, 0, true);
	pass(10);
	packet_reaches(0x20, 2);
	packet_reaches(0x10, 1);
	softirq(false);
	CU_ASSERT_EQUAL(row(3, 7)->ns, 100);
	CU_ASSERT_EQUAL(row(2, 7)->ns, 110);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 100);
	CU_ASSERT_EQUAL(m.c.owners.packets[NETCOST_FATE_NO_MARK], NETCOST_LIST - 1);
}

static void test_no_room(void)
{
	begin(1);
	processes_each = 1;
	for (unsigned int process = 1; process < 4; process++) {
		softirq(true);
		packet(0x10, 100);
		reaches(process);
		softirq(false);
	}
	CU_ASSERT_EQUAL(row(1, 7)->ns, 100);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_DIRECT], 200);
	CU_ASSERT_EQUAL(m.c.owners.packets[NETCOST_FATE_DIRECT], 2);
}

/* Tests processes that collide in a slot: each has its own row as long as there are free rows. All used rows are in
 * the list. */
static void test_rows(void)
{
	uint64_t listed = 0;

	begin(1);
	for (unsigned int process = 1; process < 2 * (ROWS + 2); process++) {
		softirq(true);
		packet(0x10, 100);
		reaches((process - 1) % (ROWS + 1) + 1);
		softirq(false);
	}
	for (unsigned int process = 1; process <= ROWS; process++)
		CU_ASSERT_EQUAL(row(process, 7)->packets, 2 + (process == 1));
	CU_ASSERT_EQUAL(row(ROWS + 1, 7)->packets, 0);
	CU_ASSERT_EQUAL(m.c.owners.packets[NETCOST_FATE_DIRECT], 2);
	CU_ASSERT_EQUAL(m.c.owners.taken[0], 0);
	for (uint32_t next = m.c.owners.taken[1]; next; next = m.row[next - 1].next) {
		CU_ASSERT_FATAL(next > ROWS && next <= 2 * ROWS);
		CU_ASSERT_FATAL(!(listed & 1 << (next - 1)));
		listed |= 1 << (next - 1);
	}
	CU_ASSERT_EQUAL(listed, (1 << 2 * ROWS) - (1 << ROWS));
}

/* Tests a packet of the same socket as the previous packet: the receiver of its flow is also remembered. */
static void test_same(void)
{
	begin(1);
	softirq(true);
	packet(0x10, 100);
	reaches(1);
	packet_of(78, 0x20, 200);
	owners_mark_same(&m.c.owners);
	packet_of(78, 0x30, 300);
	softirq(false);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 600);
	CU_ASSERT_EQUAL(row(1, 7)->packets, 3);
}

/* Tests that one softirq in ten is measured, at random, and that the time of all others counts as skipped. Each
 * square is the square of a receiver's time in a whole softirq. */
static void test_some(void)
{
	begin(10);
	for (unsigned int i = 0; i < 20; i++) {
		m.random = (unsigned int)((i % 10 + 0.5) / 10 * 4294967296.0);
		softirq(true);
		packet(0x10, 3200);
		reaches(1);
		packet(0x20, 1000);
		reaches(2);
		packet(0x30, 3200);
		reaches(1);
		softirq(false);
	}
	CU_ASSERT_EQUAL(m.c.owners.looks, 2);
	CU_ASSERT_EQUAL(row(1, 7)->packets, 4);
	CU_ASSERT_EQUAL(row(1, 7)->ns, 12800);
	CU_ASSERT_EQUAL(row(1, 7)->squares, 2 * 6400 * 6400 / 1024);
	CU_ASSERT_EQUAL(m.c.owners.ns[NETCOST_FATE_SKIPPED], 18 * 7400);
}

static const struct unit_test tests[] = {
	{ "list", test_list },	       { "list_of_protocols", test_list_of_protocols },
	{ "list_tcp", test_list_tcp }, { "flows", test_flows },
	{ "slices", test_slices },     { "xdp", test_xdp },
	{ "marks", test_marks },       { "copies", test_copies },
	{ "edges", test_edges },       { "thread", test_thread },
	{ "no_room", test_no_room },   { "some", test_some },
	{ "rows", test_rows },	       { "same", test_same },
};

int main(void)
{
	return unit_main("record_owners", tests, sizeof(tests) / sizeof(tests[0]));
}
