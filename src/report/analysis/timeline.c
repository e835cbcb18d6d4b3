// SPDX-License-Identifier: BSD-2-Clause
#include "timeline.h"

#include <errno.h>
#include <math.h>

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
