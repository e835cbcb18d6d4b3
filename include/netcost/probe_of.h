/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_of.h: what a PROBE record describes. Its `number` is that of an event, a part, a hook or a stage, and this
 * version knows the numbers below `known`; a user of that column includes the headers that define these names.
 *
 * The numbers are written to traces: never reused, never renumbered.
 *
 * 	id	ENUM		key		known				what its number is
 */
#ifndef NETCOST_PROBE_OF_H
#define NETCOST_PROBE_OF_H

#define NETCOST_PROBE_OFS(X)                                                                       \
	X(0, EVENT, "event", NETCOST_EV_COUNT, "an event")                                         \
	X(1, PART, "part", NETCOST_PART_COUNT, "a part of the RX softirq")                         \
	X(2, LATENCY, "latency", NETCOST_LATENCY_COUNT, "a hook of latency")                       \
	X(3, STAGE, "stage", NETCOST_STAGE_COUNT, "a stage of a packet path")                      \
	X(4, TAIL, "tail", 1, "0: what CPUs did while the slowest packets waited")

enum netcost_of {
#define X(id, name, key, known, doc) NETCOST_OF_##name = id,
	NETCOST_PROBE_OFS(X)
#undef X
		NETCOST_OF_COUNT
};

#endif
