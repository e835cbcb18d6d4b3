/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_points.h: which tracepoints and functions tell of each stage of --stages, and which programs that takes. */
#ifndef NETCOST_STAGES_POINTS_H
#define NETCOST_STAGES_POINTS_H

#include <stdbool.h>

#include <netcost/stages.h>

struct btf_names;
struct source_point;

#define STAGES_HOOKS 5 /* of a stage, at most */

struct stages_points {
	int refused; /* why functions are not used: errno; 0: they are, where the kernel has them */
	int modules_refused;			   /* likewise, those of modules */
	unsigned int here[NETCOST_STAGE_COUNT];	   /* which of its hooks are: bits */
	unsigned int dropped[NETCOST_STAGE_COUNT]; /* likewise, by stages_points_drop() */
};

/* refused, modules_refused: as above. */
void stages_points_choose(struct stages_points *p, const struct btf_names *kernel, int refused,
			  int modules_refused);
/* It is not to be had after all. */
void stages_points_drop(struct stages_points *p, const char *function);
/* Is a function used? Is one of a module? */
bool stages_points_functions(const struct stages_points *p);
bool stages_points_modules(const struct stages_points *p, const struct btf_names *kernel);
/* Does it take the program of this tracepoint or function, and has the kernel that? */
bool stages_points_want(const struct stages_points *p, const char *name, bool function);
void stages_points_say(const struct stages_points *p, enum netcost_stage stage,
		       struct source_point *said);

#endif
