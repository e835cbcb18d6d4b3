// SPDX-License-Identifier: BSD-2-Clause
/* Tests selftest.c on programs that see nothing, and each of its calls. */
#include "record_util.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "record/exact/selftest.h"
#include "record/exact/selftest_calls.h"

static void test_blind(void)
{
	const struct netcost_selftest nothing = { .tid = 1 };
	uint32_t hooks = 0;
	struct selftest t;

	selftest_run(&t, &nothing, SELFTEST_ONE_CALL);
	CU_ASSERT_EQUAL(t.seen, 0);
	CU_ASSERT(t.tested >= 2 * 17);
	CU_ASSERT_STRING_EQUAL(t.why, "");
	for (size_t i = 0; i < selftest_nkinds; i++)
		if (!selftest_kinds[i].needs_uring)
			hooks |= 1u << selftest_kinds[i].hook;
	CU_ASSERT_EQUAL(t.blind & hooks, hooks);
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		CU_ASSERT_EQUAL(t.event[e].seen, 0);
		CU_ASSERT_FATAL(t.event[e].tested <= SELFTEST_KINDS);
		for (unsigned int i = 0; i < t.event[e].tested; i++)
			CU_ASSERT_PTR_NOT_NULL(t.event[e].unseen[i]);
	}
	CU_ASSERT(t.event[NETCOST_EV_SOCK_SEND].tested > 8);
	CU_ASSERT(t.event[NETCOST_EV_SOCK_RECV].tested > 7);
	CU_ASSERT_EQUAL(t.event[NETCOST_EV_SOCK_LOCAL].tested,
			t.event[NETCOST_EV_SOCK_SEND].tested +
				t.event[NETCOST_EV_SOCK_RECV].tested);
}

/* Tests that no call blocks, whether or not data is available. */
static void test_calls(void)
{
	for (int local = 0; local < 2; local++) {
		struct selftest_sockets s;

		CU_ASSERT_EQUAL_FATAL(selftest_open(&s, local), 0);
		for (size_t i = 0; i < selftest_nkinds; i++) {
			const struct selftest_kind *k = &selftest_kinds[i];
			bool messages = hook_descs[k->hook].what & NETCOST_MARK_MSGS;
			ssize_t bytes;

			if (k->needs_uring && !s.uring)
				continue;
			if (k->receives)
				CU_ASSERT(selftest_call(&s, k, s.fd[1]) < 1);
			selftest_prepare(&s, k);
			bytes = selftest_call(&s, k, s.fd[k->receives]);
			/* A call without a receiver is refused on both sockets. */
			if (!local || !strcmp(k->name, "sendto"))
				CU_ASSERT(bytes < 1)
			else
				CU_ASSERT_EQUAL(bytes, messages ? 64 : 32)
			selftest_clean(&s);
		}
		selftest_close(&s);
	}
}

static const struct unit_test tests[] = {
	{ "blind", test_blind },
	{ "calls", test_calls },
};

int main(void)
{
	return unit_main("record_selftest", tests, sizeof(tests) / sizeof(tests[0]));
}
