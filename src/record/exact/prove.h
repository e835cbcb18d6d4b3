/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prove.h: from what the ladder chose to probes that are attached and shown to see what they
 * should. Where they do not, other functions are tried, then the next rung; what sees the most
 * kinds of calls is kept.
 */
#ifndef NETCOST_PROVE_H
#define NETCOST_PROVE_H

#include <stddef.h>

struct exact;
struct ladder;
struct selftest;
struct tracing;

/*
 * *l, chosen before, is changed to what is attached in the end. why: on failure, one line. *tp is to be freed behind
 * *ep, on failure, too.
 */
int prove(struct exact **ep, struct tracing **tp, struct ladder *l, struct selftest *t, char *why,
	  size_t whysize);

#endif
