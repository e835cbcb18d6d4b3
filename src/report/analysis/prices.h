/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prices.h: what one more packet, byte, call or wake-up costs: leaves of CPU time, and energy, by regression on what was
 * done, over the pieces of time from tick to tick. Intervals are those of stats_regress.h. What is not known is NaN.
 *
 * Each equation has a part that does not depend on the load, so a price is the cost at the margin: what a unit cost, which
 * is all of the time divided by all that was done, has of idle turns of a driver is not in it.
 *
 * A leaf of sends, receives or interrupts is taken CPU by CPU, in the time that was counted exactly; each CPU has a part of
 * its own that does not depend on the load. Interfaces count for the host, so what depends on packets is taken for
 * all CPUs together.
 *
 * Where two things varied together (inflation of the variance above 10) neither has a price; together they have one, by the
 * first of them: a packet with as many bytes as came along. Wake-ups of a softirq are only told apart from packets where the
 * load did; otherwise they are in the packets' price.
 */
#ifndef NETCOST_REPORT_PRICES_H
#define NETCOST_REPORT_PRICES_H

#include "intervals.h"
#include "report/base/stats_regress.h"

#define PRICES_LEAST 10 /* pieces: fewer cannot say how they scatter */
#define PRICES_INFLATION                                                                           \
	10 /* more: they cannot be told apart (the usual rule for variance inflation factors) */

#define PRICES_ALONE 0.5 /* what varied in one piece: of more that is no price of all of them */

enum price_state {
	PRICE_TOLD,
	PRICE_TOGETHER,	   /* it cannot be told apart from the others */
	PRICE_STEADY,	   /* the load did not vary it */
	PRICE_NONE,	   /* there was none */
	PRICE_SHORT,	   /* too few pieces */
	PRICE_NOT_COUNTED, /* what it is a price of, or what it is paid with */
	PRICE_STATES,
};

extern const char *const price_states[PRICE_STATES + 1]; /* for programs; NULL-terminated */

struct price {
	const char *key, *title; /* of what is paid with */
	const char *unit, *per;	 /* "ns", "packet" */
	enum price_state state;
	bool joint; /* of the first of those that cannot be told apart, with what came along */
	const char *with[STATS_REGRESSORS]; /* what that is: "kB"; NULL-terminated */
	double price, ci95, df;
	double inflation;
	double share;	     /* of all that was paid in these pieces */
	double explained;    /* of the variance, by the whole equation */
	size_t pieces, cpus; /* cpus: apart; 0: all of them together */
	bool over_processes; /* not over pieces of time: pieces are processes */
};

#define PRICES_MOST 40

struct prices {
	struct price row[PRICES_MOST];
	size_t n;
};

/* -ENOMEM: there is nothing to free, nor otherwise. */
int prices_make(struct prices *p, const struct intervals *iv, const struct model *m);

#endif
