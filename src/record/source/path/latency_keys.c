// SPDX-License-Identifier: BSD-2-Clause
#include "latency_keys.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h> /* the programs' __u64 */

#include <netcost/trace.h>

#include "bpf/path.h"
#include "record/kernel/cgroup_paths.h"

/* Counts that were written until the previous tick. */
struct past {
	uint64_t sum_ns;
	uint32_t bucket[NETCOST_LATENCY_BUCKETS];
};

struct latency_keys {
	enum netcost_latency_by by;
	const struct netcost_latency_keyed *row;
	const uint32_t *taken;
	struct cgroup_paths paths;

	/* packets by hook that are not yet distributed over the keys */
	uint64_t found[NETCOST_LATENCY_COUNT][NETCOST_LATENCY_BUCKETS];
	struct past past[NETCOST_LATENCY_KEYED];
	char *path[NETCOST_LATENCY_KEYED]; /* cgroup paths that were looked up */
	uint64_t bucket[NETCOST_LATENCY_BUCKETS],
		packets[NETCOST_LATENCY_BUCKETS]; /* columns of a record */
};

enum netcost_latency_by latency_keys_by(const char *key)
{
	static const char *const keys[] = {
#define X(id, name, key_) [id] = key_,
		NETCOST_LATENCY_BYS(X)
#undef X
	};
	enum netcost_latency_by by = 0;

	while (by < NETCOST_LATENCY_BY_COUNT && strcmp(keys[by], key))
		by++;
	return by;
}

int latency_keys_new(struct latency_keys **kp, enum netcost_latency_by by,
		     const struct netcost_latency_keyed *row, const uint32_t *taken)
{
	struct latency_keys *k = calloc(1, sizeof(*k));

	*kp = k;
	if (!k)
		return -ENOMEM;
	k->by = by;
	k->row = row;
	k->taken = taken;
	k->paths.mount = -1;
	if (by == NETCOST_LATENCY_BY_CGROUP)
		cgroup_paths_open(&k->paths, CGROUPS_V2);
	return 0;
}

void latency_keys_free(struct latency_keys *k)
{
	if (!k)
		return;
	cgroup_paths_close(&k->paths);
	for (size_t i = 0; i < NETCOST_LATENCY_KEYED; i++)
		free(k->path[i]);
	free(k);
}

void latency_keys_add(struct latency_keys *k, unsigned int hook, unsigned int bucket,
		      uint64_t packets)
{
	if (k)
		k->found[hook][bucket] += packets;
}

/* ---- names ------------------------------------------------------------------------------- */

/*
 * Returns the name of an interface. A row that is counted at a socket has no name. In that case, the name may come from
 * a row of the same interface that is counted at the device.
 */
static const char *interface_name(const struct latency_keys *k, uint32_t rows, uint32_t at)
{
	const struct netcost_latency_key *key = &k->row[at].key;

	if (k->row[at].name[0])
		return k->row[at].name;
	for (uint32_t i = NETCOST_LATENCY_FIRST_KEY; i < rows; i++)
		if (k->row[i].key.number == key->number && k->row[i].key.id == key->id &&
		    k->row[i].name[0])
			return k->row[i].name;
	return "";
}

static const char *cgroup_path(struct latency_keys *k, uint32_t at)
{
	char path[PATH_MAX];

	if (!k->path[at]) {
		cgroup_paths_find(&k->paths, k->row[at].key.id, path, sizeof(path));
		k->path[at] = strndup(path, TRACE_MAX_STR);
	}
	return k->path[at] ? k->path[at] : "";
}

/* Writes a key. The key of a cgroup has two fields, all other keys have three. */
static void write_key(struct latency_keys *k, uint32_t rows, uint32_t at, struct trace_writer *w)
{
	const struct netcost_latency_keyed *row = &k->row[at];
	char name[NETCOST_LATENCY_NAME + 1] = "";

	switch (k->by) {
	case NETCOST_LATENCY_BY_INTERFACE:
		snprintf(name, sizeof(name), "%.*s", NETCOST_LATENCY_NAME,
			 interface_name(k, rows, at));
		trace_writer_str(w, TRACE_LATENCY_BY_NETDEV, name);
		trace_writer_uint(w, TRACE_LATENCY_BY_NETNS, row->key.id);
		trace_writer_uint(w, TRACE_LATENCY_BY_IFINDEX, row->key.number);
		break;
	case NETCOST_LATENCY_BY_CGROUP:
		trace_writer_str(w, TRACE_LATENCY_BY_CGROUP, cgroup_path(k, at));
		trace_writer_uint(w, TRACE_LATENCY_BY_CGROUP_ID, row->key.id);
		break;
	default:
		snprintf(name, sizeof(name), "%.*s", NETCOST_LATENCY_NAME, row->name);
		trace_writer_str(w, TRACE_LATENCY_BY_PROCESS, name);
		trace_writer_uint(w, TRACE_LATENCY_BY_PID, row->key.number);
		trace_writer_uint(w, TRACE_LATENCY_BY_START_NS, row->key.id);
	}
}

