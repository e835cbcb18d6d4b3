// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tests stages of the RX softirq (bpf/rx_stages.h) on the simulated machine of recorder_machine.h: nested functions in
 * softirqs, in NAPI threads and during busy polling. Results are compared with a model that adds up each nanosecond.
 */
#include "recorder_machine.h"

#include "unit.h"

/* ---- runs -------------------------------------------------------------------------------- */

static struct stages_model all_cpus(void)
{
	struct stages_model sum = { 0 };

	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++) {
		for (unsigned int stage = 0; stage < NETCOST_PART_COUNT; stage++)
			sum.calls[stage] += c->stages.calls[stage];
		sum.missed += c->stages.missed;
		sum.polls_outside += c->stages.polls_outside;
	}
	return sum;
}

static void test_functions(void)
{
	struct stages_model sum;

	run_seeds((struct plan){ .steps = 40000, .stages = true, .functions = true }, 3);
	sum = all_cpus();
	for (unsigned int stage = 0; stage < NETCOST_PART_COUNT; stage++)
		CU_ASSERT(sum.calls[stage] > 100);
	CU_ASSERT(sum.missed > 0); /* only calls that are nested too deeply are missed */
	run_seeds(
		(struct plan){ .steps = 40000, .stages = true, .functions = true, .interrupts = 1 },
		3);
}

/* Tests lost ends and lost begins of stages, and of the polling that contains them. */
static void test_functions_missed(void)
{
	struct plan plan = { .steps = 40000, .stages = true, .functions = true, .misses = true };

	run_seeds(plan, 3);
	CU_ASSERT(all_cpus().missed > 100);
	plan.interrupts = 1;
	run_seeds(plan, 3);
	plan.no_memory = true;
	run_seeds(plan, 2);
}

static void test_tracepoints(void)
{
	struct plan plan = { .steps = 40000, .stages = true };
	struct stages_model sum;

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

/* Tests that the time of a hard interrupt never counts as a stage's time. */
static void test_hard_interrupts(void)
{
	struct plan plan = { .steps = 40000, .stages = true, .functions = true, .hardirqs = 1 };

	run_seeds(plan, 3);
	plan.interrupts = 1;
	run_seeds(plan, 3);
	plan.misses = true;
	run_seeds(plan, 3);
	plan.functions = false;
	run_seeds(plan, 3);
	CU_ASSERT(m.hard_interrupted > 1000);
}

/* ---- the stage that a call stands for ------------------------------------------------------- */

static void test_nf_stage(void)
{
	static const struct {
		unsigned char pf, hook;
		unsigned int stage;
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

		CU_ASSERT_EQUAL(nf_stage(&state, false), states[i].stage);
		CU_ASSERT_EQUAL(nf_stage(&state, true), states[i].stage);
	}
}

static void test_stage_of(void)
{
	const struct netcost_stage_hook nothing = { 0 },
					always = { NETCOST_STAGE_ALWAYS, NETCOST_PART_BRIDGING },
					tc = { NETCOST_STAGE_TC, NETCOST_PART_TC_INGRESS },
					nf = { NETCOST_STAGE_NF, NETCOST_PART_NF_INGRESS };
	const struct sk_buff in = { .tc_at_ingress = 1 }, out = { 0 };
	const struct nf_hook_state state = { .pf = 10, .hook = 0 };

	CU_ASSERT_EQUAL(stage_of(&nothing, 0, 0), NETCOST_PART_COUNT);
	CU_ASSERT_EQUAL(stage_of(&always, 0, 0), NETCOST_PART_BRIDGING);
	CU_ASSERT_EQUAL(stage_of(&tc, (uintptr_t)&in, 0), NETCOST_PART_TC_INGRESS);
	CU_ASSERT_EQUAL(stage_of(&tc, (uintptr_t)&out, 0), NETCOST_PART_COUNT);
	CU_ASSERT_EQUAL(stage_of(&nf, 0, (uintptr_t)&state), NETCOST_PART_PREROUTING_V6);
}

/* Tests calls below the depth limit: their time counts for the innermost stage above the limit, and their ends are
 * ignored. */
static void test_too_deep(void)
{
	struct vcpu *c = &m.cpu[0];
	struct exact_reading r;
	unsigned int i;

	boot(&(struct plan){ .seed = 1, .stages = true, .functions = true });
	call_switch(c, &m.task[0]);
	call_softirq_begin(c, NETCOST_EV_RX_SOFTIRQ);
	for (i = 0; i < NETCOST_STAGE_DEPTH + 2; i++) {
		call_stage_begin(c, (struct stage_frame){ 5, NETCOST_PART_RECEIVE, STACK - 8 * i });
		pass(10);
	}
	while (i--)
		call_stage_end(c, (struct stage_frame){ 5, NETCOST_PART_RECEIVE, STACK - 8 * i });
	call_softirq_end(c, NETCOST_EV_RX_SOFTIRQ);
	exact_derive(&c->state, &c->past, false, m.now, &r);
	CU_ASSERT_EQUAL(r.stage_calls[NETCOST_PART_RECEIVE], NETCOST_STAGE_DEPTH);
	CU_ASSERT_EQUAL(r.stage_ns[NETCOST_PART_RECEIVE], 10 * (NETCOST_STAGE_DEPTH + 2));
	CU_ASSERT_EQUAL(r.stage_total_ns[NETCOST_PART_RECEIVE], 10 * (NETCOST_STAGE_DEPTH + 2));
	CU_ASSERT_EQUAL(r.stages_missed, 2);
}

/* Tests a poll outside of a call of the poll function: the begin of the call was missed, which counts as a loss. */
static void test_witness(void)
{
	struct vcpu *c = &m.cpu[0];

	boot(&(struct plan){ .seed = 1, .stages = true, .functions = true });
	m.task[0].t.flags = 0; /* the task is no NAPI thread */
	call_switch(c, &m.task[0]);
	m.call.c = c;
	stage_poll_witnessed(&c->state); /* called by busy polling or by any other caller */
	call_softirq_begin(c, NETCOST_EV_RX_SOFTIRQ);
	stage_begin(&c->state, 0, NETCOST_PART_DRIVER_POLL, STACK);
	stage_poll_witnessed(&c->state);
	CU_ASSERT_EQUAL(c->state.stages.missed, 0);
	stage_end(&c->state, 0, STACK);
	stage_poll_witnessed(&c->state);
	stage_poll_witnessed(&c->state);
	CU_ASSERT_EQUAL(c->state.stages.missed, 2);
	CU_ASSERT_EQUAL(c->state.stages.calls[NETCOST_PART_DRIVER_POLL], 1);
	call_softirq_end(c, NETCOST_EV_RX_SOFTIRQ);
}

static const struct unit_test tests[] = {
	{ "functions", test_functions },     { "functions_missed", test_functions_missed },
	{ "tracepoints", test_tracepoints }, { "hard_interrupts", test_hard_interrupts },
	{ "nf_stage", test_nf_stage },	     { "stage_of", test_stage_of },
	{ "too_deep", test_too_deep },	     { "witness", test_witness },
};

int main(void)
{
	return unit_main("record_rx_stages", tests, sizeof(tests) / sizeof(tests[0]));
}
