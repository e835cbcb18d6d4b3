// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report html: all of it as one page for a browser. */

#include "models.h"
#include "pages.h"
#include "report/base/part.h"

struct html_options {
	struct trace_options trace;
	const char *output, *every;
	bool no_charts, icicle, idle;
};

struct html {
	const struct html_options *o;
	struct pages pages;
	unsigned int written;
};

static bool write_page(const struct html *h, const struct summary *s)
{
	struct outfile file;
	FILE *out = command_open(&file, h->o->output);
	struct page page = pages_page(&h->pages, out, s);
	bool ok;

	if (!out)
		return false;
	page.charts = !h->o->no_charts;
	page.icicle = h->o->icicle;
	page.idle = h->o->idle;
	ok = page_write(&page);
	if (!ok)
		tell(PART_TITLE(s->part), "out of memory");
	return !command_end(&file, out, h->o->output, ok);
}

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct html *h = ctx;
	struct summary s;
	bool ok;

	if (!models_is_first(&h->written, part, "show"))
		return false;
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
	const struct html_options *o = (const struct html_options *)cfg;
	struct html h = { .o = o };
	enum exit_status status;
	uint64_t every_ns;

	if (!interval_parse(o->every, &every_ns))
		return EXIT_USAGE;
	pages_init(&h.pages, every_ns);
	status = models_each(&o->trace, cfg->file, PAGE_KEEP, &h.pages.intervals, print, &h);
	pages_free(&h.pages);
	return status;
}

static const struct opt_desc opts[] = {
	OPT_OUTPUT(struct html_options),
	OPT_INTERVAL(struct html_options),
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
	OPT_IDLE_WATTS,
	OPT_PER,
	OPT_SWITCH(struct html_options, no_charts, "no-charts",
		   "leave out the charts, which gnuplot draws"),
	OPT_SWITCH(struct html_options, icicle, "icicle",
		   "in the flame graph, draw callers on top"),
	OPT_SWITCH(struct html_options, idle, "idle",
		   "in the flame graph, include the idle task's samples"),
};

const struct command command_html = {
	.name = "html",
	.help = "all of this as one HTML page, which needs no other files",
	.run = run,
	COMMAND_OPTIONS(struct html_options, opts),
};
