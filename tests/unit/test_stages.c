// SPDX-License-Identifier: BSD-2-Clause
/* Tests packet paths: the path that a packet took, impossible orders, and missing ends. Steps must sum to the whole. */
#include <math.h>
#include <stdlib.h>

#include "model_maker.h"
#include "report/model/model_stages.h"

#define ALL ((1u << NETCOST_STAGE_COUNT) - 1)

/* Tests that no stage follows an end, that every other stage leads to an end, and that each stage is first or
 * follows another stage. */
static void test_order(void)
{
	unsigned int after_any = NETCOST_STAGES_FIRST;

	for (enum netcost_stage s = 0; s < NETCOST_STAGE_COUNT; s++) {
		bool end = NETCOST_STAGES_END & 1u << s;

		CU_ASSERT_EQUAL(!netcost_stages_after(s), end);
		CU_ASSERT(end || s == NETCOST_STAGE_ENTRY ||
			  netcost_stages_after(s) & NETCOST_STAGES_END);
		after_any |= netcost_stages_after(s);
	}
	CU_ASSERT_EQUAL(after_any, ALL);
	CU_ASSERT_EQUAL(NETCOST_STAGES_END & NETCOST_STAGES_FIRST, 0);
}

/* ---- ways -------------------------------------------------------------------------------- */

static const char *const names[] = { "NO_SOCKET" };

static const uint64_t netns[] = { 4000, 4001, 4000, 1ull << 32 }, ifindex[] = { 2, 2, 3, 2 };

/* Adds one more event, 10 ns after the previous event, in a record of its own; flow: flow of the packet's first
 * event; device: index in the lists above. */
static void event_at(struct maker *k, uint64_t *at_ns, int64_t packet, enum netcost_stage stage,
		     uint64_t flow, uint64_t device)
{
	uint64_t dt = 0, s = stage, none = 0, reason = stage == NETCOST_STAGE_DROPPED;

	*at_ns += 10;
	trace_writer_begin(k->w, TRACE_STAGES);
	trace_writer_uint(k->w, TRACE_STAGES_BASE_NS, *at_ns);
	trace_writer_uints(k->w, TRACE_STAGES_DT, &dt, 1);
	trace_writer_ints(k->w, TRACE_STAGES_PACKET, &packet, 1);
	trace_writer_uints(k->w, TRACE_STAGES_STAGE, &s, 1);
	trace_writer_uints(k->w, TRACE_STAGES_CPU, &none, 1);
	trace_writer_uints(k->w, TRACE_STAGES_DEVICE, &device, 1);
	trace_writer_uints(k->w, TRACE_STAGES_FLOW, &flow, 1);
	trace_writer_uints(k->w, TRACE_STAGES_REASON, &reason, 1);
	trace_writer_uints(k->w, TRACE_STAGES_NETNS, netns, device ? 4 : 0);
	trace_writer_uints(k->w, TRACE_STAGES_IFINDEX, ifindex, device ? 4 : 0);
	trace_writer_strs(k->w, TRACE_STAGES_REASONS, names, reason);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static void event(struct maker *k, uint64_t *at_ns, int64_t packet, enum netcost_stage stage,
		  bool first)
{
	event_at(k, at_ns, packet, stage, first ? 5 : TRACE_NIL, 0);
}

/* Returns a model of one packet with these stages. The last stage is the end. */
static struct model *model_of(const enum netcost_stage *stage, size_t n)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_STAGES, NULL);
	uint64_t at_ns = 1000;

	maker_tick(&k, 1000, U(0, 1));
	for (size_t i = 0; i < n; i++)
		event(&k, &at_ns, 7, stage[i], !i);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m->stages);
	return m;
}

/* Returns the sum over the packets of a path and key, 0 without packets. */
static uint64_t whole_ns(const struct model *m, enum stages_path path, unsigned int key)
{
	const struct store *s = m->store[MODEL_STORE_STEPS];
	ptrdiff_t row = store_find(s, (uint64_t[]){ path, key, STAGES_WHOLE, STAGES_WHOLE });

	return row < 0 ? 0 : store_dist(s, (size_t)row)->ns;
}

static void check_sums(const struct model *m)
{
	struct stages_rows rows;

	CU_ASSERT_EQUAL_FATAL(stages_rows_make(&rows, m), 0);
	for (enum stages_path p = 0; p < STAGES_PATH_COUNT; p++)
		CU_ASSERT(stages_add_up(&rows, p));
	stages_rows_free(&rows);
}

