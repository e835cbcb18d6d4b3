/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * culprits.h: the activities of a CPU that can delay one of the slowest packets (record --tail).
 *
 * The numbers are written to traces, so they are never reused or changed.
 */
#ifndef NETCOST_CULPRITS_H
#define NETCOST_CULPRITS_H

/* 	id	ENUM		key			what it is */
#define NETCOST_CULPRITS(X)                                                                        \
	X(0, UNKNOWN, "unknown", "not known")                                                      \
	X(1, SOFTIRQ, "softirq",                                                                   \
	  "softirqs ran, for this packet or other packets; number: the vector")                    \
	X(2, INTERRUPT, "interrupt", "a hard interrupt's handler ran; number: the interrupt")      \
	X(3, TASK, "task", "a task ran; number: its scheduling policy in Linux")                   \
	X(4, IDLE, "idle", "the CPU was idle, or was waking up")                                   \
	X(5, MASKED, "interrupts-off",                                                             \
	  "a timer was late: interrupts were disabled, or a hypervisor had the CPU")               \
	X(6, READER, "reader-ran", "the packet's reader ran, but did other work")                  \
	X(7, LATE, "reader-late",                                                                  \
	  "the packet's reader slept, or was on another CPU, and was not woken")                   \
	X(8, WAKE, "idle-exit",                                                                    \
	  "the CPU was idle when work arrived, and had to wake up; number: the idle state")        \
	X(9, QUEUE, "queue", "other packets were ahead of the packet in a queue; number: the queue")

enum netcost_culprit {
#define X(id, name, key, what) NETCOST_CULPRIT_##name = id,
	NETCOST_CULPRITS(X)
#undef X
		NETCOST_CULPRIT_COUNT
};

/*
 * The queues in which a packet can wait.
 *
 * 	id	ENUM		key		what it is
 */
#define NETCOST_QUEUES(X)                                                                          \
	X(0, BACKLOG, "backlog", "packets that a CPU's RX softirq passes to the receive core")     \
	X(1, QDISC, "qdisc", "packets in the qdisc of a device")                                   \
	X(2, SOCKET, "socket", "packets in a socket, until a reader takes them")

enum netcost_queue {
#define X(id, name, key, what) NETCOST_QUEUE_##name = id,
	NETCOST_QUEUES(X)
#undef X
		NETCOST_QUEUE_COUNT
};

#endif
