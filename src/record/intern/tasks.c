// SPDX-License-Identifier: BSD-2-Clause
#include "tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/idmap.h>
#include <netcost/trace.h>

#include "id_limits.h"

#define COMM_LEN 16 /* TASK_COMM_LEN */
#define RECENT 1024
#define GONE 64
/* flag in an id: the thread exited or was renamed, and must be looked up again */
#define DOUBTFUL (1u << 31)

struct thread_name {
	uint32_t tid, tgid;
	char comm[COMM_LEN];
};

struct tasks {
	struct idmap by_tid;
	uint32_t count;
	bool full;	/* set if some thread has no id because there are too many threads */
	uint32_t *tgid; /* process id of each thread, by id - 1 */
	size_t tgid_size;
	struct thread_name *pending;
	size_t npending, pending_size;
	/*
	 * Names from perf, by tid. A thread that ends before it is found in /proc still gets its name, and a thread
	 * that is never sampled needs no id.
	 */
	struct thread_name recent[RECENT];
	/* Threads that /proc no longer has, by tid. Many of their samples may still arrive. */
	uint32_t gone[GONE];
};

int tasks_new(struct tasks **tp)
{
	*tp = calloc(1, sizeof(**tp));
	return *tp ? 0 : -ENOMEM;
}

void tasks_free(struct tasks *t)
{
	if (!t)
		return;
	idmap_free(&t->by_tid);
	free(t->tgid);
	free(t->pending);
	free(t);
}

uint32_t tasks_count(const struct tasks *t)
{
	return t->count;
}

bool tasks_full(const struct tasks *t)
{
	return t->full;
}

/* Reads the name of a thread. Leaves it empty (unknown) if the thread no longer exists. */
static void read_comm(uint32_t tgid, uint32_t tid, char *comm)
{
	char path[64];
	ssize_t n;
	int fd;

	comm[0] = '\0';
	if (!tid) {
		strcpy(comm, "swapper");
		return;
	}
	if (tid == tgid)
		/* this path, unlike the path below, needs no dentries for task/ and task/TID */
		snprintf(path, sizeof(path), "/proc/%u/comm", tgid);
	else
		snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", tgid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = read(fd, comm, COMM_LEN - 1);
	close(fd);
	comm[n > 0 ? n : 0] = '\0';
	comm[strcspn(comm, "\n")] = '\0';
}

/* Stores the process id of the thread that gets the next task id. */
static bool keep_tgid(struct tasks *t, uint32_t tgid)
{
	if (array_reserve(&t->tgid, &t->tgid_size, t->count + (size_t)1, sizeof(*t->tgid)))
		return false;
	t->tgid[t->count] = tgid;
	return true;
}

static uint32_t add(struct tasks *t, uint32_t tgid, uint32_t tid, const char *comm)
{
	struct thread_name *p;

	if (t->count >= ID_LIMIT_TASKS) {
		t->full = true;
		return 0;
	}
	if (array_reserve(&t->pending, &t->pending_size, t->npending + 1, sizeof(*p)))
		return 0;
	/* keys are tid + 1, because the idle tasks have tid 0 */
	if (!keep_tgid(t, tgid) || idmap_set(&t->by_tid, tid + 1ull, t->count + 1))
		return 0;
	p = &t->pending[t->npending++];
	p->tid = tid;
	p->tgid = tgid;
	snprintf(p->comm, sizeof(p->comm), "%s", comm);
	return ++t->count;
}

static uint32_t find_or_add(struct tasks *t, uint32_t tgid, uint32_t tid)
{
	uint32_t id = idmap_get(&t->by_tid, tid + 1ull);
	const struct thread_name *r = &t->recent[tid % RECENT];
	char comm[COMM_LEN];

	if (id && !(id & DOUBTFUL))
		return id;
	if (tid && r->tid == tid)
		return add(t, tgid, tid, r->comm);
	/* the last samples of a thread may arrive after its exit, from another CPU's ring */
	id &= ~DOUBTFUL;
	if (id && t->tgid[id - 1] != tgid)
		id = 0;
	if (id && t->gone[tid % GONE] == tid)
		return id;
	read_comm(tgid, tid, comm);
	if (id && !comm[0]) {
		t->gone[tid % GONE] = tid;
		return id;
	}
	return add(t, tgid, tid, comm);
}

/*
 * Adds the first thread of a process. The name of the process is the name of its first thread. This thread may sleep
 * all the time and never be sampled, so its name is read once per process. If reading fails, only the names of the
 * process's other threads are known.
 */
static void add_leader(struct tasks *t, uint32_t tgid)
{
	uint32_t id = idmap_get(&t->by_tid, tgid + 1ull);
	const struct thread_name *r = &t->recent[tgid % RECENT];
	char comm[COMM_LEN];

	if (id && !(id & DOUBTFUL) && t->tgid[id - 1] == tgid)
		return;
	if (r->tid == tgid) {
		add(t, tgid, tgid, r->comm);
		return;
	}
	read_comm(tgid, tgid, comm);
	if (comm[0])
		add(t, tgid, tgid, comm);
}

uint32_t tasks_id(struct tasks *t, uint32_t tgid, uint32_t tid)
{
	uint32_t before = t->count, id = find_or_add(t, tgid, tid);

	if (t->count > before && tgid && tid != tgid)
		add_leader(t, tgid);
	return id;
}

static void doubt(struct tasks *t, uint32_t tid)
{
	uint32_t id = idmap_get(&t->by_tid, tid + 1ull);

	if (id)
		idmap_set(&t->by_tid, tid + 1ull, id | DOUBTFUL);
}

void tasks_renamed(struct tasks *t, uint32_t tgid, uint32_t tid, const char *comm)
{
	struct thread_name *r = &t->recent[tid % RECENT];

	r->tid = tid;
	r->tgid = tgid;
	*stpncpy(r->comm, comm, COMM_LEN - 1) = '\0';
	doubt(t, tid);
}

void tasks_exited(struct tasks *t, uint32_t tid)
{
	doubt(t, tid);
	if (t->recent[tid % RECENT].tid == tid)
		t->recent[tid % RECENT].tid = 0;
}

int tasks_write(struct tasks *t, struct trace_writer *w)
{
	size_t n = t->npending;
	uint32_t *tid = malloc(n * sizeof(*tid) + 1), *tgid = malloc(n * sizeof(*tgid) + 1);
	const char **comm = malloc(n * sizeof(*comm) + 1);
	int err = n ? -ENOMEM : 0;

	if (n && tid && tgid && comm) {
		for (size_t i = 0; i < n; i++) {
			tid[i] = t->pending[i].tid;
			tgid[i] = t->pending[i].tgid;
			comm[i] = t->pending[i].comm;
		}
		trace_writer_begin(w, TRACE_TASKS);
		trace_writer_uint(w, TRACE_TASKS_FIRST, t->count - n + 1);
		trace_writer_u32s(w, TRACE_TASKS_TID, tid, n);
		trace_writer_u32s(w, TRACE_TASKS_TGID, tgid, n);
		trace_writer_strs(w, TRACE_TASKS_COMM, comm, n);
		err = trace_writer_end(w);
		t->npending = 0;
	}
	/* the tid of a thread that has ended may have been reused */
	memset(t->gone, 0, sizeof(t->gone));
	free(tid);
	free(tgid);
	free(comm);
	return err;
}

/* Keeps the names from perf, because their threads may no longer exist. */
void tasks_again(struct tasks *t)
{
	idmap_free(&t->by_tid);
	t->count = 0;
	t->full = false;
}
