/* SPDX-License-Identifier: BSD-2-Clause */
/* id_remap.h: the ids of one sort, as the file has them and as they are dense. */
#ifndef NETCOST_REPORT_ID_REMAP_H
#define NETCOST_REPORT_ID_REMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct id_remap_range {
	uint32_t first, n; /* in the file */
	uint32_t out;
};

struct id_remap {
	struct id_remap_range *range; /* rising */
	size_t nranges, size;
	uint32_t next;	   /* the file's next id is this or, if open, more */
	uint32_t out_next; /* the next dense one */
	uint32_t stand_in; /* dense id of what stands for all lost ones; 0: not needed yet */
	bool open;	   /* definitions may be missing since the last one */
	uint64_t lost;
};

enum id_remap_found {
	ID_REMAP_OK,
	ID_REMAP_LOST,
	ID_REMAP_UNDEFINED,
};

void id_remap_init(struct id_remap *map);
void id_remap_free(struct id_remap *map);

/* May the file define n ids from first on? */
bool id_remap_may_define(const struct id_remap *map, uint64_t first, uint32_t n);
/* It did: they are dense from map->out_next on. -ENOMEM. Without kept, they are lost. */
int id_remap_define(struct id_remap *map, uint32_t first, uint32_t n, bool kept);
/* The dense id of one of the file's. 0 is 0. */
enum id_remap_found id_remap_find(const struct id_remap *map, uint64_t id, uint32_t *out);

#endif
