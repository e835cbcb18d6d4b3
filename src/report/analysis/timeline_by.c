// SPDX-License-Identifier: BSD-2-Clause
#include "timeline_by.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"

int timeline_by_make(struct timeline_by *t, const struct intervals *iv, const struct processes *p,
		     const struct process_times *times, size_t n)
{
	int err;

	*t = (struct timeline_by){ .intervals = iv, .p = p };
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
	return r;
}
