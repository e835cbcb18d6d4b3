// SPDX-License-Identifier: BSD-2-Clause
/* The page: the flame graph and its controls. */
#include "page.h"
#include "report/base/html.h"
#include "report/tables/colors.h"
#include "report/stacks/flamegraph.h"

/* Samples of the leaves that are drawn. Returns how many there are in all. */
static uint64_t count(const struct page *p, unsigned int drop, uint64_t samples[LEAF_COUNT])
{
	const struct model_cpu *c;
	uint64_t all = 0;

	model_for_each_cpu(p->m, c)
	{
		uint64_t leaf[LEAF_COUNT];

		model_leaves(p->m, c, leaf);
		for (unsigned int l = 0; l < LEAF_COUNT; l++) {
			samples[l] += drop & 1u << l ? 0 : leaf[l];
			all += drop & 1u << l ? 0 : leaf[l];
		}
	}
	return all;
}

static void legend(const struct page *p, const uint64_t samples[LEAF_COUNT])
{
	fputs("<ul class=\"legend\">\n", p->out);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (samples[l])
			html_legend(p->out, leaf_color[l], "%s", leaf_desc[l].title);
	fputs("</ul>\n", p->out);
}

int page_flamegraph(const struct page *p, struct doc *d)
{
	const struct flamegraph_options options = {
		.title = "",
		.drop = p->idle ? 0 : LEAF_BIT(IDLE),
		.icicle = p->icicle,
		.in_page = true,
	};
	uint64_t samples[LEAF_COUNT] = { 0 };
	int err;

	if (!count(p, options.drop, samples)) {
		doc_note(d, "There are no samples%s: there are no stacks to draw.",
			 p->m->samples ? " but idle ones" : "");
		return 0;
	}
	doc_note(
		d,
		"Kernel stacks; widths are %s%s. A click, or Enter, zooms; arrow keys go from frame to frame.",
		flamegraph_widths(p->m), p->idle ? "" : ", idle time left out");
	legend(p, samples);
	fputs("<div class=\"flame\">\n<p class=\"controls\" hidden>"
	      "<label>search <input class=\"search\" name=\"search\" type=\"search\" spellcheck=\"false\" "
	      "placeholder=\"a regular expression\"></label> "
	      "<button class=\"reset\" type=\"button\">zoom out</button> "
	      "<output class=\"status\"></output></p>\n<p class=\"details\">&nbsp;</p>\n",
	      p->out);
	err = flamegraph_write(p->out, p->m, NULL, &options);
	fputs("</div>\n", p->out);
	return err;
}
