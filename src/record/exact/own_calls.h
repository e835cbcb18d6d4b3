/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own_calls.h: calls that the recorder makes of its own to find out what its programs cost: a table, a row a kind of work
 * of which each piece makes the same programs run. Nothing leaves the host: what is sent goes over loopback, back to the
 * socket that it came from.
 */
#ifndef NETCOST_OWN_CALLS_H
#define NETCOST_OWN_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include <netcost/events.h>

#define OWN_CALLS_KINDS 9
enum {
	OWN_CALLS_NOTHING = 0,	 /* a system call that does nothing: the others' zero */
	OWN_CALLS_OPERATION = 2, /* an operation that does nothing */
	OWN_CALLS_LOOPBACK = 8,	 /* a datagram there and back: the deepest stacks here */
};

struct own_calls; /* sockets, and a second task that answers */

struct own_calls_kind {
	unsigned int pieces;		     /* of a batch */
	enum netcost_event event;	     /* what its operations are; TASK: it has none */
	int (*prepare)(struct own_calls *c); /* NULL: nothing to prepare */
	bool apart; /* by a task of its own: its switches are those of a task that was in no operation before */
	void (*piece)(struct own_calls *c);
};

/* In this order: each makes at most one class of programs run that those before it did not. */
extern const struct own_calls_kind own_calls_kinds[OWN_CALLS_KINDS];

/* On the CPU where it is called, until own_calls_free(). -errno. */
int own_calls_new(struct own_calls **cp);
void own_calls_free(struct own_calls *c); /* takes NULL */
unsigned int own_calls_cpu(const struct own_calls *c);

/* Prepares a kind: -errno. */
int own_calls_begin(struct own_calls *c, const struct own_calls_kind *k);
/*
 * A batch of it: how long it took; NaN: something of it was lost. look: called just before it and just after, to read counters; it must make no system
 * calls.
 */
double own_calls_batch(struct own_calls *c, const struct own_calls_kind *k,
		       void (*look)(void *ctx, bool after), void *ctx);
void own_calls_end(struct own_calls *c);

#endif
