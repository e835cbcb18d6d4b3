// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs the programs of --stages on packets whose memory is reused again and again, also by other objects. Packets are
 * freed with or without an event. No two packets may have the same number, and for each packet all events are reported
 * in order, or none.
 */
#include "path_shim.h"

#include <stdint.h>
#include <string.h>

#include "random.h"
#include "unit.h"

static struct netcost_path_cpu cpu_state[CPUS];
static struct netcost_udp_next next_state;

static struct netcost_path_cpu *shim_states(void)
{
	return cpu_state;
}

static struct netcost_udp_next *shim_next(const struct sock *sk)
{
	(void)sk;
	return &next_state;
}

/* ---- reported events --------------------------------------------------------------------- */

#define LIVES 40000

enum state { FREE, ENTERED, RECEIVED, SOCKET, QUEUED, DRIVER };

/* A packet from its first stage to its end. */
static struct life {
	/* number as reported, 0 if not reported; time of the last event */
	uint64_t number, last_ns;
	uint32_t wanted, told;
	int stage; /* last stage; -1: no stage yet */
	bool ended;
} life[LIVES];
static uint32_t nlives, about; /* packet of the current event; 0: no packet */
static struct netcost_stage_flow_event told;
#define event told.of.event
static uint32_t clone; /* clone that begins */
static bool is_full, may_lose;
static uint64_t wrong, ntold;

static void *reserve(void)
{
	return is_full ? NULL : &told;
}

static void submit(void)
{
	struct life *l;

	if (event.stage == NETCOST_STAGE_CLONED && event.first)
		about = clone;
	l = &life[about];
	ntold++;
	wrong += !about || l->ended || event.at_ns <= l->last_ns || !event.packet;
	wrong += event.first != (l->stage < 0);
	wrong += !event.first && event.packet != l->number;
	wrong += !event.first &&
		 !(netcost_stages_after((enum netcost_stage)l->stage) & 1u << event.stage);
	l->number = event.packet;
	l->last_ns = event.at_ns;
	l->stage = event.stage;
	l->ended = NETCOST_STAGES_END & 1u << event.stage;
	l->told++;
}

/* ---- packets ----------------------------------------------------------------------------- */

#define PACKETS 64
#define PAIR 512
#define CONTENTS 512 /* more contents than packets, so that packets end in different orders */

static struct net net = { .ns = { .inum = 5 } };
static struct net_device device = { .ifindex = 3, .nd_net = { &net } };
static const struct rtnl_link_ops vxlan = { "vxlan" };
static struct net_device tunnel = { .rtnl_link_ops = &vxlan, .nd_net = { &net } };
static struct udp_sock udp = {
	.inet.sk = { .sk_protocol = IPPROTO_UDP, .__sk_common = { AF_INET } },
};
static unsigned char content[64] = { 0x45 };
static unsigned char content_of[CONTENTS][64];
static uint32_t next_content;
static char memory[PACKETS][PAIR] __attribute__((aligned(PAIR)));
static struct packet {
	enum state state;
	uint32_t life;
	bool forwarded;
} packet[PACKETS];

static struct sk_buff *skb_of(uint32_t i)
{
	return (struct sk_buff *)(void *)memory[i];
}

/* Notes that the packet's next event must come. */
static void expect(uint32_t i)
{
	about = packet[i].life;
	life[about].wanted++;
}

static void is_born(uint32_t i)
{
	struct sk_buff *skb = skb_of(i);

	memset(skb, 0, sizeof(*skb));
	skb->dev = &device;
	skb->head = skb->data = content_of[next_content++ % CONTENTS];
	memcpy(skb->data, content, sizeof(content));
	packet[i] = (struct packet){ .life = ++nlives };
	life[nlives] = (struct life){ .stage = -1 };
	expect(i);
}

static void ends(uint32_t i, bool dropped)
{
	expect(i);
	if (dropped)
		path_kfree_skb(skb_of(i));
	else
		path_consume_skb(skb_of(i));
	packet[i].state = FREE;
}

/* Clones a packet. The memory belonged to another packet, of which nothing is known, so nothing is known of the
 * clone either. */
static void is_cloned_unknown(uint32_t i, uint32_t of)
{
	if (i == of || packet[of].state != FREE)
		return;
	memset(skb_of(of), 0, sizeof(struct sk_buff));
	memset(skb_of(i), 0, sizeof(struct sk_buff));
	skb_of(i)->dev = &device;
	skb_of(i)->skb_iif = 3;
	skb_of(i)->head = skb_of(of)->head =
		content; /* a packet in this memory that no function holds */
	about = clone = 0;
	path_skb_clone(skb_of(of), 0, skb_of(i));
	path_consume_skb(skb_of(i));
}

