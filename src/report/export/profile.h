/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h: what profiles are made of, whatever their format: samples that are alike in all that it says of them, counted,
 * and what they stand for. Of a CPU's time in a leaf each of the leaf's samples there has as much as another. So the samples
 * of a leaf weigh what it took by all that was measured, exact times among them.
 */
#ifndef NETCOST_REPORT_PROFILE_H
#define NETCOST_REPORT_PROFILE_H

#include <netcost/idmap.h>

#include "export.h"
#include "report/analysis/functions.h"

#define PROFILE_UNKNOWN "[unknown]" /* a function without a name */

/* ---- samples ----------------------------------------------------------------------------- */

struct sample_count {
	uint32_t stack, task, cgroup, piece;
	uint16_t cpu, class;
	uint32_t next; /* of the same hash; 0: none */
	uint64_t samples;
};

struct sample_counts {
	struct sample_count *at; /* at[0] is none */
	size_t n, cap;
	struct idmap by_hash;
	unsigned int
		cpu_end; /* highest CPU number + 1; a model may know fewer, if it refused the last record */
	bool by_cpu; /* how they are sorted */
};

/* What is told apart, beside stacks and CPUs. */
struct sample_apart {
	bool tasks;		      /* tasks and cgroups */
	const struct intervals *rows; /* pieces of time; NULL: … */
	uint64_t origin_ns, each_ns;  /* … those of this length; 0: none */
};

void sample_counts_free(struct sample_counts *c);
/* Those of a SAMPLES that the filter takes, and that are in a piece. -ENOMEM. */
int sample_counts_add(struct sample_counts *c, const struct model *m,
		      const struct trace_record *rec, const struct sample_apart *apart);
/* Of two pieces each becomes one, 0 and 1 the first. -ENOMEM. */
int sample_counts_join(struct sample_counts *c);
/* By piece, CPU, and the rest; or by CPU first. Nothing can be added after that. */
void sample_counts_sort(struct sample_counts *c, bool by_cpu);
/* After sorting: the first one from `i` on whose piece, or CPU, is not below v; at most n + 1. */
size_t sample_counts_next(const struct sample_counts *c, size_t i, uint32_t v);

/* ---- weights ----------------------------------------------------------------------------- */

struct weight {
	double whole; /* what all samples weigh together; NaN: not known */
	uint64_t samples, weighed;
};

/* What the next n of the samples weigh, in whole numbers: those of all samples sum to the whole. */
int64_t weight_take(struct weight *w, uint64_t n);

struct weights {
	struct weight (*cpu)[LEAF_COUNT]; /* of each CPU, by number, in ns */
	unsigned int ncpus;
	struct weight energy; /* in uJ, over samples that are not idle */
};

/* ---- profiles ---------------------------------------------------------------------------- */

/* What the formats keep while the trace is read. */
struct profiler {
	struct exporter e;
	struct sample_counts counts;
	struct sample_apart apart;
	bool begun, too_many;
};

/* What a profile is of. */
struct profile {
	struct profiler *from;
	const struct export_source *source;
	const struct model *m;
	const struct functions *functions;
	const struct sample_count *count; /* n of them */
	size_t n;
	struct weights weights;
	bool idle;		/* with idle time */
	uint64_t begin_real_ns; /* 0: not known */
	double seconds;		/* NaN: likewise */
};

/* -ENOMEM; errors of out stay with out. */
typedef int profile_write_fn(FILE *out, struct profile *p);

/* Writes a profile to a file, with the times of a split. uj: the energy of all samples; NaN: not known. Returns as write(). */
int profile_write(struct profile *p, const struct split *split, double uj,
		  const struct export_target *to, size_t number, profile_write_fn *write);
/* Writes the profile of all that was recorded: sets its samples and its time. Returns as write(). */
int profile_write_all(struct profile *p, double uj, const struct export_target *to,
		      profile_write_fn *write);
/* Sorts the samples and finds the functions, then calls `write`. Returns as write(). */
int profiler_write(struct profiler *p, const struct export_source *from,
		   const struct export_target *to, bool by_cpu,
		   int (*write)(struct profile *p, const struct export_target *to));
void profiler_free(struct exporter *e);

#endif
