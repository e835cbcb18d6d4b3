/* SPDX-License-Identifier: BSD-2-Clause */
/* exact.h: the exact counters: loads and attaches the BPF programs, reads each CPU's state. */
#ifndef NETCOST_EXACT_H
#define NETCOST_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/events.h>
#include <netcost/parts.h>

#define EXACT_UNKNOWN UINT64_MAX /* as TRACE_NIL */

struct attach;
struct exact;
struct ladder;
struct cpuset;
struct netcost_cpu;
struct netcost_selftest;
struct outside;
struct tracing;

/*
 * One CPU, at the moment at_ns. Times in ns and offline_ns sum to at_ns minus the moment when counting began there.
 */
struct exact_reading {
	uint64_t at_ns; /* CLOCK_MONOTONIC; 0: the CPU has not been seen yet, nothing here is valid */
	uint64_t ns[NETCOST_EV_COUNT];
	uint64_t offline_ns; /* from the last switch before it went to the first one after it came back */
	uint64_t calls[NETCOST_EV_COUNT], failed[NETCOST_EV_COUNT];
	uint64_t bytes[NETCOST_EV_COUNT]; /* EXACT_UNKNOWN: some call's were not counted */
	uint64_t untracked;
	uint64_t sends_outside, recvs_outside, sends_inside, recvs_inside;

	/* The exclusive times sum to at most those of the RX softirq, busy polling and threads together. */
	uint64_t stage_ns[NETCOST_PART_COUNT], stage_total_ns[NETCOST_PART_COUNT];
	uint64_t stage_calls[NETCOST_PART_COUNT];
	uint64_t stages_missed, polls_outside;
	bool torn; /* the CPU never held still: parts may not belong together */
};

/* What is remembered of a CPU between two readings. */
struct exact_past {
	uint64_t looked; /* at which of its switches it was, see exact_look() */
	uint64_t gone_from; /* the beginning of the stay in which it was found offline; 0: it never was */
	uint64_t polls_ns, polls_total_ns; /* at the last reading: see exact_hold() */
};

/*
 * Loads and attaches what the ladder chose: from here on it counts. refused: see attach_new(). why: on failure, one
 * line; *ep is NULL then.
 */
int exact_new(struct exact **ep, struct tracing *tracing, const struct ladder *ladder,
	      uint64_t *refused, char *why, size_t whysize);
void exact_free(struct exact *e); /* detaches; takes NULL */

/* What is attached. */
const struct attach *exact_attached(const struct exact *e);
/* The bytes of sendmmsg and recvmmsg are known. */
bool exact_counts_messages(const struct exact *e);
/* The map of the CPUs' states, for other programs. */
int exact_map_fd(const struct exact *e);
/* The map of the interrupts that are timed, by number (struct netcost_irq), still empty; -1: none are. */
int exact_irqs_fd(const struct exact *e);

/* What the calling thread's operations are counted as until the end; NULL with errno: not possible. */
volatile struct netcost_selftest *exact_selftest_begin(struct exact *e);
void exact_selftest_end(struct exact *e);

/* Readings count from here on. Visits each CPU once, so that its state is known from the start. */
void exact_begin(struct exact *e, const struct cpuset *cpus);
/*
 * Readings of all CPUs: exact_look(), then see which CPUs are offline, then exact_read() for each. A CPU that
 * switched between the two was not offline, even if it seemed to be. False: none can be offline.
 */
bool exact_look(struct exact *e);
void exact_read(struct exact *e, unsigned int cpu, bool offline, struct exact_reading *r);

/* Whose the messages were that passed outside of every probe. */
struct outside *exact_outside(const struct exact *e);

/* The arithmetic alone: a CPU's state as of `now`. */
void exact_derive(const struct netcost_cpu *c, struct exact_past *past, bool offline,
		  uint64_t now_ns, struct exact_reading *r);

/* Driver polls never shrink: time that turned out to be no poll is not taken back. */
void exact_hold(struct exact_past *past, struct exact_reading *r);

#endif