/* Checks the path of a packet with these stages; path: STAGES_PATH_COUNT: no path. */
static void check_path(enum stages_path path, const enum netcost_stage *stage, size_t n)
{
	struct model *m = model_of(stage, n);
	const struct model_stages *s = m->stages;

	for (enum stages_path p = 0; p < STAGES_PATH_COUNT; p++)
		CU_ASSERT_EQUAL(s->finished[p], p == path);
	check_sums(m);
	if (path < STAGES_PATH_COUNT)
		CU_ASSERT_EQUAL(whole_ns(m, path, STAGES_KEY_ALL), 10 * (n - 1));
	CU_ASSERT_EQUAL(s->events, n);
	CU_ASSERT_EQUAL(s->begun, 1);
	model_free(m);
}

#define WAY(path, ...)                                                                             \
	check_path(STAGES_##path, (const enum netcost_stage[]){ __VA_ARGS__ },                     \
		   sizeof((enum netcost_stage[]){ __VA_ARGS__ }) / sizeof(enum netcost_stage))
#define S_(name) NETCOST_STAGE_##name

static void test_paths(void)
{
	WAY(SOCKET, S_(ENTRY), S_(RECEIVE), S_(SOCKET), S_(READ));
	WAY(SOCKET, S_(RECEIVE), S_(IP), S_(TCP), S_(MERGED));
	WAY(SOCKET, S_(ENTRY), S_(RECEIVE), S_(QUEUED), S_(DRIVER), S_(ENTRY), S_(RECEIVE),
	    S_(READ));
	WAY(LOCAL, S_(QUEUED), S_(DRIVER), S_(ENTRY), S_(RECEIVE), S_(SOCKET), S_(READ));
	WAY(FORWARDED, S_(ENTRY), S_(RECEIVE), S_(NETFILTER), S_(QUEUED), S_(DRIVER), S_(FREED));
	WAY(SENT, S_(QUEUED), S_(DRIVER), S_(RETURNED), S_(FREED));
	WAY(SENT, S_(DRIVER), S_(FREED));
	WAY(SPLIT, S_(QUEUED), S_(FREED));
	WAY(USED, S_(ENTRY), S_(RECEIVE), S_(FREED));
	WAY(USED, S_(QUEUED), S_(DRIVER), S_(ENTRY), S_(RECEIVE), S_(NO_DATA));
	WAY(DROPPED, S_(ENTRY), S_(DROPPED));
	WAY(FORWARDED, S_(ENTRY), S_(RECEIVE), S_(TC), S_(NETFILTER), S_(CONNTRACK), S_(NFTABLES),
	    S_(IPTABLES), S_(BRIDGE), S_(CLONED), S_(QUEUED), S_(QUEUED), S_(DRIVER), S_(FREED));
	WAY(SENT, S_(CONNTRACK), S_(NFTABLES), S_(TC), S_(QUEUED), S_(DRIVER), S_(RETURNED),
	    S_(FREED));
	WAY(LOCAL, S_(IPTABLES), S_(QUEUED), S_(DRIVER), S_(ENTRY), S_(RECEIVE), S_(READ));
	WAY(SPLIT, S_(NETFILTER), S_(FREED));
	WAY(CLONES, S_(CLONED), S_(FREED));
	WAY(CLONES, S_(CLONED), S_(CLONED), S_(FREED));
	WAY(SOCKET, S_(CLONED), S_(SOCKET), S_(READ));
	WAY(FORWARDED, S_(CLONED), S_(QUEUED), S_(DRIVER), S_(FREED));
	WAY(PATH_COUNT, S_(BRIDGE), S_(FREED));
	WAY(PATH_COUNT, S_(ENTRY), S_(QUEUED), S_(DROPPED));
	WAY(PATH_COUNT, S_(SOCKET), S_(READ));
	WAY(PATH_COUNT, S_(ENTRY), S_(RECEIVE), S_(SOCKET));
}

/* ---- invalid paths ----------------------------------------------------------------------- */

