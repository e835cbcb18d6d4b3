// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests samples below BPF programs. Samples below the recorder's own programs have a leaf of their own; samples below
 * other programs have the leaf of their caller.
 */
#include <math.h>

#include "model_maker.h"
#include "report/analysis/functions.h"
#include "report/analysis/summary.h"
#include "report/model/filter.h"
#include "report/rules/rules.h"

#define PROG "bpf_prog_0123456789abcdef_"

static struct rules *rules;
static struct classifier *classifier;

enum {
	SENDTO = 1,
	UDP,
	TRACE_RUN,
	RX,
	CLOCK,
	TRAMPOLINE,
	IP,
	PART, /* a part of a BPF program, with a separate name */
	LATENCY,
	SOFTIRQ,
	STRANGER,
	TWIN, /* a program of another recorder, with the same name as an own program */
	SYMBOLS = TWIN,
};

static const char *const kernel[] = { "__sys_sendto",  "udp_sendmsg",  "bpf_trace_run1",
				      "net_rx_action", "ktime_get_ns", "bpf_trampoline_1",
				      "ip_output",     PROG "part" };
static const char *const programs[2][2] = { { PROG "latency_net_dev_queue", PROG "softirq_entry" },
					    { PROG "strange", PROG "latency_net_dev_queue" } };

/* A stack: the id of its caller's stack, its function, and its expected leaf and kind. */
static const struct stack {
	uint64_t parent, symbol;
	enum leaf leaf;
	enum own_kind kind;
} stack[] = {
	{ 0, SENDTO, LEAF_SOCK_SEND, 0 }, /* stack 1 */
	{ 1, UDP, LEAF_SOCK_SEND, 0 },
	{ 2, TRACE_RUN, LEAF_OWN, OWN_OTHERS },
	{ 3, CLOCK, LEAF_OWN, OWN_OTHERS }, /* the program is not known yet at this function */
	{ 3, LATENCY, LEAF_OWN, OWN_OTHERS },
	{ 5, PART, LEAF_OWN, OWN_OTHERS }, /* stack 6 */
	{ 6, CLOCK, LEAF_OWN, OWN_OTHERS },
	{ 7, RX, LEAF_RX_SOFTIRQ, 0 }, /* an interrupt in the program begins another leaf */
	{ 1, TRACE_RUN, LEAF_SOCK_SEND, 0 },
	{ 9, STRANGER, LEAF_SOCK_SEND, 0 },
	{ 10, CLOCK, LEAF_SOCK_SEND, 0 }, /* stack 11 */
	{ 0, RX, LEAF_RX_SOFTIRQ, 0 },
	{ 12, TRACE_RUN, LEAF_RX_SOFTIRQ,
	  0 }, /* own and other programs are called here, so the program is not known */
	{ 13, SOFTIRQ, LEAF_OWN, OWN_PROBES },
	{ 13, TWIN, LEAF_RX_SOFTIRQ, 0 },
	{ 2, TRAMPOLINE, LEAF_OWN, OWN_PROBES }, /* stack 16 */
	{ 16, SOFTIRQ, LEAF_OWN, OWN_PROBES },
	{ 16, IP, LEAF_SOCK_SEND, 0 },	      /* function that the trampoline traces */
	{ 0, LATENCY, LEAF_OWN, OWN_OTHERS }, /* own program with an unknown caller */
};

#define STACKS (sizeof(stack) / sizeof(*stack))

static void put_programs(struct maker *k)
{
	maker_name(k, TRACE_PROGRAM, 1, "latency_net_dev_queue");
	maker_name(k, TRACE_PROGRAM, 2, "softirq_entry");
}

