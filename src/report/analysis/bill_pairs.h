/* SPDX-License-Identifier: BSD-2-Clause */
/* bill_pairs.h: what other BPF programs cost in two recordings. Programs of the same name and type are one. */
#ifndef NETCOST_REPORT_BILL_PAIRS_H
#define NETCOST_REPORT_BILL_PAIRS_H

#include "bill.h"

enum { BILL_BEFORE, BILL_AFTER, BILL_SIDES };

struct bill_pair {
	const char *name, *kind;
	bool on_the_way;
	/* NaN: it was not there, or it is not known. */
	struct bill_pair_side {
		double runs_per_s, ns_per_run, share;
	} side[BILL_SIDES];
};

struct bill_pairs {
	struct bill_pair *at; /* the dearest first */
	size_t n;
};

/* -ENOMEM: then there is nothing to free. The summaries must outlive it. */
int bill_pairs_make(struct bill_pairs *p, const struct summary *before,
		    const struct summary *after);
void bill_pairs_free(struct bill_pairs *p);

#endif