static void is_cloned(uint32_t i, uint32_t as)
{
	if (packet[as].state != FREE)
		return;
	is_born(as);
	skb_of(as)->skb_iif = skb_of(i)->skb_iif;
	skb_of(as)->head = skb_of(as)->data = skb_of(i)->head;
	clone = packet[as].life;
	expect(i);
	path_skb_clone(skb_of(i), 0, skb_of(as));
	packet[as].state = packet[i].state;
}

static struct nf_hook_state hook_in = { .pf = NFPROTO_IPV4, .in = &device },
			    hook_out = { .pf = NFPROTO_IPV6, .hook = NF_LOCAL_OUT, .out = &device };
static const char *table = "filter";
static const char **chain = &table;

static void by_nftables(struct sk_buff *skb, struct nf_hook_state *hook)
{
	const void *info[] = { skb, hook };
	const void *base = &chain;

	path_nft_do_chain((const char *)info, base);
	wrong += life[about].told && !may_lose && strcmp(told.of.table, table) != 0;
}

/* Simulates a step of a packet that a function holds, or clones the packet. */
static void inside_of(uint32_t i, uint32_t dice)
{
	struct sk_buff *skb = skb_of(i);

	if (dice % 7 == 0) {
		is_cloned(i, dice / 7 % PACKETS);
		return;
	}
	expect(i);
	switch (dice % 7) {
	case 1:
		path_ip_rcv_core(skb);
		break;
	case 2:
		skb->tc_at_ingress = packet[i].state == RECEIVED;
		path_tcf_classify(skb);
		break;
	case 3:
		ctx[0] = (uintptr_t)&skb;
		path_br_handle_frame();
		break;
	case 4:
		by_nftables(skb, packet[i].state == RECEIVED ? &hook_in : &hook_out);
		break;
	case 5:
		path_nf_hook_slow(skb, &hook_out);
		wrong += life[about].told && !may_lose &&
			 (event.family != NFPROTO_IPV6 || event.ifindex != 3);
		break;
	default:
		path_ipt_do_table((void *)(uintptr_t)table, skb, &hook_in);
		break;
	}
}

static void from_free(uint32_t i, uint32_t dice)
{
	if (dice % 11 == 0) {
		is_cloned_unknown(i, dice / 11 % PACKETS);
		return;
	}
	/* another object in this memory; the programs must ignore that it is freed */
	if (dice % 3 == 0) {
		memset(skb_of(i), 0, sizeof(struct sk_buff));
		skb_of(i)->head = content;
		skb_of(i)->skb_iif = dice % 4 < 2 ? 3 : 0; /* as in a clone */
		about = 0;
		if (dice % 2)
			path_consume_skb(skb_of(i));
		else
			path_kfree_skb(skb_of(i));
		return;
	}
	is_born(i);
	if (dice % 3 == 1)
		path_napi_gro_receive_entry(skb_of(i));
	else if (dice % 2)
		path_nf_conntrack_in(skb_of(i), &hook_out);
	else
		path_net_dev_queue(skb_of(i));
	packet[i].state = dice % 3 == 1 ? ENTERED : QUEUED;
}

static void from_received(uint32_t i, uint32_t dice)
{
	struct sk_buff *skb = skb_of(i);

	if (dice % 4 == 0) {
		ends(i, dice % 8);
	} else if (dice % 4 == 1) {
		expect(i);
		path_net_dev_queue(skb);
		packet[i].state = QUEUED;
	} else if (dice % 16 ==
		   /* the packet leaves a tunnel, whose device does not know the outer device */
		   2) {
		expect(i);
		skb->dev = &tunnel;
		skb->skb_iif = 0;
		path_netif_rx_entry(skb);
		skb->dev = &device;
		packet[i].state = ENTERED;
	} else {
		udp.inet.sk.sk_receive_queue.next = udp.inet.sk.sk_receive_queue.prev = skb;
		udp.reader_queue.next = (struct sk_buff *)(void *)&udp.reader_queue;
		expect(i);
		if (dice % 8 < 4)
			path_sk_data_ready(&udp.inet.sk);
		else
			path_sock_def_readable(&udp.inet.sk);
		packet[i].state = SOCKET;
	}
}

