/* SPDX-License-Identifier: BSD-2-Clause */
/* demand.h: assertions that hold for every input. */
#ifndef NETCOST_TESTS_FUZZ_DEMAND_H
#define NETCOST_TESTS_FUZZ_DEMAND_H

#include <stdio.h>
#include <stdlib.h>

/* Prints the reason. libFuzzer keeps the input. */
#define DEMAND(what, ...)                                                                          \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			fprintf(stderr, "not so: " #what ": " __VA_ARGS__);                        \
			fputc('\n', stderr);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
