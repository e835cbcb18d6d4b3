// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/array.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the capacity to which an array grows so that it has room for `need` elements. */
static size_t room_for(size_t cap, size_t need)
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
	/* memcpy() is used because `array` may point to any kind of pointer */
	memcpy(&old, array, sizeof(old));
	new = realloc(old, bytes);
	if (!new)
		return -ENOMEM;
	memcpy(array, &new, sizeof(new));
	return 0;
}

int array_reserve_columns(const struct array_column *column, size_t n, size_t *cap, size_t need)
{
	size_t room = room_for(*cap, need);
	int err = 0;

	for (size_t i = 0; room > *cap && i < n && !err; i++)
		err = array_resize(column[i].array, room, column[i].size);
	if (!err)
		*cap = room;
	return err;
}

int array_reserve(void *array, size_t *cap, size_t need, size_t size)
{
	const struct array_column column = { array, size };

	return array_reserve_columns(&column, 1, cap, need);
}
