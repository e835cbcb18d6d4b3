/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flamegraph.h: stacks as a picture (Brendan Gregg's flame graph), an SVG that stands alone: a browser zooms
 * and searches in it. The same bytes for the same trace and options.
 */
#ifndef NETCOST_REPORT_FLAMEGRAPH_H
#define NETCOST_REPORT_FLAMEGRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "report/model/model.h"

struct flamegraph_options {
	const char *title;  /* of the trace */
	const char *before; /* of the trace that it is compared with */
	unsigned int drop;  /* leaves that are left out */
	bool icicle;	    /* callers above what they call */
	bool in_page;	    /* of HTML, which has title, legend and controls around it */
};

/* What is in every picture, byte by byte: a page allows nothing else to run. */
extern const char flamegraph_script[], flamegraph_style[];

/* What widths stand for, depending on what was sampled. */
const char *flamegraph_widths(const struct model *m);

/*
 * before: NULL, or a model whose shares are taken off: then the colours say what has become more (red) or less
 * (blue). 0 or -ENOMEM; errors of out stay with out.
 */
int flamegraph_write(FILE *out, const struct model *m, const struct model *before,
		     const struct flamegraph_options *o);

#endif
