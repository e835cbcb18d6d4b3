/* SPDX-License-Identifier: BSD-2-Clause */
/* random.h: random numbers that are the same in every run, everywhere. */
#ifndef NETCOST_TESTS_RANDOM_H
#define NETCOST_TESTS_RANDOM_H

#include <stdint.h>

/* *state must not be 0. */
uint64_t random_next(uint64_t *state);
/* 0 .. n - 1 */
uint32_t random_below(uint64_t *state, uint32_t n);

/* 0 .. below - 1, from one sequence per program. */
uint64_t rnd(uint64_t below);

/* The number of random rounds of n; with NETCOST_UNIT_FEW=N an N-th. */
int rounds(int n);

#endif
