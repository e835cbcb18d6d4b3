// SPDX-License-Identifier: BSD-2-Clause
#include "process_ids.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/idmap.h>
#include <netcost/trace.h>

#define KEPT 65536   /* beyond, those that were not heard of lately are forgotten … */
#define ROUNDS 2     /* … for so many ticks */
#define MOST 262144  /* at a time */
#define AT_ONCE 4096 /* defined by a record */

struct process_ids {
	struct idmap by_pid; /* and cgroup: index + 1 */
	struct process *known;
	size_t n, size;
	uint32_t *pending; /* indexes */
	size_t npending, pending_size;
	uint32_t count; /* ids */
	uint64_t round;
};

int process_ids_new(struct process_ids **ip)
{
	*ip = calloc(1, sizeof(**ip));
	return *ip ? 0 : -ENOMEM;
}

void process_ids_free(struct process_ids *ids)
{
	if (!ids)
		return;
	idmap_free(&ids->by_pid);
	free(ids->known);
	free(ids->pending);
	free(ids);
}

static uint64_t key_of(const struct process *p)
{
	return (uint64_t)p->cgroup << 32 | p->pid;
}

/* On failure some are forgotten that need not be: they get another id. */
static void forget(struct process_ids *ids)
{
	size_t n = 0;

	idmap_free(&ids->by_pid);
	ids->by_pid = (struct idmap){ 0 };
	for (size_t i = 0; i < ids->n; i++) {
		struct process p = ids->known[i];

		if (p.round + ROUNDS < ids->round)
			continue;
		ids->known[n] = p;
		if (!idmap_set(&ids->by_pid, key_of(&p), (uint32_t)n + 1))
			n++;
	}
	ids->n = n;
}

/* All that is pending has been written by now. */
void process_ids_round(struct process_ids *ids)
{
	ids->round++;
	if (ids->n > KEPT)
		forget(ids);
}

/* One that ran all the time, so that it was not seen to come. */
static void read_name(struct process *p)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/comm", p->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = read(fd, p->name, sizeof(p->name) - 1);
	close(fd);
	p->name[n > 0 ? n : 0] = '\0';
	p->name[strcspn(p->name, "\n")] = '\0';
}

static bool same(const struct process *a, const struct process *b)
{
	return !a->start_ns || !b->start_ns || a->start_ns == b->start_ns;
}

/* A name that is not known is no other name. */
static bool renamed(const struct process *a, const struct process *b)
{
	return *b->name && strcmp(a->name, b->name);
}

/* It is `like` from now on, under a new id. */
static struct process *define(struct process_ids *ids, size_t i, const struct process *like)
{
	struct process *p = &ids->known[i];

	if (ids->count + 1 >= TRACE_MAX_ID ||
	    array_reserve(&ids->pending, &ids->pending_size, ids->npending + 1,
			  sizeof(*ids->pending)))
		return NULL;
	*p = *like;
	if (!*p->name && p->pid)
		read_name(p);
	p->has_row = false;
	p->id = ++ids->count;
	p->round = ids->round;
	ids->pending[ids->npending++] = (uint32_t)i;
	return p;
}

static struct process *add(struct process_ids *ids, const struct process *like)
{
	struct process *p;

	if (ids->n >= MOST || array_reserve(&ids->known, &ids->size, ids->n + 1, sizeof(*p)))
		return NULL;
	p = define(ids, ids->n, like);
	if (!p)
		return NULL;
	ids->n++; /* without its key it is not found again */
	return idmap_set(&ids->by_pid, key_of(p), (uint32_t)ids->n) ? NULL : p;
}

/*
 * In a round names come from several CPUs, in any order: only that of one that ended is known to be the last. False: the
 * name that it had has been written.
 */
static bool rename_last(const struct process_ids *ids, struct process *p,
			const struct process *like)
{
	if (p->id <= ids->count - ids->npending)
		return false;
	memcpy(p->name, like->name, sizeof(p->name));
	return true;
}

struct process *process_ids_get(struct process_ids *ids, const struct process *like)
{
	uint32_t i = idmap_get(&ids->by_pid, key_of(like));
	struct process *p = i ? &ids->known[i - 1] : NULL;

	if (!p || !same(p, like))
		return add(ids, like);
	if (renamed(p, like) && p->round != ids->round)
		return add(ids, like);
	if (renamed(p, like) && like->ended && !rename_last(ids, p, like))
		return add(ids, like);
	if (p->round != ids->round)
		p->has_row = false;
	p->round = ids->round;
	if (!p->start_ns)
		p->start_ns = like->start_ns;
	return p;
}

static int write_some(const struct process_ids *ids, const uint32_t *index, size_t n,
		      uint32_t first, bool pids, struct trace_writer *w)
{
	uint64_t pid[AT_ONCE], start[AT_ONCE];
	uint32_t cgroup[AT_ONCE], kernel[AT_ONCE];
	const char *name[AT_ONCE];

	for (size_t i = 0; i < n; i++) {
		const struct process *p = &ids->known[index[i]];

		pid[i] = pids || !p->pid ? p->pid : TRACE_NIL;
		start[i] = p->start_ns ? p->start_ns : TRACE_NIL;
		cgroup[i] = p->cgroup;
		kernel[i] = p->kernel;
		name[i] = p->name;
	}
	trace_writer_begin(w, TRACE_PROCESSES, 6);
	trace_writer_uint(w, TRACE_PROCESSES_FIRST, first);
	trace_writer_uints(w, TRACE_PROCESSES_PID, pid, n);
	trace_writer_strs(w, TRACE_PROCESSES_NAME, name, n);
	trace_writer_uints(w, TRACE_PROCESSES_START_NS, start, n);
	trace_writer_u32s(w, TRACE_PROCESSES_CGROUP, cgroup, n);
	trace_writer_u32s(w, TRACE_PROCESSES_KERNEL, kernel, n);
	return trace_writer_end(w);
}

int process_ids_write(struct process_ids *ids, bool pids, struct trace_writer *w)
{
	uint32_t first = ids->count - (uint32_t)ids->npending + 1;
	int err = 0;

	for (size_t i = 0; i < ids->npending && !err; i += AT_ONCE) {
		size_t n = ids->npending - i < AT_ONCE ? ids->npending - i : AT_ONCE;

		err = write_some(ids, ids->pending + i, n, first + (uint32_t)i, pids, w);
	}
	ids->npending = 0;
	return err;
}
