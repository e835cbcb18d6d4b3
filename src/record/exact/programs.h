/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h: what the recorder's own BPF programs cost and miss, as the kernel counts it, and what other BPF programs
 * cost (others.h). Misses are always counted. Runs and their time need BPF statistics, which cost two clock readings
 * per run: they are on for a small part of the recording, unless kernel.bpf_stats_enabled has them on anyway.
 */
#ifndef NETCOST_PROGRAMS_H
#define NETCOST_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

struct bpf_program;
struct entry_cost;
struct exact;
struct ladder;
struct probe_costs;
struct programs;
struct source_status;
struct trace_writer;

/* All of it belongs to the caller and must outlive struct programs. */
struct programs_host {
	const struct exact *exact;   /* its attached programs; NULL: none */
	const struct ladder *ladder; /* the choices for these programs */
	/* unknown entry costs are measured and stored here */
	struct entry_cost *entry;
	uint32_t bpf_fentry_test1;		/* see entry_cost_measure() */
	struct probe_costs *costs;		/* costs of probe classes are stored here */
	const struct bpf_program *const *other; /* further programs of the recorder; NULL: none */
	size_t nothers;
};

/* BPF statistics are on until the first programs_uncount(). 0 or -ENOMEM. */
int programs_new(struct programs **pp, const struct programs_host *host);
/*
 * Returns the start addresses of the functions of all programs; the caller frees *start. *n is 0 if
 * there are no programs or the kernel hides the addresses. 0 or -ENOMEM.
 */
int programs_functions(const struct programs *p, uint64_t **start, size_t *n);
void programs_free(struct programs *p); /* turns the statistics off; NULL is allowed */

void programs_status(const struct programs *p, struct source_status *st);
void programs_others_status(const struct programs *p, struct source_status *st);

/*
 * programs_define() writes the PROGRAM records when a file begins, and those of the other programs found so far.
 * programs_tick() writes PROGRAM_STATS at each tick, and changes of other programs. Negative: the writer's error.
 */
int programs_define(struct programs *p, struct trace_writer *w);
int programs_tick(struct programs *p, struct trace_writer *w);

/*
 * Statistics are on from programs_count() to programs_uncount(). NULL is allowed: no programs. Call
 * programs_uncount() before the last tick.
 */
void programs_count(struct programs *p);
void programs_uncount(struct programs *p);
/* Average cost of a run of the programs that follow packets, in ns while counted; NaN: unknown. NULL is allowed. */
double programs_path_ns(const struct programs *p);
/* Call occasionally in between: shows how much the programs' cost varies. */
void programs_look(struct programs *p);

#endif
