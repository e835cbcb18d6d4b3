/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h: records the cost and the misses of the recorder's own BPF programs, as the kernel counts them, and the
 * cost of other BPF programs (others.h). The kernel always counts misses. The kernel counts runs and their time only
 * while BPF statistics are on. The statistics cost two clock readings per run. The recorder turns the statistics on for
 * a small part of the recording, unless kernel.bpf_stats_enabled keeps them on.
 */
#ifndef NETCOST_PROGRAMS_H
#define NETCOST_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

struct admin;
struct bpf_program;
struct entry_cost;
struct exact;
struct ladder;
struct probe_costs;
struct programs;
struct source_status;
struct trace_writer;

/* The inputs. All of them belong to the caller and must outlive struct programs. */
struct programs_host {
	struct admin *admin;	     /* admin.h */
	const struct exact *exact;   /* owner of the attached programs; NULL: none */
	const struct ladder *ladder; /* the choices for the attached programs */
	/* entry costs; programs_new() measures unknown entry costs */
	struct entry_cost *entry;
	uint32_t bpf_fentry_test1;		/* argument of entry_cost_measure() */
	struct probe_costs *costs;		/* receives the costs of probe classes */
	const struct bpf_program *const *other; /* further programs of the recorder; NULL: none */
	size_t nothers;
};

/* Turns BPF statistics on until the first programs_uncount(). Returns 0 or -ENOMEM. */
int programs_new(struct programs **pp, const struct programs_host *host);
/*
 * Stores the start addresses of the functions of all programs in *start, which the caller frees. *n is 0 if there are
 * no programs or the kernel hides the addresses. Returns 0 or -ENOMEM.
 */
int programs_functions(const struct programs *p, uint64_t **start, size_t *n);
void programs_free(struct programs *p); /* turns the statistics off; NULL is allowed */

void programs_status(const struct programs *p, struct source_status *st);
void programs_others_status(const struct programs *p, struct source_status *st);

/*
 * programs_define() writes the PROGRAM records when a file begins, including the other programs found so far.
 * programs_tick() writes PROGRAM_STATS at each tick, and changes of other programs. If the result of either function is
 * negative, it is the writer's error.
 */
int programs_define(struct programs *p, struct trace_writer *w);
int programs_tick(struct programs *p, struct trace_writer *w);

/*
 * programs_count() turns the statistics on, programs_uncount() turns them off. p may be NULL if there are no programs.
 * Call programs_uncount() before the last tick.
 */
void programs_count(struct programs *p);
void programs_uncount(struct programs *p);
/*
 * Returns the average cost in ns of a run of the programs that follow packets, measured while the statistics were on.
 * Returns NaN if the cost is unknown. p may be NULL.
 */
double programs_path_ns(const struct programs *p);
/*
 * Reads the statistics, to show how much the programs' cost varies. Call it occasionally while the statistics are on.
 */
void programs_look(struct programs *p);

#endif
