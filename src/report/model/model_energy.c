// SPDX-License-Identifier: BSD-2-Clause
/* Energy counters, and the busy time of CPUs between two reads of the counters. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "model_impl.h"

/* ---- zones ------------------------------------------------------------------------------- */

bool model_is_package(const struct model *m, const struct model_zone *z)
{
	return !strncmp(model_string(m, z->name), "package", strlen("package"));
}

bool model_is_dram(const struct model *m, const struct model_zone *z)
{
	return !strncmp(model_string(m, z->name), "dram", strlen("dram"));
}

bool model_is_core(const struct model *m, const struct model_zone *z)
{
	return !strncmp(model_string(m, z->name), "core-", strlen("core-"));
}

size_t model_package_of(const struct model *m, const struct model_zone *z)
{
	while (!model_is_package(m, z)) {
		if (!z->parent)
			return 0;
		z = &m->zone[z->parent - 1];
	}
	return model_zone_mirrors(z) ? model_zone_mirrors(z) : (size_t)(z - m->zone) + 1;
}

/* ---- zones that mirror a counter ---------------------------------------------------- */

#define SAME_MOST 64 /* number of bits of `same` */

/* Returns the package of a zone that is a die, or is below a die, or -1 if the zone is not in a die. */
static int die_package(const struct model *m, const struct model_zone *z)
{
	size_t id = model_package_of(m, z);
	int package, die;

	return id && sscanf(model_string(m, m->zone[id - 1].name), "package-%d-die-%d", &package,
			    &die) == 2 ?
		       package :
		       -1;
}

/* Returns true if the zones belong to two dies of one package, and could show the same counter. */
static bool may_be_same(const struct model *m, const struct model_zone *a,
			const struct model_zone *b)
{
	int package = die_package(m, a);

	return package >= 0 && package == die_package(m, b) && a->unit_nj == b->unit_nj &&
	       a->wrap == b->wrap && model_is_package(m, a) == model_is_package(m, b) &&
	       model_is_dram(m, a) == model_is_dram(m, b) &&
	       model_is_core(m, a) == model_is_core(m, b) &&
	       (model_is_package(m, a) ||
		!strcmp(model_string(m, a->name), model_string(m, b->name)));
}

static void find_twins(struct model *m, struct model_zone *z)
{
	for (size_t i = 0; i < m->nzones && i < SAME_MOST; i++)
		if (may_be_same(m, &m->zone[i], z))
			z->same |= UINT64_C(1) << i;
}

/* Returns true if `raw` was read no earlier than `before`, allowing for a wrap. */
static bool is_since(const struct model_zone *z, uint64_t raw, uint64_t before)
{
	if (raw == TRACE_NIL || before == TRACE_NIL)
		return true;
	if (!z->wrap || raw >= before)
		return raw >= before && (!z->wrap || raw - before <= z->wrap / 2);
	return z->wrap - before + raw < z->wrap / 2;
}

/*
 * Finds zones that are different counters. If two zones show the same counter, they are read one after the other at
 * each tick. So the current reading of each zone is not below the previous reading of the other zone, allowing for a
 * wrap. If two zones break this rule, they are different counters, and their bit in `same` is cleared.
 */
static void part_twins(struct model *m)
{
	for (size_t i = 0; i < m->nzones; i++) {
		struct model_zone *z = &m->zone[i];

		for (size_t k = 0; z->same && k < i && k < SAME_MOST; k++) {
			const struct model_zone *a = &m->zone[k];

			if (z->same >> k & 1 && !(is_since(z, z->raw_now, a->raw_before) &&
						  is_since(z, a->raw_now, z->raw_before)))
				z->same &= ~(UINT64_C(1) << k);
		}
	}
}

size_t model_zone_mirrors(const struct model_zone *z)
{
	return z->same && z->reads > 1 && z->raw.sum ? (size_t)__builtin_ctzll(z->same) + 1 : 0;
}

