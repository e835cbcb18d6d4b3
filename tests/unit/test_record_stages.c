// SPDX-License-Identifier: BSD-2-Clause
/* Tests --stages: the method for each stage on kernels with different features, and events as records. */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <linux/types.h>

#include "bpf/path_events.h"
#include "model_maker.h"
#include "record/base/procfs.h"
#include "record/kernel/btf_names.h"
#include "record/kernel/drop_reasons.h"
#include "record/source/source.h"
#include "record/source/path/path_points.h"
#include "record/source/path/stages_write.h"
#include "report/model/model_stages.h"

/* ---- points ------------------------------------------------------------------------------ */

struct kernel {
	struct btf *btf; /* contains the names */
	struct btf_names *names;
};

static struct kernel kernel_with(const char *const *name, size_t n)
{
	struct kernel k = { .btf = btf__new_empty() };
	struct btf *btf = k.btf;
	const void *data;
	__u32 size;

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	for (size_t i = 0; i < n; i++)
		if (strncmp(name[i], "btf_trace_", 10))
			btf__add_func(btf, name[i], BTF_FUNC_GLOBAL, btf__add_func_proto(btf, 1));
		else
			btf__add_typedef(btf, name[i], 1);
	data = btf__raw_data(btf, &size);
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&k.names, NULL, data, size), 0);
	return k;
}

static void kernel_free(struct kernel *k)
{
	btf_names_close(k->names);
	btf__free(k->btf);
}

static void check_point(const struct path_points *p, enum netcost_stage stage, const char *method,
			size_t n, const char *why)
{
	struct source_point said;

	path_points_say(p, NETCOST_OF_STAGE, stage, &said);
	CU_ASSERT_STRING_EQUAL(said.method, method);
	CU_ASSERT_EQUAL(said.n, n);
	CU_ASSERT_STRING_EQUAL(unit_sentence(said.why), why);
}

static void test_points(void)
{
	struct kernel host =
		kernel_with(S("btf_trace_netif_rx_entry", "btf_trace_net_dev_queue",
			      "btf_trace_napi_gro_receive_entry", "ip_rcv_core", "nft_do_chain"));
	const struct btf_names *k = host.names;
	struct path_points p = { .sample = true };

	path_points_choose(&p, k);
	CU_ASSERT(path_points_functions(&p));
	CU_ASSERT(!path_points_modules(&p, k));
	CU_ASSERT(path_points_follows(&p, "ip_rcv_core", true));
	CU_ASSERT(!path_points_follows(&p, "ip_rcv_core", false));
	CU_ASSERT(!path_points_follows(&p, "ip6_rcv_core", true));
	CU_ASSERT(path_points_follows(&p, "netif_rx_entry", false));
	CU_ASSERT(!path_points_follows(&p, "kfree_skb", false));
	CU_ASSERT(path_points_follows(&p, "nft_do_chain", true));
	check_point(&p, NETCOST_STAGE_NFTABLES, "fentry", 1, "");
	path_points_drop(&p, "nft_do_chain");
	CU_ASSERT(!path_points_follows(&p, "nft_do_chain", true));
	check_point(&p, NETCOST_STAGE_NFTABLES, "off", 0,
		    "no tracepoint, and the function nft_do_chain() is missing or unsuitable");
	check_point(&p, NETCOST_STAGE_ENTRY, "tracepoint", 2, "");
	check_point(&p, NETCOST_STAGE_IP, "fentry", 1, "");
	check_point(&p, NETCOST_STAGE_SOCKET, "off", 0,
		    "the kernel has no tracepoint sk_data_ready");
	check_point(
		&p, NETCOST_STAGE_ROUTE, "off", 0,
		"no tracepoint, and the function ip_route_input_noref() is missing or unsuitable");
	p.refused = EPERM;
	path_points_choose(&p, k);
	CU_ASSERT(!path_points_functions(&p));
	CU_ASSERT(!path_points_follows(&p, "ip_rcv_core", true));
	check_point(&p, NETCOST_STAGE_IP, "off", 0,
		    "no tracepoint, and function probes are refused: Operation not "
		    "permitted");
	kernel_free(&host);
}

