/* SPDX-License-Identifier: BSD-2-Clause */
/* array.h: arrays that grow. */
#ifndef NETCOST_ARRAY_H
#define NETCOST_ARRAY_H

#include <stddef.h>

/*
 * Makes room for `need` elements in the array at *array, which has room for *cap. -ENOMEM otherwise.
 * It grows in steps of half its size, so that no number in a file can ask for much at once.
 */
int array_reserve(void *array, size_t *cap, size_t need, size_t size);

#endif
