/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tail_steal.h: for how long a hypervisor can have had a CPU while packets waited: by the steal that /proc/stat says of it
 * between the readings before and after. That is counted in steps, so it is a bound.
 */
#ifndef NETCOST_REPORT_TAIL_STEAL_H
#define NETCOST_REPORT_TAIL_STEAL_H

#include <stdint.h>

#include "report/model/model.h"

struct tail_steal;

/* A packet waited from then to then; for so much of it a timer was late. */
struct tail_stolen {
	uint32_t cpu;
	uint32_t who; /* the caller's number, below MODEL_CULPRITS */
	uint64_t from_ns, to_ns, took_ns;
};

/* Of all packets of a number. */
struct tail_steal_sum {
	double known_ns; /* what they took, as far as steal is known: */
	double steal_ns; /* in the time between the readings around each, */
	double most_ns;	 /* and so at most of what they took */
};

struct tail_steal *tail_steal_new(void);    /* NULL: no memory */
void tail_steal_free(struct tail_steal *s); /* takes NULL */

/* It is looked at when steal has been read after it. */
void tail_steal_wait(struct tail_steal *s, struct tail_stolen stolen);
/* Each record, in order. */
void tail_steal_see(struct tail_steal *s, const struct trace_record *rec);
struct tail_steal_sum tail_steal_sum(const struct tail_steal *s, uint32_t who);
bool tail_steal_no_memory(const struct tail_steal *s); /* then it knows too little */
double tail_steal_step_ns(const struct tail_steal *s); /* in which it is counted */

#endif
