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

/* By hand, for arrays that grow together: the next room for `need`, and an array of exactly n elements, or -ENOMEM. */
size_t array_room(size_t cap, size_t need);
int array_resize(void *array, size_t n, size_t size);

#endif
