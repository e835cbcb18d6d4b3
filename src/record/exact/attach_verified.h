/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach_verified.h: from what the ladder chose to probes that are attached and shown to see what they
 * should. Where they do not, other functions are tried, then the next rung; what sees the most
 * kinds of calls is kept.
 */
#ifndef NETCOST_ATTACH_VERIFIED_H
#define NETCOST_ATTACH_VERIFIED_H

#include <stddef.h>

struct exact;
struct ladder;
struct selftest;
struct tracing;

/*
 * *l, chosen before, is changed to what is attached in the end. why: on failure, one line. *tp is to be freed after
 * *ep, on failure, too.
 */
int attach_verified(struct exact **ep, struct tracing **tp, struct ladder *l, struct selftest *t,
		    char *why, size_t whysize);

/* What of the calling thread's calls is counted now. */
void attach_test(struct exact *e, const struct ladder *l, struct selftest *t);

#endif