static void test_missing(void)
{
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_STAGES, NULL);
	uint64_t at_ns = 1000;

	maker_tick(&k, 1000, U(0, 1));
	/* this packet began before the recording */
	event(&k, &at_ns, 1, NETCOST_STAGE_READ, false);
	event(&k, &at_ns, 2, NETCOST_STAGE_ENTRY, true);
	event(&k, &at_ns, 3, NETCOST_STAGE_ENTRY, true);
	at_ns -= 100;
	/* this event is before the packet begins */
	event(&k, &at_ns, 3, NETCOST_STAGE_DROPPED, false);
	event(&k, &at_ns, 2, NETCOST_STAGE_QUEUED, true); /* another packet uses this number */
	event(&k, &at_ns, 2, NETCOST_STAGE_COUNT, false); /* a stage of a newer version */
	event(&k, &at_ns, 4, NETCOST_STAGE_DRIVER, true);
	for (int i = 0; i < 50; i++)
		event(&k, &at_ns, 4, NETCOST_STAGE_DRIVER, false);
	event(&k, &at_ns, 4, NETCOST_STAGE_FREED, false);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(m->stages->before, 1);
	CU_ASSERT_EQUAL(m->stages->impossible, 1);
	CU_ASSERT_EQUAL(m->stages->unfinished[NETCOST_STAGE_ENTRY], 1);
	CU_ASSERT_EQUAL(m->stages->unfinished[NETCOST_STAGE_QUEUED], 1);
	CU_ASSERT_EQUAL(m->stages->too_long, 1);
	CU_ASSERT_EQUAL(m->stages->begun, 4);
	CU_ASSERT_EQUAL(store_rows(m->store[MODEL_STORE_DROPPED]), 1);
	CU_ASSERT_EQUAL(stages_finished(m->stages), 0);
	CU_ASSERT_EQUAL(stages_unfinished(m->stages), 2);
	model_free(m);
}

/* Tests more unfinished packets than are kept: the oldest count as unfinished. */
static void test_crowd(void)
{
	enum { PACKETS = 70000 };
	struct maker k = maker_new();
	struct model *m = model_new(MODEL_STAGES, NULL);
	uint64_t at_ns = 1000;

	maker_tick(&k, 1000, U(0, 1));
	for (int64_t i = 1; i <= PACKETS; i++)
		event(&k, &at_ns, i, NETCOST_STAGE_QUEUED, true);
	for (int64_t i = 1; i <= PACKETS; i++)
		event(&k, &at_ns, i, NETCOST_STAGE_FREED, false);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(m->stages->finished[STAGES_SPLIT], 65536);
	CU_ASSERT_EQUAL(m->stages->unfinished[NETCOST_STAGE_QUEUED], PACKETS - 65536);
	CU_ASSERT_EQUAL(m->stages->before, PACKETS - 65536);
	model_free(m);
}

static void test_steps(void)
{
	struct model *m = model_of((const enum netcost_stage[]){ S_(ENTRY), S_(RECEIVE), S_(QUEUED),
								 S_(DRIVER), S_(FREED) },
				   5);
	struct stages_rows rows;

	CU_ASSERT_EQUAL_FATAL(stages_rows_make(&rows, m), 0);
	CU_ASSERT_EQUAL_FATAL(rows.n, 5);
	CU_ASSERT_EQUAL(rows.row[0].from, NETCOST_STAGE_ENTRY);
	CU_ASSERT_EQUAL(rows.row[1].to, NETCOST_STAGE_QUEUED);
	CU_ASSERT_EQUAL(rows.row[3].to, NETCOST_STAGE_FREED);
	CU_ASSERT_EQUAL(rows.row[3].begins_ns, 30);
	CU_ASSERT_EQUAL(rows.row[4].from, STAGES_WHOLE);
	CU_ASSERT(rows.row[0].whole_ns == 40 && rows.row[0].key_ns == 40);
	stages_rows_free(&rows);
	model_free(m);
}

/* ---- by interface, network namespace or flow --------------------------------------------- */

static struct model *model_by(enum stages_by by)
{
	return model_new(MODEL_STAGES | (unsigned int)MODEL_STAGES_BY << by, NULL);
}

/* Returns the key of a network namespace and interface, 0 if it is absent. */
static unsigned int key_at(const struct model *m, uint32_t netns_, uint32_t ifindex_)
{
	const struct model_stages *s = m->stages;

	for (unsigned int i = STAGES_KEY_FIRST; i < s->nkeys; i++)
		if (s->key[i].netns == netns_ && s->key[i].ifindex == ifindex_)
			return i;
	return 0;
}

/* Returns a model with packets that go from one namespace to another, and a path with an unknown first interface,
 * followed by impossible interfaces. */
static struct model *model_of_places(enum stages_by by)
{
	struct maker k = maker_new();
	struct model *m = model_by(by);
	uint64_t at_ns = 1000;