size_t model_cpu_package(const struct model *m, unsigned int cpu)
{
	size_t id = m->package[cpu], mirrors = id ? model_zone_mirrors(&m->zone[id - 1]) : 0;

	return mirrors ? mirrors : id;
}

static void note_cpus(struct model *m, const struct trace_record *rec, const struct model_zone *z,
		      uint64_t id)
{
	struct trace_column c = trace_record_column(rec, TRACE_ENERGY_ZONE_CPUS);
	bool package = model_is_package(m, z) && id <= MODEL_ENERGY_SERIES;
	bool core = model_is_core(m, z) && id <= UINT16_MAX;
	uint64_t cpu;

	while (trace_column_uint(&c, &cpu)) {
		if (cpu >= TRACE_MAX_CPU)
			continue;
		if (package)
			m->package[cpu] = (uint8_t)id;
		if (core)
			m->core[cpu] = (uint16_t)id;
	}
}

int model_zone(struct model *m, const struct trace_record *rec)
{
	uint64_t id = trace_record_uint(rec, TRACE_ENERGY_ZONE_ID, 0);
	struct model_zone z = {
		.parent = trace_record_uint(rec, TRACE_ENERGY_ZONE_PARENT, 0),
		.unit_nj = trace_record_uint(rec, TRACE_ENERGY_ZONE_UNIT_NJ, 0),
		.wrap = trace_record_uint(rec, TRACE_ENERGY_ZONE_WRAP, 0),
		.error = TRACE_NIL,
		.together = 1,
		.raw_now = TRACE_NIL,
	};
	int err;

	err = model_check_id(m, "energy zone", id, m->nzones);
	if (err)
		return err;
	if (z.parent >= id)
		return model_damaged(m, "energy zone %" PRIu64 " is a part of an undefined zone",
				     id);
	if ((err = model_keep_field(m, rec, TRACE_ENERGY_ZONE_NAME, &z.name)) ||
	    (err = model_keep_field(m, rec, TRACE_ENERGY_ZONE_STATE, &z.state)) ||
	    (err = model_keep_field(m, rec, TRACE_ENERGY_ZONE_WHY, &z.why)) ||
	    (err = array_reserve(&m->zone, &m->cap.zone, id, sizeof(z))))
		return err;
	m->zone[m->nzones] = z;
	find_twins(m, &m->zone[m->nzones]);
	m->nzones++;
	note_cpus(m, rec, &z, id);
	return 0;
}

void model_free_zones(struct model *m)
{
	for (size_t i = 0; i < m->nzones; i++)
		free(m->zone[i].piece);
	free(m->zone);
	m->zone = NULL;
	m->nzones = m->cap.zone = 0;
}

/* ---- counters ---------------------------------------------------------------------------- */

#define MOST_NW 1e12 /* upper limit of the plausible power of a zone: 1000 W, in nW */

/*
 * Returns true if the counter gives the energy between two reads. The energy is unknown if the counter could have
 * wrapped twice, if it fell and the value at which it wraps is unknown, or if a wrap would imply an implausible power.
 */
static bool is_told(const struct model_zone *z, uint64_t raw, uint64_t gap_ns)
{
	double most = MOST_NW * 1e-9 * (double)gap_ns / fmax((double)z->unit_nj, 1);
	bool fell = raw < z->raw.last;

	if (!gap_ns || !z->wrap)
		return !fell;
	if (most >= (double)z->wrap + 1)
		return false;
	return !fell || (double)(z->wrap - z->raw.last + raw) + 1 <= most;
}

static void add_read(struct model *m, struct model_zone *z, uint64_t read_ns, uint64_t raw)
{
	uint64_t was_ns = z->read_ns.last;
	uint64_t gap_ns = z->read_ns.readings && read_ns > was_ns ? read_ns - was_ns : 0;

	z->reads++;
	z->failed = false;
	counter_add(&z->read_ns, read_ns, 0);
	if (!z->raw.readings || is_told(z, raw, gap_ns)) {
		z->told_ns += gap_ns;
		counter_add(&z->raw, raw, z->wrap);
		return;
	}
	z->untold_ns += gap_ns;
	if (raw < z->raw.last && !z->wrap && !m->backwards++)
		m->backwards_key = trace_key_desc(TRACE_ENERGY, TRACE_ENERGY_RAW);
	z->raw.last = raw;
}

