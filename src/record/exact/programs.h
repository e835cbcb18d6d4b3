/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h: what the recorder's own BPF programs cost and miss, as the kernel counts it, and what the host's others
 * cost (others.h).
 * Misses are counted always. Runs and their time need BPF statistics, which cost two readings of
 * a clock a run: they are on for a small part of the recording, unless kernel.bpf_stats_enabled
 * has them on anyway.
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

/* All of it stays the caller's and must live as long. */
struct programs_host {
	const struct exact *exact;		/* its attached programs; NULL: there are none */
	const struct ladder *ladder;		/* what was chosen for them */
	struct entry_cost *entry;		/* what is not known of it yet is measured */
	uint32_t bpf_fentry_test1;		/* see entry_cost_measure() */
	struct probe_costs *costs;		/* what is found out of classes of probes */
	const struct bpf_program *const *other; /* other programs; NULL: none */
	size_t nothers;
};

/* The statistics are on from here to the first programs_uncount(). 0 or -ENOMEM. */
int programs_new(struct programs **pp, const struct programs_host *host);
/*
 * Returns the start addresses of the functions of all programs; the caller frees *start. *n is 0 if there are no programs or
 * the kernel hides the addresses. 0 or -ENOMEM.
 */
int programs_functions(const struct programs *p, uint64_t **start, size_t *n);
void programs_free(struct programs *p); /* takes NULL; turns the statistics off */

void programs_status(const struct programs *p, struct source_status *st);
void programs_others_status(const struct programs *p, struct source_status *st);

/*
 * When a file begins, the records PROGRAM, and those of others that were found so far; then at each tick PROGRAM_STATS, and
 * what is new of others. Negative: the writer's error.
 */
int programs_define(struct programs *p, struct trace_writer *w);
int programs_tick(struct programs *p, struct trace_writer *w);

/* The statistics are on from the one to the other. Take NULL: there are no programs. Before the last tick: uncount. */
void programs_count(struct programs *p);
void programs_uncount(struct programs *p);
/* What a run of the programs that follow packets cost, on average, while that was counted; NaN: not known. Takes NULL. */
double programs_path_ns(const struct programs *p);
/* Now and then in between: of how much what they cost varies. */
void programs_look(struct programs *p);

#endif
