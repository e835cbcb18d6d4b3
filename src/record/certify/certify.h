/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * certify.h: tests whether the recorder counts correctly. It sends a known number of packets, in its own network
 * namespace, through a program that spins for a known time, and compares all of it with its own exact counters.
 *
 * Nothing remains on the host: a thread creates the namespace, which is destroyed with the thread, however that ends.
 * But the counters include the certificate: so it is made before the first tick, or after the last.
 */
#ifndef NETCOST_CERTIFY_H
#define NETCOST_CERTIFY_H

#include <stddef.h>
#include <stdint.h>

#include "record/exact/selftest.h"

#define CERTIFY_WHY 512

struct exact;
struct ladder;

enum certify_state {
	CERTIFY_NOT_MADE,
	CERTIFY_PASSED,
	CERTIFY_FAILED,
	CERTIFY_IMPOSSIBLE,
};

struct certificate {
	enum certify_state state;
	char why[CERTIFY_WHY];		 /* if not passed: a line for the user */
	uint64_t at_ns, took_ns, cpu_ns; /* cpu_ns: CPU time of its thread */
	uint64_t cpu;
	/* Valid if the packets could be sent. */
	uint64_t packets, packets_counted, bytes, bytes_counted;
	/* injected_ns 0: unknown. */
	uint64_t injected_ns, error_ns;
	int64_t found_ns;
	/* Kinds of sends and receives on network sockets; 0: not tested. */
	uint64_t tested, seen;
};

/*
 * e: attached; NULL: nothing is attached, and exact_why has the reason. before: the result of the
 * same calls when it was attached. Takes up to half a second.
 */
void certify(struct certificate *c, struct exact *e, const struct ladder *l,
	     const struct selftest *before, const char *exact_why);

/* Text for the user: the findings; a line with these and the verdict. Return dst. */
char *certify_found(const struct certificate *c, char *dst, size_t size);
char *certify_text(const struct certificate *c, char *dst, size_t size);
const char *certify_state_name(enum certify_state state);

#endif