static void add_failure(struct model_zone *z, uint64_t error)
{
	z->unread++;
	z->failed = true;
	z->error = error;
}

int model_energy(struct model *m, const struct trace_record *rec)
{
	struct trace_column times = trace_record_column(rec, TRACE_ENERGY_READ_NS);
	struct trace_column raws = trace_record_column(rec, TRACE_ENERGY_RAW);
	struct trace_column errors = trace_record_column(rec, TRACE_ENERGY_ERROR);
	uint64_t began_ns = trace_record_uint(rec, TRACE_BEGAN_NS, TRACE_NIL);
	uint64_t ended_ns = trace_record_uint(rec, TRACE_ENDED_NS, TRACE_NIL);
	uint64_t read_ns, raw, error;

	if (times.n != raws.n || times.n > m->nzones)
		return model_damaged(m,
				     "ENERGY has %u times and %u counters, but there are %zu zones",
				     times.n, raws.n, m->nzones);
	if (began_ns != TRACE_NIL && ended_ns != TRACE_NIL && began_ns <= ended_ns && times.n) {
		m->energy_reading_ns += (double)(ended_ns - began_ns);
		m->energy_reads += times.n;
	}
	for (size_t i = 0; trace_column_uint(&times, &read_ns) && trace_column_uint(&raws, &raw);
	     i++) {
		if (!trace_column_uint(&errors, &error))
			error = TRACE_NIL;
		m->zone[i].raw_before = m->zone[i].raw_now;
		m->zone[i].raw_now = raw;
		if (raw == TRACE_NIL || read_ns == TRACE_NIL)
			add_failure(&m->zone[i], error);
		else
			add_read(m, &m->zone[i], read_ns, raw);
	}
	part_twins(m);
	m->energy_due = true;
	return 0;
}

double model_zone_joules(const struct model_zone *z)
{
	return (double)z->raw.sum * (double)z->unit_nj * 1e-9;
}

/* ---- intervals ---------------------------------------------------------------------- */

/* Busy time of the CPUs up to now. */
struct times {
	double ns, busy_ns; /* NaN: unknown on at least one CPU */
	unsigned int cpus;
};

static struct model_energy_time time_of(const struct model *m, const struct model_cpu *c)
{
	const struct counter *idle = &c->ns[NETCOST_EV_IDLE];
	double unit_ns = m->header.user_hz ? 1e9 / (double)m->header.user_hz : NAN;
	bool exact = idle->readings && !idle->unknown;
	struct model_energy_time t = { .at_ns = (double)m->at_ns.sum };
	double at_ns = (double)c->exact_at_ns.sum;

	t.covered_ns = exact ? at_ns - (double)c->off_ns.sum : NAN;
	t.exact_ns = at_ns - (double)c->offline_ns.sum;
	t.busy_ns = t.exact_ns - (double)idle->sum;
	t.stat_ns = c->stat[STAT_IDLE].readings ? 0 : NAN;
	for (unsigned int i = 0; i < STAT_GUEST; i++)
		t.stat_ns += (double)c->stat[i].sum * unit_ns;
	t.stat_busy_ns =
		t.stat_ns - (double)(c->stat[STAT_IDLE].sum + c->stat[STAT_IOWAIT].sum) * unit_ns;
	return t;
}

/*
 * Smallest share of an interval that exact counters must cover. If they cover less, /proc/stat is used, which counts in
 * units of 10 ms.
 */
#define COVERED 0.95

/*
 * Sets *busy_ns to the time in which the CPU was busy since the last call, and *ns to the whole time since then (0: the
 * CPU was offline). NaN: unknown.
 */