/* Tests kernels before 6.3, on which functions replace the socket tracepoints. Later kernels do not use these
 * functions. */
static void test_seconds(void)
{
	struct kernel old = kernel_with(S("btf_trace_consume_skb", "sock_def_readable")),
		      now = kernel_with(S("btf_trace_consume_skb", "sock_def_readable",
					  "btf_trace_sk_data_ready"));
	struct path_points p = { .sample = true };

	path_points_choose(&p, old.names);
	check_point(&p, NETCOST_STAGE_SOCKET, "fentry", 1, "");
	CU_ASSERT(path_points_follows(&p, "sock_def_readable", true));
	CU_ASSERT(!path_points_follows(&p, "udp_recvmsg", true));
	p.refused = EPERM;
	path_points_choose(&p, old.names);
	check_point(&p, NETCOST_STAGE_SOCKET, "off", 0,
		    "the kernel has no tracepoint sk_data_ready");
	p.refused = 0;
	path_points_choose(&p, now.names);
	check_point(&p, NETCOST_STAGE_SOCKET, "tracepoint", 1, "");
	CU_ASSERT(!path_points_follows(&p, "sock_def_readable", true));
	kernel_free(&old);
	kernel_free(&now);
}

/* ---- records ----------------------------------------------------------------------------- */

struct fixture {
	struct kernel kernel;
	struct drop_reasons *reasons;
	struct stages_writer *writer;
	struct maker k;
};

static void fixture_new(struct fixture *f)
{
	f->kernel = kernel_with(S("btf_trace_kfree_skb"));
	CU_ASSERT_EQUAL_FATAL(drop_reasons_new(&f->reasons, f->kernel.names), 0);
	CU_ASSERT_EQUAL_FATAL(stages_writer_new(&f->writer, f->reasons), 0);
	f->k = maker_new();
	maker_tick(&f->k, 1000, U(0, 1));
}

static struct model *fixture_read_as(struct fixture *f, unsigned int keep)
{
	struct model *m = model_new(MODEL_STAGES | keep, NULL);

	CU_ASSERT_EQUAL_FATAL(maker_read(&f->k, m), 0);
	stages_writer_free(f->writer);
	drop_reasons_free(f->reasons);
	kernel_free(&f->kernel);
	return m;
}

static struct model *fixture_read(struct fixture *f)
{
	return fixture_read_as(f, 0);
}

static void write_all(struct fixture *f, struct netcost_stage_event *e, size_t *n, uint64_t until)
{
	const struct stages_counts counts = { 64, 10, 1, 2 };

	CU_ASSERT_EQUAL_FATAL(stages_writer_write(f->writer, e, n, until, &counts, f->k.w), 0);
}

/* Tests events out of order, on more interfaces and with more drop reasons than a record has room for. They are
 * written as several records. */
