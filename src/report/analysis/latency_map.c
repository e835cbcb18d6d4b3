// SPDX-License-Identifier: BSD-2-Clause
#include "latency_map.h"

#include <stdlib.h>
#include <string.h>

static size_t column_of(const struct latency_map *map, size_t piece)
{
	return piece * map->ncolumns / map->pieces.pieces;
}

static void take(void *ctx, uint32_t piece, uint32_t hook, const struct dist *l)
{
	struct latency_map *map = ctx;
	uint64_t(*count)[LATENCY_MAP_ROWS] = map->count[hook];
	size_t column;

	if (!l->bucket || map->no_memory || piece >= map->pieces.pieces)
		return;
	if (!count)
		map->count[hook] = count = calloc(map->ncolumns, sizeof(*count));
	map->no_memory = !count;
	if (map->no_memory)
		return;
	column = column_of(map, piece);
	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++)
		count[column][b / LATENCY_MAP_EACH] += l->bucket[b];
}

static void forget(struct latency_map *map)
{
	for (unsigned int h = 0; h < NETCOST_LATENCY_COUNT; h++)
		free(map->count[h]);
	*map = (struct latency_map){ .pieces = map->pieces };
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct latency_map *map = ctx;

	forget(map);
	if (!iv->n)
		return true;
	map->ncolumns = iv->n < LATENCY_MAP_COLUMNS ? iv->n : LATENCY_MAP_COLUMNS;
	for (size_t i = iv->n; i-- > 0;)
		map->begin_ns[column_of(map, i)] = iv->edge[i];
	map->begin_ns[map->ncolumns] = iv->edge[iv->n];
	return true;
}

void latency_map_init(struct latency_map *map)
{
	*map = (struct latency_map){ .pieces = { .ctx = map, .begin = begin, .take = take } };
	latency_pieces_init(&map->pieces);
}

/* It can be used again. */
void latency_map_free(struct latency_map *map)
{
	latency_pieces_free(&map->pieces);
	forget(map);
}
