/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroups.h: the kernel's cgroup ids to dense ids with paths. */
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

/* `tasks`: whose ids cgroups_task_id() takes. */
int cgroups_new(struct cgroups **cp, enum cgroup_hierarchy tasks);
void cgroups_free(struct cgroups *c); /* takes NULL */

/*
 * Of tasks' cgroups that are made from now on the path is known also if they are gone when it is looked for; where programs
 * are refused, it is not. Only -ENOMEM fails.
 */
int cgroups_watch(struct cgroups *c, struct tracing *tracing);
/* What watches; NULL: nothing does. */
const struct bpf_program *cgroups_program(const struct cgroups *c);

/* How paths of samples' are found; why not, or empty. Likewise of tasks'. */
const char *cgroups_via(const struct cgroups *c);
const char *cgroups_why(const struct cgroups *c);
const char *cgroups_tasks_via(const struct cgroups *c);
const char *cgroups_tasks_why(const struct cgroups *c);

/*
 * The id of the one that perf calls `kernel`, and of the one that the programs do; its path is looked for when first seen.
 * 0: no memory.
 */
uint32_t cgroups_id(struct cgroups *c, uint64_t kernel);
uint32_t cgroups_task_id(struct cgroups *c, uint64_t kernel);
/* It was made just now, with that path: it may be gone when it is looked for. */
void cgroups_made(struct cgroups *c, uint64_t kernel, const char *path);

/* Whether cgroups have no id because of ID_LIMIT_CGROUPS. */
bool cgroups_full(const struct cgroups *c);

int cgroups_write(struct cgroups *c, struct trace_writer *w);
/* Another file begins: ids begin anew. All that was seen has been written. */
void cgroups_again(struct cgroups *c);

#endif
