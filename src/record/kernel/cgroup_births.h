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
 * Starts watching that hierarchy. tracing: see probe_object.h. -errno: the kernel refuses the
 * program; or -ENOMEM.
 */
int cgroup_births_new(struct cgroup_births **bp, enum cgroup_hierarchy is, struct tracing *tracing);
void cgroup_births_free(struct cgroup_births *b); /* NULL is allowed */

/* Our program. */
const struct bpf_program *cgroup_births_program(const struct cgroup_births *b);
/* Becomes readable when a cgroup was created. */
int cgroup_births_fd(const struct cgroup_births *b);
/* Calls born() with the path of each cgroup that was created since the last call. */
void cgroup_births_take(struct cgroup_births *b, void (*born)(void *ctx, const char *path),
			void *ctx);
/* Empty: its creation was not seen, or too many others were created since. */
void cgroup_births_find(const struct cgroup_births *b, uint64_t kernel, char *dst, size_t size);

#endif
