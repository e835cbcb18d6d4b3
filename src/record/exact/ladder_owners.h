/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ladder_owners.h: which programs of bpf/owners.bpf.h say who receives (--owners), on this host: a row of the table in
 * ladder_owners.c each.
 */
#ifndef NETCOST_LADDER_OWNERS_H
#define NETCOST_LADDER_OWNERS_H

#include <stdbool.h>

#define OWNERS_PROGRAMS 16 /* at most */

struct host;
struct ladder;

struct owners_program {
	const char *name;
	const char *tracepoint, *function; /* what it is attached to: one of them */
	/* What it is for. Of those for the same, all that the best rank has. */
	enum owners_for {
		OWNERS_NEED,  /* nothing can be said without it */
		OWNERS_MORE,  /* what is there is used */
		OWNERS_MARK,  /* which socket a packet came to */
		OWNERS_OWNER, /* who receives from it */
		OWNERS_USES
	} use;
	unsigned int rank;
};

/* Where they cannot be had, l->owners_every is 0, with a reason. */
void ladder_choose_owners(struct ladder *l, const struct host *h);
/* The first chosen one from *i on; NULL: there are no more. */
const struct owners_program *ladder_owners(const struct ladder *l, unsigned int *i);
/* By what it is known which socket a packet came to, and what is weak about that, or why it cannot be known: or "". */
const char *ladder_owners_via(const struct ladder *l);
const char *ladder_owners_why(const struct ladder *l);
bool ladder_wants_owners(const struct ladder *l, const char *program);

#endif
