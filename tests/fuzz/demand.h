/* SPDX-License-Identifier: BSD-2-Clause */
/* demand.h: assertions that hold for every input. */
#ifndef NETCOST_TESTS_FUZZ_DEMAND_H
#define NETCOST_TESTS_FUZZ_DEMAND_H

#include <stdio.h>
#include <stdlib.h>

/* libFuzzer keeps the input; this prints the reason. */
#define DEMAND(what, ...)                                                                          \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			fprintf(stderr, "not so: " #what ": " __VA_ARGS__);                        \
			fputc('\n', stderr);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
