/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hash.h: FNV-1a (Fowler, Noll, Vo), 64 bits. Not suitable for keys that an attacker chooses, because the attacker can
 * make them collide.
 */
#ifndef NETCOST_HASH_H
#define NETCOST_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Extends a hash by n bytes. The first call starts with HASH_START. */
static inline uint64_t hash_add(uint64_t hash, const void *data, size_t n)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
