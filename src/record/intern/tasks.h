/* SPDX-License-Identifier: BSD-2-Clause */
/* tasks.h: thread ids to dense task ids. A thread that changes its name, or a reused tid, gets a new id. */
#ifndef NETCOST_TASKS_H
#define NETCOST_TASKS_H

#include <stdbool.h>
#include <stdint.h>

struct tasks;
struct trace_writer;

int tasks_new(struct tasks **tp);
void tasks_free(struct tasks *t);

/*
 * The id of thread tid of process tgid; its name is read from /proc when first seen, and with the first of a
 * process the name of that. 0: no memory, or too many threads in this file.
 */
uint32_t tasks_id(struct tasks *t, uint32_t tgid, uint32_t tid);
/* The thread has a new name from now on (exec, prctl). */
void tasks_renamed(struct tasks *t, uint32_t tgid, uint32_t tid, const char *comm);
/* The thread is gone: its tid may come back as another. */
void tasks_exited(struct tasks *t, uint32_t tid);

int tasks_write(struct tasks *t, struct trace_writer *w);
uint32_t tasks_count(const struct tasks *t);
/* Whether threads have no id because of ID_LIMIT_TASKS. */
bool tasks_full(const struct tasks *t);
/* Another file begins: ids begin anew. All that was seen has been written. */
void tasks_again(struct tasks *t);

#endif
