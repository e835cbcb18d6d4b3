// SPDX-License-Identifier: BSD-2-Clause
/* Tests what the slowest packets waited for: the model's view of records, and the shares. */
#include <math.h>

#include "model_maker.h"
#include "report/analysis/latency.h"

#define HOOK NETCOST_LATENCY_UDP_READ

/* Rows of a record, as columns. */
struct rows {
	size_t n;
	uint64_t what[8], number[8], ns[8];
	const char *name[8];
};

static void kept(struct maker *k, uint64_t hook, uint64_t ns, const struct rows *r, size_t names)
{
	static const uint64_t reader[] = { 1, 1, 0, 0, 0, 0, 0, 0 };

	trace_writer_begin(k->w, TRACE_LATENCY_TAIL);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_HOOK, hook);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_CPU, 1);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_NS, ns);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_WHAT, r->what, r->n);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_READER, reader, r->n);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_NUMBER, r->number, r->n);
	trace_writer_strs(k->w, TRACE_LATENCY_TAIL_NAME, r->name, names);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_TOOK_NS, r->ns, r->n);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static bool says(const struct model_culprit *c, const char *wanted)
{
	char text[TAIL_TEXT_SIZE];

	return !strcmp(tail_text(text, sizeof(text), c, false), wanted);
}

static void test_shares(void)
{
	const struct rows one = { .n = 3,
				  .what = { 3, 6, 1 },
				  .number = { 1, TRACE_NIL, 3 },
				  .ns = { 70, 20, 10 },
				  .name = { "hog", "", "" } };
	const struct rows two = { .n = 3,
				  .what = { 3, 7, 99 },
				  .number = { 1, TRACE_NIL, 5 },
				  .ns = { 100, 300, 100 },
				  .name = { "hog", "", "x" } };
	struct model *m = model_new(MODEL_LATENCY, NULL);
	struct maker k = maker_new();
	char text[TAIL_TEXT_SIZE];
	struct tail t;

	maker_tick(&k, 1000, U(0, 1));
	kept(&k, HOOK, 100, &one, one.n);
	kept(&k, HOOK, 500, &two, two.n);
	kept(&k, NETCOST_LATENCY_COUNT + 3, 500, &two, two.n);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	tail_of(&t, m, HOOK);
	CU_ASSERT_EQUAL_FATAL(t.n, 5);
	CU_ASSERT(t.packets == 2 && t.mean_ns == 300 && t.ns == 600);
	CU_ASSERT(isnan(t.p99_9_ns));
	CU_ASSERT_EQUAL(t.row[0].ns, 300);
	CU_ASSERT_EQUAL(t.row[0].first, 1);
	CU_ASSERT(says(&t.row[0], "the reader slept, or was on another CPU"));
	CU_ASSERT_EQUAL(t.row[1].ns, 170);
	CU_ASSERT_EQUAL(t.row[1].packets, 2);
	CU_ASSERT_EQUAL(t.row[1].first, 1);
	CU_ASSERT(says(&t.row[1], "the reader waited: task hog (FIFO) ran"));
	CU_ASSERT_EQUAL(t.row[2].what, NETCOST_CULPRIT_UNKNOWN); /* a kind of a newer version */
	CU_ASSERT(says(&t.row[2], "the CPU's activity is unknown"));
	CU_ASSERT(says(&t.row[4], "softirq NET_RX ran"));
	CU_ASSERT_EQUAL(tail_cause_of(&t.row[0], false), TAIL_READER_AWAY);
	CU_ASSERT_EQUAL(tail_cause_of(&t.row[1], false), TAIL_READER_WAITED);
	CU_ASSERT_EQUAL(tail_cause_of(&t.row[4], false), TAIL_ON_ITS_WAY);
	CU_ASSERT_EQUAL(tail_cause_of(&t.row[2], false), TAIL_UNKNOWN);
	CU_ASSERT_EQUAL(tail_cause_of(&t.row[2], true),
			t.row[2].reader ? TAIL_READER_WAITED : TAIL_ON_ITS_WAY);
	tail_text(text, sizeof(text), &t.row[2], true);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "the CPU's activity is known from samples"));
	tail_of(&t, m, NETCOST_LATENCY_RECEIVE);
	CU_ASSERT(!t.n && isnan(t.mean_ns));
	model_free(m);
}

/* Tests more tasks than rows: the time of the other tasks is not lost. */
static void test_many(void)
{
	struct rows one = { .n = 1, .what = { 3 }, .number = { 0 }, .ns = { 7 } };
	struct model *m = model_new(MODEL_LATENCY, NULL);
	struct maker k = maker_new();
	char name[24];
	struct tail t;

	maker_tick(&k, 1000, U(0, 1));
	one.name[0] = name;
	for (int i = 0; i < 2 * MODEL_CULPRITS; i++) {
		snprintf(name, sizeof(name), "task %d", i);
		kept(&k, HOOK, 7, &one, 1);
	}
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	tail_of(&t, m, HOOK);
	CU_ASSERT(t.n <= MODEL_CULPRITS);
	CU_ASSERT(t.ns == 14 * MODEL_CULPRITS);
	CU_ASSERT_EQUAL(t.row[0].what, NETCOST_CULPRIT_UNKNOWN);
	model_free(m);
}

