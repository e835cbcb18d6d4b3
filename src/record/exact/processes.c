// SPDX-License-Identifier: BSD-2-Clause
#include "processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/types.h> /* the wire structs' __u64 */
#include <netcost/array.h>
#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "bpf/wire.h"
#include "exact.h"
#include "ladder.h"
#include "pmu.h"
#include "process_columns.h"
#include "process_values.h"
#include "quiet.h"
#include "record/intern/cgroups.h"
#include "record/intern/process_ids.h"

/* Limits of the number of rows in each half: per CPU, and in total (ROWS). */
#define MOST_EACH 8192
#define LEAST_EACH 64
#define ROWS 49152
#define AT_ONCE 4096	       /* rows per record */
#define FRAME_BYTES (4u << 20) /* a frame is ended at this size */

/* Counters of a CPU since it began to count. */
struct process_cpu {
	bool taken; /* the CPU is recorded */
	bool read;
	struct values now;			/* counters at the last reading */
	struct values rows;			/* sum of all rows taken out of the maps */
	struct values idle, rest;		/* amounts outside of rows, at the last reading */
	struct values idle_before, rest_before; /* the same amounts at the last tick */
	struct netcost_process_key running;
	/* The running process, and the part of its work that was written before any row contained it. */
	struct process lender;
	struct values lent;
	/* 1 + the index of the CPU's row with an unseen switch in this round; 0: none */
	size_t unseen;
};

struct row {
	uint32_t id;
	struct values values;
};

struct processes {
	char *rows; /* both halves of the mapped rows */
	size_t row_size, rows_bytes, half_rows;
	volatile uint32_t *takes; /* index of the half that programs are writing to */
	const struct netcost_cpu *states;
	unsigned int ncpus;
	struct process_cpu *cpu;
	const struct pmu *pmu; /* owned by the caller; NULL: no hardware counters */
	struct process_ids *ids;
	bool begun, turned;
	struct row *row;
	size_t nrows, size;
};

uint32_t processes_each(unsigned int ncpus, uint64_t memory_limit)
{
	uint64_t rows = memory_limit / 8 / (2 * sizeof(struct netcost_process));
	uint32_t each = MOST_EACH;

	while (each > LEAST_EACH &&
	       ((uint64_t)each * ncpus > ROWS || (uint64_t)each * ncpus > rows))
		each /= 2;
	return each;
}

size_t processes_row_size(const struct pmu *pmu)
{
	return pmu_events(pmu) ? sizeof(struct netcost_process) : NETCOST_PROCESS_SHORT;
}

static int map_rows(struct processes *p, int fd)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	p->row_size = processes_row_size(p->pmu);
	p->rows_bytes = (2 * p->half_rows * p->row_size + page - 1) / page * page;
	p->rows = mmap(NULL, p->rows_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p->rows != MAP_FAILED)
		return 0;
	p->rows = NULL;
	return -errno;
}

int processes_new(struct processes **pp, int map_fd, volatile uint32_t *takes,
		  const struct netcost_cpu *states, unsigned int ncpus, uint32_t each,
		  const struct pmu *pmu)
{
	struct processes *p = calloc(1, sizeof(*p));
	int err;

	*pp = p;
	if (!p)
		return -ENOMEM;
	p->takes = takes;
	p->states = states;
	p->ncpus = ncpus;
	p->half_rows = (size_t)each * ncpus;
	p->pmu = pmu;
	p->cpu = calloc(ncpus, sizeof(*p->cpu));
	err = p->cpu ? map_rows(p, map_fd) : -ENOMEM;
	return err ? err : process_ids_new(&p->ids);
}

void processes_close(struct processes *p)
{
	if (!p)
		return;
	process_ids_free(p->ids);
	if (p->rows)
		munmap(p->rows, p->rows_bytes);
	free(p->cpu);
	free(p->row);
	free(p);
}

