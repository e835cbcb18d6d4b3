/* SPDX-License-Identifier: BSD-2-Clause */
/* split_util.h: one second of a CPU, and checks that hold for each split. */
#ifndef NETCOST_TESTS_SPLIT_UTIL_H
#define NETCOST_TESTS_SPLIT_UTIL_H

#include <math.h>

#include "report/analysis/split.h"
#include "unit.h"

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-6 * (1 + fabs((double)(b))))

/* One second: half of it idle, 300 ms TASK, the rest network. */
struct split_input exact_second(void);
void nothing_exact(struct split_input *in);
void add_samples(struct split_input *in);
double leaf_ns(const struct split_cpu *c, enum leaf l);
/* Every parent is the sum of its children, and the whole is the events' sum. */
void check_identities(const struct split_cpu *c, double whole);

#endif
