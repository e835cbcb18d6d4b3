/* SPDX-License-Identifier: BSD-2-Clause */
/* idmap.h: 64-bit key to 32-bit id, for interning. Grows; keys are never removed. */
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
/* The id of key, 0 if there is none. */
uint32_t idmap_get(const struct idmap *m, uint64_t key);
/* It will be asked for, or set, soon: prefetches its place. */
void idmap_prefetch(const struct idmap *m, uint64_t key);
/* Sets key's id, which is not 0. -ENOMEM. */
int idmap_set(struct idmap *m, uint64_t key, uint32_t id);

#endif
