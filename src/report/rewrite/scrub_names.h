/* SPDX-License-Identifier: BSD-2-Clause */
/* scrub_names.h: names and the numbers that stand for them, from 1 on in order of first appearance. */
#ifndef NETCOST_REPORT_SCRUB_NAMES_H
#define NETCOST_REPORT_SCRUB_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "report/spec/budget.h"
#include "scrub_class.h"

/* Zeroed but for the budget: empty. Of all parts of a file: a name is the same in each. */
struct scrub_names {
	struct budget budget;
	void *tree;
	uint32_t count[TRACE_PRIVACIES];
};

/* Names of different classes have nothing to do with each other. -ENOMEM, BUDGET_SPENT. */
int scrub_number(struct scrub_names *s, enum trace_privacy class, const void *name, size_t n,
		 uint32_t *number);
/* 0: it has none yet. */
uint32_t scrub_find(const struct scrub_names *s, enum trace_privacy class, const void *name,
		    size_t n);
void scrub_names_free(struct scrub_names *s);

#endif
