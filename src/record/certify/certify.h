/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * certify.h: does the recorder count what there is? It sends a known number of packets, in a network namespace of its
 * own, past a program that spins for a known time, and looks for all of it in its own exact counters.
 *
 * Nothing of it stays: a thread makes the namespace, and it goes with the thread, however that ends, with all that is
 * in it. What it counted stays in the counters: so it is made before the first tick, or after the last.
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
	char why[CERTIFY_WHY];		 /* not passed: a line for people */
	uint64_t at_ns, took_ns, cpu_ns; /* cpu_ns: CPU time of its thread */
	uint64_t cpu;
	/* Only if the packets could be sent. */
	uint64_t packets, packets_counted, bytes, bytes_counted;
	/* Only if it is known: injected_ns 0: it is not. */
	uint64_t injected_ns, error_ns;
	int64_t found_ns;
	/* Kinds of sends and receives on network sockets; 0: not tested. */
	uint64_t tested, seen;
};

/*
 * e: attached; NULL: nothing is, and exact_why says why. before: what the same calls showed when it was attached.
 * Takes up to half a second.
 */
void certify(struct certificate *c, struct exact *e, const struct ladder *l,
	     const struct selftest *before, const char *exact_why);

/* For people: what was found; a line with that and whether it is right. Return dst. */
char *certify_found(const struct certificate *c, char *dst, size_t size);
char *certify_text(const struct certificate *c, char *dst, size_t size);
const char *certify_state_name(enum certify_state state);

#endif
