/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cells.h: what accuracy wants of each cell, a CPU in a piece of time: how many samples of each
 * item every sampler would have taken (decimate.h), and the exact times of the RX softirq's parts.
 * It watches the intervals while they are filled, so memory grows with cells, not with samples.
 */
#ifndef NETCOST_REPORT_CELLS_H
#define NETCOST_REPORT_CELLS_H

#include "report/analysis/decimate.h"
#include "report/analysis/intervals.h"
#include "report/rules/classes.h"

/*
 * Items: the leaves; the RX softirq's parts, as the innermost part (CELLS_OWN) and with all that
 * runs inside them (CELLS_WITH_ALL). And samples of tasks that are not wanted.
 */
enum cells_item {
	CELLS_OWN = LEAF_COUNT,
	CELLS_WITH_ALL = CELLS_OWN + NETCOST_PART_COUNT,
	CELLS_ITEMS = CELLS_WITH_ALL + NETCOST_PART_COUNT,
	CELLS_REST = CELLS_ITEMS,
	CELLS_REST_IDLE,
	CELLS_COUNTS,
};

_Static_assert(CELLS_COUNTS <= 64, "a set of them is one word");

#define CELLS_MAX 80000		  /* more are refused */
#define CELLS_DECIMATED_MAX 10000 /* with more of them nothing is decimated */

/* NaN: not known. Of a CPU: all of the time before some tick; of a cell: in it. */
struct cells_parts {
	double ns[2 * NETCOST_PART_COUNT]; /* as the items from CELLS_OWN on */
};

struct cells {
	struct intervals_watch watch; /* give it to the intervals */
	const struct intervals *iv;
	size_t n;
	unsigned int tracks;	   /* that are kept: 1 or DECIMATE_TRACKS; 0: too many cells */
	uint32_t *count;	   /* cell by cell, track by track */
	struct cells_parts *parts; /* of each cell */
	struct cells_parts *before;
	struct decimate *cpu;
	uint64_t class_items[CLASSES_MAX]; /* each one's items, a set; 0: not looked up */
};

void cells_init(struct cells *c);
void cells_free(struct cells *c);

const uint32_t *cells_count(const struct cells *c, size_t cell, unsigned int track);

/* Can samples be told to be of that item? Rules of the user's own may have no category for it. */
bool cells_has_item(const struct model *m, unsigned int item);
/* The exact time of an item that is a part. NaN: not known. */
double cells_part_ns(const struct cells *c, size_t cell, unsigned int item);

/* Are samples taken by time, and not by the order of some other event? */
bool cells_by_time(const struct model *m);

#endif
