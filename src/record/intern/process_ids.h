/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process_ids.h: assigns dense ids to processes, each in a cgroup. A process with a new name or user, or with a reused
 * pid, gets a new id. A process that was not seen for a long time may get a new id, too.
 */
#ifndef NETCOST_PROCESS_IDS_H
#define NETCOST_PROCESS_IDS_H

#include <stdbool.h>
#include <stdint.h>

#define PROCESS_NAME 16 /* TASK_COMM_LEN */

struct process_ids;
struct trace_writer;

struct process {
	uint32_t pid, cgroup; /* pid 0: the idle tasks; cgroup 0: unknown */
	uint64_t start_ns;    /* 0: unknown */
	bool kernel;
	bool ended; /* the process has ended, so name and user will not change */
	bool user_known;
	uint32_t user;		 /* real uid in the initial user namespace */
	char name[PROCESS_NAME]; /* empty: unknown */

	uint32_t id;
	/* The caller's row of the process, if the caller requested one in this round. */
	uint32_t row;
	bool has_row;
	uint64_t round; /* internal: the last round in which the process was requested */
};

int process_ids_new(struct process_ids **ip);
void process_ids_free(struct process_ids *ids); /* NULL is allowed */

/* Begins a new tick. The rows belong to this tick, and processes not seen recently may be forgotten. */
void process_ids_round(struct process_ids *ids);
/*
 * Returns the process that matches the known fields of `like`. The result is valid until the next call. Returns NULL if
 * there is no room for more processes, or if out of memory.
 */
struct process *process_ids_get(struct process_ids *ids, const struct process *like);

/* Returns true if processes have no id because of ID_LIMIT_PROCESSES. */
bool process_ids_full(const struct process_ids *ids);

/* pids: process ids are valid in the recorder's pid namespace; otherwise they are not written. */
int process_ids_write(struct process_ids *ids, bool pids, struct trace_writer *w);
/*
 * Restarts the ids, because another file begins. Call it after the ids of cgroups were restarted, and after everything
 * that was seen has been written.
 */
void process_ids_again(struct process_ids *ids);

#endif
