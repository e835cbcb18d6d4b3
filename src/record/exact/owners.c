// SPDX-License-Identifier: BSD-2-Clause
#include "owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/types.h> /* the wire structs' __u64 */
#include <netcost/array.h>
#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "bpf/wire.h"
#include "exact.h"
#include "processes.h"
#include "record/intern/cgroups.h"
#include "record/intern/process_ids.h"
#include "record/kernel/drop_reasons.h"

#define AT_ONCE 4096 /* rows per record */
#define TEXT 64

/* Time in ns, number of packets, and sum of the squared times of softirqs (struct netcost_owned), all modulo 2^64. */
struct amounts {
	uint64_t ns, packets, squares;
};

/* Counters of a CPU since it began to count. */
struct owners_cpu {
	bool taken; /* the CPU is recorded */
	bool read;
	/* time of the RX softirq and of threaded NAPI at the last reading, ns */
	uint64_t leaf_ns;
	struct amounts now[NETCOST_FATE_COUNT];	 /* amounts outside of rows at the last reading */
	struct amounts rows[NETCOST_FATE_COUNT]; /* sum of all rows taken out of the maps */
	struct amounts told[NETCOST_FATE_COUNT]; /* amounts written until the last tick */
	struct amounts no_room;			 /* amounts written for processes without a row */
};

/* Packets that one process has received since the last tick. */
struct owned_row {
	uint32_t id; /* 0: processes without a row */
	struct amounts a;
};

/* Packets on a CPU that no process received, by disposition (fate). */
struct fate_row {
	uint32_t cpu, fate;
	struct amounts a;
	char reason[TEXT], netdev[TEXT];
};

struct owners {
	struct netcost_owned *rows; /* both halves of the mapped rows */
	size_t half_rows;
	const volatile uint32_t *takes; /* index of the half that programs are writing to */
	const struct netcost_cpu *states;
	uint32_t took; /* value of *takes at the last tick */
	unsigned int ncpus;
	unsigned long every;
	struct drop_reasons *reasons;
	struct owners_cpu *cpu;
	bool begun;
	struct owned_row *row;
	size_t nrows, size;
	struct fate_row *fate;
	size_t nfates, fates_size;
};

static size_t rows_bytes(const struct owners *o)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (2 * o->half_rows * sizeof(*o->rows) + page - 1) / page * page;
}

