// SPDX-License-Identifier: BSD-2-Clause
/* Makes the rows of a breakdown of the split. */
#include "breakdown.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/idmap.h>

#include "names.h"
#include "report/base/stats.h"

#define TASK_ROWS 20

const char *const breakdown_names[BREAKDOWN_KINDS + 1] = {
	[BREAKDOWN_CPU] = "cpu",	   [BREAKDOWN_TASK] = "task",
	[BREAKDOWN_PROCESS] = "process",   [BREAKDOWN_CGROUP] = "cgroup",
	[BREAKDOWN_INTERVAL] = "interval",
};

bool breakdown_is_sampled(enum breakdown_kind kind)
{
	return kind == BREAKDOWN_TASK || kind == BREAKDOWN_PROCESS || kind == BREAKDOWN_CGROUP;
}

static double network_ns(const struct breakdown_row *r)
{
	return split_sum(&r->split, LEAF_NETWORK).ns;
}

/* Compares two rows by network time. Rows with an unknown value come last. */
static int by_network(const void *pa, const void *pb)
{
	const struct breakdown_row *a = pa, *b = pb;
	double na = network_ns(a), nb = network_ns(b);

	na = isnan(na) ? -INFINITY : na;
	nb = isnan(nb) ? -INFINITY : nb;
	if (na != nb)
		return na < nb ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static int sum_rows(struct breakdown_row *sum, const struct breakdown_row *row, size_t n)
{
	struct split_cpu *cpu = calloc(n + 1, sizeof(*cpu));

	*sum = (struct breakdown_row){ .begin_s = NAN, .end_s = NAN };
	if (!cpu)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		cpu[i] = row[i].split;
		sum->samples += row[i].samples;
	}
	split_sum_cpus(&sum->split, cpu, n);
	if (!n)
		sum->split.wall_ns = NAN;
	free(cpu);
	return 0;
}

/* ---- CPUs -------------------------------------------------------------------------------- */

static void cpu_rows(struct breakdown *b)
{
	const struct summary *s = b->s;

	for (size_t i = 0; i < s->split.ncpus; i++) {
		const struct model_cpu *c = model_next_cpu(s->m, s->split.cpu[i].cpu);

		b->row[i] = (struct breakdown_row){ .id = c->cpu,
						    .samples = c->samples,
						    .split = s->split.cpu[i] };
	}
	qsort(b->row, s->split.ncpus, sizeof(*b->row), by_network);
}

/* ---- intervals ---------------------------------------------------------------------- */

static int interval_rows(struct breakdown *b, const struct intervals *iv)
{
	int err = 0;

	b->samples_outside = iv->outside;
	for (size_t i = 0; !err && i < iv->n; i++) {
		const struct interval *from = &iv->row[i];
		struct breakdown_row *r = &b->row[i];

		*r = (struct breakdown_row){ .id = i,
					     .begin_s = model_seconds(b->s->m, from->begin_ns),
					     .end_s = model_seconds(b->s->m, from->end_ns),
					     .samples = from->samples };
		err = interval_split(iv, i, b->s->m, &r->split);
	}
	return err;
}

/* ---- tasks, processes, cgroups: by samples alone, as exact counters are per CPU --------------- */

/* A task, process or cgroup. There may be very many tallies, but few of them become rows. */
struct tally {
	uint64_t id;
	model_str name;
	uint64_t samples; /* number of samples with a known time */
	double ns[LEAF_COUNT];
};

struct tallies {
	const struct breakdown *b;
	uint32_t *of; /* for each task or cgroup: index of its tally + 1; 0: no samples */
	struct idmap of_id;
	struct tally *tally;
	size_t n, cap;
	/* index + 1 of the tally of unknown owners, which gets the time of leaves without samples */
	uint32_t unknown;
};

static void tallies_free(struct tallies *t)
{
	free(t->of);
	idmap_free(&t->of_id);
	free(t->tally);
}

/*
 * Returns the id of an owner of samples. Returns id 0 (unknown) for all samples if there are no TASKS records, or no
 * CGROUPS records for a breakdown by cgroup.
 */