static void from_driver(uint32_t i, uint32_t dice)
{
	if (dice % 3) {
		ends(i, dice % 3 == 1);
		return;
	}
	expect(i); /* the packet passes a pair of interfaces */
	skb_of(i)->skb_iif = 0;
	path_netif_rx_entry(skb_of(i));
	packet[i].state = ENTERED;
}

static void step_on(uint32_t i, uint32_t dice)
{
	struct sk_buff *skb = skb_of(i);

	if (packet[i].state >= RECEIVED && packet[i].state != SOCKET && dice % 3 == 0) {
		inside_of(i, dice / 3);
		return;
	}
	switch (packet[i].state) {
	case FREE:
		from_free(i, dice);
		break;
	case ENTERED:
		if (dice % 5 == 0) { /* GRO frees the packet without an event */
			packet[i].state = FREE;
			break;
		}
		expect(i);
		path_netif_receive_skb(skb);
		skb->skb_iif = 3;
		packet[i].state = RECEIVED;
		break;
	case RECEIVED:
		from_received(i, dice);
		break;
	case SOCKET:
		if (dice % 2) /* the packet is read, and freed without an event */
			packet[i].state = FREE;
		else
			ends(i, dice % 4);
		break;
	case QUEUED:
		expect(i);
		/* the packet goes to a stacked device, or is sent from its first stage */
		if (dice % 4 == 3) {
			path_net_dev_queue(skb);
			break;
		}
		path_net_dev_start_xmit(skb);
		if (dice % 2) {
			expect(i);
			path_net_dev_xmit(skb, 0, &device);
		}
		packet[i].state = DRIVER;
		break;
	case DRIVER:
		from_driver(i, dice);
		break;
	}
}

/* Begins a test; times: latency is counted, too. */
static void begin_all(uint64_t sample, bool times)
{
	memset(packets, 0, sizeof(packets));
	memset(&cpu_state, 0, sizeof(cpu_state));
	memset(&next_state, 0, sizeof(next_state));
	memset(packet, 0, sizeof(packet));
	memset(life, 0, sizeof(life));
	nlives = about = 0;
	wrong = ntold = 0;
	is_full = false;
	below = (1ull << 32) / sample;
	key[0] = 12345;
	nft_hook = 8;
	shim_now = 1000;
	shim_step = 1;
	shim_reserve = reserve;
	shim_submit = submit;
	with_sample = true;
	measured = times ? ~0u : 0;
}

/* Returns a packet in the receive core, PACKETS if there is none. It and its clones are delivered before the next
 * packet. */
static uint32_t received(void)
{
	for (uint32_t i = 0; i < PACKETS; i++)
		if (packet[i].state == RECEIVED)
			return i;
	return PACKETS;
}

static void run(uint64_t seed, uint32_t steps, bool may_be_full)
{
	may_lose = may_be_full;
	while (steps-- && nlives < LIVES - 1) {
		uint32_t i = received();

		is_full = may_be_full && !random_below(&seed, 10);
		step_on(i < PACKETS ? i : random_below(&seed, PACKETS),
			random_below(&seed, 1u << 20));
	}
}

