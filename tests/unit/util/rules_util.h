/* SPDX-License-Identifier: BSD-2-Clause */
/* rules_util.h: traces that break a rule of SPEC.md, and checks that the message names the rule. */
#ifndef NETCOST_TESTS_RULES_UTIL_H
#define NETCOST_TESTS_RULES_UTIL_H

#include "model_maker.h"

struct rule {
	const char *name;
	void (*make)(struct maker *k);
	const char *what; /* a part of the expected message; NULL if no rule is broken */
	uint64_t odd;	  /* number of legal oddities that are reported */
};

/* Checks the trace that the rule makes. `totals` are those of the END record, or NULL if the trace has no END. */
void rule_check(const struct rule *rule, const struct trace_totals *totals);

/* Writes a tick of two CPUs into a frame that spans 100 to 200 ns. */
void rule_tick(struct maker *k, uint64_t at_ns);
/* Writes a record that has only this number. */
void rule_one(struct maker *k, enum trace_type type, unsigned int key, uint64_t v);

#endif