static uint64_t id_of(const struct breakdown *b, uint32_t owner)
{
	const struct model_task *task = b->s->m->task;

	if (!owner)
		return TRACE_NIL;
	return b->kind == BREAKDOWN_CGROUP  ? owner :
	       b->kind == BREAKDOWN_PROCESS ? task[owner].tgid :
					      task[owner].tid;
}

static enum model_owners_of owners_of(const struct breakdown *b)
{
	return b->kind == BREAKDOWN_CGROUP ? MODEL_OWNERS_CGROUPS : MODEL_OWNERS_TASKS;
}

bool breakdown_is_of_all_cpus(const struct breakdown *b)
{
	return breakdown_is_sampled(b->kind) && b->s->m->owners[owners_of(b)].all;
}

/* ---- finding owners of samples ------------------------------------------------------ */

static int add_owner(struct tallies *t, uint32_t owner)
{
	uint64_t id = id_of(t->b, owner);
	uint32_t number = idmap_get(&t->of_id, id);

	if (!number) {
		/* reserve one more entry for unknown owners */
		if (array_reserve(&t->tally, &t->cap, t->n + 2, sizeof(*t->tally)))
			return -ENOMEM;
		t->tally[t->n] = (struct tally){ .id = id };
		number = (uint32_t)++t->n;
	}
	t->of[owner] = number;
	return idmap_set(&t->of_id, id, number) ? -ENOMEM : 0;
}

/* Adds the owners of a CPU's samples, or of those that all CPUs have together (NULL). */
static int add_owners(struct tallies *t, const struct model_cpu *c)
{
	struct model_owned of = model_owned(t->b->s->m, c, owners_of(t->b));
	int err = 0;

	while (!err && model_owned_next(&of))
		if (!t->of[of.owner])
			err = add_owner(t, of.owner);
	return err;
}

/* Names the tallies. A task or cgroup gets the last name that a sample has. A process gets the name from names.h. */
static int name_tallies(struct tallies *t, uint32_t owners)
{
	const struct model *m = t->b->s->m;
	bool cgroups = t->b->kind == BREAKDOWN_CGROUP;
	struct idmap names;

	for (uint32_t i = 1; i <= owners; i++)
		if (t->of[i])
			t->tally[t->of[i] - 1].name = cgroups ? m->cgroup[i][MODEL_CGROUP_PATH] :
								m->task[i].comm;
	if (t->b->kind != BREAKDOWN_PROCESS)
		return 0;
	if (names_make(&names, m))
		return -ENOMEM;
	for (size_t i = 0; i < t->n; i++)
		t->tally[i].name = idmap_get(&names, t->tally[i].id);
	idmap_free(&names);
	return 0;
}

static int make_tallies(struct tallies *t)
{
	const struct model *m = t->b->s->m;
	uint32_t owners = t->b->kind == BREAKDOWN_CGROUP ? m->ncgroups : m->ntasks;
	const struct model_cpu *c;
	int err;

	t->of = calloc(owners + 1u, sizeof(*t->of));
	if (!t->of)
		return -ENOMEM;
	err = add_owners(t, NULL);
	model_for_each_cpu(m, c)
	{
		if (!err)
			err = add_owners(t, c);
	}
	return err ? err : name_tallies(t, owners);
}

/* ---- distributing time -------------------------------------------------------------- */

/* Returns true if a leaf's time is distributed over owners. */
static bool is_owned(const struct breakdown *b, unsigned int leaf)
{
	const struct split_value *all = &b->s->split.all.leaf[leaf];

	if (leaf == LEAF_OWN || (leaf == LEAF_IDLE && isnan(all->sampled)))
		return false;
	return all->how != SPLIT_NOT_MEASURED;
}

/* Adds the time of a leaf that has no samples on that CPU to the tally of unknown owners. */
static void add_unknown(struct tallies *t, unsigned int leaf, double ns)
{
	uint32_t number = idmap_get(&t->of_id, TRACE_NIL);

	if (!number && !t->unknown) {
		t->tally[t->n] = (struct tally){ .id = TRACE_NIL };
		t->unknown = (uint32_t)++t->n;
	}
	t->tally[(number ? number : t->unknown) - 1].ns[leaf] += ns;
}

