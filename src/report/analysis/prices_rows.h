/* SPDX-License-Identifier: BSD-2-Clause */
/* prices_rows.h: what prices.h puts together: what was paid and what for, in each piece of time, as rates a second. */
#ifndef NETCOST_REPORT_PRICES_ROWS_H
#define NETCOST_REPORT_PRICES_ROWS_H

#include "intervals.h"
#include "report/base/stats_regress.h"

/* What is paid for. */
#define PRICES_XS(X)                                                                               \
	X(RX_PACKETS, "packet")                                                                    \
	X(RX_KB, "kB")                                                                             \
	X(RX_RUNS, "wake-up")                                                                      \
	X(TX_PACKETS, "packet")                                                                    \
	X(TX_KB, "kB")                                                                             \
	X(TX_RUNS, "wake-up")                                                                      \
	X(PACKETS, "packet")                                                                       \
	X(KB, "kB")                                                                                \
	X(SEND_CALLS, "call")                                                                      \
	X(SEND_KB, "kB")                                                                           \
	X(RECV_CALLS, "call")                                                                      \
	X(RECV_KB, "kB")                                                                           \
	X(INTERRUPTS, "interrupt")                                                                 \
	X(SWITCHES, "wake-up")                                                                     \
	X(OTHER_BUSY, "CPU ms")

enum prices_x {
	PRICES_X_NONE,
#define X(name, per) PRICES_X_##name,
	PRICES_XS(X)
#undef X
		PRICES_X_COUNT
};

struct prices_x_desc {
	const char *per;
};

extern const struct prices_x_desc prices_x[PRICES_X_COUNT];

/* What rows are: pieces of time, of all CPUs together or of each; or processes, all of their time. */
enum prices_over { PRICES_OVER_TICKS, PRICES_OVER_CPUS, PRICES_OVER_PROCESSES };

struct prices_equation {
	const char *key, *title, *unit;
	unsigned int leaves; /* 0: energy */
	enum prices_over over;
	enum prices_x x[STATS_REGRESSORS + 1]; /* up to the first PRICES_X_NONE */
	unsigned int refines; /* of x: they are left out where they make others uncertain */
};

#define PRICES_EQUATIONS 10
extern const struct prices_equation prices_equation[PRICES_EQUATIONS];

/* The leaves in each piece, and in each cell while it was counted exactly; NaN: not known. */
struct prices_rows {
	const struct intervals *iv;
	const struct model *m;
	size_t n;   /* pieces */
	bool moved; /* an energy counter has: others do not count */
	double (*piece)[LEAF_COUNT], (*cell)[LEAF_COUNT];
};

/* -ENOMEM; also then it is to be freed. */
int prices_rows_make(struct prices_rows *p, const struct intervals *iv, const struct model *m);
void prices_rows_free(struct prices_rows *p);

/* Their sum, of those that are known. */
double prices_rows_ns(const double leaf[LEAF_COUNT], unsigned int leaves);

/* To be freed by the caller; what is not known is NaN. -ENOMEM. */
int prices_rows_of(const struct prices_rows *p, const struct prices_equation *of,
		   struct stats_row **row, size_t *n, size_t *units);

#endif