static void test_texts(void)
{
	static const struct {
		enum netcost_culprit what;
		bool reader;
		uint64_t number;
		const char *text;
	} said[] = {
		{ NETCOST_CULPRIT_WAKE, true, 2,
		  "the reader waited: the CPU was idle and had to wake up from idle state 2" },
		{ NETCOST_CULPRIT_WAKE, false, TRACE_NIL, "the CPU was idle and had to wake up" },
		{ NETCOST_CULPRIT_QUEUE, false, NETCOST_QUEUE_BACKLOG,
		  "other packets were ahead in the backlog of softirq NET_RX" },
		{ NETCOST_CULPRIT_QUEUE, false, NETCOST_QUEUE_QDISC,
		  "other packets were ahead in the device's queue (qdisc)" },
		{ NETCOST_CULPRIT_QUEUE, true, NETCOST_QUEUE_SOCKET,
		  "other packets were ahead in the socket's queue, and were read" },
		{ NETCOST_CULPRIT_QUEUE, false, NETCOST_QUEUE_COUNT,
		  "other packets were ahead in a queue" },
		{ NETCOST_CULPRIT_QUEUE, false, TRACE_NIL, "other packets were ahead in a queue" },
	};

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		struct model_culprit c = { .what = said[i].what,
					   .reader = said[i].reader,
					   .number = said[i].number,
					   .name = "" };

		CU_ASSERT(says(&c, said[i].text));
	}
}

/* Adds steps of a packet that reached HOOK after 100 ns; n: entries of the first column, nns: entries of the second
 * column. */
static void was_at(struct maker *k, const uint64_t *hook, const uint64_t *ns, size_t n, size_t nns,
		   uint64_t before)
{
	trace_writer_begin(k->w, TRACE_LATENCY_TAIL);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_HOOK, HOOK);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_CPU, 1);
	trace_writer_uint(k->w, TRACE_LATENCY_TAIL_NS, 100);
	for (unsigned int key = TRACE_LATENCY_TAIL_WHAT; key <= TRACE_LATENCY_TAIL_TOOK_NS; key++)
		if (key == TRACE_LATENCY_TAIL_NAME)
			trace_writer_strs(k->w, key, NULL, 0);
		else
			trace_writer_uints(k->w, key, NULL, 0);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_PASSED_HOOK, hook, n);
	trace_writer_uints(k->w, TRACE_LATENCY_TAIL_PASSED_NS, ns, nns);
	if (before != TRACE_NIL)
		trace_writer_uint(k->w, TRACE_LATENCY_TAIL_BEFORE, before);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

static double step_ns(const struct model *m, unsigned int from, unsigned int to, double packets)
{
	struct tail_step s = { .from = 0 };

	while (tail_next_step(&s, m, HOOK)) {
		if (s.from != from || s.to != to)
			continue;
		CU_ASSERT_EQUAL(s.packets, packets);
		return s.ns;
	}
	return -1;
}

/* Tests that steps sum to the whole, and that impossible steps are unknown. */
static void test_ways(void)
{
	static const uint64_t hook[] = { 0, 5 }, ns[] = { 10, 30 }, falls[] = { 20, 15 },
			      newer[] = { NETCOST_LATENCY_COUNT, 5 }, late[] = { 10, 101 },
			      none[] = { TRACE_NIL, 30 };
	const struct rows plain = { .n = 1, .what = { 1 }, .ns = { 500 }, .name = { "" } };
	struct model *m = model_new(MODEL_LATENCY, NULL);
	struct maker k = maker_new();
	struct tail t;

	maker_tick(&k, 1000, U(0, 1));
	kept(&k, HOOK, 500, &plain, 1); /* no step of this packet is recorded */
	was_at(&k, hook, ns, 2, 2, 4);
	was_at(&k, hook, falls, 2, 2, 10);
	was_at(&k, newer, ns, 2, 2, TRACE_NIL);
	was_at(&k, hook, late, 2, 2, TRACE_NIL);
	was_at(&k, hook, none, 2, 2, TRACE_NIL);
	was_at(&k, hook, ns, 2, 1, TRACE_NIL); /* the columns have different lengths */
	was_at(&k, hook, ns, 0, 0, 1);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL(m->tail[HOOK].path_packets, 7);
	CU_ASSERT_EQUAL(m->tail[HOOK].path_ns, 700);
	CU_ASSERT_EQUAL(step_ns(m, MODEL_ENTRY, 0, 4), 10 + 20 + 10 + 10);
	CU_ASSERT_EQUAL(step_ns(m, MODEL_ENTRY, 5, 2), 30 + 30);
	CU_ASSERT_EQUAL(step_ns(m, 0, 5, 1), 20);
	CU_ASSERT_EQUAL(step_ns(m, 5, HOOK, 3), 70 + 70 + 70);
	CU_ASSERT_EQUAL(step_ns(m, 0, HOOK, 3), 80 + 90 + 90);
	CU_ASSERT_EQUAL(step_ns(m, MODEL_ENTRY, HOOK, 1), 100);
	CU_ASSERT_EQUAL(step_ns(m, 4, HOOK, 1), -1);
	tail_of(&t, m, HOOK);
	CU_ASSERT(t.before_mean == 5 && t.before_most == 10);
	tail_of(&t, m, NETCOST_LATENCY_RECEIVE);
	CU_ASSERT(isnan(t.before_mean) && isnan(t.before_most));
	model_free(m);
}

static void test_damaged(void)
{
	const struct rows one = { .n = 2, .what = { 3, 1 }, .name = { "a", "b" } };
	struct model *m = model_new(MODEL_LATENCY, NULL);
	struct maker k = maker_new();

	maker_tick(&k, 1000, U(0, 1));
	kept(&k, HOOK, 7, &one, 1);
	CU_ASSERT_NOT_EQUAL(maker_read(&k, m), 0);
	model_free(m);
}

static const struct unit_test tests[] = {
	{ "shares", test_shares }, { "many", test_many },	{ "texts", test_texts },
	{ "ways", test_ways },	   { "damaged", test_damaged },
};

int main(void)
{
	return unit_main("tail", tests, sizeof(tests) / sizeof(tests[0]));
}
