// SPDX-License-Identifier: BSD-2-Clause
/* The attach ladder: ladder.c. */
#include "record_util.h"

#include "src/record/ladder.h"

/* The scheduler's and the softirqs' ladders begin at the tracepoints. */
static bool begins_at_tracepoints(int event)
{
	return event != NETCOST_EV_SOCK_SEND && event != NETCOST_EV_SOCK_RECV &&
	       event != NETCOST_EV_SOCK_LOCAL;
}

/* Better rungs say why not; the chosen one and worse ones have nothing to say. */
static void check_choice(const struct ladder *l, int event)
{
	const struct ladder_choice *c = &l->event[event];
	bool chosen = false;

	CU_ASSERT_FATAL(c->rung < RUNG_COUNT);
	for (int r = 0; r < RUNG_COUNT; r++) {
		chosen |= r == (int)c->rung;
		CU_ASSERT(!chosen || !c->refused[r][0]);
		CU_ASSERT(chosen || c->refused[r][0] || begins_at_tracepoints(event));
		CU_ASSERT(memchr(c->refused[r], 0, LADDER_WHY) != NULL);
	}
	CU_ASSERT_EQUAL(!c->programs[0], c->rung == RUNG_SAMPLES);
	CU_ASSERT_EQUAL(!c->hooks[0], c->rung == RUNG_SAMPLES);
	for (int i = 0; c->programs[i]; i++)
		CU_ASSERT(ladder_wants(l, c->programs[i]));
}

static void test_ladder(void)
{
	char why[LADDER_WHY] = "";
	struct ladder l;
	int err;

	if (under_valgrind())
		return;
	err = ladder_choose(&l, why, sizeof(why));
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		check_choice(&l, e);
	CU_ASSERT_FALSE(ladder_wants(&l, "no_such_program"));
	CU_ASSERT_FALSE(ladder_wants(&l, ""));
	CU_ASSERT_NOT_EQUAL(l.witness, l.witness_why[0] != '\0');
	CU_ASSERT_EQUAL(ladder_wants(&l, "sock_send_length"), l.witness);
	if (err) {
		printf("  no exact counters here: %s\n", why);
		CU_ASSERT_STRING_NOT_EQUAL(why, "");
		CU_ASSERT_EQUAL(l.event[NETCOST_EV_IDLE].rung, RUNG_SAMPLES);
		CU_ASSERT_FALSE(ladder_wants(&l, "sched_switch"));
		return;
	}
	/* With BTF the scheduler's and the softirqs' tracepoints are always there. */
	CU_ASSERT_EQUAL(l.event[NETCOST_EV_IDLE].rung, RUNG_TRACEPOINT);
	CU_ASSERT_EQUAL(l.event[NETCOST_EV_RX_SOFTIRQ].rung, RUNG_TRACEPOINT);
	CU_ASSERT(ladder_wants(&l, "sched_switch"));
	CU_ASSERT(ladder_wants(&l, "softirq_exit"));
}

static void test_rung_names(void)
{
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_FENTRY), "fentry");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_KPROBE), "kprobe");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_TRACEPOINT), "tracepoint");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_SAMPLES), "samples");
}

static const struct unit_test tests[] = {
	{ "ladder", test_ladder },
	{ "rung_names", test_rung_names },
};

int main(void)
{
	return unit_main("record_ladder", tests, sizeof(tests) / sizeof(tests[0]));
}
