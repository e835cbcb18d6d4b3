/* SPDX-License-Identifier: BSD-2-Clause */
/* exact.h: loads and attaches the BPF programs of the exact counters, and reads each CPU's state. */
#ifndef NETCOST_EXACT_H
#define NETCOST_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/events.h>
#include <netcost/parts.h>
#include <netcost/probes.h>

#define EXACT_UNKNOWN UINT64_MAX /* equal to TRACE_NIL */

struct attach;
struct exact;
struct ladder;
struct cpuset;
struct netcost_cpu;
struct netcost_selftest;
struct outside;
struct owners;
struct processes;
struct tracing;

/*
 * The counters of one CPU at the time at_ns. The times in ns and offline_ns sum to at_ns minus the time when counting
 * began on the CPU.
 */
struct exact_reading {
	/* CLOCK_MONOTONIC; 0: the CPU was not seen yet, and the other fields are invalid */
	uint64_t at_ns;
	uint64_t ns[NETCOST_EV_COUNT];
	/*
	 * offline time: from the CPU's last switch before it went offline to its first switch after it came back;
	 * includes off_ns
	 */
	uint64_t offline_ns;
	uint64_t off_ns; /* time during which the programs were detached */
	uint64_t calls[NETCOST_EV_COUNT], failed[NETCOST_EV_COUNT];
	/* bytes of each event; EXACT_UNKNOWN if the bytes of some calls were not counted */
	uint64_t bytes[NETCOST_EV_COUNT];
	uint64_t packets[NETCOST_EV_COUNT]; /* packets that NAPI polled during each event */
	uint64_t untracked;
	uint64_t sends_outside, recvs_outside, sends_inside, recvs_inside;

	/* The exclusive times sum to at most the time of the RX softirq, busy polling and NAPI threads. */
	uint64_t stage_ns[NETCOST_PART_COUNT], stage_total_ns[NETCOST_PART_COUNT];
	uint64_t stage_calls[NETCOST_PART_COUNT];
	uint64_t stages_missed, polls_outside;

	/* number of program runs, explained in wire.h */
	uint64_t runs_of[NETCOST_PROBE_COUNT][NETCOST_EV_COUNT];
	/* the CPU's state kept changing while it was read, so the values may be inconsistent */
	bool torn;
};

/* The part of a CPU's state that exact.c keeps between two readings. */
struct exact_past {
	uint64_t looked; /* number of the CPU's switches at exact_look() */
	/* start of the stopper thread's run in which the CPU was found offline; 0: never */
	uint64_t gone_from;
	uint64_t polls_ns, polls_total_ns; /* values of the last reading, for exact_hold() */
};

/*
 * The state of a CPU across a gap, a time when its programs were detached. After the gap the CPU's counters start at 0.
 */
struct exact_gap {
	/* last reading before the gap; its at_ns is 0 before the first reading */
	struct exact_reading before;
	uint64_t attached_ns;	     /* time when the programs were attached again on all CPUs */
	uint64_t offline_ns, off_ns; /* durations within the gap, valid if `known` is set */
	bool known;
};

/*
 * Loads and attaches the programs that the ladder chose. The programs start counting. For `refused`, see attach_new().
 * On failure, why holds one line and *ep is NULL.
 */
int exact_new(struct exact **ep, struct tracing *tracing, const struct ladder *ladder,
	      uint64_t *refused, char *why, size_t whysize);
void exact_free(struct exact *e); /* detaches the programs; NULL is allowed */

/* Returns the attached programs. */
const struct attach *exact_attached(const struct exact *e);
/* Returns true if the bytes of sendmmsg and recvmmsg are known. */
bool exact_counts_messages(const struct exact *e);
/* Returns the map of CPU states, for other programs. */
int exact_map_fd(const struct exact *e);
/*
 * Returns the map of timed interrupts by number (struct netcost_irq). The map is empty at first. Returns -1 if
 * interrupts are not timed.
 */
int exact_irqs_fd(const struct exact *e);

/* Counts the calling thread's operations until exact_selftest_end(). Returns NULL and sets errno on failure. */
volatile struct netcost_selftest *exact_selftest_begin(struct exact *e);
void exact_selftest_end(struct exact *e);

/* Stores the number of runs of each class of programs so far, over all CPUs and events. */
void exact_class_runs(const struct exact *e, uint64_t runs[NETCOST_PROBE_COUNT]);

/* Starts counting. Visits each CPU once, so that its state is known from the start. */
void exact_begin(struct exact *e, const struct cpuset *cpus);
/*
 * exact_off() detaches the probes, or disables those that take long to detach. exact_on() attaches them again and
 * starts counting as exact_begin() does. The counters continue from the last reading before exact_off(), and the time
 * without probes is off_ns. Counts between that reading and the end of exact_off() are discarded. If exact_on() fails,
 * it writes one line to why, and the probes stay off. There are no readings while the probes are off.
 */
void exact_off(struct exact *e);
int exact_on(struct exact *e, const struct cpuset *cpus, char *why, size_t whysize);

/*
 * To read all CPUs, call exact_look(), then find out which CPUs are offline, then call exact_read() for each CPU. A CPU
 * that switched between exact_look() and exact_read() was not offline, even if it appeared to be. exact_look() returns
 * false if no CPU can be offline.
 */
bool exact_look(struct exact *e);
void exact_read(struct exact *e, unsigned int cpu, bool offline, struct exact_reading *r);

/* Returns the processes whose messages the probes did not see (outside.h). */
struct outside *exact_outside(const struct exact *e);
/* Returns the counters by process. Returns NULL if --processes is off. */
struct processes *exact_processes(const struct exact *e);
/* Returns the receivers. Returns NULL if --owners is off. */
struct owners *exact_owners(const struct exact *e);

/* Derives a reading from a CPU's state as of now_ns. This is pure arithmetic. */
void exact_derive(const struct netcost_cpu *c, struct exact_past *past, bool offline,
		  uint64_t now_ns, struct exact_reading *r);

/*
 * Adds the values from before the gap to a reading that restarted at 0, so that *r covers the whole recording again.
 */
void exact_go_on(struct exact_gap *gap, struct exact_reading *r);

/*
 * Keeps the time of driver polls from decreasing. Time that was reported as poll time stays poll time even if it later
 * turns out to be other time.
 */
void exact_hold(struct exact_past *past, struct exact_reading *r);

#endif
