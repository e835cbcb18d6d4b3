/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * path_points.h: the tracepoints and functions by which each checkpoint is measured, and the programs that this needs.
 */
#ifndef NETCOST_PATH_POINTS_H
#define NETCOST_PATH_POINTS_H

#include <stdbool.h>

#include <netcost/latency.h>
#include <netcost/probe_of.h>
#include <netcost/stages.h>

struct btf_names;
struct checkpoint;
struct source_point;

/* What is known of a packet in addition to its network namespace, for --latency-only. */
enum {
	LATENCY_KNOWS_CGROUP = 1,
	LATENCY_KNOWS_QUEUE = 2,
	LATENCY_KNOWS_PROCESS = 4,
	LATENCY_KNOWS_INTERFACE = 8,
};

struct path_point {
	const struct checkpoint *way; /* the method; NULL: not measured, because … */
	const char *missing;	      /* … this hook of the best method is missing, or … */
	unsigned int unknown;	      /* … this is unknown, but selected by */
	unsigned int here;	      /* bit mask of the hooks of `way` in use */
	unsigned int dropped;	      /* bit mask of those that path_points_drop() has removed */
	const char *without;	      /* a missing hook that would be used as well; or NULL */
};

struct path_points {
	/* What is requested: latency, of packets for which LATENCY_KNOWS_* must be known; the tail; a sample. */
	bool latency, tail, sample;
	unsigned int asked;
	/*
	 * Errno if programs of all functions, of modules' functions, or of the tail were refused
	 * and are not used; otherwise 0.
	 */
	int refused, modules_refused, tail_refused;

	struct path_point latencies[NETCOST_LATENCY_COUNT], stages[NETCOST_STAGE_COUNT], of_tail;
};

/* Makes the choice for a kernel. */
void path_points_choose(struct path_points *p, const struct btf_names *kernel);
/* A function turned out to be unavailable for the sample. */
void path_points_drop(struct path_points *p, const char *function);

/* Returns whether a function is used; whether a module's function is. */
bool path_points_functions(const struct path_points *p);
bool path_points_modules(const struct path_points *p, const struct btf_names *kernel);
/* Returns whether the program of this tracepoint or function is used for latency or the tail; for the sample. */
bool path_points_counts(const struct path_points *p, const struct btf_names *kernel,
			const char *name, bool function);
bool path_points_follows(const struct path_points *p, const char *name, bool function);

bool path_points_measures(const struct path_points *p, enum netcost_latency hook);
bool path_points_measures_any(const struct path_points *p);
/* Returns whether that function measures the hook. */
bool path_points_by(const struct path_points *p, enum netcost_latency hook, const char *function);
void path_points_say(const struct path_points *p, enum netcost_of of, unsigned int number,
		     struct source_point *said);

#endif
