/* SPDX-License-Identifier: BSD-2-Clause */
/* path_points.h: chooses the tracepoints and functions that measure each checkpoint, and the programs for them. */
#ifndef NETCOST_PATH_POINTS_H
#define NETCOST_PATH_POINTS_H

#include <stdbool.h>

#include <netcost/latency.h>
#include <netcost/probe_of.h>
#include <netcost/stages.h>

struct btf_names;
struct checkpoint;
struct source_point;

/* Facts that may be known about a packet in addition to its network namespace, for --latency-only. */
enum {
	LATENCY_KNOWS_CGROUP = 1,
	LATENCY_KNOWS_QUEUE = 2,
	LATENCY_KNOWS_PROCESS = 4,
	LATENCY_KNOWS_INTERFACE = 8,
};

struct path_point {
	/* the chosen method; NULL: the checkpoint is not measured, for the reason in `missing` or `unknown` */
	const struct checkpoint *way;
	const char *missing; /* a missing hook of the best method */
	/* bit mask of unknown facts by which the user selects packets */
	unsigned int unknown;
	unsigned int here; /* bit mask of the hooks of `way` in use */
	/* bit mask of the hooks of `way` that path_points_drop() has removed */
	unsigned int dropped;
	const char *without; /* a missing hook that would also be used; or NULL */
};

struct path_points {
	/*
	 * The requested measurements: latency, the tail, a sample. For latency, the facts in `asked` (LATENCY_KNOWS_*)
	 * must be known about a packet.
	 */
	bool latency, tail, sample;
	unsigned int asked;
	/*
	 * 0, or the errno with which the kernel refused the programs of all functions, of modules' functions, or of the
	 * tail. Refused programs are not used.
	 */
	int refused, modules_refused, tail_refused;

	struct path_point latencies[NETCOST_LATENCY_COUNT], stages[NETCOST_STAGE_COUNT], of_tail;
};

/* Chooses the methods for a kernel. */
void path_points_choose(struct path_points *p, const struct btf_names *kernel);
/* Removes a function from the sample's hooks, because it proved to be unavailable. */
void path_points_drop(struct path_points *p, const char *function);

/* Return whether any function is used, and whether any function of a module is used. */
bool path_points_functions(const struct path_points *p);
bool path_points_modules(const struct path_points *p, const struct btf_names *kernel);
/*
 * Return whether the program of this tracepoint or function is used: path_points_counts() for latency or the tail,
 * path_points_follows() for the sample.
 */
bool path_points_counts(const struct path_points *p, const struct btf_names *kernel,
			const char *name, bool function);
bool path_points_follows(const struct path_points *p, const char *name, bool function);

bool path_points_measures(const struct path_points *p, enum netcost_latency hook);
bool path_points_measures_any(const struct path_points *p);
/* Returns true if the function measures the hook. */
bool path_points_by(const struct path_points *p, enum netcost_latency hook, const char *function);
void path_points_say(const struct path_points *p, enum netcost_of of, unsigned int number,
		     struct source_point *said);

#endif
