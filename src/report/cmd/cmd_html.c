// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report html: all of it as one page for a browser. */
#include <stdio.h>

#include "command.h"
#include "interval_option.h"
#include "filter_options.h"
#include "report/base/tell.h"
#include "report/input/input.h"
#include "report/page/page.h"

struct html {
	const struct config *cfg;
	struct intervals intervals;
	struct accuracy_bins bins;
	unsigned int written;
};

static bool write_page(const struct html *h, const struct summary *s)
{
	const struct page page = {
		.out = command_open(h->cfg->output),
		.s = s,
		.m = s->m,
		.part = s->part,
		.intervals = &h->intervals,
		.bins = &h->bins,
		.charts = !h->cfg->no_charts,
		.icicle = h->cfg->icicle,
		.idle = h->cfg->idle,
	};
	bool ok;

	if (!page.out)
		return false;
	ok = page_write(&page);
	if (!ok)
		tell(PART_TITLE(s->part), "out of memory");
	return !command_end(page.out, h->cfg->output, ok);
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct html *h = ctx;
	struct summary s;
	bool ok;

	if (h->written++) {
		if (h->written == 2)
			tell(part->file, "holds several traces: --part says which one to show");
		return false;
	}
	if (summary_make(&s, m, part)) {
		tell(PART_TITLE(part), "out of memory");
		return false;
	}
	ok = write_page(h, &s);
	summary_free(&s);
	return ok;
}

static enum exit_status run(const struct config *cfg)
{
	struct html h = { .cfg = cfg };
	struct filter filter;
	const struct input_wanted wanted = {
		.file = cfg->file,
		.memory = cfg->memory,
		.select = cfg->part,
		.rules = cfg->rules,
		.keep = PAGE_KEEP,
		.filter = &filter,
		.intervals = &h.intervals,
	};
	uint64_t every_ns;
	bool ok;

	if (!interval_parse(cfg->every, &every_ns) || !filter_parse(&filter, cfg))
		return EXIT_USAGE;
	intervals_init(&h.intervals, every_ns);
	accuracy_bins_init(&h.bins);
	h.intervals.watch = &h.bins.watch;
	h.intervals.wants_rx = true; /* for charts */
	if (!every_ns)
		h.intervals.most = PAGE_TIMELINE_ROWS;
	ok = input_each_model(&wanted, print, &h);
	intervals_free(&h.intervals);
	accuracy_bins_free(&h.bins);
	filter_free(&filter);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	OPT_OUTPUT,
	OPT_INTERVAL,
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	{ .name = "no-charts",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, no_charts),
	  .help = "leave out what gnuplot draws" },
	{ .name = "icicle",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, icicle),
	  .help = "in the flame graph callers on top, what they call below" },
	{ .name = "idle",
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, idle),
	  .help = "in the flame graph the idle task's samples, too" },
};

const struct command command_html = {
	.name = "html",
	.help = "all of this as one page for a browser, which needs nothing else",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
