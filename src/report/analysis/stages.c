// SPDX-License-Identifier: BSD-2-Clause
#include "stages.h"

#include <stdlib.h>

const char *const stages_keys[] = {
#define X(id, name, key, kind, what) [id] = key,
	NETCOST_STAGES(X)
#undef X
		NULL
};

const char *const stages_what[] = {
#define X(id, name, key, kind, what) [id] = what,
	NETCOST_STAGES(X)
#undef X
		NULL
};

const char *const stages_path_keys[] = {
#define X(name, key, title) key,
	STAGES_PATHS(X)
#undef X
		NULL
};

const char *const stages_path_titles[] = {
#define X(name, key, title) title,
	STAGES_PATHS(X)
#undef X
		NULL
};

const char *const stages_by_names[] = {
#define X(name, key) key,
	STAGES_BYS(X)
#undef X
		NULL
};

static uint64_t packets_of(const struct stages_step *s)
{
	uint64_t n = 0;

	for (unsigned int b = 0; b < NETCOST_LATENCY_BUCKETS; b++)
		n += s->times.bucket[b];
	return n;
}

/* When it begins, in the mean. */
static double begins(const struct stages_step *s)
{
	return s->begun_ns / (double)packets_of(s);
}

static int in_order(const void *a, const void *b)
{
	const struct stages_step *x = *(const struct stages_step *const *)a,
				 *y = *(const struct stages_step *const *)b;
	double bx = begins(x), by = begins(y);

	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	if (bx != by)
		return bx < by ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

const struct stages_step **stages_in_order(const struct stages_times *t)
{
	const struct stages_step **step = calloc(t->nsteps + 1, sizeof(*step));

	for (size_t i = 0; step && i < t->nsteps; i++)
		step[i] = &t->step[i];
	if (step)
		qsort(step, t->nsteps, sizeof(*step), in_order);
	return step;
}

bool stages_add_up(const struct stages_times *t, enum stages_path path)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < t->nsteps; i++)
		if (t->step[i].path == path)
			ns += t->step[i].times.ns;
	return ns == t->whole[path].ns;
}

static void sum_of_keys(const struct model_stages *s, const struct stages_step *like, uint64_t *ns,
			uint64_t *packets)
{
	for (size_t k = 0; k < s->nkeys; k++) {
		const struct stages_times *t = &s->key[k].times;

		for (size_t i = 0; i < t->nsteps; i++) {
			const struct stages_step *step = &t->step[i];

			if (step->path != like->path || step->from != like->from ||
			    step->to != like->to)
				continue;
			*ns += step->times.ns;
			*packets += packets_of(step);
		}
	}
}

bool stages_keys_add_up(const struct model_stages *s, enum stages_path path)
{
	uint64_t whole_ns = 0;

	for (size_t i = 0; i < s->all.nsteps; i++) {
		const struct stages_step *step = &s->all.step[i];
		uint64_t ns = 0, packets = 0;

		if (step->path != path)
			continue;
		sum_of_keys(s, step, &ns, &packets);
		if (ns != step->times.ns || packets != packets_of(step))
			return false;
	}
	for (size_t k = 0; k < s->nkeys; k++) {
		if (!stages_add_up(&s->key[k].times, path))
			return false;
		whole_ns += s->key[k].times.whole[path].ns;
	}
	return whole_ns == s->all.whole[path].ns;
}

double stages_finished(const struct model_stages *s)
{
	double n = 0;

	for (unsigned int i = 0; i < STAGES_PATH_COUNT; i++)
		n += (double)s->finished[i];
	return n;
}

double stages_unfinished(const struct model_stages *s)
{
	double n = 0;

	for (unsigned int i = 0; i < NETCOST_STAGE_COUNT; i++)
		n += (double)s->unfinished[i];
	return n;
}
