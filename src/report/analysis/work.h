/* SPDX-License-Identifier: BSD-2-Clause */
/* work.h: what was done for the time that was spent: calls, bytes, packets. NaN: not known. */
#ifndef NETCOST_REPORT_WORK_H
#define NETCOST_REPORT_WORK_H

#include "report/model/model.h"

/* On a CPU, while exact counting was not paused. */
struct work_cpu {
	double calls[NETCOST_EV_COUNT], bytes[NETCOST_EV_COUNT]; /* calls: or runs */
	double polled; /* packets by NAPI, before GRO, in all that is in the leaf RX softirq */
};

/* By all interfaces; told_ns: in this time, from one reading of them to another. */
struct work_host {
	double told_ns, rx_packets, rx_bytes, tx_packets, tx_bytes;
	/* Packets in the RX softirq, after GRO (softnet_stat); NaN where these are not all that its time was spent on. */
	double processed;
};

/*
 * May softnet_stat's packets divide the time of the RX softirq? It does not count packets that XDP took in a driver, and it
 * counts packets that came without a poll, and some twice (VLANs, bridges): where polls were counted these are used.
 */
enum work_softnet { WORK_SOFTNET_COUNTS, WORK_SOFTNET_UNUSED, WORK_SOFTNET_MISSES_XDP };
enum work_softnet work_softnet(const struct model *m);

/* So far. */
struct work_cpu work_of_cpu(const struct model *m, const struct model_cpu *c);
struct work_host work_of_host(const struct model *m);

/* Since then. */
struct work_cpu work_cpu_since(const struct work_cpu *now, const struct work_cpu *before);
struct work_host work_host_since(const struct work_host *now, const struct work_host *before);

#endif
