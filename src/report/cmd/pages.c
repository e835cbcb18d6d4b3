// SPDX-License-Identifier: BSD-2-Clause
#include "pages.h"

void pages_init(struct pages *p, uint64_t every_ns)
{
	intervals_init(&p->intervals, every_ns);
	accuracy_bins_init(&p->bins);
	intervals_init(&p->of_bins, every_ns);
	p->of_bins.window_ticks = true;
	p->of_bins.watch = &p->bins.watch;
	p->intervals.also = &p->of_bins;
	process_times_init(&p->times);
	p->intervals.second = &p->times.pieces.watch;
	p->intervals.wants_rx = true; /* for charts */
	if (!every_ns)
		p->intervals.most = p->of_bins.most = PAGE_TIMELINE_ROWS;
}

void pages_free(struct pages *p)
{
	intervals_free(&p->intervals);
	intervals_free(&p->of_bins);
	accuracy_bins_free(&p->bins);
	process_times_free(&p->times);
}

struct page pages_page(const struct pages *p, FILE *out, const struct summary *s)
{
	return (struct page){ .out = out,
			      .s = s,
			      .m = s->m,
			      .part = s->part,
			      .intervals = &p->intervals,
			      .bins = &p->bins,
			      .times = &p->times,
			      .charts = true };
}