static void busy_since(const struct model *m, struct model_cpu *c, double *ns, double *busy_ns)
{
	struct model_energy_time now = time_of(m, c), was = c->energy;
	bool exact = now.covered_ns - was.covered_ns >= COVERED * (now.at_ns - was.at_ns);

	c->energy = now;
	*ns = exact ? now.exact_ns - was.exact_ns : now.stat_ns - was.stat_ns;
	*busy_ns = exact ? now.busy_ns - was.busy_ns : now.stat_busy_ns - was.stat_busy_ns;
	if (!exact && !(*ns > 0))
		*ns = *busy_ns = NAN;
}

static void add_times(struct times *t, double ns, double busy_ns)
{
	t->cpus++;
	t->ns += ns;
	t->busy_ns += busy_ns;
}

/* Sums busy time by package. sum[0] is the sum over all CPUs. */
static void busy_by_package(struct model *m, struct times sum[MODEL_ENERGY_SERIES + 1])
{
	memset(sum, 0, (MODEL_ENERGY_SERIES + 1) * sizeof(*sum));
	for (unsigned int i = 0; i < m->cpu_end; i++) {
		double ns, busy_ns;

		if (!m->cpu[i] || m->cpu[i]->tick != m->ticks)
			continue;
		busy_since(m, m->cpu[i], &ns, &busy_ns);
		if (ns == 0)
			continue;
		add_times(&sum[0], ns, busy_ns);
		if (m->package[i])
			add_times(&sum[model_cpu_package(m, i)], ns, busy_ns);
	}
}

static void join_pieces(struct model_zone *z)
{
	z->npieces /= 2;
	z->together *= 2;
	for (size_t i = 0; i < z->npieces; i++) {
		struct model_energy_piece *a = &z->piece[2 * i], *b = a + 1;

		z->piece[i] = (struct model_energy_piece){ a->ns + b->ns, a->joules + b->joules,
							   a->busy_ns + b->busy_ns };
	}
}

static int add_piece(struct model_zone *z, double ns, double joules, double busy_ns)
{
	struct model_energy_piece *last;

	if (!z->piece) {
		z->piece = calloc(MODEL_ENERGY_PIECES, sizeof(*z->piece));
		if (!z->piece)
			return -ENOMEM;
	}
	if (!z->npieces || z->in_last == z->together) {
		if (z->npieces == MODEL_ENERGY_PIECES)
			join_pieces(z);
		z->npieces++;
		z->in_last = 0;
	}
	z->in_last++;
	last = &z->piece[z->npieces - 1];
	if (z->in_last == 1)
		*last = (struct model_energy_piece){ 0 };
	last->ns += ns;
	last->joules += joules;
	last->busy_ns += busy_ns;
	return 0;
}

static int take_piece(struct model *m, struct model_zone *z,
		      const struct times sum[MODEL_ENERGY_SERIES + 1])
{
	size_t package = model_package_of(m, z);
	const struct times *t = &sum[package <= MODEL_ENERGY_SERIES ? package : 0];
	double ns = (double)z->told_ns - z->told_before;
	double joules = model_zone_joules(z) - z->joules_before;
	double busy_ns;

	if (!t->cpus) /* the package's CPUs are unknown */
		t = &sum[0];
	z->told_before = (double)z->told_ns;
	z->joules_before = model_zone_joules(z);
	busy_ns = t->ns > 0 ? t->busy_ns / t->ns * t->cpus * ns : NAN;
	return ns > 0 && !isnan(busy_ns) ? add_piece(z, ns, joules, busy_ns) : 0;
}

int model_energy_piece(struct model *m)
{
	struct times sum[MODEL_ENERGY_SERIES + 1];
	int err = 0;

	if (!m->energy_due)
		return 0;
	m->energy_due = false;
	busy_by_package(m, sum);
	for (size_t i = 0; i < m->nzones && i < MODEL_ENERGY_SERIES && !err; i++) {
		struct model_zone *z = &m->zone[i];

		if (model_is_package(m, z) || model_is_dram(m, z))
			err = take_piece(m, z, sum);
	}
	return err;
}
