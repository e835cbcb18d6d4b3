/* SPDX-License-Identifier: BSD-2-Clause */
/* random.h: random numbers that are the same in every run and on every machine. */
#ifndef NETCOST_TESTS_RANDOM_H
#define NETCOST_TESTS_RANDOM_H

#include <stdint.h>

/* *state must not be 0. */
uint64_t random_next(uint64_t *state);
/* Returns a number from 0 to n - 1. */
uint32_t random_below(uint64_t *state, uint32_t n);

/* Returns a number from 0 to below - 1. All callers in a program share one sequence. */
uint64_t rnd(uint64_t below);

/* Returns how many of n random rounds to run: all, or one in N with NETCOST_UNIT_FEW=N. */
int rounds(int n);

#endif