static void count_leaves(uint64_t samples[LEAF_COUNT], struct model_owned of)
{
	while (model_owned_next(&of))
		samples[of.leaf] += of.samples;
}

/* Distributes each leaf's time over its samples. c: NULL: split is of all CPUs together. */
static void add_cpu(struct tallies *t, const struct split_cpu *split, const struct model_cpu *c)
{
	struct model_owned of = model_owned(t->b->s->m, c, owners_of(t->b));
	uint64_t samples[LEAF_COUNT] = { 0 };

	count_leaves(samples, of);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (is_owned(t->b, l) && !samples[l] && fabs(split->leaf[l].ns) > 0)
			add_unknown(t, l, split->leaf[l].ns);
	while (model_owned_next(&of)) {
		double ns = split->leaf[of.leaf].ns;
		struct tally *tally = &t->tally[t->of[of.owner] - 1];

		if (!is_owned(t->b, of.leaf) || isnan(ns))
			continue;
		tally->ns[of.leaf] += ns * (double)of.samples / (double)samples[of.leaf];
		tally->samples += of.samples;
	}
}

static void add_cpus(struct tallies *t)
{
	const struct split *split = &t->b->s->split;

	if (breakdown_is_of_all_cpus(t->b))
		add_cpu(t, &split->all, NULL);
	for (size_t i = 0; !breakdown_is_of_all_cpus(t->b) && i < split->ncpus; i++)
		add_cpu(t, &split->cpu[i], model_next_cpu(t->b->s->m, split->cpu[i].cpu));
}

static double sum_ns(const struct tally *t, unsigned int leaves)
{
	double ns = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves & 1u << l)
			ns += t->ns[l];
	return ns;
}

