/* SPDX-License-Identifier: BSD-2-Clause */
/* countmap.h: counts by stack id. It grows with the ids that are in it, whatever their values. */
#ifndef NETCOST_REPORT_COUNTMAP_H
#define NETCOST_REPORT_COUNTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct countmap_entry {
	uint64_t count; /* 0: the place is free */
	uint32_t id;
};

struct countmap {
	struct countmap_entry *entry;
	size_t n;	   /* entries in use */
	unsigned int bits; /* places: 1 << bits; 0: none yet */
};

/* count > 0. False: no memory. */
bool countmap_add(struct countmap *map, uint32_t id, uint64_t count);
/* Places to walk over; those with count 0 are free. */
size_t countmap_places(const struct countmap *map);
void countmap_free(struct countmap *map);

#endif