struct process_ids *processes_ids(const struct processes *p)
{
	return p->ids;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Returns the CPU counter that corresponds to a column. */
static uint64_t counter_of(const struct netcost_cpu *c, const struct exact_reading *r,
			   enum netcost_event event, enum of of)
{
	return of == OF_NS     ? r->ns[event] :
	       of == OF_CALLS  ? r->calls[event] :
	       of == OF_FAILED ? c->failed[event] :
	       of == OF_BYTES  ? c->bytes[event] :
	       of == OF_UNSEEN ? c->told.all.unseen :
	       of == OF_PAGES  ? c->page_hits :
				 c->told.all.switches;
}

/* Returns the current hardware counters. Does not wake an idle CPU to read them. */
static struct netcost_pmu pmu_now(const struct processes *p, unsigned int cpu,
				  const struct netcost_told *told)
{
	struct netcost_pmu now = told->pmu, all = told->pmu_all;
	uint64_t *sum = (uint64_t *)&all;

	if (!told->pmu_read || !told->running.process)
		return all;
	pmu_read(p->pmu, cpu, &now);
	for (size_t i = 0; i < sizeof(now) / sizeof(*sum); i++)
		sum[i] += ((const uint64_t *)&now)[i] - ((const uint64_t *)&told->pmu)[i];
	return all;
}

void processes_read(struct processes *p, unsigned int cpu, const struct netcost_cpu *c,
		    const struct exact_reading *r)
{
	struct process_cpu *pc = &p->cpu[cpu];
	struct netcost_pmu pmu;

	pc->read = r->at_ns && !r->torn;
	if (!pc->read)
		return;
#define X(key, event, of, counts)                                                                  \
	pc->now.v[VALUE_##key] = (int64_t)counter_of(c, r, NETCOST_EV_##event, OF_##of);
	COLUMNS(X)
#undef X
	pmu = pmu_now(p, cpu, &c->told);
#define X(key, events, counts) pc->now.v[VALUE_##key] = (int64_t)pmu.counts;
	PMU_COLUMNS(X)
#undef X
	pc->now.v[VALUE_UNCOUNTED] =
		(int64_t)(c->uncounted[NETCOST_EV_SOCK_SEND] + c->uncounted[NETCOST_EV_SOCK_RECV] +
			  c->uncounted[NETCOST_EV_SOCK_LOCAL]);
	pc->idle = process_values_of(&c->told.idle, &c->told.pmu_idle);
	pc->rest = process_values_of(&c->told.rest, &c->told.pmu_rest);
	pc->running = c->told.running;
}

void processes_turn(struct processes *p)
{
	*p->takes = !*p->takes;
	p->turned = true;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Adds a row. Returns NULL if out of memory. */
static struct values *row_new(struct processes *p, uint32_t id)
{
	if (array_reserve(&p->row, &p->size, p->nrows + 1, sizeof(*p->row)))
		return NULL;
	p->row[p->nrows] = (struct row){ .id = id };
	return &p->row[p->nrows++].values;
}

#define REST 0 /* the row of processes without a row of their own */

static size_t row_find(struct processes *p, const struct process *like)
{
	struct process *known = process_ids_get(p->ids, like);

	if (!known)
		return REST;
	if (known->has_row)
		return known->row;
	if (!row_new(p, known->id))
		return REST;
	known->has_row = true;
	known->row = (uint32_t)p->nrows - 1;
	return known->row;
}

static struct values *row_of(struct processes *p, const struct process *like)
{
	size_t row = row_find(p, like); /* row_find() may move the array */

	return &p->row[row].values;
}

static void take_row(struct processes *p, struct process_cpu *pc,
		     const struct netcost_process *counts, struct cgroups *cgroups)
{
	static const struct netcost_pmu none;
	struct values values =
		process_values_of(&counts->counts, pmu_events(p->pmu) ? &counts->pmu : &none);
	struct process like = { .pid = counts->key.process,
				.start_ns = counts->start_ns,
				.kernel = counts->is & NETCOST_PROCESS_KERNEL,
				.ended = counts->is & NETCOST_PROCESS_ENDED,
				.user_known = counts->is & NETCOST_PROCESS_USER,
				.user = counts->user };
	size_t row;

	if (!pc->taken)
		return;
	values_add(&pc->rows, &values);
	if (!p->begun)
		return;
	like.cgroup = cgroups_task_id(cgroups, counts->key.cgroup);
	memcpy(like.name, counts->name, sizeof(like.name));
	like.name[sizeof(like.name) - 1] = '\0';
	row = row_find(p, &like);
	values_add(&p->row[row].values, &values);
	if (counts->counts.unseen)
		pc->unseen = row + 1;
}

/*
 * Empties the half that programs are not writing to. A CPU that has used no row since the half was last emptied may
 * have an old list, which begins with a free row.
 */
static void drain(struct processes *p, struct cgroups *cgroups)
{
	unsigned int half = !*p->takes;

	for (unsigned int cpu = 0; cpu < p->ncpus; cpu++) {
		uint64_t next = *(const volatile uint32_t *)&p->states[cpu].told.taken[half];

		while (next && next <= 2 * p->half_rows) {
			void *at = p->rows + (next - 1) * p->row_size;
			const struct netcost_process *row = at;

			if (!row->key.process)
				break;
			next = row->next;
			if (cgroups)
				take_row(p, &p->cpu[cpu], row, cgroups);
			memset(at, 0, p->row_size);
		}
	}
}

/* Discards all rows and counters. Call it while no program runs. */
void processes_reset(struct processes *p)
{
	for (int i = 0; i < 2; i++) {
		drain(p, NULL);
		*p->takes = !*p->takes;
	}
	for (unsigned int cpu = 0; cpu < p->ncpus; cpu++)
		p->cpu[cpu] = (struct process_cpu){ .taken = p->cpu[cpu].taken };
}

/* ---- work that no row has yet ------------------------------------------------------------ */

static const struct process idle_tasks = { .name = "idle" };

static struct process running_process(const struct process_cpu *pc, struct cgroups *cgroups)
{
	if (!pc->running.process)
		return idle_tasks;
	return (struct process){ .pid = pc->running.process,
				 .cgroup = cgroups_task_id(cgroups, pc->running.cgroup) };
}

/*
 * Lends the work of the running process since it was switched in to the process's row. This work is the counters minus
 * all rows. If a switch occurred between the reading and the swap of halves, the rows hold more than the reading. Then
 * nothing is lent, because the difference is only some microseconds.
 */
static void lend(struct processes *p, struct process_cpu *pc, struct cgroups *cgroups)
{
	pc->lent = pc->now;
	values_take_away(&pc->lent, &pc->rows);
	values_take_away(&pc->lent, &pc->idle);
	values_take_away(&pc->lent, &pc->rest);
	pc->lender = running_process(pc, cgroups);
	if (pc->lent.v[VALUE_SWITCHES])
		pc->lent = (struct values){ 0 };
	if (p->begun && !values_is_zero(&pc->lent))
		values_add(row_of(p, &pc->lender), &pc->lent);
}

/*
 * Subtracts the lent amount from the row that now contains the work. Usually that is the lender's row. If the lender's
 * switch-out was missed, all work since the lender was switched in is in the row of the process that was switched out
 * next.
 */
static void take_back(struct processes *p, const struct process_cpu *pc)
{
	struct values *row = row_of(p, &pc->lender);

	if (pc->unseen && values_has_less(row, &pc->lent) &&
	    !values_has_less(&p->row[pc->unseen - 1].values, &pc->lent))
		row = &p->row[pc->unseen - 1].values;
	values_take_away(row, &pc->lent);
}

static void take_cpu(struct processes *p, struct process_cpu *pc, struct cgroups *cgroups)
{
	struct values idle = values_difference(&pc->idle, &pc->idle_before);
	struct values rest = values_difference(&pc->rest, &pc->rest_before);

	if (!pc->taken || !pc->read)
		return;
	if (p->begun && !values_is_zero(&pc->lent))
		take_back(p, pc);
	if (p->begun && !values_is_zero(&idle))
		values_add(row_of(p, &idle_tasks), &idle);
	if (p->begun)
		values_add(&p->row[REST].values, &rest);
	pc->idle_before = pc->idle;
	pc->rest_before = pc->rest;
	lend(p, pc, cgroups);
}

/* ---- records ----------------------------------------------------------------------------- */

/*
 * Returns the value to write. Clocks on the two sides of a switch may differ by some ns, so negative values become 0.
 */
static uint64_t shown(const struct values *values, enum value value, enum of of)
{
	if (of == OF_BYTES && values->v[VALUE_UNCOUNTED])
		return TRACE_NIL;
	return values->v[value] > 0 ? (uint64_t)values->v[value] : 0;
}

static bool is_known(const struct ladder *ladder, enum netcost_event event, enum of of)
{
	if (of == OF_PAGES)
		return ladder->pages.rung != RUNG_SAMPLES;
	return of == OF_NS ? ladder_times(ladder, event) :
			     ladder_rung(ladder, event) != RUNG_SAMPLES;
}

static int write_some(const struct row *row, size_t n, const struct ladder *ladder,
		      uint32_t counters, struct trace_writer *w)
{
	uint64_t column[AT_ONCE];

	trace_writer_begin(w, TRACE_PROCESS_STATS);
	for (size_t i = 0; i < n; i++)
		column[i] = row[i].id;
	trace_writer_uints(w, TRACE_PROCESS_STATS_PROCESS, column, n);
#define X(key, event, of, counts)                                                                  \
	if (is_known(ladder, NETCOST_EV_##event, OF_##of)) {                                       \
		for (size_t i = 0; i < n; i++)                                                     \
			column[i] = shown(&row[i].values, VALUE_##key, OF_##of);                   \
		trace_writer_uints(w, TRACE_PROCESS_STATS_##key, column, n);                       \
	}
	COLUMNS(X)
#undef X
#define X(key, events, counts)                                                                     \
	if (counters & (events)) {                                                                 \
		for (size_t i = 0; i < n; i++)                                                     \
			column[i] = shown(&row[i].values, VALUE_##key, OF_NS);                     \
		trace_writer_uints(w, TRACE_PROCESS_STATS_##key, column, n);                       \
	}
	PMU_COLUMNS(X)
#undef X
	return trace_writer_end(w);
}

static int write_rows(const struct processes *p, const struct ladder *ladder,
		      struct trace_writer *w)
{
	size_t first = values_is_zero(&p->row[0].values); /* the row REST is usually empty */
	int err = 0;

	for (size_t i = first; i < p->nrows && !err; i += AT_ONCE) {
		size_t n = p->nrows - i < AT_ONCE ? p->nrows - i : AT_ONCE;

		err = write_some(p->row + i, n, ladder, pmu_events(p->pmu), w);
		if (!err && trace_writer_pending(w) > FRAME_BYTES)
			err = trace_writer_end_frame(w);
	}
	return err;
}

int processes_write(struct processes *p, const struct cpuset *cpus, const struct ladder *ladder,
		    struct cgroups *cgroups, bool pids, struct trace_writer *w)
{
	int err;

	if (!p->turned)
		return 0;
	p->turned = false;
	for (unsigned int i = 0; i < cpus->n; i++)
		p->cpu[cpus->cpu[i]].taken = true;
	p->nrows = 0;
	process_ids_round(p->ids);
	if (!row_new(p, 0))
		return -ENOMEM;
	for (unsigned int cpu = 0; cpu < p->ncpus; cpu++)
		p->cpu[cpu].unseen = 0;
	quiet_wait();
	drain(p, cgroups);
	for (unsigned int cpu = 0; cpu < p->ncpus; cpu++)
		take_cpu(p, &p->cpu[cpu], cgroups);
	if (!p->begun) {
		p->begun = true;
		return 0;
	}
	err = cgroups_write(cgroups, w);
	if (!err)
		err = process_ids_write(p->ids, pids, w);
	return err ? err : write_rows(p, ladder, w);
}

/* Finds the new ids of the lenders. The next tick takes the lent amounts back by these ids. */
void processes_again(struct processes *p, struct cgroups *cgroups)
{
	process_ids_again(p->ids);
	for (unsigned int cpu = 0; cpu < p->ncpus; cpu++)
		if (!values_is_zero(&p->cpu[cpu].lent))
			p->cpu[cpu].lender = running_process(&p->cpu[cpu], cgroups);
}
