/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bill.h: what the host's BPF programs cost that are not the recorder's own. They are counted for a part of the time,
 * and taken to have the same share of all of it. They run on all CPUs, whichever a report is about.
 */
#ifndef NETCOST_REPORT_BILL_H
#define NETCOST_REPORT_BILL_H

#include <stdbool.h>
#include <stddef.h>

#include "report/analysis/summary.h"

/* What is not known is NaN. */
struct bill_row {
	const char *name, *kind, *attached; /* attached: empty: not known */
	size_t place;			    /* in the trace */
	bool on_the_way;		    /* packets and sockets pass programs of its type */
	double runs, run_ns;		    /* in the time counted */
	double runs_per_s;
	double ns_per_run; /* NaN also if it is not better known than within itself */
	double share;	   /* of the CPUs' time */
	/*
	 * Half-widths of the 95 % intervals: how far the figure of the whole recording may be from that of the time
	 * counted. 0: all of it was counted.
	 */
	double ns_ci95, share_ci95;
	double network_share; /* of the network's: only if it is on the way */
	double unseen_s;      /* of the time counted: it ended, and what it ran is not known */
};

struct bill {
	struct bill_row *row; /* the dearest first */
	size_t n;
	size_t ran_on_the_way, ran_elsewhere;
	double on_the_way, elsewhere; /* their shares of the CPUs' time */
	double network_share;	      /* of those on the way */
	double counted_s, of_s;
	size_t ended; /* so many have an unseen_s */
};

/* -ENOMEM: then there is nothing to free. The summary must outlive it. */
int bill_make(struct bill *b, const struct summary *s);
void bill_free(struct bill *b);

#endif
