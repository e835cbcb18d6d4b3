/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h: the contents of profiles of all formats: counts of identical samples, and the weight
 * of samples. All samples of a CPU in a leaf have the same weight, so that together they have the
 * leaf's measured time, including exact times.
 */
#ifndef NETCOST_REPORT_PROFILE_H
#define NETCOST_REPORT_PROFILE_H

#include <netcost/idmap.h>

#include "export.h"
#include "report/analysis/functions.h"

#define PROFILE_UNKNOWN "[unknown]" /* name of a function without a name */

/* ---- samples ----------------------------------------------------------------------------- */

struct sample_count {
	uint32_t stack, task, cgroup, piece;
	uint16_t cpu, class;
	uint32_t next; /* chain of counts with the same hash; 0: end */
	uint64_t samples;
};

struct sample_counts {
	struct sample_count *at; /* at[0] is unused */
	size_t n, cap;
	struct idmap by_hash;
	unsigned int
		/* highest CPU number + 1; a model may have fewer if it refused the last record */
		cpu_end;
	bool by_cpu; /* sort order */
};

/* What distinguishes samples, in addition to stacks and CPUs. */
struct sample_apart {
	bool tasks;		      /* tasks and cgroups */
	const struct intervals *rows; /* intervals; NULL: see each_ns */
	uint64_t origin_ns, each_ns;  /* intervals of this length; 0: none */
};

void sample_counts_free(struct sample_counts *c);
/* Adds the samples of a SAMPLES record that the filter selects and that are in an interval. -ENOMEM. */
int sample_counts_add(struct sample_counts *c, const struct model *m,
		      const struct trace_record *rec, const struct sample_apart *apart);
/* Merges pairs of intervals: 0 and 1 become the first one. -ENOMEM. */
int sample_counts_join(struct sample_counts *c);
/* Sorts by interval, then CPU, then the rest; or by CPU first. Nothing can be added afterwards. */
void sample_counts_sort(struct sample_counts *c, bool by_cpu);
/* After sorting: returns the first count from `i` on whose interval, or CPU, is at least v; at most n + 1. */
size_t sample_counts_next(const struct sample_counts *c, size_t i, uint32_t v);

/* ---- weights ----------------------------------------------------------------------------- */

struct weight {
	double whole; /* total weight of all samples; NaN: unknown */
	uint64_t samples, weighed;
};

/* Returns the weight of the next n samples as a whole number; these numbers sum to the total. */
int64_t weight_take(struct weight *w, uint64_t n);

struct weights {
	struct weight (*cpu)[LEAF_COUNT]; /* by CPU number, in ns */
	unsigned int ncpus;
	struct weight energy; /* in uJ, over samples that are not idle */
};

/* ---- profiles ---------------------------------------------------------------------------- */

/* State of the formats while the trace is read. */
struct profiler {
	struct exporter e;
	struct sample_counts counts;
	struct sample_apart apart;
	bool begun, too_many;
};

/* The data of a profile. */
struct profile {
	struct profiler *from;
	const struct export_source *source;
	const struct model *m;
	const struct functions *functions;
	const struct sample_count *count; /* n elements */
	size_t n;
	struct weights weights;
	bool idle;		/* include idle time */
	uint64_t begin_real_ns; /* 0: unknown */
	double seconds;		/* NaN: unknown */
};

/* Returns 0 or -ENOMEM; errors of out are recorded in out. */
typedef int profile_write_fn(FILE *out, struct profile *p);

/*
 * Writes a profile to a file, with the times of a split. uj: the energy of all samples; NaN:
 * unknown. Returns as write().
 */
int profile_write(struct profile *p, const struct split *split, double uj,
		  const struct export_target *to, size_t number, profile_write_fn *write);
/* Writes the profile of the whole recording: sets its samples and its time. Returns as write(). */
int profile_write_all(struct profile *p, double uj, const struct export_target *to,
		      profile_write_fn *write);
/* Sorts the samples and finds the functions, then calls `write`. Returns as write(). */
int profiler_write(struct profiler *p, const struct export_source *from,
		   const struct export_target *to, bool by_cpu,
		   int (*write)(struct profile *p, const struct export_target *to));
void profiler_free(struct exporter *e);

#endif
