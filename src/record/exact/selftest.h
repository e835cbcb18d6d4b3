/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * selftest.h: tests whether the probes of socket operations see all calls. The recorder makes a few calls of each kind,
 * and checks that each call was counted once, in the right event, with the right number of bytes.
 *
 * The calls on a network socket all fail, because the socket has no address. So nothing is sent, no packet counter
 * changes, and all interfaces may be down. Failed calls pass the probes, too. The calls on a local socket succeed.
 */
#ifndef NETCOST_SELFTEST_H
#define NETCOST_SELFTEST_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/events.h>

#define SELFTEST_KINDS 32 /* maximum number of kinds of calls per event */
#define SELFTEST_WHY 160

struct netcost_selftest;

struct selftest_event {
	/*
	 * numbers of kinds of calls that were tested, and that were counted correctly; both 0: the event is not tested
	 */
	unsigned int tested, seen;
	const char *unseen[SELFTEST_KINDS];
};

struct selftest {
	struct selftest_event event[NETCOST_EV_COUNT];
	unsigned int tested, seen; /* sums of these numbers over all events */
	uint32_t blind;		   /* bit n: hook n missed calls */
	char why[SELFTEST_WHY];	   /* reason why the test was not possible */
};

/* How the programs should count the messages of a sendmmsg or recvmmsg call. */
enum selftest_messages {
	SELFTEST_NO_BYTES, /* one call, with unknown bytes */
	SELFTEST_ONE_CALL,
	SELFTEST_CALL_EACH,
};

/* Runs the test. counted is the programs' counters of this thread. */
void selftest_run(struct selftest *t, const volatile struct netcost_selftest *counted,
		  enum selftest_messages messages);

#endif
