/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process_ids.h: dense ids for processes, each in a cgroup. One that has a new name or user, or a reused pid, gets a new id; so
 * may one that was not heard of for long.
 */
#ifndef NETCOST_PROCESS_IDS_H
#define NETCOST_PROCESS_IDS_H

#include <stdbool.h>
#include <stdint.h>

#define PROCESS_NAME 16 /* TASK_COMM_LEN */

struct process_ids;
struct trace_writer;

struct process {
	uint32_t pid, cgroup; /* 0: the idle tasks; not known */
	uint64_t start_ns;    /* 0: not known */
	bool kernel;
	bool ended; /* the name is the last one that it had, and the user */
	bool user_known;
	uint32_t user;		 /* its real user id, outside of all user namespaces */
	char name[PROCESS_NAME]; /* empty: not known */

	uint32_t id;
	/* the caller's: its row, if it was asked for in this round */
	uint32_t row;
	bool has_row;
	uint64_t round; /* our own: the last one in which it was asked for */
};

int process_ids_new(struct process_ids **ip);
void process_ids_free(struct process_ids *ids); /* takes NULL */

/* A tick: rows are of this one from here on, and processes that were not heard of lately may be forgotten. */
void process_ids_round(struct process_ids *ids);
/*
 * What is like that one, as far as that is known. It stays where it is until the next call. NULL: there is no room for
 * more, or no memory.
 */
struct process *process_ids_get(struct process_ids *ids, const struct process *like);

/* Whether processes have no id because of ID_LIMIT_PROCESSES. */
bool process_ids_full(const struct process_ids *ids);

/* pids: they are those that this process sees, otherwise they are left out. */
int process_ids_write(struct process_ids *ids, bool pids, struct trace_writer *w);
/* Another file begins: ids begin anew, and so have those of cgroups. All that was seen has been written. */
void process_ids_again(struct process_ids *ids);

#endif
