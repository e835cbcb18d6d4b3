/* SPDX-License-Identifier: BSD-2-Clause */
/* exact.h: the exact counters: loads and attaches the BPF programs, reads each CPU's state. */
#ifndef NETCOST_EXACT_H
#define NETCOST_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/events.h>
#include <netcost/parts.h>
#include <netcost/probes.h>

#define EXACT_UNKNOWN UINT64_MAX /* as TRACE_NIL */

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
 * One CPU, at the moment at_ns. Times in ns and offline_ns sum to at_ns minus the moment when counting began there.
 */
struct exact_reading {
	uint64_t at_ns; /* CLOCK_MONOTONIC; 0: the CPU has not been seen yet, nothing here is valid */
	uint64_t ns[NETCOST_EV_COUNT];
	uint64_t offline_ns; /* from the last switch before it went to the first one after it came back; and off_ns */
	uint64_t off_ns; /* nothing was attached */
	uint64_t calls[NETCOST_EV_COUNT], failed[NETCOST_EV_COUNT];
	uint64_t bytes[NETCOST_EV_COUNT];   /* EXACT_UNKNOWN: some call's were not counted */
	uint64_t packets[NETCOST_EV_COUNT]; /* that NAPI polled in it */
	uint64_t untracked;
	uint64_t sends_outside, recvs_outside, sends_inside, recvs_inside;

	/* The exclusive times sum to at most those of the RX softirq, busy polling and threads together. */
	uint64_t stage_ns[NETCOST_PART_COUNT], stage_total_ns[NETCOST_PART_COUNT];
	uint64_t stage_calls[NETCOST_PART_COUNT];
	uint64_t stages_missed, polls_outside;

	uint64_t runs_of[NETCOST_PROBE_COUNT][NETCOST_EV_COUNT]; /* of the programs: see wire.h */
	bool torn; /* the CPU never held still: parts may not belong together */
};

/* What is remembered of a CPU between two readings. */
struct exact_past {
	uint64_t looked; /* at which of its switches it was, see exact_look() */
	uint64_t gone_from; /* the beginning of the stay in which it was found offline; 0: it never was */
	uint64_t polls_ns, polls_total_ns; /* at the last reading: see exact_hold() */
};

/* Likewise, of one whose programs were detached for a while: since then its state counts from 0. */
struct exact_gap {
	struct exact_reading before; /* the last reading; at_ns 0: there was none */
	uint64_t attached_ns;	     /* when that was so again everywhere */
	uint64_t offline_ns, off_ns; /* of the gap, as soon as `known` */
	bool known;
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

/* How often each class of programs ran so far, on all CPUs and during all events. */
void exact_class_runs(const struct exact *e, uint64_t runs[NETCOST_PROBE_COUNT]);

/* Readings count from here on. Visits each CPU once, so that its state is known from the start. */
void exact_begin(struct exact *e, const struct cpuset *cpus);
/*
 * Detaches the probes, or makes them do nothing where detaching takes long; and attaches them again as exact_begin()
 * does. Counters go on as of the last reading before, the time in between is off_ns. What is counted between that reading
 * and the end of exact_off() is in nothing. On failure of exact_on(), with one line in why, they stay off. While they
 * are there are no readings.
 */
void exact_off(struct exact *e);
int exact_on(struct exact *e, const struct cpuset *cpus, char *why, size_t whysize);

/*
 * Readings of all CPUs: exact_look(), then see which CPUs are offline, then exact_read() for each. A CPU that
 * switched between the two was not offline, even if it seemed to be. False: none can be offline.
 */
bool exact_look(struct exact *e);
void exact_read(struct exact *e, unsigned int cpu, bool offline, struct exact_reading *r);

/* Whose the messages were that passed outside of every probe. */
struct outside *exact_outside(const struct exact *e);
/* What is counted by process; NULL: that was not asked for. */
struct processes *exact_processes(const struct exact *e);
/* Likewise, who receives. */
struct owners *exact_owners(const struct exact *e);

/* The arithmetic alone: a CPU's state as of `now`. */
void exact_derive(const struct netcost_cpu *c, struct exact_past *past, bool offline,
		  uint64_t now_ns, struct exact_reading *r);

/* A reading of a state that began at 0 after a gap, as one of all that was counted. */
void exact_go_on(struct exact_gap *gap, struct exact_reading *r);

/* Driver polls never shrink: time that turned out to be no poll is not taken back. */
void exact_hold(struct exact_past *past, struct exact_reading *r);

#endif