/* Checks that either all events of a packet are reported, or none; less: a part of the events is allowed, too. */
static uint32_t check_lives(bool less)
{
	uint32_t sampled = 0;

	for (uint32_t i = 1; i <= nlives; i++) {
		wrong += !less && life[i].told && life[i].told != life[i].wanted;
		sampled += life[i].told > 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(cpu_state[0].packets, nlives);
	return sampled;
}

static void test_all(void)
{
	begin_all(1, false);
	run(1, 100000, false);
	CU_ASSERT(nlives > 10000);
	CU_ASSERT_EQUAL(check_lives(false), nlives);
	CU_ASSERT(ntold > 2 * nlives);
	CU_ASSERT_EQUAL(cpu_state[0].full, 0);
}

static void test_sample(void)
{
	uint32_t sampled;

	begin_all(8, true);
	run(2, 100000, false);
	sampled = check_lives(false);
	CU_ASSERT(sampled > nlives / 10 && sampled < nlives / 6);
}

/* Tests that either only the end of a packet's path or the whole path is lost if there is no room. */
static void test_full(void)
{
	begin_all(1, true);
	run(3, 100000, true);
	CU_ASSERT(check_lives(true) < nlives);
	CU_ASSERT(cpu_state[0].full > nlives / 20);
}

static uint32_t hash_of(const struct sk_buff *skb)
{
	struct netcost_stage_flow whose;

	return flow_of(skb, false, &whose);
}

/* Tests hashes: the same flow has the same hash, and another flow or another key has a different hash. */
static void test_flows(void)
{
	struct sk_buff skb = { .data = content };
	uint32_t one, other;

	content[9] = IPPROTO_UDP;
	one = hash_of(&skb);
	CU_ASSERT_EQUAL(one, hash_of(&skb));
	content[22]++;
	other = hash_of(&skb);
	CU_ASSERT_NOT_EQUAL(one, other);
	content[6] = 0x20; /* a fragment has no ports */
	CU_ASSERT_NOT_EQUAL(hash_of(&skb), other);
	content[22]++;
	one = hash_of(&skb);
	content[22]++;
	CU_ASSERT_EQUAL(hash_of(&skb), one);
	key[1]++;
	CU_ASSERT_NOT_EQUAL(hash_of(&skb), one);
	content[0] = 0x60;
	CU_ASSERT_NOT_EQUAL(hash_of(&skb), one);
	content[0] = 0;
	CU_ASSERT_EQUAL(hash_of(&skb), 0);
	memset(content, 0, sizeof(content));
	content[0] = 0x45;
}

/* ---- whose packets they are -------------------------------------------------------------- */

/* Returns the flow of a packet that begins with this header. */
static const struct netcost_stage_flow *whose_is(unsigned char version, const void *header,
						 unsigned int size)
{
	struct sk_buff skb = { .head = (unsigned char *)content,
			       .data = (unsigned char *)content,
			       .dev = &device };

	memset(content, 0, sizeof(content));
	memcpy(content, header, size);
	memset(&told, 0xff, sizeof(told));
	memset(&life[about = 1], 0, sizeof(*life));
	life[1].stage = -1;
	path_net_dev_queue(&skb);
	path_consume_skb(&skb);
	memset(content, 0, sizeof(content));
	content[0] = 0x45;
	return told.whose.version == version ? &told.whose : NULL;
}

static const struct ip4 datagram = { .version_words = 0x45,
				     .protocol = IPPROTO_UDP,
				     .from = 0x010200c0,
				     .to = 0x020200c0,
				     .ports = { 0x8813, 0x3500 } };

static void test_addresses(void)
{
	struct ip4 other = datagram;
	struct ip6 six = { .version = 0x60, .next = 58, .from = { 1, 2 }, .to = { 3, 4 } };
	const struct netcost_stage_flow *whose;

	below = 1ull << 32;
	addresses = true;
	whose = whose_is(4, &datagram, sizeof(datagram));
	CU_ASSERT_PTR_NOT_NULL_FATAL(whose);
	CU_ASSERT(!memcmp(whose->from, &datagram.from, 4));
	CU_ASSERT(!memcmp(whose->to, &datagram.to, 4));
	CU_ASSERT_EQUAL(whose->from[4] | whose->to[15], 0);
	CU_ASSERT_EQUAL(whose->protocol, IPPROTO_UDP);
	CU_ASSERT(whose->has_ports);
	CU_ASSERT_EQUAL(whose->from_port, 0x8813);
	CU_ASSERT_EQUAL(whose->to_port, 0x3500);
	CU_ASSERT_EQUAL(told.of.table[0], 0);
	other.fragment = 0x20;
	whose = whose_is(4, &other, sizeof(other));
	CU_ASSERT_PTR_NOT_NULL_FATAL(whose);
	CU_ASSERT(!whose->has_ports && !whose->from_port && !whose->to_port);
	whose = whose_is(6, &six, sizeof(six));
	CU_ASSERT_PTR_NOT_NULL_FATAL(whose);
	CU_ASSERT(!memcmp(whose->from, six.from, 16));
	CU_ASSERT(!memcmp(whose->to, six.to, 16));
	CU_ASSERT(whose->protocol == 58 && !whose->has_ports);
	CU_ASSERT_PTR_NOT_NULL(whose_is(0, "\0arp", 4));
	addresses = false; /* the programs do not read addresses */
	CU_ASSERT_PTR_NOT_NULL(whose_is(0xff, &datagram, sizeof(datagram)));
}

static const struct unit_test tests[] = {
	{ "all", test_all },	 { "sample", test_sample },	  { "full", test_full },
	{ "flows", test_flows }, { "addresses", test_addresses },
};

int main(void)
{
	return unit_main("record stages ways", tests, sizeof(tests) / sizeof(tests[0]));
}
