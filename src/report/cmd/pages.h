/* SPDX-License-Identifier: BSD-2-Clause */
/* pages.h: what a page needs beside a model, for the commands that write one. */
#ifndef NETCOST_REPORT_PAGES_H
#define NETCOST_REPORT_PAGES_H

#include "report/page/page.h"

struct pages {
	struct intervals intervals; /* to be filled with the model: input_each_model() */
	struct intervals
		of_bins; /* filled along: those of a windowed recording begin and end with windows, too */
	struct accuracy_bins bins;
	struct process_times times;
};

/* every_ns: of a row of the timeline; 0: not asked for. It must stay where it is. */
void pages_init(struct pages *p, uint64_t every_ns);
void pages_free(struct pages *p);

/* What to write, with charts. */
struct page pages_page(const struct pages *p, FILE *out, const struct summary *s);

#endif
