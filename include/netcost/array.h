/* SPDX-License-Identifier: BSD-2-Clause */
/* array.h: arrays that grow. `array` is the address of a pointer to elements of `size` bytes each; NULL at first. */
#ifndef NETCOST_ARRAY_H
#define NETCOST_ARRAY_H

#include <stddef.h>

/*
 * Makes room for `need` elements in the array at *array, which has room for *cap. -ENOMEM otherwise, and it is as it
 * was. It grows in steps of half its size, so that no number in a file can ask for much at once.
 */
int array_reserve(void *array, size_t *cap, size_t need, size_t size);

/* Arrays that grow together: as array_reserve(), for `n` of them. */
struct array_column {
	void *array;
	size_t size; /* of an element */
};
int array_reserve_columns(const struct array_column *column, size_t n, size_t *cap, size_t need);

/* By hand: an array of exactly n elements, or -ENOMEM. */
int array_resize(void *array, size_t n, size_t size);

#endif
