// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/array.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t array_room(size_t cap, size_t need)
{
	size_t more = cap + cap / 2 + 16;

	return need <= cap ? cap : need < more ? more : need;
}

int array_resize(void *array, size_t n, size_t size)
{
	void *old, *new;
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return -ENOMEM;
	memcpy(&old, array, sizeof(old)); /* array may point to any kind of pointer */
	new = realloc(old, bytes);
	if (!new)
		return -ENOMEM;
	memcpy(array, &new, sizeof(new));
	return 0;
}

int array_reserve(void *array, size_t *cap, size_t need, size_t size)
{
	size_t n = array_room(*cap, need);
	int err = n > *cap ? array_resize(array, n, size) : 0;

	if (!err)
		*cap = n;
	return err;
}
