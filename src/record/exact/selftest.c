// SPDX-License-Identifier: BSD-2-Clause
#include "selftest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>

#include "selftest_calls.h"

#define CALLS 3 /* number of calls of each kind */

/* ---- one call ---------------------------------------------------------------------------- */

static struct netcost_selftest snapshot(const volatile struct netcost_selftest *counted)
{
	struct netcost_selftest s;

	/* the programs that this thread's system calls started have ended */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memcpy(&s, (const void *)counted, sizeof(s));
	return s;
}

/* Returns true if the counters increased by exactly these calls and bytes, and only in this event. */
static bool is_counted(const struct netcost_selftest *before, const struct netcost_selftest *after,
		       int event, __u64 calls, ssize_t bytes)
{
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		bool here = e == event;

		if (after->calls[e] - before->calls[e] != (here ? calls : 0))
			return false;
		if (after->bytes[e] - before->bytes[e] != (here && bytes > 0 ? (__u64)bytes : 0))
			return false;
	}
	return true;
}

struct test {
	struct selftest *result;
	const volatile struct netcost_selftest *counted;
	enum selftest_messages messages;
	struct selftest_sockets sockets;
};

static bool is_seen(const struct test *t, const struct selftest_kind *k, int event)
{
	bool several = hook_descs[k->hook].what & NETCOST_MARK_MSGS, seen = true;
	bool unknown = several && t->messages == SELFTEST_NO_BYTES;
	bool each = several && t->messages == SELFTEST_CALL_EACH;

	for (int i = 0; i < CALLS; i++) {
		struct netcost_selftest before, after;
		ssize_t bytes;

		selftest_prepare(&t->sockets, k);
		before = snapshot(t->counted);
		bytes = selftest_call(&t->sockets, k, t->sockets.fd[k->receives]);
		after = snapshot(t->counted);
		selftest_clean(&t->sockets);
		seen &= is_counted(&before, &after, event,
				   each && bytes > 0 ? SELFTEST_MESSAGES : 1, unknown ? 0 : bytes);
	}
	return seen;
}

/* ---- the whole test ---------------------------------------------------------------------- */

static void test_kind(const struct test *t, const struct selftest_kind *k, bool local)
{
	int event = local	? NETCOST_EV_SOCK_LOCAL :
		    k->receives ? NETCOST_EV_SOCK_RECV :
				  NETCOST_EV_SOCK_SEND;
	struct selftest_event *e = &t->result->event[event];

	e->tested++;
	t->result->tested++;
	if (is_seen(t, k, event)) {
		e->seen++;
		t->result->seen++;
	} else {
		e->unseen[e->tested - e->seen - 1] = k->name;
		t->result->blind |= 1u << k->hook;
	}
}

void selftest_run(struct selftest *result, const volatile struct netcost_selftest *counted,
		  enum selftest_messages messages)
{
	struct test t = { .result = result, .counted = counted, .messages = messages };

	*result = (struct selftest){ 0 };
	for (int local = 0; local < 2; local++) {
		int err = selftest_open(&t.sockets, local);

		if (err) {
			snprintf(result->why, sizeof(result->why),
				 local ? reason_no_local_sockets : reason_no_network_sockets, -err);
			continue;
		}
		for (size_t i = 0; i < selftest_nkinds; i++)
			if (t.sockets.uring || !selftest_kinds[i].needs_uring)
				test_kind(&t, &selftest_kinds[i], local);
		selftest_close(&t.sockets);
	}
}
