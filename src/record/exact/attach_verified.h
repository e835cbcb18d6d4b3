/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach_verified.h: attaches the programs that the ladder chose, and runs the self-test to verify that the probes see
 * all calls that they should see. If the probes miss calls, other functions are tried, and then the next method. The
 * choice that sees the most kinds of calls is kept.
 */
#ifndef NETCOST_ATTACH_VERIFIED_H
#define NETCOST_ATTACH_VERIFIED_H

#include <stddef.h>

struct exact;
struct ladder;
struct selftest;
struct tracing;

/*
 * *l holds the ladder's choices. At the end it describes the programs that are attached. On failure, why holds one
 * line. The caller must free *tp after *ep, also on failure.
 */
int attach_verified(struct exact **ep, struct tracing **tp, struct ladder *l, struct selftest *t,
		    char *why, size_t whysize);

/* Tests which calls of the calling thread the attached programs count. */
void attach_test(struct exact *e, const struct ladder *l, struct selftest *t);

#endif
