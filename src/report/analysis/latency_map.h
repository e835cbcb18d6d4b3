/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_map.h: how many packets waited for how long, and when: columns of time by rows of ns, for each hook. */
#ifndef NETCOST_REPORT_LATENCY_MAP_H
#define NETCOST_REPORT_LATENCY_MAP_H

#include "latency_pieces.h"

#define LATENCY_MAP_COLUMNS 150 /* at most: pieces of time that follow each other share one */
/* Buckets that are together in a row: then there are four in each octave. */
#define LATENCY_MAP_EACH (NETCOST_LATENCY_EACH / 4)
#define LATENCY_MAP_ROWS (NETCOST_LATENCY_BUCKETS / LATENCY_MAP_EACH)

struct latency_map {
	struct latency_pieces pieces;
	size_t ncolumns;
	uint64_t begin_ns[LATENCY_MAP_COLUMNS + 1]; /* and where the last one ends */
	/* NULL: no packets came to that hook; otherwise column by column */
	uint64_t (*count[NETCOST_LATENCY_COUNT])[LATENCY_MAP_ROWS];
	bool no_memory;
};

void latency_map_init(struct latency_map *map);
void latency_map_free(struct latency_map *map);

#endif
