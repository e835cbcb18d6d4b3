/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroups.h: maps the kernel's cgroup ids to dense ids with paths. */
#ifndef NETCOST_CGROUPS_H
#define NETCOST_CGROUPS_H

#include <netcost/reasons.h>

#include <stdbool.h>
#include <stdint.h>

#include "record/kernel/cgroup_hierarchy.h"

/* Why samples may have no cgroup. */
#define CGROUPS_ABSENT reason_cgroups_absent

struct bpf_program;
struct cgroups;
struct trace_writer;
struct tracing;

/* tasks: the hierarchy of the ids that cgroups_task_id() takes. */
int cgroups_new(struct cgroups **cp, enum cgroup_hierarchy tasks);
void cgroups_free(struct cgroups *c); /* NULL is allowed */

/* Names containers, by the files below that folder, where the host's root is. -errno. */
int cgroups_name(struct cgroups *c, const char *root);
/*
 * Watches for new cgroups of tasks: their paths are known even if they are gone when looked up. If
 * programs are refused, it does not watch. Fails only with -ENOMEM.
 */
int cgroups_watch(struct cgroups *c, struct tracing *tracing);
/* The program that watches; NULL: none. */
const struct bpf_program *cgroups_program(const struct cgroups *c);

/*
 * Becomes readable when a cgroup was created, to name its container while the container lives; -1: not watched, or c is
 * NULL.
 */
int cgroups_births_fd(const struct cgroups *c);
void cgroups_births(struct cgroups *c);

/* How the paths of samples' cgroups are found; why they are not, or empty. The same for tasks' cgroups. */
const char *cgroups_via(const struct cgroups *c);
const char *cgroups_why(const struct cgroups *c);
const char *cgroups_tasks_via(const struct cgroups *c);
const char *cgroups_tasks_why(const struct cgroups *c);

/*
 * Return the id of a cgroup, by its id in perf's samples and in the programs. Its path is looked up
 * when it is first seen. 0: out of memory.
 */
uint32_t cgroups_id(struct cgroups *c, uint64_t kernel);
uint32_t cgroups_task_id(struct cgroups *c, uint64_t kernel);
/* A cgroup was created with that path, and may be gone when it is looked up. */
void cgroups_made(struct cgroups *c, uint64_t kernel, const char *path);

/* Returns whether cgroups have no id because of ID_LIMIT_CGROUPS. */
bool cgroups_full(const struct cgroups *c);

int cgroups_write(struct cgroups *c, struct trace_writer *w);
/* Another file begins: ids restart. Everything that was seen has been written. */
void cgroups_again(struct cgroups *c);

#endif
