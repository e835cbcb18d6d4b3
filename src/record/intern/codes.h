/* SPDX-License-Identifier: BSD-2-Clause */
/* codes.h: lists of the stacks that are frequent just now: samples name them by small numbers. */
#ifndef NETCOST_CODES_H
#define NETCOST_CODES_H

#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

/* Zeroed: no list yet. */
struct codes {
	struct codes_stack {
		float seen;	/* how often; what was long ago counts for less */
		uint8_t number; /* in the list; 0: it is not there */
	} * stack;		/* by id */
	size_t size;
	float weight;	  /* of a sample of now */
	uint64_t flushes; /* so far */
	uint64_t id;	  /* of the list; 0: there is none */
	uint32_t n, listed[TRACE_MAX_CODES];
};

void codes_free(struct codes *c);

/* The samples of a flush are about to be written; nstacks: the highest id of a stack. -ENOMEM. */
int codes_begin(struct codes *c, uint32_t nstacks);
/* These are among them. */
void codes_see(struct codes *c, const uint32_t *stack, size_t n);
/* All have been seen: writes a new list now and then. */
int codes_write(struct codes *c, struct trace_writer *w);
/* Ids of stacks to what they are written as, by the last list. */
void codes_apply(const struct codes *c, uint32_t *stack, size_t n);

#endif
