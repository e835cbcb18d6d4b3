/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process_ids.h: dense ids for processes, each in a cgroup. A process with a new name or user, or
 * with a reused pid, gets a new id; so may one that was not seen for long.
 */
#ifndef NETCOST_PROCESS_IDS_H
#define NETCOST_PROCESS_IDS_H

#include <stdbool.h>
#include <stdint.h>

#define PROCESS_NAME 16 /* TASK_COMM_LEN */

struct process_ids;
struct trace_writer;

struct process {
	uint32_t pid, cgroup; /* 0: the idle tasks; unknown */
	uint64_t start_ns;    /* 0: unknown */
	bool kernel;
	bool ended; /* name and user are its last ones */
	bool user_known;
	uint32_t user;		 /* real uid in the initial user namespace */
	char name[PROCESS_NAME]; /* empty: unknown */

	uint32_t id;
	/* The caller's: its row, if requested in this round. */
	uint32_t row;
	bool has_row;
	uint64_t round; /* internal: the last round in which it was requested */
};

int process_ids_new(struct process_ids **ip);
void process_ids_free(struct process_ids *ids); /* NULL is allowed */

/* A new tick: rows belong to it, and processes not seen recently may be forgotten. */
void process_ids_round(struct process_ids *ids);
/*
 * Returns the process that matches `like`, as far as that is known. Valid until the next call.
 * NULL: no room for more, or out of memory.
 */
struct process *process_ids_get(struct process_ids *ids, const struct process *like);

/* Returns whether processes have no id because of ID_LIMIT_PROCESSES. */
bool process_ids_full(const struct process_ids *ids);

/* pids: they are valid in our pid namespace; otherwise they are omitted. */
int process_ids_write(struct process_ids *ids, bool pids, struct trace_writer *w);
/* Another file begins: ids restart, as those of cgroups did. Everything that was seen has been written. */
void process_ids_again(struct process_ids *ids);

#endif