	maker_tick(&k, 1000, U(0, 1));
	event_at(&k, &at_ns, 1, S_(QUEUED), 5, 1);
	event_at(&k, &at_ns, 1, S_(DRIVER), TRACE_NIL, 1);
	event_at(&k, &at_ns, 1, S_(ENTRY), TRACE_NIL, 2);
	event_at(&k, &at_ns, 1, S_(RECEIVE), TRACE_NIL, 2);
	event_at(&k, &at_ns, 1, S_(SOCKET), TRACE_NIL, 0);
	event_at(&k, &at_ns, 1, S_(READ), TRACE_NIL, 0);
	event_at(&k, &at_ns, 2, S_(ENTRY), 0, 0);
	event_at(&k, &at_ns, 2, S_(RECEIVE), TRACE_NIL, 4);
	event_at(&k, &at_ns, 2, S_(QUEUED), TRACE_NIL, 5);
	event_at(&k, &at_ns, 2, S_(DRIVER), TRACE_NIL, 3);
	event_at(&k, &at_ns, 2, S_(QUEUED), TRACE_NIL, 1);
	event_at(&k, &at_ns, 2, S_(DRIVER), TRACE_NIL, 3);
	event_at(&k, &at_ns, 2, S_(FREED), TRACE_NIL, 0);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m->stages);
	check_sums(m);
	return m;
}

static void check_key(const struct model *m, unsigned int key, enum stages_path path, uint64_t ns)
{
	CU_ASSERT_NOT_EQUAL(key, 0);
	CU_ASSERT_EQUAL(whole_ns(m, path, key), ns);
}

static void test_by_place(void)
{
	struct model *m = model_of_places(STAGES_BY_INTERFACE);

	check_key(m, key_at(m, 4000, 2), STAGES_LOCAL, 20);
	check_key(m, key_at(m, 4001, 2), STAGES_LOCAL, 30);
	check_key(m, STAGES_KEY_NOT_KNOWN, STAGES_FORWARDED, 30);
	check_key(m, key_at(m, 4000, 3), STAGES_FORWARDED, 20);
	check_key(m, key_at(m, 4000, 2), STAGES_FORWARDED, 10);
	CU_ASSERT_EQUAL(m->stages->nkeys, STAGES_KEY_FIRST + 3);
	model_free(m);
	m = model_of_places(STAGES_BY_NETNS);
	check_key(m, key_at(m, 4000, 0), STAGES_FORWARDED, 30);
	check_key(m, key_at(m, 4001, 0), STAGES_LOCAL, 30);
	CU_ASSERT_EQUAL(m->stages->nkeys, STAGES_KEY_FIRST + 2);
	model_free(m);
	m = model_of_places(STAGES_BY_FLOW);
	check_key(m, key_at(m, 0, 0), STAGES_LOCAL, 50);
	check_key(m, STAGES_KEY_NOT_KNOWN, STAGES_FORWARDED, 60);
	CU_ASSERT_EQUAL(m->stages->nkeys, STAGES_KEY_FIRST + 1);
	model_free(m);
}

/* Tests more keys or steps than are kept: the others are in the rest, and all sum to the whole. */
static void crowd_by(int64_t flows, int steps, size_t kept)
{
	struct maker k = maker_new();
	struct model *m = model_by(STAGES_BY_FLOW);
	uint64_t at_ns = 1000;
	size_t n = 0;

	maker_tick(&k, 1000, U(0, 1));
	for (int64_t i = 1; i <= flows; i++) {
		event_at(&k, &at_ns, i, S_(ENTRY), (uint64_t)i, 0);
		event_at(&k, &at_ns, i, S_(RECEIVE), TRACE_NIL, 0);
		for (int stage = 0; stage < steps; stage++)
			event_at(&k, &at_ns, i,
				 (enum netcost_stage[]){ S_(IP), S_(NETFILTER), S_(ROUTE),
							 S_(CLONED), S_(TC), S_(BRIDGE),
							 S_(CONNTRACK), S_(NFTABLES),
							 S_(IPTABLES) }[stage],
				 TRACE_NIL, 0);
		event_at(&k, &at_ns, i, S_(FREED), TRACE_NIL, 0);
	}
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	check_sums(m);
	for (unsigned int i = STAGES_KEY_FIRST; i < m->stages->nkeys; i++)
		n += whole_ns(m, STAGES_USED, i) > 0;
	CU_ASSERT_EQUAL(n, kept);
	check_key(m, STAGES_KEY_REST, STAGES_USED,
		  (uint64_t)(flows - (int64_t)kept) * 10 * (unsigned int)(2 + steps));
	model_free(m);
}

static void test_by_crowd(void)
{
	crowd_by(STAGES_KEYS + 50, 0, STAGES_KEYS);
	crowd_by(STAGES_KEYS, 9, STAGES_KEY_STEPS / 12);
}

static const struct unit_test tests[] = {
	{ "order", test_order },       { "paths", test_paths }, { "missing", test_missing },
	{ "crowd", test_crowd },       { "steps", test_steps }, { "by-place", test_by_place },
	{ "by-crowd", test_by_crowd },
};

int main(void)
{
	return unit_main("stages", tests, sizeof(tests) / sizeof(tests[0]));
}