static int by_tally(const void *pa, const void *pb)
{
	const struct tally *a = pa, *b = pb;
	double na = sum_ns(a, LEAF_NETWORK), nb = sum_ns(b, LEAF_NETWORK);

	if (na == nb) {
		na = sum_ns(a, LEAF_ALL);
		nb = sum_ns(b, LEAF_ALL);
	}
	if (na != nb)
		return na < nb ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

/* ---- rows -------------------------------------------------------------------------------- */

static void make_row(struct breakdown_row *r, const struct breakdown *b, const struct tally *t)
{
	double ns[LEAF_COUNT];

	*r = (struct breakdown_row){
		.id = t->id,
		.name = model_string(b->s->m, t->name),
		.begin_s = NAN,
		.end_s = NAN,
		.samples = t->samples,
	};
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		ns[l] = is_owned(b, l) ? t->ns[l] : NAN;
	split_from_samples(&r->split, ns, (double)t->samples);
	if (!t->samples && !b->s->m->header.sample_hz)
		r->split.wall_ns = NAN;
}

/* Sums the tallies with index i and above. */
static void make_sum(struct breakdown_row *r, const struct tallies *t, size_t i)
{
	struct tally sum = { 0 };

	for (; i < t->n; i++) {
		sum.samples += t->tally[i].samples;
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			sum.ns[l] += t->tally[i].ns[l];
	}
	make_row(r, t->b, &sum);
}

static int make_tasks(struct breakdown *b, size_t n)
{
	struct tallies t = { .b = b };
	int err = make_tallies(&t);

	if (!err && t.n)
		add_cpus(&t);
	if (!err) {
		if (t.n)
			qsort(t.tally, t.n, sizeof(*t.tally), by_tally);
		b->n = n < t.n ? n : t.n;
		b->nothers = t.n - b->n;
		b->row = calloc(b->n + 1, sizeof(*b->row));
		err = b->row ? 0 : -ENOMEM;
	}
	for (size_t i = 0; !err && i < b->n; i++)
		make_row(&b->row[i], b, &t.tally[i]);
	if (!err) {
		make_sum(&b->others, &t, b->n);
		make_sum(&b->all, &t, 0);
	}
	tallies_free(&t);
	return err;
}

/* ---- all kinds of breakdown ---- */

/* Merges all rows after the first n rows into one. */
static int cut_rows(struct breakdown *b, size_t all, size_t n)
{
	int err = sum_rows(&b->all, b->row, all);

	if (all)
		b->all.split = b->s->split.all;
	b->n = n && n < all ? n : all;
	b->nothers = all - b->n;
	if (!err)
		err = sum_rows(&b->others, b->row + b->n, b->nothers);
	return err;
}

int breakdown_make(struct breakdown *b, const struct summary *s, enum breakdown_kind kind, size_t n,
		   const struct intervals *iv)
{
	size_t all = kind == BREAKDOWN_INTERVAL ? iv->n : s->split.ncpus;
	int err = 0;

	*b = (struct breakdown){ .kind = kind, .s = s };
	if (breakdown_is_sampled(kind)) {
		err = make_tasks(b, n ? n : TASK_ROWS);
	} else {
		b->row = calloc(all + 1, sizeof(*b->row));
		if (!b->row)
			err = -ENOMEM;
		else if (kind == BREAKDOWN_INTERVAL)
			err = interval_rows(b, iv);
		else
			cpu_rows(b);
		if (!err)
			err = cut_rows(b, all, n);
	}
	if (err)
		breakdown_free(b);
	return err;
}

double breakdown_network_ci95_ns(const struct breakdown *b, const struct breakdown_row *r)
{
	const struct split_cpu *all = &b->s->split.all;
	struct split_value of = split_sum(all, LEAF_NETWORK),
			   v = split_sum(&r->split, LEAF_NETWORK);
	double part = v.ns / of.ns;

	if (!breakdown_is_sampled(b->kind) || !(of.ns > 0) || !(of.sampled > 0))
		return v.ci95_ns;
	return hypot(of.ns * stats_share_ci95(part, all->samples * of.sampled / all->basis),
		     isnan(of.ci95_ns) ? 0 : part * of.ci95_ns);
}

void breakdown_free(struct breakdown *b)
{
	free(b->row);
	b->row = NULL;
}

/* ---- timelines ------------------------------------------------------------------------- */

/*
 * Assigns marks to a row. Marks before the first row belong to the first row, and marks after the last row belong to
 * the last row.
 */
static void take_moments(struct timeline_row *r, const struct timeline *t, size_t i)
{
	const struct model *m = t->m;
	bool last = i + 1 == t->intervals->n;

	r->moment += r->nmoments;
	r->nmoments = 0;
	/* The last row also contains the marks at an unknown time, which follow all other marks. */
	while (r->moment + r->nmoments < m->nmoments &&
	       (last || m->moment[r->moment + r->nmoments].at_ns < t->intervals->row[i].end_ns))
		r->nmoments++;
}

/* Fraction of a row that all energy counters must cover. Otherwise, the row's power is unknown. */
#define COVERED 0.9

double timeline_joules(const struct interval *row, bool moved)
{
	double ns = (double)(row->end_ns - row->begin_ns);

	return moved && row->host.energy_ns > COVERED * ns ?
		       row->host.joules * ns / row->host.energy_ns :
		       NAN;
}

/* Computes the power by Netto's model: the power of packages and memory times the network's share. */
static void make_power(struct timeline_row *r, const struct timeline *t,
		       const struct interval *from)
{
	double share = split_sum(&r->split, LEAF_NETWORK).ns / r->split.wall_ns;

	r->total_w = timeline_joules(from, t->moved) / r->seconds;
	r->network_w = r->total_w * share;
}

static void make_rates(struct timeline_row *r, const struct interval_traffic *t)
{
	/* NaN if the interfaces were not read at both edges */
	double seconds = isnan(t->packets) ? NAN : r->seconds;

	r->packets_per_s = t->packets / r->seconds;
	r->bits_per_s = t->bytes * 8 / r->seconds;
	r->rx_packets_per_s = t->rx_packets / seconds;
	r->tx_packets_per_s = t->tx_packets / seconds;
	r->rx_bits_per_s = t->rx_bytes * 8 / seconds;
	r->tx_bits_per_s = t->tx_bytes * 8 / seconds;
}

int timeline_row(struct timeline_row *r, const struct timeline *t, size_t i)
{
	const struct interval *from = &t->intervals->row[i];

	r->begin_s = model_seconds(t->m, from->begin_ns);
	r->end_s = model_seconds(t->m, from->end_ns);
	r->seconds = (double)(from->end_ns - from->begin_ns) * 1e-9;
	r->samples = from->samples;
	make_rates(r, interval_traffic(t->intervals, i));
	take_moments(r, t, i);
	if (interval_split(t->intervals, i, t->m, &r->split))
		return -ENOMEM;
	make_power(r, t, from);
	return 0;
}

bool timeline_energy_moved(const struct intervals *iv)
{
	for (size_t i = 0; i < iv->n; i++)
		if (iv->row[i].host.joules > 0)
			return true;
	return false;
}

void timeline_init(struct timeline *t, const struct intervals *iv, const struct model *m)
{
	*t = (struct timeline){ .intervals = iv, .m = m, .moved = timeline_energy_moved(iv) };
}

/* ---- processes --------------------------------------------------------------------------- */

int timeline_by_make(struct timeline_by *t, const struct intervals *iv, const struct processes *p,
		     const struct process_times *times, size_t n)
{
	int err;

	*t = (struct timeline_by){ .intervals = iv, .p = p };
	processes_energy_make(&t->energy, p);
	t->has_energy = !isnan(t->energy.total_j) && timeline_energy_moved(iv);
	err = process_tracks_make(&t->tracks, p, times, n);
	if (err)
		return err;
	t->row.track = calloc(t->tracks.ntracks + 1, sizeof(*t->row.track));
	if (t->row.track)
		return 0;
	process_tracks_free(&t->tracks);
	return -ENOMEM;
}

void timeline_by_free(struct timeline_by *t)
{
	process_tracks_free(&t->tracks);
	free(t->row.track);
	t->row.track = NULL;
}

/* Distributes the energy of a row as processes_shares.h does for the whole recording. */
static void make_energy(struct timeline_by_row *r, const struct timeline_by *t,
			const struct interval *from)
{
	struct energy_range idle_j;

	r->joules = timeline_joules(from, t->has_energy);
	idle_j = processes_energy_idle(&t->energy, r->joules, r->end_s - r->begin_s);
	r->joules_a_ns =
		processes_energy_rates(r->joules, &idle_j, r->wall_ns - r->idle_ns, r->idle_ns);
}

struct energy_range timeline_by_energy(const struct timeline_by_row *r, double ns)
{
	return (struct energy_range){ r->joules_a_ns.low * ns, r->joules_a_ns.high * ns };
}

struct energy_range timeline_by_idle_energy(const struct timeline_by_row *r)
{
	struct energy_range busy = timeline_by_energy(r, r->wall_ns - r->idle_ns);

	return (struct energy_range){ r->joules - busy.low, r->joules - busy.high };
}

const struct timeline_by_row *timeline_by_row(struct timeline_by *t, size_t i)
{
	const struct intervals *iv = t->intervals;
	const struct model *m = t->p->m;
	struct timeline_by_row *r = &t->row;

	memset(r->track, 0, (t->tracks.ntracks + 1) * sizeof(*r->track));
	process_tracks_add(&t->tracks, i, r->track);
	r->begin_s = model_seconds(m, iv->row[i].begin_ns);
	r->end_s = model_seconds(m, iv->row[i].end_ns);
	r->wall_ns = r->idle_ns = NAN;
	for (size_t c = i * iv->ncpus; c < (i + 1) * iv->ncpus; c++) {
		known_add(&r->wall_ns, iv->cell[c].times.wall_ns);
		known_add(&r->idle_ns, iv->cell[c].times.exact_ns[NETCOST_EV_IDLE]);
	}
	r->interrupted_ns = 0;
	r->missing_ns = r->wall_ns - r->idle_ns;
	for (size_t k = 0; k <= t->tracks.ntracks; k++) {
		r->interrupted_ns += r->track[k][PROCESS_TIME_INTERRUPTED];
		r->missing_ns -= r->track[k][PROCESS_TIME_ON_CPU];
	}
	r->missing_ns -= r->interrupted_ns;
	make_energy(r, t, &iv->row[i]);
	return r;
}
