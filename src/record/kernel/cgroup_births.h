/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroup_births.h: the paths of cgroups that were created while we watch, even if they are gone. */
#ifndef NETCOST_CGROUP_BIRTHS_H
#define NETCOST_CGROUP_BIRTHS_H

#include <stddef.h>
#include <stdint.h>

#include "cgroup_hierarchy.h"

struct bpf_program;
struct cgroup_births;
struct tracing;

/*
 * Starts watching that hierarchy. tracing: see probe_object.h. -errno: the kernel refuses the program; or -ENOMEM.
 * born() gets the path of each new cgroup, from cgroup_births_take(), and returns 0.
 */
int cgroup_births_new(struct cgroup_births **bp, enum cgroup_hierarchy is, struct tracing *tracing,
		      int (*born)(void *ctx, void *path, size_t size), void *ctx);
void cgroup_births_free(struct cgroup_births *b); /* NULL is allowed */

/* The descriptor is readable when there are births to take. */
int cgroup_births_fd(const struct cgroup_births *b);
void cgroup_births_take(struct cgroup_births *b);

/* Our program. */
const struct bpf_program *cgroup_births_program(const struct cgroup_births *b);
/* Empty: its creation was not seen, or too many others were created since. */
void cgroup_births_find(const struct cgroup_births *b, uint64_t kernel, char *dst, size_t size);

#endif
