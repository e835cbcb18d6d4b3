/* SPDX-License-Identifier: BSD-2-Clause */
/* plot_parts.h: what bars and pies show: some time, and the parts that it is made of. */
#ifndef NETCOST_REPORT_PLOT_PARTS_H
#define NETCOST_REPORT_PLOT_PARTS_H

#include "report/analysis/summary.h"

#define PLOT_PARTS_MAX 16 /* with more, the smallest are one: "others" */
#define PLOT_PART_TITLE 32

struct plot_part {
	char title[PLOT_PART_TITLE];
	const char *color;  /* NULL: not measured, or not known what it is */
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

/* All CPU time: idle, user, kernel. */
void plot_parts_cpu(struct plot_parts *parts, const struct summary *s);
/* The kernel's: the network in one or in its events, and what is not network. */
void plot_parts_kernel(struct plot_parts *parts, const struct summary *s, bool events);
void plot_parts_network(struct plot_parts *parts, const struct summary *s);
/* The RX softirq's: exact where that is known, else by samples; n 0: neither is. */
void plot_parts_rx(struct plot_parts *parts, const struct summary *s);

/* Is all that samples tell of them known exactly, too? */
bool plot_rx_is_exact(const struct summary *s);

/* What is drawn of them: those below 0, remainders, have no length. */
double plot_parts_sum(const struct plot_parts *parts);
double plot_part_length(const struct plot_part *part);

#endif