/* ---- a tick ------------------------------------------------------------------------------ */

/*
 * Stores in columns the increases of a row's buckets, up to the numbers of packets that were found for the hook.
 * Returns the number of stored buckets.
 */
static size_t gained(struct latency_keys *k, unsigned int hook, uint32_t at)
{
	const struct netcost_latency_keyed *now = &k->row[at];
	struct past *past = &k->past[at];
	size_t n = 0;

	for (uint32_t b = 0; b < NETCOST_LATENCY_BUCKETS; b++) {
		uint64_t *found = &k->found[hook][b];
		uint32_t more;

		if (!*found)
			continue;
		more = __atomic_load_n(&now->bucket[b], __ATOMIC_RELAXED) - past->bucket[b];
		if (more > *found)
			more = (uint32_t)*found;
		if (!more)
			continue;
		*found -= more;
		past->bucket[b] += more;
		k->bucket[n] = b;
		k->packets[n++] = more;
	}
	return n;
}

static enum netcost_latency_which which_of(uint32_t at)
{
	return at < NETCOST_LATENCY_COUNT     ? NETCOST_LATENCY_NOT_KNOWN :
	       at < NETCOST_LATENCY_FIRST_KEY ? NETCOST_LATENCY_REST :
						NETCOST_LATENCY_ONE;
}

static int write_row(struct latency_keys *k, uint32_t rows, unsigned int hook, uint32_t at,
		     struct trace_writer *w)
{
	enum netcost_latency_which which = which_of(at);
	size_t n = gained(k, hook, at);
	uint64_t sum_ns, more_ns;

	if (!n)
		return 0;
	sum_ns = __atomic_load_n(&k->row[at].sum_ns, __ATOMIC_RELAXED);
	more_ns = sum_ns - k->past[at].sum_ns;
	k->past[at].sum_ns = sum_ns;
	if (!w)
		return 0;
	trace_writer_begin(w, TRACE_LATENCY_BY);
	trace_writer_uint(w, TRACE_LATENCY_BY_HOOK, hook);
	trace_writer_uint(w, TRACE_LATENCY_BY_BY, k->by);
	trace_writer_uint(w, TRACE_LATENCY_BY_WHICH, which);
	trace_writer_uint(w, TRACE_LATENCY_BY_NS, more_ns);
	trace_writer_uints(w, TRACE_LATENCY_BY_BUCKET, k->bucket, n);
	trace_writer_uints(w, TRACE_LATENCY_BY_PACKETS, k->packets, n);
	if (which == NETCOST_LATENCY_ONE)
		write_key(k, rows, at, w);
	return trace_writer_end(w);
}

static unsigned int hook_of(const struct latency_keys *k, uint32_t at)
{
	return at < NETCOST_LATENCY_FIRST_KEY ? at % NETCOST_LATENCY_COUNT : k->row[at].key.hook;
}

int latency_keys_tick(struct latency_keys *k, struct trace_writer *w)
{
	uint32_t rows;
	int err = 0;

	if (!k)
		return 0;
	/* programs count a packet by key before they count it by checkpoint: see bpf/path_keys.h */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	rows = __atomic_load_n(k->taken, __ATOMIC_RELAXED);
	rows = NETCOST_LATENCY_FIRST_KEY +
	       (rows < NETCOST_LATENCY_KEYS ? rows : NETCOST_LATENCY_KEYS);
	for (uint32_t at = 0; at < rows && !err; at++) {
		unsigned int hook = hook_of(k, at);

		if (hook < NETCOST_LATENCY_COUNT)
			err = write_row(k, rows, hook, at, w);
	}
	return err;
}
