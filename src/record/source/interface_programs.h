/* SPDX-License-Identifier: BSD-2-Clause */
/* interface_programs.h: lists the TC programs of an interface of the recorder's own network namespace. */
#ifndef NETCOST_INTERFACE_PROGRAMS_H
#define NETCOST_INTERFACE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One side of an interface, with its attach points of programs: filters of clsact, and tcx. */
struct interface_side {
	const char *name; /* "tc ingress" */
	uint32_t parent;
	int tcx;
};

#define INTERFACE_SIDES 2

extern const struct interface_side interface_side[INTERFACE_SIDES];

/* Callback for a program. An id of 0 is a filter that is not a BPF program. */
typedef void interface_program_fn(void *ctx, uint32_t id);

/*
 * Lists the programs on one side of an interface. filters: the interface may have filters. Returns 0, or -errno if
 * listing failed.
 */
int interface_programs(int ifindex, const struct interface_side *side, bool filters,
		       interface_program_fn *fn, void *ctx);

#endif
