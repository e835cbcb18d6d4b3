/* SPDX-License-Identifier: BSD-2-Clause */
/* stages.h: packets' ways (record --stages): in which order steps are shown, and whether they sum to the whole. */
#ifndef NETCOST_REPORT_STAGES_ANALYSIS_H
#define NETCOST_REPORT_STAGES_ANALYSIS_H

#include "report/model/stages.h"

extern const char *const stages_keys[],
	*const stages_what[],
		*const stages_path_keys[],
			*const stages_path_titles[],
				*const stages_by_names[]; /* each with NULL after the last one */

/* Steps as they follow each other, path by path. NULL: no memory. */
const struct stages_step **stages_in_order(const struct stages_times *t);
/* Of a path: the time of all its steps is that of its packets, to the nanosecond. */
bool stages_add_up(const struct stages_times *t, enum stages_path path);
/* Likewise of each key; and of all keys each step is that of all, in times and packets. There are keys. */
bool stages_keys_add_up(const struct model_stages *s, enum stages_path path);
/* Packets of the sample that came to their end, and those that did not. */
double stages_finished(const struct model_stages *s);
double stages_unfinished(const struct model_stages *s);

#endif
