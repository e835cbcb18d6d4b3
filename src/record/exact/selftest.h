/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * selftest.h: tests what the probes of socket operations see. The recorder makes a few calls of
 * its own of each kind, and looks whether each was counted once, in the right event, with the right
 * bytes.
 *
 * The calls on a network socket all fail, as it has no address: nothing is sent, no packet counter
 * moves, no interface need be up; that they fail is nothing to the probes. Those on a local socket
 * succeed.
 */
#ifndef NETCOST_SELFTEST_H
#define NETCOST_SELFTEST_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/events.h>

#define SELFTEST_KINDS 32 /* of one event */
#define SELFTEST_WHY 160

struct netcost_selftest;

struct selftest_event {
	unsigned int tested, seen; /* kinds; 0, 0: none for this event */
	const char *unseen[SELFTEST_KINDS];
};

struct selftest {
	struct selftest_event event[NETCOST_EV_COUNT];
	unsigned int tested, seen; /* of all events */
	uint32_t blind;		   /* bit n: hook n did not see what it should */
	char why[SELFTEST_WHY];	   /* it could not be made: why */
};

/* As what the messages of a sendmmsg or recvmmsg are to be counted. */
enum selftest_messages {
	SELFTEST_NO_BYTES, /* one call, of which no bytes are known */
	SELFTEST_ONE_CALL,
	SELFTEST_CALL_EACH,
};

/* counted: what the programs count of this thread. */
void selftest_run(struct selftest *t, const volatile struct netcost_selftest *counted,
		  enum selftest_messages messages);

#endif
