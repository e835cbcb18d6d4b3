// SPDX-License-Identifier: BSD-2-Clause
#include "timeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"

/* Marks before the first row belong to it, those after the last row to that. */
static void take_moments(struct timeline_row *r, const struct timeline *t, size_t i)
{
	const struct model *m = t->m;
	bool last = i + 1 == t->intervals->n;

	r->moment += r->nmoments;
	r->nmoments = 0;
	/* Of marks at a time that is not known the last row has those after all others. */
	while (r->moment + r->nmoments < m->nmoments &&
	       (last || m->moment[r->moment + r->nmoments].at_ns < t->intervals->row[i].end_ns))
		r->nmoments++;
}

/* All counters tell of this much of a row, or its power is not known. */
#define COVERED 0.9

double timeline_joules(const struct interval *row, bool moved)
{
	double ns = (double)(row->end_ns - row->begin_ns);

	return moved && row->host.energy_ns > COVERED * ns ?
		       row->host.joules * ns / row->host.energy_ns :
		       NAN;
}

/* As Netto does: the power of packages and memory times the network's share. */
static void make_power(struct timeline_row *r, const struct timeline *t,
		       const struct interval *from)
{
	double share = split_sum(&r->split, LEAF_NETWORK).ns / r->split.wall_ns;

	r->total_w = timeline_joules(from, t->moved) / r->seconds;
	r->network_w = r->total_w * share;
}

int timeline_row(struct timeline_row *r, const struct timeline *t, size_t i)
{
	const struct interval *from = &t->intervals->row[i];

	r->begin_s = model_seconds(t->m, from->begin_ns);
	r->end_s = model_seconds(t->m, from->end_ns);
	r->seconds = (double)(from->end_ns - from->begin_ns) * 1e-9;
	r->samples = from->samples;
	r->packets_per_s = from->host.packets / r->seconds;
	r->bits_per_s = from->host.bytes * 8 / r->seconds;
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

/* As processes_energy.h deals out all of it. */
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