static void test_many(void)
{
	enum { PACKETS = 6000 };
	struct netcost_stage_event *e = calloc(2 * PACKETS, sizeof(*e));
	struct fixture f;
	const struct store *dropped;
	ptrdiff_t row;
	struct model *m;
	size_t n = 0;

	fixture_new(&f);
	for (unsigned int i = 0; i < PACKETS; i++) {
		e[n++] = (struct netcost_stage_event){ .at_ns = 5000 + 100 * i + 50,
						       .packet = 7 + 3 * i,
						       .reason = 1 + i % 50,
						       .stage = NETCOST_STAGE_DROPPED };
		e[n++] = (struct netcost_stage_event){ .at_ns = 5000 + 100 * i,
						       .packet = 7 + 3 * i,
						       .netns = 9,
						       .ifindex = 1 + i % 100,
						       .flow = i,
						       .first = 1,
						       .stage = NETCOST_STAGE_ENTRY };
	}
	write_all(&f, e, &n, UINT64_MAX);
	CU_ASSERT_EQUAL(n, 0);
	write_all(&f, e, &n, UINT64_MAX); /* no event is left */
	m = fixture_read(&f);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m->stages);
	CU_ASSERT_EQUAL(m->stages->finished[STAGES_DROPPED], PACKETS);
	dropped = m->store[MODEL_STORE_DROPPED];
	CU_ASSERT_EQUAL_FATAL(store_rows(dropped), 50);
	CU_ASSERT_EQUAL(store_value(dropped, 0, STAGES_DROPPED_PACKETS), PACKETS / 50);
	CU_ASSERT_STRING_EQUAL(store_text(dropped, 0, STAGES_DROPPED_REASON), "reason 1");
	row = stages_whole_row(m, STAGES_DROPPED);
	CU_ASSERT_FATAL(row >= 0);
	CU_ASSERT_EQUAL(store_dist(m->store[MODEL_STORE_STEPS], (size_t)row)->ns, 50 * PACKETS);
	CU_ASSERT_EQUAL(m->stages->packets, 20);
	CU_ASSERT_EQUAL(m->stages->full, 2);
	CU_ASSERT_EQUAL(m->stages->evicted, 4);
	CU_ASSERT_EQUAL(m->stages->every, 64);
	model_free(m);
	free(e);
}

/* Tests that young events wait, so that they are written in order with older events that arrive later. */
static void test_young(void)
{
	struct netcost_stage_event e[] = {
		{ .at_ns = 300, .packet = 1, .stage = NETCOST_STAGE_FREED },
		{ .at_ns = 100, .packet = 1, .stage = NETCOST_STAGE_QUEUED, .first = 1 },
		{ 0 },
	};
	struct fixture f;
	struct model *m;
	size_t n = 2;

	fixture_new(&f);
	write_all(&f, e, &n, 150);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	e[n++] = (struct netcost_stage_event){ .at_ns = 200,
					       .packet = 1,
					       .stage = NETCOST_STAGE_DRIVER };
	write_all(&f, e, &n, 1000);
	CU_ASSERT_EQUAL(n, 0);
	m = fixture_read(&f);
	CU_ASSERT_EQUAL(m->stages->finished[STAGES_SENT], 1);
	CU_ASSERT_EQUAL(m->stages->impossible, 0);
	model_free(m);
}

static void check_rule(const struct model *m, size_t i, const char *hook, const char *table,
		       uint64_t ns)
{
	const struct store *rules = m->store[MODEL_STORE_RULES];

	CU_ASSERT_STRING_EQUAL(store_text(rules, i, STAGES_RULE_HOOK), hook);
	CU_ASSERT_STRING_EQUAL(store_text(rules, i, STAGES_RULE_TABLE), table);
	CU_ASSERT_EQUAL(store_dist(rules, i)->ns, ns);
}

/* Tests hooks and tables with names. A number alone does not name a table. */
static void test_rules(void)
{
	struct netcost_stage_event e[] = {
		{ .at_ns = 100,
		  .packet = 1,
		  .stage = NETCOST_STAGE_CONNTRACK,
		  .first = 1,
		  .family = 2,
		  .hook = 3 },
		{ .at_ns = 130,
		  .packet = 1,
		  .stage = NETCOST_STAGE_NFTABLES,
		  .family = 2,
		  .hook = 3 },
		{ .at_ns = 170,
		  .packet = 1,
		  .stage = NETCOST_STAGE_IPTABLES,
		  .family = 10,
		  .hook = 4 },
		{ .at_ns = 180,
		  .packet = 1,
		  .stage = NETCOST_STAGE_NETFILTER,
		  .family = 99,
		  .hook = 7 },
		{ .at_ns = 300, .packet = 1, .stage = NETCOST_STAGE_DROPPED, .family = 2 },
	};
	struct fixture f;
	struct model *m;
	size_t n = 5;

	fixture_new(&f);
	e[1].reason = stages_writer_table(f.writer, "mine");
	e[2].reason = stages_writer_table(f.writer, "nat");
	CU_ASSERT_EQUAL(stages_writer_table(f.writer, "mine"), e[1].reason);
	CU_ASSERT_NOT_EQUAL(e[1].reason, e[2].reason);
	write_all(&f, e, &n, 1000);
	m = fixture_read(&f);
	CU_ASSERT_EQUAL_FATAL(store_rows(m->store[MODEL_STORE_RULES]), 4);
	check_rule(m, 0, "ip output", "", 30);
	check_rule(m, 1, "ip output", "mine", 40);
	check_rule(m, 2, "ip6 postrouting", "nat", 10);
	check_rule(m, 3, "family 99 hook 7", "", 120);
	CU_ASSERT_EQUAL(m->stages->finished[STAGES_DROPPED], 1);
	CU_ASSERT_EQUAL(m->stages->impossible, 0);
	model_free(m);
}

