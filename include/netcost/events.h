/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * events.h: the events that the exact counters count.
 *
 * There is one row per event. The numbers are written to traces, so they are never reused or changed. Every nanosecond
 * of a CPU belongs to exactly one event: the innermost event. So on each CPU, the times of all events sum to the
 * elapsed time.
 *
 * 	id	ENUM		key		title			what it includes
 */
#ifndef NETCOST_EVENTS_H
#define NETCOST_EVENTS_H

#define NETCOST_EVENTS(X)                                                                          \
	X(0, IDLE, "idle", "idle",                                                                 \
	  "the idle task, with the hard interrupts and non-network softirqs that interrupt it")    \
	X(1, TASK, "task", "user + other kernel", "tasks, except during the other events")         \
	X(2, IO_WORKER, "io_worker", "io_uring workers", "SQPOLL and io-wq threads")               \
	X(3, SOCK_SEND, "sock_send", "socket send", "sends on network sockets")                    \
	X(4, SOCK_RECV, "sock_recv", "socket receive", "receives on network sockets")              \
	X(5, SOCK_LOCAL, "sock_local", "local sockets", "AF_UNIX, AF_NETLINK, AF_ALG, AF_VSOCK")   \
	X(6, RX_SOFTIRQ, "rx_softirq", "RX softirq", "NET_RX_SOFTIRQ, wherever it runs")           \
	X(7, TX_SOFTIRQ, "tx_softirq", "TX softirq", "NET_TX_SOFTIRQ, wherever it runs")           \
	X(8, RX_THREAD, "rx_thread", "threaded NAPI", "NAPI threads, with all their work")         \
	X(9, RX_BUSY_POLL, "rx_busy_poll", "busy polling",                                         \
	  "tasks that busy-poll a device for a socket")                                            \
	X(10, HARDIRQ_NET, "hardirq_net", "hard interrupts: network devices",                      \
	  "interrupt handlers of network interfaces (IRQ_STATS), whatever they interrupt")

enum netcost_event {
#define X(id, name, key, title, doc) NETCOST_EV_##name = id,
	NETCOST_EVENTS(X)
#undef X
		NETCOST_EV_COUNT
};

#endif
