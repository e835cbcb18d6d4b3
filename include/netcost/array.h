/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * array.h: growing arrays. `array` is the address of a pointer to the array, whose elements have `size` bytes each. The
 * pointer is NULL at first.
 */
#ifndef NETCOST_ARRAY_H
#define NETCOST_ARRAY_H

#include <stddef.h>

/*
 * Makes room for `need` elements in the array at *array, which has room for *cap. If out of memory, returns -ENOMEM and
 * leaves the array unchanged. An array grows by half its size, so a large number in a file does not make it request
 * much memory at once.
 */
int array_reserve(void *array, size_t *cap, size_t need, size_t size);

/* A column for array_reserve_columns(), which makes room in `n` arrays that grow together. */
struct array_column {
	void *array;
	size_t size; /* size of one element, bytes */
};
int array_reserve_columns(const struct array_column *column, size_t n, size_t *cap, size_t need);

/* Sets the size to exactly n elements. Returns 0 or -ENOMEM. */
int array_resize(void *array, size_t n, size_t size);

#endif
