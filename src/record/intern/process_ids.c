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

/* above this number of processes, processes that were not seen recently are forgotten */
#define KEPT 65536
#define ROUNDS 2     /* processes that were seen in the last ROUNDS ticks are kept */
#define MOST 262144  /* maximum number of processes at one time */
#define AT_ONCE 4096 /* maximum number of processes per record */

struct process_ids {
	struct idmap by_pid; /* index + 1 in `known`, by pid and cgroup */
	struct process *known;
	size_t n, size;
	uint32_t *pending; /* indices in `known` of processes not written yet */
	size_t npending, pending_size;
	uint32_t count; /* number of ids */
	uint64_t round;
	bool full;     /* set if some process has no id because there are too many processes */
	bool has_proc; /* /proc shows the pids that the kernel itself uses */
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

/*
 * Forgets processes that were not seen recently. If out of memory, also forgets recent processes, which then get new
 * ids.
 */
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

/* All pending processes have been written when this is called. */
void process_ids_round(struct process_ids *ids)
{
	ids->round++;
	if (ids->n > KEPT)
		forget(ids);
}

/* Reads the text of a file until dst is full. Stores "" if the process no longer exists. */
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

/*
 * Reads the user id. /proc shows the id that the kernel stores, because BPF programs can be loaded only from the
 * initial user namespace.
 */
static void read_user(struct process *p)
{
	char text[1024]; /* large enough, because the lines before the user id are short */
	const char *at;

	read_file(p, "status", text, sizeof(text));
	at = strstr(text, "\nUid:\t");
	p->user_known = at && sscanf(at, "\nUid:\t%" SCNu32 "\t", &p->user) == 1;
}

/* Reads facts from /proc about a process whose start was not seen. */
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

/* Returns true if the name or uid changed. An unknown value is not a change. */
static bool changed(const struct process *a, const struct process *b)
{
	if (b->user_known && (!a->user_known || a->user != b->user))
		return true;
	return *b->name && strcmp(a->name, b->name);
}

/* Replaces the process by `like`, under a new id. */
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
	ids->n++; /* a process without its key in by_pid is not found again */
	return idmap_set(&ids->by_pid, key_of(p), (uint32_t)ids->n) ? NULL : p;
}

/*
 * Sets the final name and user of a process. Within a round, names and users come from several CPUs in any order. The
 * name and user are known to be final only if the process has ended. Returns false if the old name and user have been
 * written already.
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
