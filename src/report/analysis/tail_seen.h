/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tail_seen.h: what else a trace says of the times in which the slowest packets waited: the functions that samples of their
 * CPUs found just then, and where interrupts may have been disabled, for how long a hypervisor can have had the CPU. The times
 * are found in a first pass, as samples may come before or after them. All of it is bounded, whatever the trace is.
 */
#ifndef NETCOST_REPORT_TAIL_SEEN_H
#define NETCOST_REPORT_TAIL_SEEN_H

#include "intervals.h"
#include "tail_steal.h"

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
	bool sampled;		  /* there are samples at all */
	struct tail_steal *steal; /* NULL: nothing was read */
};

void tail_seen_init(struct tail_seen *t);
void tail_seen_free(struct tail_seen *t);

/* NULL: nothing is known of it. */
const struct tail_seen_row *tail_seen_row(const struct tail_seen *t, const struct model *m,
					  const struct model_culprit *c);

/* Of such a row. False: nothing is known of it. */
bool tail_seen_steal(const struct tail_seen *t, const struct tail_seen_row *r,
		     struct tail_steal_sum *sum);

struct tail_function {
	const char *name; /* the innermost function; FUNCTION_USER; "": not known */
	const char *category;
	uint64_t samples;
};

/* Those of a culprit, with the most samples first, to be freed. -ENOMEM. */
int tail_seen_functions(const struct tail_seen_row *r, const struct model *m,
			struct tail_function **function, size_t *n);

#endif
