/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * accuracy_bins.h: what accuracy wants of each cell, a CPU in a piece of time: how many samples of each
 * item every sampler would have taken (decimate.h), and the exact times of the RX softirq's parts.
 * It watches the intervals while they are filled, so memory grows with cells, not with samples.
 */
#ifndef NETCOST_REPORT_ACCURACY_BINS_H
#define NETCOST_REPORT_ACCURACY_BINS_H

#include "report/analysis/decimate.h"
#include "report/analysis/intervals.h"
#include "report/rules/stack_class.h"

/*
 * Items: the leaves; the RX softirq's parts, as the innermost part (ACCURACY_OWN) and with all that
 * runs inside them (ACCURACY_WITH_ALL). And samples of tasks that are not wanted.
 */
enum accuracy_bins_item {
	ACCURACY_OWN = LEAF_COUNT,
	ACCURACY_WITH_ALL = ACCURACY_OWN + NETCOST_PART_COUNT,
	ACCURACY_ITEMS = ACCURACY_WITH_ALL + NETCOST_PART_COUNT,
	ACCURACY_REST = ACCURACY_ITEMS,
	ACCURACY_REST_IDLE,
	ACCURACY_COUNTS,
};

_Static_assert(ACCURACY_COUNTS <= 64, "a set of them is one word");

#define ACCURACY_MAX 80000	     /* more are refused */
#define ACCURACY_DECIMATED_MAX 10000 /* with more of them nothing is decimated */

/* NaN: not known. Of a CPU: all of the time before some tick; of a cell: in it. */
struct accuracy_bins_parts {
	double ns[2 * NETCOST_PART_COUNT]; /* as the items from ACCURACY_OWN on */
};

struct accuracy_bins {
	struct intervals_watch watch; /* give it to the intervals */
	const struct intervals *iv;
	size_t n;
	unsigned int tracks; /* that are kept: 1 or DECIMATE_TRACKS; 0: too many cells */
	uint32_t *count;     /* cell by cell, track by track */
	struct accuracy_bins_parts *parts; /* of each cell */
	struct accuracy_bins_parts *before;
	struct decimate *cpu;
	uint64_t class_items[STACK_CLASSES_MAX]; /* each one's items, a set; 0: not looked up */
};

void accuracy_bins_init(struct accuracy_bins *c);
void accuracy_bins_free(struct accuracy_bins *c);

const uint32_t *accuracy_bins_count(const struct accuracy_bins *c, size_t cell, unsigned int track);

/* Can samples be told to be of that item? Rules of the user's own may have no category for it. */
bool accuracy_bins_has_item(const struct model *m, unsigned int item);
/* The exact time of an item that is a part. NaN: not known. */
double accuracy_bins_part_ns(const struct accuracy_bins *c, size_t cell, unsigned int item);

/* Are samples taken by time, and not by the order of some other event? */
bool accuracy_bins_by_time(const struct model *m);

#endif
