/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * selftest.h: tests what the probes of socket operations see. The recorder makes a few calls of each kind, and checks
 * that each was counted once, in the right event, with the right bytes.
 *
 * The calls on a network socket all fail, because it has no address: nothing is sent, no packet counter changes, and no
 * interface need be up. Failed calls pass the probes, too. The calls on a local socket succeed.
 */
#ifndef NETCOST_SELFTEST_H
#define NETCOST_SELFTEST_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/events.h>

#define SELFTEST_KINDS 32 /* maximum per event */
#define SELFTEST_WHY 160

struct netcost_selftest;

struct selftest_event {
	unsigned int tested, seen; /* kinds of calls; both 0: the event is not tested */
	const char *unseen[SELFTEST_KINDS];
};

struct selftest {
	struct selftest_event event[NETCOST_EV_COUNT];
	unsigned int tested, seen; /* over all events */
	uint32_t blind;		   /* bit n: hook n missed calls */
	char why[SELFTEST_WHY];	   /* why the test was not possible */
};

/* How the messages of a sendmmsg or recvmmsg should be counted. */
enum selftest_messages {
	SELFTEST_NO_BYTES, /* one call, with unknown bytes */
	SELFTEST_ONE_CALL,
	SELFTEST_CALL_EACH,
};

/* counted: the programs' counters of this thread. */
void selftest_run(struct selftest *t, const volatile struct netcost_selftest *counted,
		  enum selftest_messages messages);

#endif
