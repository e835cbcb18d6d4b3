// SPDX-License-Identifier: BSD-2-Clause
/* Tests others.c on a simulated kernel. Programs appear and disappear, some are the recorder's own, or there are too
 * many of them. */
#include "record_util.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/trace.h>

#include "record/kernel/bpf_info.h"
#include "record/source/others.h"
#include "record/source/source.h"

#define MOST 2000
#define MS 1000000ull

/* The simulated host. Programs are stored by their ids, which start at 1. */
static struct {
	struct bpf_program_info info[MOST + 1];
	bool there[MOST + 1], hidden[MOST + 1];
	uint32_t own;
	uint64_t now_ns;
	int err;
	unsigned int places; /* number of queries of attach points */
	uint64_t cgroup_types;
} host;

static int list(struct admin *a, uint32_t after, struct bpf_program_info *out, size_t most)
{
	size_t n = 0;

	(void)a;
	for (uint32_t id = after + 1; id <= MOST && n < most; id++)
		if (host.there[id] && !host.hidden[id]) {
			out[n] = host.info[id];
			out[n++].id = id;
		}
	return host.err ? host.err : (int)n;
}

static int own(uint32_t **id, size_t *n)
{
	*id = malloc(sizeof(**id));
	CU_ASSERT_PTR_NOT_NULL_FATAL(*id);
	**id = host.own;
	*n = 1;
	return 0;
}

static void places(struct admin *a, others_place_fn *fn, void *ctx)
{
	(void)a;
	host.places++;
	fn(ctx, 1, "interface eth0 xdp");
	fn(ctx, 1, "interface eth1 xdp");
	fn(ctx, 77, "nowhere");
}

static void cgroups(uint64_t types, others_place_fn *fn, void *ctx)
{
	host.cgroup_types |= types;
	fn(ctx, 1, "interface eth0 xdp"); /* this attach point is already known */
	fn(ctx, 3, "cgroup 7 inet_egress");
	fn(ctx, 3, "cgroup 77 inet_egress");
	fn(ctx, 3, "cgroup 7 inet_egress");
}

static uint64_t now(void)
{
	return host.now_ns;
}

static const struct others_host fake = { list, own, places, cgroups, now, now };

static void load(uint32_t id, const char *name)
{
	host.there[id] = true;
	host.info[id] =
		(struct bpf_program_info){ .type = 6, .counts = true, .loaded_ns = host.now_ns };
	snprintf(host.info[id].name, sizeof(host.info[id].name), "%s", name);
}

static void run(uint32_t id, uint64_t runs, uint64_t ns)
{
	host.info[id].runs += runs;
	host.info[id].run_ns += ns;
}

static struct others *begin(void)
{
	struct others *b;

	memset(&host, 0, sizeof(host));
	host.now_ns = 1000 * MS;
	load(1, "first");
	load(2, "ours");
	host.own = 2;
	CU_ASSERT_EQUAL_FATAL(others_new(&b, &fake, NULL), 0);
	return b;
}

static void pass_ms(uint64_t ms)
{
	host.now_ns += ms * MS;
}

/* The recorder's output: the last record OTHER_STATS, and the names. */
struct told {
	size_t defined, stats;
	char names[200], kinds[200], attached[200];
	uint64_t runs[8], run_ns[8], unseen_ns[8], counted_ns, left_out;
	uint32_t n;
};

static void take_texts(char *dst, const struct trace_record *rec, unsigned int key)
{
	struct trace_column c = trace_record_column(rec, key);
	const char *s;
	uint32_t n;

	while (trace_column_str(&c, &s, &n) && strlen(dst) + n + 2 < 200)
		sprintf(dst + strlen(dst), "%.*s;", (int)n, s);
}

static uint32_t take_numbers(uint64_t *dst, const struct trace_record *rec, unsigned int key)
{
	struct trace_column c = trace_record_column(rec, key);
	uint32_t n = c.n;
	uint64_t v;

	for (uint32_t i = 0; trace_column_uint(&c, &v); i++)
		if (i < 8)
			dst[i] = v;
	return n;
}

static void take(struct told *t, const struct trace_record *rec)
{
	if (rec->type == TRACE_OTHER_PROGRAMS) {
		t->defined++;
		take_texts(t->names, rec, TRACE_OTHER_PROGRAMS_NAME);
		take_texts(t->kinds, rec, TRACE_OTHER_PROGRAMS_KIND);
		take_texts(t->attached, rec, TRACE_OTHER_PROGRAMS_ATTACHED);
	}
	if (rec->type != TRACE_OTHER_STATS)
		return;
	t->stats++;
	t->n = take_numbers(t->runs, rec, TRACE_OTHER_STATS_RUNS);
	take_numbers(t->run_ns, rec, TRACE_OTHER_STATS_RUN_NS);
	take_numbers(t->unseen_ns, rec, TRACE_OTHER_STATS_UNSEEN_NS);
	t->counted_ns = trace_record_uint(rec, TRACE_OTHER_STATS_COUNTED_NS, TRACE_NIL);
	t->left_out = trace_record_uint(rec, TRACE_OTHER_STATS_LEFT_OUT, 0);
}

