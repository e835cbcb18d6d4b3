/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroups.h: maps the kernel's cgroup ids to dense ids with paths. */
#ifndef NETCOST_CGROUPS_H
#define NETCOST_CGROUPS_H

#include <netcost/reasons.h>

#include <stdbool.h>
#include <stdint.h>

#include "record/kernel/cgroup_hierarchy.h"

/* The reason why samples may have no cgroup. */
#define CGROUPS_ABSENT reason_cgroups_absent

struct bpf_program;
struct cgroups;
struct trace_writer;
struct tracing;

/* tasks: the hierarchy whose ids cgroups_task_id() takes. */
int cgroups_new(struct cgroups **cp, enum cgroup_hierarchy tasks);
void cgroups_free(struct cgroups *c); /* NULL is allowed */

/*
 * Turns on the lookup of names of containers in files of the host. `root` is the host's root folder. Returns 0 or
 * -errno.
 */
int cgroups_name(struct cgroups *c, const char *root);
/*
 * Watches for new cgroups of tasks, so that the path of a cgroup is known even if the cgroup is removed before its path
 * is looked up. Does not watch if the kernel refuses the program. Fails only with -ENOMEM.
 */
int cgroups_watch(struct cgroups *c, struct tracing *tracing);
/* Returns the program that watches for new cgroups. Returns NULL if new cgroups are not watched. */
const struct bpf_program *cgroups_program(const struct cgroups *c);

/*
 * Returns a descriptor that becomes readable when a cgroup was created. The cgroup's container can then be named while
 * the container still runs. Returns -1 if cgroups are not watched or c is NULL.
 */
int cgroups_births_fd(const struct cgroups *c);
void cgroups_births(struct cgroups *c);

/*
 * cgroups_via() returns how the paths of samples' cgroups are found. cgroups_why() returns why they are not found, or
 * "". The next two functions return the same for tasks' cgroups.
 */
const char *cgroups_via(const struct cgroups *c);
const char *cgroups_why(const struct cgroups *c);
const char *cgroups_tasks_via(const struct cgroups *c);
const char *cgroups_tasks_why(const struct cgroups *c);

/*
 * cgroups_id() takes the id of a cgroup in perf's samples, cgroups_task_id() the id of a cgroup in the programs. Both
 * return the dense id, or 0 if out of memory. The path is looked up when the cgroup is first seen.
 */
uint32_t cgroups_id(struct cgroups *c, uint64_t kernel);
uint32_t cgroups_task_id(struct cgroups *c, uint64_t kernel);
/* Stores the path of a new cgroup, because the cgroup may be removed before its path is looked up. */
void cgroups_made(struct cgroups *c, uint64_t kernel, const char *path);

/* Returns true if cgroups have no id because of ID_LIMIT_CGROUPS. */
bool cgroups_full(const struct cgroups *c);

int cgroups_write(struct cgroups *c, struct trace_writer *w);
/* Restarts the ids, because another file begins. Call it after everything that was seen has been written. */
void cgroups_again(struct cgroups *c);

#endif
