/* SPDX-License-Identifier: BSD-2-Clause */
/* interface_programs.h: TC programs of an interface of our own network namespace. */
#ifndef NETCOST_INTERFACE_PROGRAMS_H
#define NETCOST_INTERFACE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ways by which programs are attached to one side of an interface: filters of clsact, and tcx. */
struct interface_side {
	const char *name; /* "tc ingress" */
	uint32_t parent;
	int tcx;
};

#define INTERFACE_SIDES 2

extern const struct interface_side interface_side[INTERFACE_SIDES];

/* Called with each program; 0: a filter that is none. */
typedef void interface_program_fn(void *ctx, uint32_t id);

/* filters: it may have some. 0, or -errno of asking for those. */
int interface_programs(int ifindex, const struct interface_side *side, bool filters,
		       interface_program_fn *fn, void *ctx);

#endif
