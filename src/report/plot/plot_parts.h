/* SPDX-License-Identifier: BSD-2-Clause */
/* plot_parts.h: what bars and pies show: some time, and the parts that it is made of. */
#ifndef NETCOST_REPORT_PLOT_PARTS_H
#define NETCOST_REPORT_PLOT_PARTS_H

#include "plot.h"
#include "report/analysis/summary.h"

#define PLOT_PARTS_MAX 16 /* with more, the smallest become one: "others" */
#define PLOT_PART_TITLE 32

struct plot_part {
	char title[PLOT_PART_TITLE];
	const char *color;  /* NULL: not measured, or it is not known what it is */
	double share, ci95; /* of CPU time; NaN: not measured */
	enum split_how how;
	bool larger; /* its own parts are shown next */
};

struct plot_parts {
	const char *title, *how; /* how: before the share; empty: as the parts say */
	double share;		 /* of CPU time; NaN: not measured */
	struct plot_part part[PLOT_PARTS_MAX];
	size_t n;
};

/* What time it is. */
enum plot_time {
	PLOT_CPU,	    /* all: idle, user, kernel */
	PLOT_KERNEL,	    /* the network as one, and what is not network */
	PLOT_KERNEL_EVENTS, /* likewise, the network in its events */
	PLOT_NETWORK,
	PLOT_RX, /* exact where that is known, otherwise by samples; n 0: neither is */
};

/* The parts of n of these. False: p->why says why there is nothing to draw. */
bool plot_parts_make(struct plot *p, struct plot_parts *parts, const enum plot_time *time,
		     size_t n);

/* Why there is nothing to draw of one of them. */
const char *plot_parts_none(const struct plot_parts *parts);

/* What is drawn of them: those below 0, remainders, have no length. */
double plot_parts_sum(const struct plot_parts *parts);
double plot_part_length(const struct plot_part *part);

/* Is all that samples tell of the RX softirq's parts known exactly, too? */
bool plot_rx_is_exact(const struct summary *s);

/* How a part of the RX softirq is drawn. rules: for parts by samples; NULL: for exact ones. */
struct plot_look {
	const char *title, *color;
};

/* number: of the category, or of the exact part. LEAF_RX_SOFTIRQ, or NETCOST_PART_COUNT: "self". */
struct plot_look plot_rx_look(const struct rules *rules, size_t number);

#endif