static int map_rows(struct owners *o, int fd)
{
	void *rows = mmap(NULL, rows_bytes(o), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (rows == MAP_FAILED)
		return -errno;
	o->rows = rows;
	return 0;
}

int owners_new(struct owners **op, int map_fd, const volatile uint32_t *takes,
	       const struct netcost_cpu *states, unsigned int ncpus, uint32_t each,
	       unsigned long every, const struct btf_names *kernel)
{
	struct owners *o = calloc(1, sizeof(*o));
	int err;

	*op = o;
	if (!o)
		return -ENOMEM;
	o->half_rows = (size_t)each * ncpus;
	o->takes = takes;
	o->took = *takes;
	o->states = states;
	o->ncpus = ncpus;
	o->every = every;
	o->cpu = calloc(ncpus, sizeof(*o->cpu));
	err = o->cpu ? map_rows(o, map_fd) : -ENOMEM;
	return err ? err : drop_reasons_new(&o->reasons, kernel);
}

void owners_free(struct owners *o)
{
	if (!o)
		return;
	drop_reasons_free(o->reasons);
	free(o->cpu);
	free(o->row);
	free(o->fate);
	if (o->rows)
		munmap(o->rows, rows_bytes(o));
	free(o);
}

void owners_fill(const struct bpf_program *fill)
{
	struct bpf_link *link = bpf_program__attach_iter(fill, NULL);
	char nothing[64];
	int fd;

	if (!link)
		return;
	fd = bpf_iter_create(bpf_link__fd(link));
	while (fd >= 0 && read(fd, nothing, sizeof(nothing)) > 0) {
	}
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
}

/* ---- amounts ----------------------------------------------------------------------------- */

static struct amounts plus(struct amounts a, struct amounts b)
{
	return (struct amounts){ a.ns + b.ns, a.packets + b.packets, a.squares + b.squares };
}

static struct amounts minus(struct amounts a, struct amounts b)
{
	return (struct amounts){ a.ns - b.ns, a.packets - b.packets, a.squares - b.squares };
}

static bool is_zero(struct amounts a)
{
	return !a.ns && !a.packets && !a.squares;
}

void owners_read(struct owners *o, unsigned int cpu, const struct netcost_cpu *c,
		 const struct exact_reading *r)
{
	struct owners_cpu *oc = &o->cpu[cpu];

	oc->read = r->at_ns && !r->torn;
	if (!oc->read)
		return;
	oc->leaf_ns = r->ns[NETCOST_EV_RX_SOFTIRQ] + r->ns[NETCOST_EV_RX_THREAD];
	for (int f = 0; f < NETCOST_FATE_COUNT; f++)
		oc->now[f] = (struct amounts){ c->owners.ns[f], c->owners.packets[f],
					       c->owners.squares[f] };
}

/*
 * Returns the total of a disposition so far. NETCOST_FATE_OPEN gets the time that no other disposition has: the current
 * slice, and time that is not in a row yet.
 */
static struct amounts all_of(const struct owners_cpu *oc, enum netcost_fate fate)
{
	struct amounts open = { .ns = oc->leaf_ns };

	if (fate != NETCOST_FATE_OPEN)
		return plus(oc->now[fate], oc->rows[fate]);
	for (int f = 0; f < NETCOST_FATE_COUNT; f++)
		open.ns -= oc->now[f].ns + oc->rows[f].ns;
	return open;
}

/* ---- rows -------------------------------------------------------------------------------- */

static int add_owned(struct owners *o, uint32_t id, struct amounts a)
{
	if (array_reserve(&o->row, &o->size, o->nrows + 1, sizeof(*o->row)))
		return -ENOMEM;
	o->row[o->nrows++] = (struct owned_row){ .id = id, .a = a };
	return 0;
}

static struct fate_row *add_fate(struct owners *o, unsigned int cpu, enum netcost_fate fate,
				 struct amounts a)
{
	struct fate_row *row;

	if (array_reserve(&o->fate, &o->fates_size, o->nfates + 1, sizeof(*o->fate)))
		return NULL;
	row = &o->fate[o->nfates++];
	*row = (struct fate_row){ .cpu = cpu, .fate = fate, .a = a };
	return row;
}

/* Takes over a row of dropped or forwarded packets. */
static int take_fate(struct owners *o, unsigned int cpu, const struct netcost_owned *owned,
		     struct amounts a)
{
	enum netcost_fate fate = (enum netcost_fate)(owned->cgroup >> 32);
	struct fate_row *row;

	if (fate != NETCOST_FATE_DROPPED && fate != NETCOST_FATE_FORWARDED)
		return 0;
	o->cpu[cpu].rows[fate] = plus(o->cpu[cpu].rows[fate], a);
	if (!o->begun)
		return 0;
	row = add_fate(o, cpu, fate, a);
	if (!row)
		return -ENOMEM;
	if (fate == NETCOST_FATE_DROPPED)
		drop_reasons_name(o->reasons, (uint32_t)owned->cgroup, row->reason,
				  sizeof(row->reason));
	else
		memcpy(row->netdev, owned->name, sizeof(owned->name));
	row->netdev[sizeof(owned->name) - 1] = '\0';
	return 0;
}

static int take_row(struct owners *o, unsigned int cpu, const struct netcost_owned *owned,
		    struct process_ids *ids, struct cgroups *cgroups)
{
	struct amounts a = { owned->ns, owned->packets, owned->squares };
	struct process like = { .pid = owned->process }, *known;
	struct owners_cpu *oc = &o->cpu[cpu];

	if (!oc->taken)
		return 0;
	if (!owned->process)
		return take_fate(o, cpu, owned, a);
	oc->rows[NETCOST_FATE_DIRECT] = plus(oc->rows[NETCOST_FATE_DIRECT], a);
	if (!o->begun)
		return 0;
	like.cgroup = cgroups_task_id(cgroups, owned->cgroup);
	known = process_ids_get(ids, &like);
	return add_owned(o, known ? known->id : 0, a);
}

static int drain_cpu(struct owners *o, unsigned int cpu, unsigned int half, struct process_ids *ids,
		     struct cgroups *cgroups)
{
	uint64_t next = *(const volatile uint32_t *)&o->states[cpu].owners.taken[half];
	int err = 0;

	while (next && next <= 2 * o->half_rows && !err) {
		struct netcost_owned *row = &o->rows[next - 1];

		if (!row->process && !row->cgroup)
			break;
		next = row->next;
		if (ids)
			err = take_row(o, cpu, row, ids, cgroups);
		memset(row, 0, sizeof(*row));
	}
	return err;
}

/* Empties the half that programs are not writing to. Returns 0 or -errno. */
static int drain(struct owners *o, unsigned int half, struct process_ids *ids,
		 struct cgroups *cgroups)
{
	int err = 0;

	for (unsigned int cpu = 0; cpu < o->ncpus && !err; cpu++)
		err = drain_cpu(o, cpu, half, ids, cgroups);
	return err;
}

void owners_reset(struct owners *o)
{
	for (unsigned int half = 0; half < 2; half++)
		drain(o, half, NULL, NULL);
	for (unsigned int cpu = 0; cpu < o->ncpus; cpu++)
		o->cpu[cpu] = (struct owners_cpu){ .taken = o->cpu[cpu].taken };
	o->took = *o->takes;
}

/*
 * Returns the amounts to write for a disposition. For processes this is the sum of their rows, which are also written
 * by process. Rows of dropped and forwarded packets are written separately.
 */
static struct amounts told_of(const struct owners_cpu *oc, enum netcost_fate fate)
{
	bool has_rows = fate == NETCOST_FATE_DROPPED || fate == NETCOST_FATE_FORWARDED;

	return has_rows ? oc->now[fate] : all_of(oc, fate);
}

static int take_cpu(struct owners *o, unsigned int cpu)
{
	struct owners_cpu *oc = &o->cpu[cpu];
	int err = 0;

	if (!oc->taken || !oc->read)
		return 0;
	for (enum netcost_fate f = 0; f < NETCOST_FATE_COUNT && !err; f++) {
		struct amounts all = told_of(oc, f), more = minus(all, oc->told[f]);

		oc->told[f] = all;
		if (o->begun && !is_zero(more) && !add_fate(o, cpu, f, more))
			err = -ENOMEM;
	}
	if (err || !o->begun)
		return err;
	err = add_owned(o, 0, minus(oc->now[NETCOST_FATE_DIRECT], oc->no_room));
	oc->no_room = oc->now[NETCOST_FATE_DIRECT];
	return err;
}

/* ---- records ----------------------------------------------------------------------------- */

static int by_id(const void *pa, const void *pb)
{
	const struct owned_row *a = pa, *b = pb;

	return (a->id > b->id) - (a->id < b->id);
}

/* Merges the rows that each process has on several CPUs into one row, and removes empty rows. */
static void merge_rows(struct owners *o)
{
	size_t n = 0;

	if (o->nrows)
		qsort(o->row, o->nrows, sizeof(*o->row), by_id);
	for (size_t i = 0; i < o->nrows; i++) {
		struct owned_row row = o->row[i];

		if (is_zero(row.a))
			continue;
		if (n && o->row[n - 1].id == row.id)
			o->row[n - 1].a = plus(o->row[n - 1].a, row.a);
		else
			o->row[n++] = row;
	}
	o->nrows = n;
}

static int write_owned(const struct owned_row *row, size_t n, bool squares, struct trace_writer *w)
{
	uint64_t column[AT_ONCE];

	trace_writer_begin(w, TRACE_OWNER_STATS);
#define COLUMN(key, value)                                                                         \
	do {                                                                                       \
		for (size_t i = 0; i < n; i++)                                                     \
			column[i] = row[i].value;                                                  \
		trace_writer_uints(w, key, column, n);                                             \
	} while (0)
	COLUMN(TRACE_OWNER_STATS_PROCESS, id);
	COLUMN(TRACE_OWNER_STATS_NS, a.ns);
	COLUMN(TRACE_OWNER_STATS_PACKETS, a.packets);
	if (squares)
		COLUMN(TRACE_OWNER_STATS_SQUARES, a.squares);
	return trace_writer_end(w);
}

static int write_fates(const struct fate_row *row, size_t n, unsigned long every,
		       struct trace_writer *w)
{
	const char *text[AT_ONCE];
	uint64_t column[AT_ONCE];
	int64_t ns[AT_ONCE];
	bool squares = every > 1;

	trace_writer_begin(w, TRACE_RX_FATES);
	COLUMN(TRACE_RX_FATES_FATE, fate);
	COLUMN(TRACE_RX_FATES_CPU, cpu);
	for (size_t i = 0; i < n; i++)
		ns[i] = (int64_t)row[i].a.ns;
	trace_writer_ints(w, TRACE_RX_FATES_NS, ns, n);
	COLUMN(TRACE_RX_FATES_PACKETS, a.packets);
	if (squares)
		COLUMN(TRACE_RX_FATES_SQUARES, a.squares);
	for (size_t i = 0; i < n; i++)
		text[i] = row[i].reason;
	trace_writer_strs(w, TRACE_RX_FATES_REASON, text, n);
	for (size_t i = 0; i < n; i++)
		text[i] = row[i].netdev;
	trace_writer_strs(w, TRACE_RX_FATES_NETDEV, text, n);
	trace_writer_uint(w, TRACE_RX_FATES_EVERY, every);
#undef COLUMN
	return trace_writer_end(w);
}

static int write_all(struct owners *o, struct process_ids *ids, struct cgroups *cgroups, bool pids,
		     struct trace_writer *w)
{
	int err = cgroups_write(cgroups, w);

	if (!err)
		err = process_ids_write(ids, pids, w);
	merge_rows(o);
	for (size_t i = 0; i < o->nrows && !err; i += AT_ONCE)
		err = write_owned(o->row + i, o->nrows - i < AT_ONCE ? o->nrows - i : AT_ONCE,
				  o->every > 1, w);
	for (size_t i = 0; i < o->nfates && !err; i += AT_ONCE)
		err = write_fates(o->fate + i, o->nfates - i < AT_ONCE ? o->nfates - i : AT_ONCE,
				  o->every, w);
	return err;
}

int owners_write(struct owners *o, const struct cpuset *cpus, struct process_ids *ids,
		 struct cgroups *cgroups, bool pids, struct trace_writer *w)
{
	int err;

	if (o->took == *o->takes)
		return 0; /* the halves were not swapped since the last tick */
	o->took = *o->takes;
	for (unsigned int i = 0; i < cpus->n; i++)
		o->cpu[cpus->cpu[i]].taken = true;
	o->nrows = o->nfates = 0;
	err = drain(o, !*o->takes, ids, cgroups);
	for (unsigned int cpu = 0; cpu < o->ncpus && !err; cpu++)
		err = take_cpu(o, cpu);
	if (!err && o->begun)
		err = write_all(o, ids, cgroups, pids, w);
	o->begun = true;
	return err;
}
