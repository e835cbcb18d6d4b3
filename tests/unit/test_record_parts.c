// SPDX-License-Identifier: BSD-2-Clause
/*
 * The parts of the RX softirq (bpf/rx_parts.h) in the small machine of recorder_machine.h: functions inside each
 * other, in softirqs, in NAPI threads and while sockets are polled, against a model that adds up each nanosecond.
 */
#include "recorder_machine.h"

#include "unit.h"

/* ---- runs -------------------------------------------------------------------------------- */

static struct parts_model all_cpus(void)
{
	struct parts_model sum = { 0 };

	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++) {
		for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++)
			sum.calls[part] += c->parts.calls[part];
		sum.missed += c->parts.missed;
		sum.polls_outside += c->parts.polls_outside;
	}
	return sum;
}

static void test_functions(void)
{
	struct parts_model sum;

	run_seeds((struct plan){ .steps = 40000, .parts = true, .functions = true }, 3);
	sum = all_cpus();
	for (unsigned int part = 0; part < NETCOST_PART_COUNT; part++)
		CU_ASSERT(sum.calls[part] > 100);
	CU_ASSERT(sum.missed > 0); /* too deep, and nothing else */
	run_seeds(
		(struct plan){ .steps = 40000, .parts = true, .functions = true, .interrupts = 1 },
		3);
}

/* Ends that never come, and beginnings that never came: of parts, and of the polling that they are in. */
static void test_functions_missed(void)
{
	struct plan plan = { .steps = 40000, .parts = true, .functions = true, .misses = true };

	run_seeds(plan, 3);
	CU_ASSERT(all_cpus().missed > 100);
	plan.interrupts = 1;
	run_seeds(plan, 3);
	plan.no_memory = true;
	run_seeds(plan, 2);
}

static void test_tracepoints(void)
{
	struct plan plan = { .steps = 40000, .parts = true };
	struct parts_model sum;

	run_seeds(plan, 3);
	sum = all_cpus();
	CU_ASSERT(sum.calls[NETCOST_PART_DRIVER_POLL] > 1000);
	CU_ASSERT(sum.calls[NETCOST_PART_GRO] > 1000);
	CU_ASSERT(sum.polls_outside > 100);
	plan.interrupts = 1;
	run_seeds(plan, 3);
	plan.misses = true;
	run_seeds(plan, 3);
}

/* ---- which part a call is ---------------------------------------------------------------- */

static void test_nf_part(void)
{
	static const struct {
		unsigned char pf, hook;
		unsigned int part;
	} states[] = {
		{ 2, 0, NETCOST_PART_PREROUTING_V4 },  /* NFPROTO_IPV4, NF_INET_PRE_ROUTING */
		{ 10, 0, NETCOST_PART_PREROUTING_V6 }, /* NFPROTO_IPV6 */
		{ 5, 0, NETCOST_PART_NF_INGRESS },     /* NFPROTO_NETDEV, NF_NETDEV_INGRESS */
		{ 1, 5, NETCOST_PART_NF_INGRESS },     /* NFPROTO_INET, NF_INET_INGRESS */
		{ 5, 1, NETCOST_PART_COUNT },	       /* NF_NETDEV_EGRESS */
		{ 2, 1, NETCOST_PART_COUNT },	       /* NF_INET_LOCAL_IN */
		{ 2, 2, NETCOST_PART_COUNT },	       /* NF_INET_FORWARD */
		{ 2, 4, NETCOST_PART_COUNT },	       /* NF_INET_POST_ROUTING */
		{ 10, 3, NETCOST_PART_COUNT },	       /* NF_INET_LOCAL_OUT */
		{ 1, 0, NETCOST_PART_COUNT },
		{ 3, 0, NETCOST_PART_COUNT }, /* NFPROTO_ARP */
		{ 7, 0, NETCOST_PART_COUNT }, /* NFPROTO_BRIDGE, NF_BR_PRE_ROUTING */
		{ 7, 5, NETCOST_PART_COUNT },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		const struct nf_hook_state state = { .pf = states[i].pf, .hook = states[i].hook };

		CU_ASSERT_EQUAL(nf_part(&state, false), states[i].part);
		CU_ASSERT_EQUAL(nf_part(&state, true), states[i].part);
	}
}

