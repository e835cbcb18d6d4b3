// SPDX-License-Identifier: BSD-2-Clause
#include "weights.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MOST 9e18 /* of an int64_t: more is nothing that was measured */

int64_t weight_take(struct weight *w, uint64_t n)
{
	double each = w->samples ? w->whole / (double)w->samples : w->whole;
	double before = round((double)w->weighed * each), after;

	w->weighed += n;
	after = w->samples ? round((double)w->weighed * each) : round(w->whole);
	return fabs(after - before) < MOST ? (int64_t)(after - before) : 0;
}

int weights_make(struct weights *w, unsigned int cpu_end, const struct split *split, double uj)
{
	*w = (struct weights){ .ncpus = cpu_end, .energy = { .whole = uj } };
	w->cpu = calloc(cpu_end + 1u, sizeof(*w->cpu));
	if (!w->cpu)
		return -ENOMEM;
	for (unsigned int c = 0; c < w->ncpus; c++)
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			w->cpu[c][l].whole = NAN;
	for (size_t i = 0; i < split->ncpus; i++)
		for (unsigned int l = 0; split->cpu[i].cpu < w->ncpus && l < LEAF_COUNT; l++)
			w->cpu[split->cpu[i].cpu][l].whole = split->cpu[i].leaf[l].ns;
	return 0;
}

void weights_free(struct weights *w)
{
	free(w->cpu);
	w->cpu = NULL;
}

void weights_add(struct weights *w, unsigned int cpu, enum leaf leaf, uint64_t samples)
{
	w->cpu[cpu][leaf].samples += samples;
	if (leaf != LEAF_IDLE)
		w->energy.samples += samples;
}

void weights_complete(struct weights *w, const struct model *m)
{
	double each = m->header.sample_hz ? 1e9 / (double)m->header.sample_hz : 0;

	for (unsigned int c = 0; c < w->ncpus; c++)
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			if (!isfinite(w->cpu[c][l].whole))
				w->cpu[c][l].whole = each * (double)w->cpu[c][l].samples;
}
