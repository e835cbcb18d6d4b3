/* SPDX-License-Identifier: BSD-2-Clause */
/* rules_util.h: traces that break a rule of SPEC.md, and checks that the rule is named. */
#ifndef NETCOST_TESTS_RULES_UTIL_H
#define NETCOST_TESTS_RULES_UTIL_H

#include "model_maker.h"

struct rule {
	const char *name;
	void (*make)(struct maker *k);
	const char *what; /* a part of the message; NULL: no message */
	uint64_t odd;	  /* legal, but reported */
};

/* totals: of END; NULL: absent. */
void rule_check(const struct rule *rule, const struct trace_totals *totals);

/* In a frame from 100 to 200 ns: two CPUs. */
void rule_tick(struct maker *k, uint64_t at_ns);
/* A record of one number. */
void rule_one(struct maker *k, enum trace_type type, unsigned int key, uint64_t v);

#endif