static void put_others(struct maker *k)
{
	trace_writer_begin(k->w, TRACE_OTHER_PROGRAMS);
	trace_writer_uint(k->w, TRACE_OTHER_PROGRAMS_FIRST, 1);
	/* truncated name */
	trace_writer_strs(k->w, TRACE_OTHER_PROGRAMS_NAME, S("latency_net_dev"));
	trace_writer_strs(k->w, TRACE_OTHER_PROGRAMS_KIND, S("tracing"));
	trace_writer_strs(k->w, TRACE_OTHER_PROGRAMS_ATTACHED, S(""));
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/* Writes the symbols. If `own`, own programs are in module 2; otherwise all programs are in module 1. */
static void put_symbols(struct maker *k, bool own)
{
	static const int64_t offset[2] = { 0, 64 };
	const uint64_t ours = own ? 2 : 1;

	maker_name(k, TRACE_MODULE, 1, "bpf");
	if (own)
		maker_name(k, TRACE_MODULE, 2, TRACE_OWN_MODULE);
	maker_symbols(k, 1, kernel, sizeof(kernel) / sizeof(*kernel));
	maker_two_symbols(k, LATENCY, programs[0], (const uint64_t[]){ ours, ours }, offset);
	maker_two_symbols(k, STRANGER, programs[1], (const uint64_t[]){ 1, 1 }, offset);
}

/* Writes the stacks, `each` of them per record, and one sample of each stack on CPU 1. */
static void put_stacks(struct maker *k, size_t each)
{
	uint64_t up[STACKS], symbol[STACKS], id[STACKS];

	for (size_t i = 0; i < STACKS; i++) {
		up[i] = i + 1 - stack[i].parent;
		symbol[i] = stack[i].symbol;
		id[i] = i + 1;
	}
	for (size_t i = 0; i < STACKS; i += each)
		maker_stacks(k, i + 1, up + i, i + each < STACKS ? each : STACKS - i, symbol + i,
			     i + each < STACKS ? each : STACKS - i);
	maker_samples(k, 1, id, STACKS);
}

static struct model *model_of(bool module, bool others, size_t each, const struct filter *filter)
{
	struct model *m = model_new(MODEL_MODULES, classifier);
	struct maker k = maker_new();

	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	model_set_filter(m, filter);
	put_programs(&k);
	if (others)
		put_others(&k);
	put_symbols(&k, module);
	put_stacks(&k, each);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	return m;
}

static void check(const struct model *m)
{
	uint64_t leaf[LEAF_COUNT], sum = 0;

	for (size_t i = 0; i < STACKS; i++) {
		enum own_kind kind = 0;
		bool own = model_own_leaf(m, m->class[i + 1], &kind) != LEAF_OWN;

		CU_ASSERT_EQUAL(model_leaf(m, m->class[i + 1]), stack[i].leaf);
		CU_ASSERT_EQUAL(own, stack[i].leaf == LEAF_OWN);
		CU_ASSERT_EQUAL(kind, stack[i].kind);
	}
	model_leaves(m, m->cpu[1], leaf);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		sum += leaf[l];
	CU_ASSERT_EQUAL(sum, STACKS);
	CU_ASSERT_EQUAL(leaf[LEAF_OWN], 9);
}

/* Checks traces that name the module of own programs, with several numbers of stacks per record. */
static void test_by_module(void)
{
	static const size_t each[] = { STACKS, 1, 4 };

	for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++) {
		struct model *m = model_of(true, false, each[i], NULL);
		struct split_own_samples own;

		check(m);
		model_own_samples(m, m->cpu[1], own.all, own.others, own.paused);
		CU_ASSERT_EQUAL(own.all[LEAF_SOCK_SEND], 7);
		CU_ASSERT_EQUAL(own.others[LEAF_SOCK_SEND], 5);
		CU_ASSERT_EQUAL(own.all[LEAF_RX_SOFTIRQ], 1);
		CU_ASSERT_EQUAL(own.others[LEAF_RX_SOFTIRQ], 0);
		CU_ASSERT_EQUAL(own.others[LEAF_OTHER_KERNEL], 1);
		model_free(m);
	}
}

static unsigned int count_own(const struct model *m)
{
	unsigned int n = 0;

	for (size_t i = 1; i <= STACKS; i++)
		n += model_leaf(m, m->class[i]) == LEAF_OWN;
	return n;
}

/*
 * Checks traces of older recorders, in which programs are known by name. The twin then counts as an own program, unless
 * the trace lists a program with its name.
 */
static void test_by_name(void)
{
	struct model *m = model_of(false, false, STACKS, NULL);

	/* the 9 own stacks, the twin, and the function that calls it */
	CU_ASSERT_EQUAL(count_own(m), 11);
	model_free(m);
	m = model_of(false, true, STACKS, NULL);
	CU_ASSERT_EQUAL(count_own(m), 3); /* softirq_entry and the trampoline that calls it */
	model_free(m);
}

static void test_with_own_cost(void)
{
	static const struct filter with = { .with_own_cost = true };
	struct model *m = model_of(true, false, STACKS, &with);

	CU_ASSERT_EQUAL(count_own(m), 0);
	CU_ASSERT_FALSE(model_own_known(m));
	model_free(m);
}

/* Checks that no own function has samples in a table of the network, although network work may interrupt it. */
static void test_top(void)
{
	struct model *m = model_of(true, false, STACKS, NULL);
	struct top t;

	CU_ASSERT_EQUAL_FATAL(top_make(&t, m, &(struct model_choice){ LEAF_NETWORK, NULL }, 100),
			      0);
	CU_ASSERT_EQUAL(t.samples, STACKS - 9);
	for (size_t i = 0; i < t.n; i++)
		CU_ASSERT_FALSE(t.row[i].self.samples &&
				!strcmp(t.row[i].module, TRACE_OWN_MODULE));
	top_free(&t);
	model_free(m);
}

/* ---- in the split ------------------------------------------------------------------------ */

/*
 * Returns one second of a CPU with 600 samples. 60 of them are below own programs: 40 in a send, 20 in the RX softirq.
 */
