/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup_births.h: records the paths of cgroups that are created during the recording, so that the paths are known even
 * if the cgroups are removed.
 */
#ifndef NETCOST_CGROUP_BIRTHS_H
#define NETCOST_CGROUP_BIRTHS_H

#include <stddef.h>
#include <stdint.h>

#include "cgroup_hierarchy.h"

struct bpf_program;
struct cgroup_births;
struct tracing;

/*
 * Starts watching the hierarchy. probe_object.h explains tracing. Returns -errno if the kernel refuses the program, or
 * -ENOMEM. cgroup_births_take() calls born() with the path of each new cgroup. born() returns 0.
 */
int cgroup_births_new(struct cgroup_births **bp, enum cgroup_hierarchy is, struct tracing *tracing,
		      int (*born)(void *ctx, void *path, size_t size), void *ctx);
void cgroup_births_free(struct cgroup_births *b); /* NULL is allowed */

/* Returns a descriptor that is readable when there are births to take. */
int cgroup_births_fd(const struct cgroup_births *b);
void cgroup_births_take(struct cgroup_births *b);

/* Returns the program that watches. */
const struct bpf_program *cgroup_births_program(const struct cgroup_births *b);
/*
 * Stores the path of a cgroup in dst. Stores "" if its creation was not seen, or if too many other cgroups were created
 * since then.
 */
void cgroup_births_find(const struct cgroup_births *b, uint64_t kernel, char *dst, size_t size);

#endif
