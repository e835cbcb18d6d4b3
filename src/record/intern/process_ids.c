// SPDX-License-Identifier: BSD-2-Clause
#include "process_ids.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/idmap.h>
#include <netcost/trace.h>

#include "id_limits.h"
#include "record/base/procfs.h"

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
	bool full;     /* a process has no id because there are too many */
	bool has_proc; /* /proc has processes by the ids that the kernel itself uses */
};

int process_ids_new(struct process_ids **ip)
{
	*ip = calloc(1, sizeof(**ip));
	if (!*ip)
		return -ENOMEM;
	(*ip)->has_proc = procfs_initial_pids();
	return 0;
}

bool process_ids_full(const struct process_ids *ids)
{
	return ids->full;
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

/* Its text, as far as there is room; "": it is gone. */
static void read_file(const struct process *p, const char *name, char *dst, size_t size)
{
	char path[64];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/%s", p->pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, dst, size - 1);
		close(fd);
	}
	dst[n > 0 ? n : 0] = '\0';
}

/* As the kernel has it: programs can be loaded only from outside of all user namespaces. */
static void read_user(struct process *p)
{
	char text[1024]; /* what comes before it is short */
	const char *at;

	read_file(p, "status", text, sizeof(text));
	at = strstr(text, "\nUid:\t");
	p->user_known = at && sscanf(at, "\nUid:\t%" SCNu32 "\t", &p->user) == 1;
}

/* One that ran all the time, so that it was not seen to come. */
static void read_about(struct process *p)
{
	if (!*p->name) {
		read_file(p, "comm", p->name, sizeof(p->name));
		p->name[strcspn(p->name, "\n")] = '\0';
	}
	if (!p->user_known)
		read_user(p);
}

static bool same(const struct process *a, const struct process *b)
{
	return !a->start_ns || !b->start_ns || a->start_ns == b->start_ns;
}

/* It has got another name or user. One that is not known is no other one. */
static bool changed(const struct process *a, const struct process *b)
{
	if (b->user_known && (!a->user_known || a->user != b->user))
		return true;
	return *b->name && strcmp(a->name, b->name);
}

/* It is `like` from now on, under a new id. */
static struct process *define(struct process_ids *ids, size_t i, const struct process *like)
{
	struct process *p = &ids->known[i];

	ids->full |= ids->count >= ID_LIMIT_PROCESSES;
	if (ids->full || array_reserve(&ids->pending, &ids->pending_size, ids->npending + 1,
				       sizeof(*ids->pending)))
		return NULL;
	*p = *like;
	if (p->pid && ids->has_proc)
		read_about(p);
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
 * In a round names and users come from several CPUs, in any order: only those of one that ended are known to be the last.
 * False: what it had has been written.
 */
static bool change_last(const struct process_ids *ids, struct process *p,
			const struct process *like)
{
	if (p->id <= ids->count - ids->npending)
		return false;
	memcpy(p->name, like->name, sizeof(p->name));
	p->user_known = like->user_known;
	p->user = like->user;
	return true;
}

struct process *process_ids_get(struct process_ids *ids, const struct process *like)
{
	uint32_t i = idmap_get(&ids->by_pid, key_of(like));
	struct process *p = i ? &ids->known[i - 1] : NULL;

	if (!p || !same(p, like))
		return add(ids, like);
	if (changed(p, like) && p->round != ids->round)
		return add(ids, like);
	if (changed(p, like) && like->ended && !change_last(ids, p, like))
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
	uint64_t pid[AT_ONCE], start[AT_ONCE], user[AT_ONCE];
	uint32_t cgroup[AT_ONCE], kernel[AT_ONCE];
	const char *name[AT_ONCE];

	for (size_t i = 0; i < n; i++) {
		const struct process *p = &ids->known[index[i]];

		pid[i] = pids || !p->pid ? p->pid : TRACE_NIL;
		start[i] = p->start_ns ? p->start_ns : TRACE_NIL;
		cgroup[i] = p->cgroup;
		kernel[i] = p->kernel;
		name[i] = p->name;
		user[i] = p->user_known ? p->user : TRACE_NIL;
	}
	trace_writer_begin(w, TRACE_PROCESSES);
	trace_writer_uint(w, TRACE_PROCESSES_FIRST, first);
	trace_writer_uints(w, TRACE_PROCESSES_PID, pid, n);
	trace_writer_strs(w, TRACE_PROCESSES_NAME, name, n);
	trace_writer_uints(w, TRACE_PROCESSES_START_NS, start, n);
	trace_writer_u32s(w, TRACE_PROCESSES_CGROUP, cgroup, n);
	trace_writer_u32s(w, TRACE_PROCESSES_KERNEL, kernel, n);
	trace_writer_uints(w, TRACE_PROCESSES_USER, user, n);
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

void process_ids_again(struct process_ids *ids)
{
	idmap_free(&ids->by_pid);
	ids->n = 0;
	ids->count = 0;
	ids->full = false;
}
