/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * certify.h: tests whether the recorder counts correctly. In a network namespace of its own, it sends a known number of
 * packets through a program that spins for a known time. Then it compares the number of packets and the time with the
 * recorder's exact counters.
 *
 * Nothing remains on the host. A thread creates the namespace, and the namespace is destroyed when the thread ends,
 * even if the thread ends abnormally. The thread waits from the first certificate to the last, because a recorder that
 * has begun may create neither namespaces nor programs. But the counters also count the work of the certificate, so the
 * certificate is made before the first tick or after the last tick.
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
	/* one line for the user if the certificate is not passed */
	char why[CERTIFY_WHY];
	uint64_t at_ns, took_ns, cpu_ns; /* cpu_ns: CPU time of the certificate's thread */
	uint64_t cpu;
	/* These fields are valid if the packets could be sent. */
	uint64_t packets, packets_counted, bytes, bytes_counted;
	/* These fields are valid if injected_ns is not 0. */
	uint64_t injected_ns, error_ns;
	int64_t found_ns;
	/* Number of kinds of sends and receives on network sockets; 0: not tested. */
	uint64_t tested, seen;
};

struct certifier;

/*
 * Prepares certificates of the attached programs. before: the result of the same test calls when the programs were
 * attached. All arguments must outlive the certifier. Returns 0 or -ENOMEM.
 */
int certifier_new(struct certifier **pp, struct exact *e, const struct ladder *l,
		  const struct selftest *before);
void certifier_free(struct certifier *p); /* NULL is allowed */
/*
 * Makes a certificate. If nothing is attached, p is NULL, and exact_why has the reason. The first certificate must be
 * made before the recorder gives up its rights. A certificate takes up to half a second.
 */
void certify(struct certificate *c, struct certifier *p, const char *exact_why);

/*
 * Write a text for the user: certify_found() the findings, certify_text() a line with the findings and the verdict.
 * Return dst.
 */
char *certify_found(const struct certificate *c, char *dst, size_t size);
char *certify_text(const struct certificate *c, char *dst, size_t size);
const char *certify_state_name(enum certify_state state);

#endif
