// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/array.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int array_reserve(void *array, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap + *cap / 2 + 16, bytes;
	void *old, *bigger;

	if (need <= *cap)
		return 0;
	if (n < need)
		n = need;
	if (__builtin_mul_overflow(n, size, &bytes))
		return -ENOMEM;
	memcpy(&old, array, sizeof(old)); /* array may point to any kind of pointer */
	bigger = realloc(old, bytes);
	if (!bigger)
		return -ENOMEM; /* *array is as it was */
	memcpy(array, &bigger, sizeof(bigger));
	*cap = n;
	return 0;
}
