/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency_times.h: for how long packets waited in each piece of time, in the forms that reports need it: rows of a table, a
 * column of a timeline, each hook's histograms, a heat map. All watch the intervals while these are filled; each can be used
 * again after it was freed.
 */
#ifndef NETCOST_REPORT_LATENCY_TIMES_H
#define NETCOST_REPORT_LATENCY_TIMES_H

#include "latency.h"
#include "intervals.h"

/* ---- rows of a table --------------------------------------------------------------------- */

#define LATENCY_TIMES_MOST 300000 /* rows: of a file that has more nothing is kept */

struct latency_times_row {
	uint32_t piece, hook, which; /* which: by interface and the like; otherwise 0 */
	uint32_t key;		     /* the row in the store of the pieces */
	struct dist_summary r;
};

struct latency_times {
	struct store_pieces pieces;
	enum netcost_latency_by by; /* or LATENCY_ALL */
	struct latency_times_row
		*row; /* piece by piece, hook by hook, those with the most packets first */
	size_t n, cap;
	bool no_memory, too_many;
};

void latency_times_init(struct latency_times *t, enum netcost_latency_by by);
void latency_times_free(struct latency_times *t);

/* Summarizes the rows of a store of LATENCY_BY that are of `by`, sorted. `to` has room for all rows. Returns how many there are. */
size_t latency_by_sorted(struct latency_times_row *to, const struct store *s,
			 enum netcost_latency_by by);

/* ---- a column of a timeline --------------------------------------------------------------- */

#define LATENCY_TRACK_READ "read" /* the hooks of reads from sockets, whatever the protocol */

struct latency_track {
	struct store_pieces pieces;
	const char *of;	 /* a hook, or LATENCY_TRACK_READ */
	struct dist sum; /* of the piece at hand */
	struct latency_track_row {
		double packets, p50_ns, p99_ns; /* NaN: no packets */
	} * row;
	size_t n; /* pieces */
	bool no_memory;
};

/* hook: NULL: those of reads. */
void latency_track_init(struct latency_track *t, const char *hook);
void latency_track_free(struct latency_track *t);
/* Was any of its hooks measured? */
bool latency_track_is_measured(const struct latency_track *t, const struct model *m);
struct latency_track_row latency_track_row(const struct latency_track *t, size_t piece);

/* ---- histograms --------------------------------------------------------------------------- */

struct latency_history {
	struct store_pieces pieces;
	uint64_t *bucket[NETCOST_LATENCY_COUNT]; /* piece by piece; NULL: there are no packets */
	size_t n;				 /* pieces */
	bool no_memory;
};

void latency_history_init(struct latency_history *h);
void latency_history_free(struct latency_history *h);

/* ---- a map: columns of time by rows of ns --------------------------------------------------- */

#define LATENCY_MAP_COLUMNS 150 /* at most: pieces of time that follow each other share one */
/* Buckets that are together in a row: then there are four in each octave. */
#define LATENCY_MAP_EACH (NETCOST_LATENCY_EACH / 4)
#define LATENCY_MAP_ROWS (NETCOST_LATENCY_BUCKETS / LATENCY_MAP_EACH)

struct latency_map {
	struct store_pieces pieces;
	size_t ncolumns;
	uint64_t begin_ns[LATENCY_MAP_COLUMNS + 1]; /* and where the last one ends */
	/* NULL: no packets came to that hook; otherwise column by column */
	uint64_t (*count[NETCOST_LATENCY_COUNT])[LATENCY_MAP_ROWS];
	bool no_memory;
};

void latency_map_init(struct latency_map *map);
void latency_map_free(struct latency_map *map);

#endif
