/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * owners.h: whose the time of the RX softirq is, and of threaded NAPI (record --owners): received for processes, dropped,
 * forwarded, or of no one who is known. Time before a packet's own, of the driver and of GRO, is dealt out: to each packet
 * the same. All of it sums to the CPUs' exact counters. Where only one softirq in N was looked at, what was seen there
 * stands for all.
 */
#ifndef NETCOST_REPORT_OWNERS_H
#define NETCOST_REPORT_OWNERS_H

#include <netcost/fates.h>

#include "processes.h"

struct owners_row {
	enum netcost_fate fate;
	const char *what;   /* why dropped, or where forwarded to; "": not known, or not of those */
	double ns, ci95_ns; /* its own; half of the interval, 0: exact; NaN: not known */
	double dealt_ns;    /* of the pool */
	double packets;
};

#define OWNERS_ROWS (MODEL_FATES + NETCOST_FATE_COUNT)

struct owners {
	const struct model *m;
	bool any;	  /* something was recorded */
	double every;	  /* one softirq in so many was looked at */
	double leaf_ns;	  /* as the CPUs' exact counters have it */
	double all_ns;	  /* of all rows, what is dealt out included */
	double looked_ns; /* of that, in softirqs that were looked at */
	double packets;	  /* of all rows */
	double dealt_ns;  /* to a packet */
	double scale;	  /* of what was seen to what there is */
	struct owners_row row[OWNERS_ROWS];
	size_t nrows;
};

/* Half of the interval of its own with what is dealt out to it: that comes with the same packets, so it is as uncertain. */
double owners_ci95(double ns, double ci95_ns, double dealt_ns);

/* The model needs MODEL_PROCESSES. */
void owners_make(struct owners *o, const struct model *m);

/* The network's time that a process pays for, or several do; NaN: not measured. */
struct owners_paid {
	double own_ns; /* sends, receives, busy polling; threaded NAPI is paid for by those who receive */
	double received_ns, ci95_ns, dealt_ns, packets; /* for its sockets */
	double all_ns;
};
struct owners_paid owners_paid(const struct owners *o, const struct processes_values *v);

#endif
