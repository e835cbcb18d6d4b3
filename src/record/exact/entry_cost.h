/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry_cost.h: what the kernel needs to call a BPF program and to return from it, for each way of attaching one. The
 * kernel's statistics of BPF programs (run_time_ns) measure what lies between two readings of a clock around the program,
 * so the cost of a run is
 *
 *	run_time_ns / run_cnt - counted + entry
 *
 * entry: what an attached program that does nothing adds to the event that it is attached to. It is measured here, once, in
 * a loop of a cheap event, which is repeatable on a busy host, too; ENTRY_ELSEWHERE times that is what it takes where other
 * code runs between two events.
 * counted: what the statistics show for a run of that program: about one reading of their clock. While they are on, a run
 * costs `statistics` in addition: both readings, and the sums. That is never less than `counted`, so the sum of run_time_ns
 * is never more than the cost of these runs.
 *
 * The entry of a tracepoint of system calls includes the slower path that the kernel takes for every system call while
 * such a tracepoint is in use.
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
	ENTRY_NONE = ENTRY_KINDS /* the cost of a run is known in another way, or not at all */
};

/* In ns, of one program. NaN: not known. */
struct entry_cost {
	double entry[ENTRY_KINDS], ci95[ENTRY_KINDS];
	double counted, statistics;
};

struct entry_cost entry_cost_none(void); /* nothing is known */
/*
 * kinds: a set of enum entry_kind, as bits; ENTRY_TRACEPOINT measures `counted` and `statistics`, too. bpf_fentry_test1: the
 * id of that function in the kernel's BTF; 0: it has none.
 */
void entry_cost_measure(struct entry_cost *c, unsigned int kinds, uint32_t bpf_fentry_test1);
enum entry_kind entry_kind_of(const struct bpf_program *prog);

#endif