/* Tests more rules than a record, or the recorder, has room for. */
static void test_many_rules(void)
{
	enum { TABLES = 300 };
	struct netcost_stage_event e[2 * TABLES];
	struct fixture f;
	struct model *m;
	size_t n = 0;

	fixture_new(&f);
	for (unsigned int i = 0; i < TABLES; i++) {
		char name[16];

		snprintf(name, sizeof(name), "table%u", i);
		e[n++] = (struct netcost_stage_event){ .at_ns = 1000 + 10 * i,
						       .packet = 1 + i,
						       .stage = NETCOST_STAGE_NFTABLES,
						       .first = 1,
						       .family = 2,
						       .hook = 3,
						       .reason = stages_writer_table(f.writer,
										     name) };
		e[n++] = (struct netcost_stage_event){ .at_ns = 1005 + 10 * i,
						       .packet = 1 + i,
						       .stage = NETCOST_STAGE_FREED };
	}
	write_all(&f, e, &n, 100000);
	m = fixture_read(&f);
	CU_ASSERT_EQUAL(m->stages->finished[STAGES_SPLIT], TABLES);
	CU_ASSERT_EQUAL_FATAL(store_rows(m->store[MODEL_STORE_RULES]), STAGES_RULES);
	check_rule(m, 62, "ip output", "table62", 5);
	check_rule(m, 63, "", "", 5 * (TABLES - 63));
	model_free(m);
}

/* ---- by interface and flow --------------------------------------------------------------- */

/* Tests that interfaces of the test's own network namespace have names. */
static void test_names(void)
{
	uint32_t own = (uint32_t)procfs_inode("/proc/self/ns/net");
	struct netcost_stage_event e[] = {
		{ .at_ns = 1,
		  .packet = 1,
		  .stage = NETCOST_STAGE_QUEUED,
		  .first = 1,
		  .netns = own,
		  .ifindex = 1 },
		{ .at_ns = 2, .packet = 1, .stage = NETCOST_STAGE_DRIVER, .netns = 9, .ifindex = 1 },
		{ .at_ns = 4, .packet = 1, .stage = NETCOST_STAGE_FREED },
	};
	const struct stages_key *key;
	ptrdiff_t row;
	struct fixture f;
	struct model *m;
	size_t n = 3;

	fixture_new(&f);
	write_all(&f, e, &n, 1000);
	m = fixture_read_as(&f, (unsigned int)MODEL_STAGES_BY << STAGES_BY_INTERFACE);
	CU_ASSERT_EQUAL_FATAL(m->stages->nkeys, STAGES_KEY_FIRST + 2);
	key = &m->stages->key[STAGES_KEY_FIRST];
	CU_ASSERT_EQUAL(key[0].netns, own);
	CU_ASSERT_STRING_EQUAL(model_string(m, key[0].name), "lo");
	row = store_find(m->store[MODEL_STORE_STEPS],
			 (uint64_t[]){ STAGES_SENT, STAGES_KEY_FIRST + 1, STAGES_WHOLE,
				       STAGES_WHOLE });
	CU_ASSERT_FATAL(row >= 0);
	CU_ASSERT_EQUAL(store_dist(m->store[MODEL_STORE_STEPS], (size_t)row)->ns, 2);
	CU_ASSERT_STRING_EQUAL(model_string(m, key[1].name), "");
	model_free(m);
}