static struct told written(struct others *b)
{
	struct mem_trace trace;
	struct trace_record rec;
	struct told t = { 0 };

	mem_trace_begin(&trace);
	CU_ASSERT_EQUAL(others_write(b, trace.w), 0);
	mem_trace_read(&trace);
	while (trace_reader_next(trace.r, &rec) > 0)
		take(&t, &rec);
	mem_trace_end(&trace);
	return t;
}

/* Looks at the programs, and returns all records written after that; counted: whether the statistics were enabled
 * since the previous look. */
static struct told look(struct others *b, bool counted)
{
	others_look(b, counted);
	return written(b);
}

/* ---- tests ------------------------------------------------------------------------------- */

static void test_only_what_is_counted(void)
{
	struct others *b = begin();
	struct told t;

	run(1, 1000, 500000); /* these runs are before the first look */
	t = look(b, false);
	CU_ASSERT_EQUAL(t.defined, 1);
	/* the recorder's own program is not in the list */
	CU_ASSERT_STRING_EQUAL(t.names, "first;");
	CU_ASSERT_STRING_EQUAL(t.kinds, "xdp;");
	CU_ASSERT_STRING_EQUAL(t.attached, "interface eth0 xdp, interface eth1 xdp;");
	CU_ASSERT(t.stats == 1 && t.n == 1 && !t.runs[0] && !t.counted_ns);
	run(1, 10, 2000);
	pass_ms(600);
	t = look(b, true);
	CU_ASSERT(t.stats == 1 && t.runs[0] == 10 && t.run_ns[0] == 2000 && !t.unseen_ns[0]);
	CU_ASSERT_EQUAL(t.counted_ns, 600 * MS);
	run(1, 99, 9900); /* another process enabled the statistics */
	pass_ms(9000);
	t = look(b, false);
	CU_ASSERT(t.stats == 1 && !t.defined && t.runs[0] == 10 && t.counted_ns == 600 * MS);
	run(1, 5, 500);
	pass_ms(400);
	t = look(b, true);
	CU_ASSERT(t.runs[0] == 15 && t.run_ns[0] == 2500 && t.counted_ns == 1000 * MS);
	CU_ASSERT_EQUAL(host.places, 1);
	others_free(b);
}

/* Tests programs that come and go. If a program was loaded during counting, all of its runs are known. If a program
 * has ended, its last runs are unknown. */
static void test_come_and_go(void)
{
	struct others *b = begin();
	struct told t = look(b, false);

	pass_ms(100);
	load(3, "late");
	run(3, 7, 700);
	pass_ms(200);
	t = look(b, true);
	CU_ASSERT_STRING_EQUAL(t.names, "late;");
	CU_ASSERT(t.n == 2 && t.runs[1] == 7 && t.run_ns[1] == 700 && !t.unseen_ns[1]);
	CU_ASSERT_EQUAL(t.counted_ns, 300 * MS);
	host.there[1] = false; /* no run is missed while nothing is counted */
	pass_ms(1000);
	look(b, false);
	host.there[3] = false;
	pass_ms(50);
	t = look(b, true);
	CU_ASSERT(t.n == 2 && !t.unseen_ns[0] && t.unseen_ns[1] == 50 * MS);
	CU_ASSERT(t.runs[1] == 7 && t.counted_ns == 350 * MS);
	load(3, "again"); /* another program gets the id */
	pass_ms(1);
	t = look(b, false);
	CU_ASSERT_STRING_EQUAL(t.names, "again;");
	pass_ms(20);
	t = look(b, true);
	CU_ASSERT(t.n == 3 && t.unseen_ns[1] == 50 * MS && !t.unseen_ns[2]);
	others_free(b);
}

/* Tests that programs without an attach point are looked up in the cgroups, by their types. */
static void test_cgroups(void)
{
	struct others *b = begin();
	struct told t = look(b, false);

	CU_ASSERT(t.defined && !host.cgroup_types);
	load(3, "late");
	host.info[3].type = 8;
	pass_ms(100);
	t = look(b, true);
	CU_ASSERT_STRING_EQUAL(t.attached, "cgroup 7 inet_egress, cgroup 77 inet_egress;");
	CU_ASSERT_EQUAL(host.cgroup_types, 1 << 8);
	others_free(b);
}

