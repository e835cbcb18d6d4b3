/* SPDX-License-Identifier: BSD-2-Clause */
/* split_util.h: one second of a CPU, and checks that hold for every split of its time. */
#ifndef NETCOST_TESTS_SPLIT_UTIL_H
#define NETCOST_TESTS_SPLIT_UTIL_H

#include <math.h>

#include "report/analysis/split.h"
#include "unit.h"

#define NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-6 * (1 + fabs((double)(b))))

/* Returns one second of exact times: 500 ms idle, 300 ms TASK, and 200 ms network. */
struct split_input exact_second(void);
void nothing_exact(struct split_input *in);
void add_samples(struct split_input *in);
double leaf_ns(const struct split_cpu *c, enum leaf l);
/* Checks that every parent is the sum of its children, and that all times sum to `whole`. */
void check_identities(const struct split_cpu *c, double whole);

#endif
