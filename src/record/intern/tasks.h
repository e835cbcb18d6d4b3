/* SPDX-License-Identifier: BSD-2-Clause */
/* tasks.h: maps thread ids to dense task ids. A renamed thread, or a reused tid, gets a new id. */
#ifndef NETCOST_TASKS_H
#define NETCOST_TASKS_H

#include <stdbool.h>
#include <stdint.h>

struct tasks;
struct trace_writer;

int tasks_new(struct tasks **tp);
void tasks_free(struct tasks *t);

/*
 * Returns the id of thread tid of process tgid. Its name is read from /proc when it is first seen, and with a process's
 * first thread the process's name. 0: out of memory, or too many threads in this file.
 */
uint32_t tasks_id(struct tasks *t, uint32_t tgid, uint32_t tid);
/* The thread has a new name (exec, prctl). */
void tasks_renamed(struct tasks *t, uint32_t tgid, uint32_t tid, const char *comm);
/* The thread is gone: its tid may be reused. */
void tasks_exited(struct tasks *t, uint32_t tid);

int tasks_write(struct tasks *t, struct trace_writer *w);
uint32_t tasks_count(const struct tasks *t);
/* Returns whether threads have no id because of ID_LIMIT_TASKS. */
bool tasks_full(const struct tasks *t);
/* Another file begins: ids restart. Everything that was seen has been written. */
void tasks_again(struct tasks *t);

#endif