/* Tests a program that is only seen at one end of a counted period, although it existed at both ends. */
static void test_not_seen(void)
{
	struct others *b = begin();
	struct told t;

	load(3, "hidden");
	host.hidden[3] = true;
	pass_ms(1);
	look(b, false);
	run(1, 1, 1);
	run(3, 50, 5000);
	host.hidden[3] = false;
	pass_ms(10);
	t = look(b, true);
	CU_ASSERT(t.n == 2 && !t.runs[1] && t.unseen_ns[1] == 10 * MS);
	host.hidden[3] = true;
	pass_ms(10);
	look(b, true);
	run(3, 50, 5000);
	host.hidden[3] = false;
	pass_ms(10);
	t = look(b, true);
	CU_ASSERT(!t.runs[1] && t.unseen_ns[1] == 30 * MS);
	run(3, 2, 200);
	pass_ms(10);
	t = look(b, true);
	CU_ASSERT(t.runs[1] == 2 && t.run_ns[1] == 200 && t.unseen_ns[1] == 30 * MS);
	others_free(b);
}

static void test_too_many(void)
{
	struct others *b = begin();
	struct told t;

	for (uint32_t i = 3; i <= MOST; i++)
		load(i, "many");
	t = look(b, false);
	CU_ASSERT_EQUAL(t.n, OTHERS_PROGRAMS);
	CU_ASSERT_EQUAL(t.left_out, MOST - 1 - OTHERS_PROGRAMS);
	for (uint32_t i = OTHERS_PROGRAMS + 2; i <= MOST; i++)
		host.there[i] = false;
	pass_ms(1);
	t = look(b, true);
	CU_ASSERT(t.n == OTHERS_PROGRAMS && !t.left_out);
	others_free(b);
}

/* Tests looks between two ticks: each look has its own record. A new program is in each of these records, with
 * counts of 0 before it was loaded. */
static void test_between(void)
{
	struct others *b = begin();
	struct told t;

	look(b, false);
	for (unsigned int i = 0; i < 3; i++) {
		pass_ms(100);
		run(1, 10, 100);
		if (i == 2)
			load(3, "late");
		others_look_between(b);
	}
	pass_ms(1); /* it is too early for another look */
	run(1, 1, 1);
	others_look_between(b);
	t = written(b);
	CU_ASSERT(t.stats == 3 && t.n == 2 && t.runs[0] == 30 && t.counted_ns == 300 * MS);
	CU_ASSERT_STRING_EQUAL(t.names, "late;");
	t = written(b);
	CU_ASSERT(!t.stats && !t.defined);
	pass_ms(100);
	t = look(b, true);
	CU_ASSERT(t.stats == 1 && t.runs[0] == 31 && t.counted_ns == 401 * MS);

	for (unsigned int i = 0; i < 200; i++) { /* no tick is written */
		pass_ms(100);
		run(1, 1, 1);
		others_look_between(b);
	}
	t = written(b);
	CU_ASSERT(t.stats < 100 && t.runs[0] == 231 && t.counted_ns == 20401 * MS);

	for (uint32_t i = 4; i < 200; i++)
		load(i, "many");
	look(b, true);
	pass_ms(100);
	others_look_between(b);
	t = written(b);
	CU_ASSERT(!t.stats);
	others_free(b);
}

static void test_refused(void)
{
	struct source_status st = { .state = "measured" };
	struct others *b = begin();
	struct told t;

	others_status(b, &st);
	CU_ASSERT_STRING_EQUAL(st.state, "measured");
	others_free(b);
	memset(&host, 0, sizeof(host));
	host.err = -EPERM;
	CU_ASSERT_EQUAL_FATAL(others_new(&b, &fake, NULL), 0);
	others_status(b, &st);
	CU_ASSERT_STRING_EQUAL(st.state, "refused");
	CU_ASSERT_STRING_EQUAL(
		unit_sentence(st.why),
		"other BPF programs: Operation not permitted; reading them needs CAP_SYS_ADMIN");
	t = look(b, true);
	CU_ASSERT(!t.stats && !t.defined);
	others_free(b);
	host.err = 0; /* the host has no programs, and this is known */
	CU_ASSERT_EQUAL_FATAL(others_new(&b, &fake, NULL), 0);
	t = look(b, false);
	CU_ASSERT(t.stats == 1 && !t.n && !t.defined);
	others_free(b);
}

static void test_types(void)
{
	char text[32];

	CU_ASSERT_STRING_EQUAL(bpf_type_name(6, text, sizeof(text)), "xdp");
	CU_ASSERT_STRING_EQUAL(bpf_type_name(29, text, sizeof(text)), "lsm");
	CU_ASSERT_STRING_EQUAL(bpf_type_name(777, text, sizeof(text)), "type 777");
}

static const struct unit_test tests[] = {
	{ "only what is counted", test_only_what_is_counted },
	{ "come and go", test_come_and_go },
	{ "cgroups", test_cgroups },
	{ "not seen", test_not_seen },
	{ "too many", test_too_many },
	{ "between", test_between },
	{ "refused", test_refused },
	{ "types", test_types },
};

int main(void)
{
	return unit_main("record_others", tests, sizeof(tests) / sizeof(tests[0]));
}
