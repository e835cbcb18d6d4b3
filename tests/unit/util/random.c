// SPDX-License-Identifier: BSD-2-Clause
#include "random.h"

#include <stdlib.h>

/* xorshift64*, Vigna 2014 */
uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

uint32_t random_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((random_next(state) >> 32) * n >> 32);
}

uint64_t rnd(uint64_t below)
{
	static uint64_t x = 88172645463325252ull; /* xorshift64, Marsaglia 2003 */

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x % below;
}

int rounds(int n)
{
	const char *few = getenv("NETCOST_UNIT_FEW");
	int one_in = few ? atoi(few) : 1;

	return one_in > 1 ? (n + one_in - 1) / one_in : n;
}