static void test_part_of(void)
{
	const struct netcost_part_hook nothing = { 0 },
				       always = { NETCOST_PART_ALWAYS, NETCOST_PART_BRIDGING },
				       tc = { NETCOST_PART_TC, NETCOST_PART_TC_INGRESS },
				       nf = { NETCOST_PART_NF, NETCOST_PART_NF_INGRESS };
	const struct sk_buff in = { .tc_at_ingress = 1 }, out = { 0 };
	const struct nf_hook_state state = { .pf = 10, .hook = 0 };

	CU_ASSERT_EQUAL(part_of(&nothing, 0, 0), NETCOST_PART_COUNT);
	CU_ASSERT_EQUAL(part_of(&always, 0, 0), NETCOST_PART_BRIDGING);
	CU_ASSERT_EQUAL(part_of(&tc, (uintptr_t)&in, 0), NETCOST_PART_TC_INGRESS);
	CU_ASSERT_EQUAL(part_of(&tc, (uintptr_t)&out, 0), NETCOST_PART_COUNT);
	CU_ASSERT_EQUAL(part_of(&nf, 0, (uintptr_t)&state), NETCOST_PART_PREROUTING_V6);
}

/* Deeper than is followed: what is inside counts to the last that is, and its ends end nothing. */
static void test_too_deep(void)
{
	struct vcpu *c = &m.cpu[0];
	struct exact_reading r;
	unsigned int i;

	boot(&(struct plan){ .seed = 1, .parts = true, .functions = true });
	call_switch(c, &m.task[0]);
	call_softirq_begin(c, NETCOST_EV_RX_SOFTIRQ);
	for (i = 0; i < NETCOST_PART_DEPTH + 2; i++) {
		call_part_begin(c, (struct part_frame){ 5, NETCOST_PART_RECEIVE, STACK - 8 * i });
		pass(10);
	}
	while (i--)
		call_part_end(c, (struct part_frame){ 5, NETCOST_PART_RECEIVE, STACK - 8 * i });
	call_softirq_end(c, NETCOST_EV_RX_SOFTIRQ);
	exact_derive(&c->state, &c->past, false, m.now, &r);
	CU_ASSERT_EQUAL(r.part_calls[NETCOST_PART_RECEIVE], NETCOST_PART_DEPTH);
	CU_ASSERT_EQUAL(r.part_ns[NETCOST_PART_RECEIVE], 10 * (NETCOST_PART_DEPTH + 2));
	CU_ASSERT_EQUAL(r.part_total_ns[NETCOST_PART_RECEIVE], 10 * (NETCOST_PART_DEPTH + 2));
	CU_ASSERT_EQUAL(r.parts_missed, 2);
}

/* A poll that is not inside of its function's call was not seen: that makes the loss known. */
static void test_witness(void)
{
	struct vcpu *c = &m.cpu[0];

	boot(&(struct plan){ .seed = 1, .parts = true, .functions = true });
	m.task[0].t.flags = 0; /* no NAPI thread */
	call_switch(c, &m.task[0]);
	m.call.c = c;
	part_poll_witnessed(&c->state); /* of busy polling, or whoever else it is */
	call_softirq_begin(c, NETCOST_EV_RX_SOFTIRQ);
	part_begin(&c->state, 0, NETCOST_PART_DRIVER_POLL, STACK);
	part_poll_witnessed(&c->state);
	CU_ASSERT_EQUAL(c->state.parts.missed, 0);
	part_end(&c->state, 0, STACK);
	part_poll_witnessed(&c->state);
	part_poll_witnessed(&c->state);
	CU_ASSERT_EQUAL(c->state.parts.missed, 2);
	CU_ASSERT_EQUAL(c->state.parts.calls[NETCOST_PART_DRIVER_POLL], 1);
	call_softirq_end(c, NETCOST_EV_RX_SOFTIRQ);
}

static const struct unit_test tests[] = {
	{ "functions", test_functions },     { "functions_missed", test_functions_missed },
	{ "tracepoints", test_tracepoints }, { "nf_part", test_nf_part },
	{ "part_of", test_part_of },	     { "too_deep", test_too_deep },
	{ "witness", test_witness },
};

int main(void)
{
	return unit_main("record_parts", tests, sizeof(tests) / sizeof(tests[0]));
}
