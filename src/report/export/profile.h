/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h: the contents of profiles of all formats: counts of identical samples, and their
 * weights. All samples of a CPU in a leaf have the same weight, so that the sum of their weights is
 * the leaf's measured time, which may be exact.
 */
#ifndef NETCOST_REPORT_PROFILE_H
#define NETCOST_REPORT_PROFILE_H

#include <netcost/idmap.h>

#include "export.h"
#include "report/analysis/functions.h"

#define PROFILE_UNKNOWN "[unknown]" /* name that is written for a function without a name */

/* ---- samples ----------------------------------------------------------------------------- */

struct sample_count {
	uint32_t stack, task, cgroup, piece;
	uint16_t cpu, class;
	uint32_t next; /* index of the next count with the same hash; 0 at the end of the chain */
	uint64_t samples;
};

struct sample_counts {
	struct sample_count *at; /* counts; at[0] is unused */
	size_t n, cap;
	struct idmap by_hash;
	unsigned int
		/* highest CPU number + 1; larger than cpu_end of the model if the model refused the last record */
		cpu_end;
	bool by_cpu; /* the counts are sorted by CPU first */
};

/* The properties that distinguish samples, in addition to stacks and CPUs. */
struct sample_apart {
	bool tasks;		      /* distinguishes tasks and cgroups */
	const struct intervals *rows; /* distinguishes intervals; NULL if each_ns is used */
	/*
	 * distinguishes intervals of length each_ns that begin at origin_ns; each_ns is 0: one interval for all times
	 */
	uint64_t origin_ns, each_ns;
};

/*
 * Looks for the first count at or after index `i` with an interval of at least v. If the counts are sorted by CPU
 * first, the CPU is used instead of the interval. Returns the index of the count, which is at most n + 1.
 */
size_t sample_counts_next(const struct sample_counts *c, size_t i, uint32_t v);

/* ---- weights ----------------------------------------------------------------------------- */

struct weight {
	double whole; /* total weight of all samples; NaN if it is unknown */
	uint64_t samples, weighed;
};

/*
 * Returns the weight of the next n samples as a whole number. The sum of the results is the total
 * weight.
 */
int64_t weight_take(struct weight *w, uint64_t n);

struct weights {
	struct weight (*cpu)[LEAF_COUNT]; /* weights in ns by CPU number and leaf */
	unsigned int ncpus;
	struct weight energy; /* weight in uJ of samples that are not idle */
};

/* ---- profiles ---------------------------------------------------------------------------- */

/* The state of the formats while the trace is read. */
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
	const struct sample_count *count; /* array of n counts */
	size_t n;
	struct weights weights;
	bool idle;		/* the profile includes idle time */
	uint64_t begin_real_ns; /* CLOCK_REALTIME of the start; 0 if it is unknown */
	double seconds;		/* length in seconds; NaN if it is unknown */
};

/* Writes a profile. Returns 0 or -ENOMEM. Errors of out are recorded in out. */
typedef int profile_write_fn(FILE *out, struct profile *p);

/*
 * Sets the samples and the time of the profile to those of the whole recording, and writes the profile. Returns the
 * result of write().
 */
int profile_write_all(struct profile *p, double uj, const struct export_target *to,
		      profile_write_fn *write);
/*
 * Sorts the samples and finds the functions, then calls `write`. Returns the result of write(), or
 * -ECANCELED if there are too many samples, which is reported.
 */
int profiler_write(struct profiler *p, const struct export_source *from,
		   const struct export_target *to, bool by_cpu,
		   int (*write)(struct profile *p, const struct export_target *to));
/*
 * Returns the number of a function's mapping: 1 for the kernel, higher numbers for modules, in the
 * order of their ids; 0 for user mode.
 */
uint64_t profile_mapping(const struct profile *p, uint32_t function);
#define PROFILE_NAME 300
/* Returns the name of a mapping, which may be written to `name`. */
const char *profile_mapping_name(const struct profile *p, uint64_t mapping,
				 char name[PROFILE_NAME]);
void profiler_free(struct exporter *e);

/*
 * For formats with time: identical samples of a CPU in the same slot of time are one count. Slots
 * begin at the first tick. Their length is a sampling period unless begin() sets apart.each_ns. While
 * there are more than `most` counts and slots are shorter than longest_ns, their length is doubled.
 * profiler_begin_slots() is a begin() of the watch.
 */
bool profiler_begin_slots(void *ctx, const struct intervals *iv);
int profiler_record_slots(struct profiler *p, const struct model *m, const struct trace_record *rec,
			  size_t most, uint64_t longest_ns);
/* Sets the length of slots if there were no samples. */
void profiler_find_slots(struct profiler *p, const struct model *m);

#endif
