// SPDX-License-Identifier: BSD-2-Clause
#include "id_remap.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/array.h>
#include <netcost/trace.h>

void id_remap_init(struct id_remap *map)
{
	*map = (struct id_remap){ .next = 1, .out_next = 1 };
}

void id_remap_free(struct id_remap *map)
{
	free(map->range);
}

bool id_remap_may_define(const struct id_remap *map, uint64_t first, uint32_t n)
{
	return (first == map->next || (map->open && first > map->next)) && first <= TRACE_MAX_ID &&
	       first + n <= TRACE_MAX_ID;
}

static int add_range(struct id_remap *map, uint32_t first, uint32_t n)
{
	struct id_remap_range *last = map->nranges ? &map->range[map->nranges - 1] : NULL;

	if (last && last->first + last->n == first && last->out + last->n == map->out_next) {
		last->n += n;
		return 0;
	}
	if (array_reserve(&map->range, &map->size, map->nranges + 1, sizeof(*map->range)))
		return -ENOMEM;
	map->range[map->nranges++] = (struct id_remap_range){ first, n, map->out_next };
	return 0;
}

int id_remap_define(struct id_remap *map, uint32_t first, uint32_t n, bool kept)
{
	int err = kept && n ? add_range(map, first, n) : 0;

	if (err)
		return err;
	map->open = false;
	map->next = first + n;
	map->out_next += kept ? n : 0;
	return 0;
}

/* The last range that begins at or before id. */
static const struct id_remap_range *range_of(const struct id_remap *map, uint32_t id)
{
	size_t low = 0, high = map->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->range[middle].first <= id)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &map->range[low - 1] : NULL;
}

enum id_remap_found id_remap_find(const struct id_remap *map, uint64_t id, uint32_t *out)
{
	const struct id_remap_range *r;

	*out = 0;
	if (!id)
		return ID_REMAP_OK;
	if (id >= TRACE_MAX_ID || (id >= map->next && !map->open))
		return ID_REMAP_UNDEFINED;
	r = range_of(map, (uint32_t)id);
	if (!r || id - r->first >= r->n)
		return ID_REMAP_LOST;
	*out = r->out + (uint32_t)(id - r->first);
	return ID_REMAP_OK;
}
