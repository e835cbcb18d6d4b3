/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tail_seen.h: the functions that samples found on the CPU of the slowest packets while these waited. The first pass finds the
 * times, as samples may come before or after them in the file. Memory is bounded, whatever the trace contains.
 */
#ifndef NETCOST_REPORT_TAIL_SEEN_H
#define NETCOST_REPORT_TAIL_SEEN_H

#include "intervals.h"

#define TAIL_SEEN_SPANS (1u << 20) /* pieces of time that are looked at; in later ones nothing is */
#define TAIL_SEEN_STACKS                                                                           \
	(1u << 18)	  /* distinct ones of all culprits; samples of more have no function */
#define TAIL_SEEN_NAME 32 /* bytes of a name that tell culprits apart */

/* As struct model_culprit, which names it. */
struct tail_seen_row {
	unsigned int hook, what;
	bool reader;
	uint64_t number;
	char name[TAIL_SEEN_NAME];
	bool spans; /* it is known when it was */
	uint64_t samples;
	struct countmap stacks;
};

struct tail_span {
	uint64_t begin_ns, end_ns,
		latest_ns; /* latest_ns: the latest end, of its CPU, up to here */
	uint32_t cpu, row;
};

struct tail_seen {
	struct intervals_watch watch; /* the second of the intervals */
	struct tail_seen_row row[MODEL_CULPRITS];
	size_t nrows;
	struct tail_span *span; /* by CPU, then time */
	size_t nspans, cap;
	bool too_many; /* spans */
	size_t nstacks;
	bool sampled; /* there are samples at all */
};

void tail_seen_init(struct tail_seen *t);
void tail_seen_free(struct tail_seen *t);

/* NULL: nothing is known of it. */
const struct tail_seen_row *tail_seen_row(const struct tail_seen *t, const struct model *m,
					  const struct model_culprit *c);

struct tail_function {
	const char *name; /* the innermost function; FUNCTION_USER; "": not known */
	const char *category;
	uint64_t samples;
};

/* Those of a culprit, with the most samples first, to be freed. -ENOMEM. */
int tail_seen_functions(const struct tail_seen_row *r, const struct model *m,
			struct tail_function **function, size_t *n);

#endif
