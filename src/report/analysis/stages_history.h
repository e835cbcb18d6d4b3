/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_history.h: histograms of packets' steps (record --stages) in each piece of time, kept, by when packets ended. */
#ifndef NETCOST_REPORT_STAGES_HISTORY_H
#define NETCOST_REPORT_STAGES_HISTORY_H

#include "intervals.h"
#include "report/model/stages.h"

#define STAGES_HISTORY_STEPS 40 /* the first ones; of more nothing is kept */
#define STAGES_HISTORIES (STAGES_PATH_COUNT + STAGES_HISTORY_STEPS) /* whole ways, then steps */

struct stages_history {
	struct intervals_watch watch;	    /* the first of the intervals */
	uint64_t *bucket[STAGES_HISTORIES]; /* piece by piece; NULL: there are no packets */
	uint64_t *before[STAGES_HISTORIES]; /* what there was up to the last edge */
	size_t n;			    /* pieces */
	bool no_memory;
};

void stages_history_init(struct stages_history *h);
void stages_history_free(struct stages_history *h);

#endif
