/* SPDX-License-Identifier: BSD-2-Clause */
/* tasks.h: maps thread ids to dense task ids. A thread with a new name or a reused tid gets a new id. */
#ifndef NETCOST_TASKS_H
#define NETCOST_TASKS_H

#include <stdbool.h>
#include <stdint.h>

struct tasks;
struct trace_writer;

int tasks_new(struct tasks **tp);
void tasks_free(struct tasks *t);

/*
 * Returns the id of thread tid of process tgid. When the thread is first seen, its name is read from /proc, and also
 * the name of the process's first thread, which is the process's name. Returns 0 if out of memory, or if there are too
 * many threads in this file.
 */
uint32_t tasks_id(struct tasks *t, uint32_t tgid, uint32_t tid);
/* Stores the new name of the thread (exec, prctl). */
void tasks_renamed(struct tasks *t, uint32_t tgid, uint32_t tid, const char *comm);
/* Notes that the thread has ended, so that its tid may be reused. */
void tasks_exited(struct tasks *t, uint32_t tid);

int tasks_write(struct tasks *t, struct trace_writer *w);
uint32_t tasks_count(const struct tasks *t);
/* Returns true if threads have no id because of ID_LIMIT_TASKS. */
bool tasks_full(const struct tasks *t);
/* Restarts the ids, because another file begins. Call it after everything that was seen has been written. */
void tasks_again(struct tasks *t);

#endif
