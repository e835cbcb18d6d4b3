// SPDX-License-Identifier: BSD-2-Clause
#include "countmap.h"

#include <stdlib.h>

#define FIRST_BITS 6

/* Fibonacci hashing: neighbouring ids, the common case, land far apart. */
static size_t place_of(uint32_t id, unsigned int bits)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - bits));
}

static struct countmap_entry *find(const struct countmap *map, uint32_t id)
{
	size_t mask = ((size_t)1 << map->bits) - 1, i = place_of(id, map->bits);

	while (map->entry[i].count && map->entry[i].id != id)
		i = (i + 1) & mask;
	return &map->entry[i];
}

size_t countmap_places(const struct countmap *map)
{
	return map->bits ? (size_t)1 << map->bits : 0;
}

static bool grow(struct countmap *map)
{
	struct countmap bigger = { .bits = map->bits ? map->bits + 1 : FIRST_BITS, .n = map->n };

	bigger.entry = calloc(countmap_places(&bigger), sizeof(*bigger.entry));
	if (!bigger.entry)
		return false;
	for (size_t i = 0; i < countmap_places(map); i++)
		if (map->entry[i].count)
			*find(&bigger, map->entry[i].id) = map->entry[i];
	free(map->entry);
	*map = bigger;
	return true;
}

bool countmap_add(struct countmap *map, uint32_t id, uint64_t count)
{
	struct countmap_entry *e;

	if (map->n >= countmap_places(map) / 4 * 3 && !grow(map))
		return false;
	e = find(map, id);
	map->n += e->count == 0;
	e->id = id;
	if (__builtin_add_overflow(e->count, count, &e->count))
		e->count = UINT64_MAX;
	return true;
}

void countmap_free(struct countmap *map)
{
	free(map->entry);
	*map = (struct countmap){ 0 };
}
