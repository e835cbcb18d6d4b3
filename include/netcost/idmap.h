/* SPDX-License-Identifier: BSD-2-Clause */
/* idmap.h: maps 64-bit keys to 32-bit ids, for interning. The map grows, and keys are never removed. */
#ifndef NETCOST_IDMAP_H
#define NETCOST_IDMAP_H

#include <stdint.h>
#include <stddef.h>

struct idmap {
	struct idmap_slot {
		uint64_t key;
		uint32_t id; /* 0 if the slot is free */
	} * slot;
	size_t mask, used;
};

/* Frees a map. A zeroed map is empty. */
void idmap_free(struct idmap *m);
/* Returns the id of a key, or 0 if the key is absent. */
uint32_t idmap_get(const struct idmap *m, uint64_t key);
/* Prefetches the slot of a key that will soon be read or set. */
void idmap_prefetch(const struct idmap *m, uint64_t key);
/* Sets the id of a key. The id must not be 0. Returns 0 or -ENOMEM. */
int idmap_set(struct idmap *m, uint64_t key, uint32_t id);

#endif