static struct split_input second(void)
{
	struct split_input in = { .wall_ns = 1e9, .samples_expected = NAN, .paused_expected = NAN };

	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		in.exact_ns[e] = NAN;
	in.samples[LEAF_USER] = 300;
	in.samples[LEAF_SOCK_SEND] = 100;
	in.samples[LEAF_RX_SOFTIRQ] = 100;
	in.samples[LEAF_OTHER_KERNEL] = 40;
	in.samples[LEAF_OWN] = 60;
	in.own_samples.known = true;
	in.own_samples.all[LEAF_SOCK_SEND] = 40;
	in.own_samples.others[LEAF_SOCK_SEND] = 30;
	in.own_samples.all[LEAF_RX_SOFTIRQ] = 20;
	in.own_samples.others[LEAF_RX_SOFTIRQ] = 10;
	return in;
}

static bool near(double a, double b)
{
	return fabs(a - b) < 2; /* ns */
}

static double sum_of(const struct split_cpu *c)
{
	double sum = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		sum += isnan(c->leaf[l].ns) ? 0 : c->leaf[l].ns;
	return sum;
}

static void test_split_by_samples(void)
{
	struct split_input in = second();
	struct split s;

	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT(near(s.all.leaf[LEAF_OWN].ns, 0.1e9));
	CU_ASSERT(near(s.all.leaf[LEAF_SOCK_SEND].ns, 1e9 / 6));
	CU_ASSERT(fabs(s.all.leaf[LEAF_OWN].sampled - 0.1) < 1e-9);
	CU_ASSERT(near(sum_of(&s.all), 1e9));
	split_free(&s);
	split_put_own_back(&in); /* now own samples count for the code that was interrupted */
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT(near(s.all.leaf[LEAF_SOCK_SEND].ns, 140e9 / 600));
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_OWN].how, SPLIT_NOT_MEASURED);
	CU_ASSERT(near(sum_of(&s.all), 1e9));
	split_free(&s);
}

/*
 * Checks that the time of programs in a class comes from their runs. The time of programs without a class comes from
 * samples, also in exact leaves.
 */
static void test_split_exact(void)
{
	struct split_input in = second();
	struct split s;

	in.exact_ns[NETCOST_EV_IDLE] = 0.4e9;
	in.exact_ns[NETCOST_EV_TASK] = 0.4e9;
	in.exact_ns[NETCOST_EV_RX_SOFTIRQ] = 0.2e9;
	in.own.there = true;
	in.own.ns[NETCOST_EV_RX_SOFTIRQ] = 7e6;
	in.own.ns[NETCOST_EV_TASK] = 11e6;
	in.own.ns[NETCOST_EV_SOCK_SEND] =
		13e6; /* the send time is only sampled, so the exact TASK time contains it */
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT(near(s.all.leaf[LEAF_RX_SOFTIRQ].ns, 0.2e9 - 7e6 - 10e6));
	/*
	 * TASK has 400 ms, of which the runs of programs take 24 ms. Samples split the remainder: 30 of 470 samples are
	 * below programs without a class.
	 */
	CU_ASSERT(near(s.all.leaf[LEAF_SOCK_SEND].ns, 376e6 * 100 / 470));
	CU_ASSERT(near(s.all.leaf[LEAF_OTHER_KERNEL].ns, 376e6 * 40 / 470));
	CU_ASSERT(near(s.all.leaf[LEAF_OWN].ns, 7e6 + 10e6 + 24e6 + 376e6 * 30 / 470));
	CU_ASSERT(near(sum_of(&s.all), 1e9));
	split_free(&s);

	/* Without samples the time of programs without a class is unknown. */
	memset(in.samples, 0, sizeof(in.samples));
	in.own_samples = (struct split_own_samples){ .known = false };
	in.own.lacks = true;
	CU_ASSERT_EQUAL_FATAL(split_compute(&s, &in, 1), 0);
	CU_ASSERT_EQUAL(s.all.leaf[LEAF_OWN].how, SPLIT_AT_LEAST);
	split_free(&s);
}

static int init(void)
{
	struct rules_error err;
	size_t len;
	const char *text = rules_default(&len);

	if (rules_parse(&rules, text, len, &err))
		return -1;
	classifier = classifier_new(rules);
	return classifier ? 0 : -1;
}

static const struct unit_test tests[] = {
	{ "by_module", test_by_module },
	{ "by_name", test_by_name },
	{ "with_own_cost", test_with_own_cost },
	{ "top", test_top },
	{ "split_by_samples", test_split_by_samples },
	{ "split_exact", test_split_exact },
};

int main(void)
{
	int failed;

	if (init())
		return 1;
	failed = unit_main("own", tests, sizeof(tests) / sizeof(tests[0]));
	classifier_free(classifier);
	rules_free(rules);
	return failed;
}
