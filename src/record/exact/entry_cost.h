/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry_cost.h: measures the cost of entering and leaving a BPF program, for each method of attaching. The kernel's BPF
 * statistics (run_time_ns) measure the time between two clock readings around the program, so the cost of a run is
 *
 * 	run_time_ns / run_cnt - counted + entry
 *
 * `entry` is the time that an attached empty program adds to its event. The recorder measures `entry` once, in a loop
 * of a cheap event. This measurement is repeatable even on a busy host. ENTRY_ELSEWHERE scales `entry` to events with
 * other code between them. `counted` is the time that the statistics show for a run of the empty program: about one
 * clock reading. While the statistics are on, a run costs `statistics` in addition, for both clock readings and the
 * sums. `statistics` is never less than `counted`, so the sum of run_time_ns never exceeds the cost of these runs.
 *
 * The entry cost of a tracepoint of system calls includes the slower path that every system call takes while such a
 * tracepoint is in use.
 */
#ifndef NETCOST_ENTRY_COST_H
#define NETCOST_ENTRY_COST_H

#include <stdint.h>

struct bpf_program;

enum entry_kind {
	ENTRY_TRACEPOINT,
	ENTRY_SYSCALL,	/* sys_enter, sys_exit */
	ENTRY_FUNCTION, /* fentry, fexit */
	ENTRY_KPROBE,	/* kprobe, kretprobe */
	ENTRY_KINDS,
	ENTRY_NONE = ENTRY_KINDS /* the cost of a run has another source, or is unknown */
};

/* Costs in ns per run of a program. NaN: unknown. */
struct entry_cost {
	double entry[ENTRY_KINDS], ci95[ENTRY_KINDS];
	double counted, statistics;
};

struct entry_cost entry_cost_none(void); /* returns costs that are all NaN */
/*
 * Measures the entry costs. kinds is a bit mask of enum entry_kind. ENTRY_TRACEPOINT also measures `counted` and
 * `statistics`. bpf_fentry_test1 is the BTF id of that kernel function, or 0 if the function does not exist.
 */
void entry_cost_measure(struct entry_cost *c, unsigned int kinds, uint32_t bpf_fentry_test1);
enum entry_kind entry_kind_of(const struct bpf_program *prog);

#endif
