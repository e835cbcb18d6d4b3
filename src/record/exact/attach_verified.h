/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach_verified.h: attaches what the ladder chose, and verifies by the self-test that the probes
 * see what they should. If they do not, it tries other functions, then the next method, and keeps
 * the choice that sees the most kinds of calls.
 */
#ifndef NETCOST_ATTACH_VERIFIED_H
#define NETCOST_ATTACH_VERIFIED_H

#include <stddef.h>

struct exact;
struct ladder;
struct selftest;
struct tracing;

/*
 * *l, chosen before, is changed to what is attached in the end. why: one line on failure. *tp must
 * be freed after *ep, also on failure.
 */
int attach_verified(struct exact **ep, struct tracing **tp, struct ladder *l, struct selftest *t,
		    char *why, size_t whysize);

/* Tests which calls of the calling thread are counted now. */
void attach_test(struct exact *e, const struct ladder *l, struct selftest *t);

#endif
