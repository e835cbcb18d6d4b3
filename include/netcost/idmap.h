/* SPDX-License-Identifier: BSD-2-Clause */
/* idmap.h: maps 64-bit keys to 32-bit ids, for interning. It grows; keys are never removed. */
#ifndef NETCOST_IDMAP_H
#define NETCOST_IDMAP_H

#include <stdint.h>
#include <stddef.h>

struct idmap {
	struct idmap_slot {
		uint64_t key;
		uint32_t id; /* 0: free */
	} * slot;
	size_t mask, used;
};

/* A zeroed idmap is empty. */
void idmap_free(struct idmap *m);
/* Returns the id of key, 0 if absent. */
uint32_t idmap_get(const struct idmap *m, uint64_t key);
/* Prefetches the place of a key that will be read or set soon. */
void idmap_prefetch(const struct idmap *m, uint64_t key);
/* Sets key's id, which must not be 0. -ENOMEM. */
int idmap_set(struct idmap *m, uint64_t key, uint32_t id);

#endif
