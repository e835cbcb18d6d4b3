/* SPDX-License-Identifier: BSD-2-Clause */
/* path_points.h: by which tracepoints and functions each checkpoint of packets is measured, and which programs that takes. */
#ifndef NETCOST_PATH_POINTS_H
#define NETCOST_PATH_POINTS_H

#include <stdbool.h>

#include <netcost/latency.h>
#include <netcost/probe_of.h>
#include <netcost/stages.h>

struct btf_names;
struct checkpoint;
struct source_point;

/* What is known of a packet besides its network namespace, and --latency-only may ask for. */
enum {
	LATENCY_KNOWS_CGROUP = 1,
	LATENCY_KNOWS_QUEUE = 2,
	LATENCY_KNOWS_PROCESS = 4,
	LATENCY_KNOWS_INTERFACE = 8,
};

struct path_point {
	const struct checkpoint *way; /* how it is measured; NULL: it is not, for lack of … */
	const char *missing;	      /* … this, which the best way needs, or … */
	unsigned int unknown;	      /* … of this, which is asked for */
	unsigned int here;	      /* which hooks of `way` are used: bits */
	unsigned int dropped;	      /* likewise, those that path_points_drop() has taken away */
	const char *without; /* a hook that would be used, too, if it were there; or NULL */
};

struct path_points {
	/* What is asked for: latency, of packets of which LATENCY_KNOWS_*; the tail; a sample. */
	bool latency, tail, sample;
	unsigned int asked;
	/* Programs of all functions, of modules' functions, of the tail are not used, as they were refused: errno; 0: not so. */
	int refused, modules_refused, tail_refused;

	struct path_point latencies[NETCOST_LATENCY_COUNT], stages[NETCOST_STAGE_COUNT], of_tail;
};

/* Chooses, for a kernel. */
void path_points_choose(struct path_points *p, const struct btf_names *kernel);
/* A function is not available for the sample after all. */
void path_points_drop(struct path_points *p, const char *function);

/* Is a function used? Is one of a module? */
bool path_points_functions(const struct path_points *p);
bool path_points_modules(const struct path_points *p, const struct btf_names *kernel);
/* Is the program of this tracepoint or function used for latency and the tail? For the sample? */
bool path_points_counts(const struct path_points *p, const struct btf_names *kernel,
			const char *name, bool function);
bool path_points_follows(const struct path_points *p, const char *name, bool function);

bool path_points_measures(const struct path_points *p, enum netcost_latency hook);
bool path_points_measures_any(const struct path_points *p);
/* Is it measured by that function? */
bool path_points_by(const struct path_points *p, enum netcost_latency hook, const char *function);
void path_points_say(const struct path_points *p, enum netcost_of of, unsigned int number,
		     struct source_point *said);

#endif
