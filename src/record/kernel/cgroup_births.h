/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroup_births.h: the paths of cgroups that were made while we watch, also of those that are gone again. */
#ifndef NETCOST_CGROUP_BIRTHS_H
#define NETCOST_CGROUP_BIRTHS_H

#include <stddef.h>
#include <stdint.h>

#include "cgroup_hierarchy.h"

struct bpf_program;
struct cgroup_births;
struct tracing;

/* From now on, in that hierarchy. tracing: see probe_object.h. -errno: the kernel refuses the program; or -ENOMEM. */
int cgroup_births_new(struct cgroup_births **bp, enum cgroup_hierarchy is, struct tracing *tracing);
void cgroup_births_free(struct cgroup_births *b); /* takes NULL */

/* Our program, as long as we watch. */
const struct bpf_program *cgroup_births_program(const struct cgroup_births *b);
/* Empty: it was not seen to be made, or lately others were. */
void cgroup_births_find(const struct cgroup_births *b, uint64_t kernel, char *dst, size_t size);

#endif
