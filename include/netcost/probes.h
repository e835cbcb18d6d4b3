/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.h: classes of runs of the recorder's own programs. A class is defined by the trigger of the run. The programs
 * count the runs of each class by the event during which they ran (bpf/wire.h). The mean cost of a run is measured
 * during the recording (src/record/exact/probe_cost.h).
 *
 * The numbers are written to traces, so they are never reused or changed.
 *
 * 	id	ENUM		key		title				what one run is
 */
#ifndef NETCOST_PROBES_H
#define NETCOST_PROBES_H

#define NETCOST_PROBES(X)                                                                          \
	X(0, SYSCALL, "syscall", "system calls",                                                   \
	  "a system call with the method tracepoint, including the kernel's slower entry path")    \
	X(1, LOOK, "look", "other descriptors",                                                    \
	  "in older traces: additional cost of a system call without a socket")                    \
	X(2, OPERATION, "operation", "socket operations", "additional cost of a socket operation") \
	X(3, MESSAGE, "message", "messages", "a message: sock_send_length, sock_recv_length")      \
	X(4, FUNCTION, "function", "inner functions",                                              \
	  "a call of a hooked function inside another operation: entry and exit probe")            \
	X(5, SWITCH, "switch", "switches", "a context switch")                                     \
	X(6, STORAGE, "storage", "switched operations",                                            \
	  "in older traces: additional cost of reading a task's state at a context switch")        \
	X(7, SOFTIRQ, "softirq", "network softirqs",                                               \
	  "NET_RX_SOFTIRQ or NET_TX_SOFTIRQ: start and end")                                       \
	X(8, OTHER_SOFTIRQ, "other_softirq", "other softirqs",                                     \
	  "a softirq of another vector: start and end")                                            \
	X(9, HARDIRQ, "hardirq", "interrupts of network devices",                                  \
	  "a handler of an interface's interrupt: start and end")                                  \
	X(10, OTHER_HARDIRQ, "other_hardirq", "other interrupts",                                  \
	  "a handler of another device's interrupt: start and end")                                \
	X(11, STAGE, "stage", "parts of the RX softirq",                                           \
	  "a part of the RX softirq: start and end")                                               \
	X(12, SAMPLE, "sample", "samples",                                                         \
	  "a sample: the interrupt, including the hypervisor's part")                              \
	X(13, OWNERS, "owners", "owners of packets", "a program of --owners")

enum netcost_probe {
#define X(id, name, key, title, doc) NETCOST_PROBE_##name = id,
	NETCOST_PROBES(X)
#undef X
#define X(...) +1
		NETCOST_PROBE_COUNT = 0 NETCOST_PROBES(X)
#undef X
};

#endif
