/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fates.h: dispositions of received packets, to which the time of the RX softirq and of threaded NAPI is charged
 * (record --owners). Each moment belongs to exactly one disposition, so the times of the dispositions sum to the time
 * of the RX softirq and of threaded NAPI.
 *
 * The numbers are written to traces, so they are never reused or changed.
 *
 * 	id	ENUM		key		title
 */
#ifndef NETCOST_FATES_H
#define NETCOST_FATES_H

#define NETCOST_FATES(X)                                                                           \
	X(0, DIRECT, "direct", "received by processes")                                            \
	X(1, DROPPED, "dropped", "dropped")                                                        \
	X(2, FORWARDED, "forwarded", "forwarded")                                                  \
	X(3, POOL, "pool", "driver and GRO, before a single packet's time")                        \
	X(4, NO_MARK, "no_mark", "unattributed: not seen to reach a socket")                       \
	X(5, NO_OWNER, "no_owner", "unattributed: socket of an unknown process")                   \
	X(6, SKIPPED, "skipped", "unattributed: in softirqs not observed")                         \
	X(7, OPEN, "open", "unattributed: receiver not known at the tick")                         \
	X(8, XDP, "xdp", "unattributed: taken by XDP in the driver")                               \
	X(9, SEVERAL, "several", "unattributed: copied to sockets of several processes")

enum netcost_fate {
#define X(id, name, key, title) NETCOST_FATE_##name = id,
	NETCOST_FATES(X)
#undef X
		NETCOST_FATE_COUNT
};

#endif
