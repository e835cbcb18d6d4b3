/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_of.h: the kinds of objects that a PROBE record describes. The record's `number` is the number of an event, a
 * part, a checkpoint or a stage. This version knows the numbers below `known`. Code that uses the column `known` must
 * include the headers that define the names in it.
 *
 * The numbers are written to traces, so they are never reused or changed.
 *
 * 	id	ENUM		key		known				what its number is
 */
#ifndef NETCOST_PROBE_OF_H
#define NETCOST_PROBE_OF_H

#define NETCOST_PROBE_OFS(X)                                                                       \
	X(0, EVENT, "event", NETCOST_EV_COUNT, "an event")                                         \
	X(1, PART, "part", NETCOST_PART_COUNT, "a part of the RX softirq")                         \
	X(2, LATENCY, "latency", NETCOST_LATENCY_COUNT, "a checkpoint of packet latency")          \
	X(3, STAGE, "stage", NETCOST_STAGE_COUNT, "a stage of a packet path")                      \
	X(4, TAIL, "tail", 1, "0: what CPUs did while the slowest packets waited")

enum netcost_of {
#define X(id, name, key, known, doc) NETCOST_OF_##name = id,
	NETCOST_PROBE_OFS(X)
#undef X
		NETCOST_OF_COUNT
};

#endif