static struct netcost_stage_flow whose(unsigned int i, uint8_t version, uint8_t protocol)
{
	struct netcost_stage_flow w = { .version = version, .protocol = protocol };

	inet_pton(version == 4 ? AF_INET : AF_INET6, version == 4 ? "192.0.2.1" : "2001:db8::1",
		  w.from);
	inet_pton(version == 4 ? AF_INET : AF_INET6, version == 4 ? "192.0.2.2" : "2001:db8::2",
		  w.to);
	w.has_ports = protocol == IPPROTO_UDP;
	w.from_port = htons((uint16_t)i);
	w.to_port = htons(53);
	return w;
}

/* Returns the addresses of a flow, NULL if its receiver is unknown. */
static const struct stages_addresses *addresses_of(const struct model *m, uint32_t flow)
{
	for (size_t i = 0; i < m->stages->nkeys; i++)
		if (m->stages->key[i].flow == flow && m->stages->key[i].addresses.known)
			return &m->stages->key[i].addresses;
	return NULL;
}

static void check_addresses(const struct model *m, uint32_t flow, const char *from, const char *to,
			    uint64_t from_port)
{
	const struct stages_addresses *a = addresses_of(m, flow);

	CU_ASSERT_PTR_NOT_NULL_FATAL(a);
	CU_ASSERT_STRING_EQUAL(model_string(m, a->from), from);
	CU_ASSERT_STRING_EQUAL(model_string(m, a->to), to);
	CU_ASSERT_EQUAL(a->from_port, from_port);
}

/* Tests more flows than a record has room for. The last flow is young, and is written a tick later. */
static void test_addresses(void)
{
	enum { FLOWS = 600 };
	struct netcost_stage_event e[2 * FLOWS];
	struct netcost_stage_flow w;
	struct fixture f;
	struct model *m;
	size_t n = 0;

	fixture_new(&f);
	for (unsigned int i = 1; i <= FLOWS; i++) {
		w = whose(i, i & 1 ? 4 : 6, i % 5 ? IPPROTO_UDP : 1);
		CU_ASSERT_EQUAL(stages_writer_flow(f.writer, i % 7 ? i : 0, &w), 0);
		e[n++] = (struct netcost_stage_event){ .at_ns = 10 * i,
						       .packet = i,
						       .flow = i % 7 ? i : 0,
						       .first = 1,
						       .stage = NETCOST_STAGE_QUEUED };
		e[n++] = (struct netcost_stage_event){ .at_ns = 10 * i + 5,
						       .packet = i,
						       .stage = NETCOST_STAGE_FREED };
	}
	write_all(&f, e, &n, 10 * FLOWS - 1);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	write_all(&f, e, &n, UINT64_MAX);
	e[0].packet++; /* the packet's flow is not known */
	e[0].flow = FLOWS + 1;
	n = 1;
	write_all(&f, e, &n, UINT64_MAX);
	m = fixture_read_as(&f, (unsigned int)MODEL_STAGES_BY << STAGES_BY_FLOW);
	for (uint32_t i = 1; i <= FLOWS; i++)
		if (i % 7)
			check_addresses(m, i, i & 1 ? "192.0.2.1" : "2001:db8::1",
					i & 1 ? "192.0.2.2" : "2001:db8::2", i % 5 ? i : TRACE_NIL);
	CU_ASSERT_PTR_NULL(addresses_of(m, 0));
	CU_ASSERT_PTR_NULL(addresses_of(m, FLOWS + 1));
	CU_ASSERT_EQUAL(m->stages->finished[STAGES_SPLIT], FLOWS);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "points", test_points },	   { "seconds", test_seconds },	    { "rules", test_rules },
	{ "many rules", test_many_rules }, { "many", test_many },	    { "young", test_young },
	{ "names", test_names },	   { "addresses", test_addresses },
};

int main(void)
{
	return unit_main("record stages", tests, sizeof(tests) / sizeof(tests[0]));
}
