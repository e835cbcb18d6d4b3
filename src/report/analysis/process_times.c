// SPDX-License-Identifier: BSD-2-Clause
#include "process_times.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

/* ---- while the pieces are filled --------------------------------------------------------- */

static bool is_touched(const double ns[PROCESS_TIMES])
{
	return ns[PROCESS_TIME_ON_CPU] > 0 || ns[PROCESS_TIME_INTERRUPTED] > 0;
}

/* Of all processes that there are. */
static int reserve(struct process_times *t, const struct model *m)
{
	size_t was = t->cap_now, need = m->nprocesses + (size_t)1;
	int err = array_reserve(&t->now, &t->cap_now, need, sizeof(*t->now));

	if (err)
		return err;
	if (t->cap_now > was)
		memset(&t->now[was], 0, (t->cap_now - was) * sizeof(*t->now));
	return array_reserve(&t->touched, &t->cap_touched, need, sizeof(*t->touched));
}

static void add(struct process_times *t, uint64_t id, const struct processes_time *of, uint64_t ns)
{
	double *now = t->now[id];

	if (!is_touched(now) && ns)
		t->touched[t->ntouched++] = (uint32_t)id;
	now[of->own ? PROCESS_TIME_ON_CPU : PROCESS_TIME_INTERRUPTED] += (double)ns;
	if (of->own && of->network)
		now[PROCESS_TIME_NETWORK] += (double)ns;
}

/* What is wrong with the record the model will say. */
static int record(void *ctx, const struct model *m, const struct trace_record *rec)
{
	struct process_times *t = ctx;

	if (rec->type != TRACE_PROCESS_STATS || !t->pieces)
		return 0;
	if (reserve(t, m))
		return -ENOMEM;
	for (size_t i = 0; i < PROCESSES_TIMES; i++) {
		const struct processes_time *of = &processes_time[i];
		struct trace_column ids = trace_record_column(rec, TRACE_PROCESS_STATS_PROCESS);
		struct trace_column v = trace_record_column(rec, MODEL_PROCESS_KEY(of->value));
		uint64_t id, ns;

		while (trace_column_uint(&ids, &id) && trace_column_uint(&v, &ns))
			if (id <= m->nprocesses && ns != TRACE_NIL)
				add(t, id, of, ns);
	}
	return 0;
}

static void forget(struct process_times *t)
{
	for (size_t i = 0; i < t->ntouched; i++)
		memset(t->now[t->touched[i]], 0, sizeof(*t->now));
	t->ntouched = 0;
}

static int by_process(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return (a > b) - (a < b);
}

static void keep(struct process_times *t, uint32_t piece)
{
	size_t need = t->n + t->ntouched;

	t->too_many = need > PROCESS_TIMES_MOST;
	t->no_memory = !t->too_many && array_reserve(&t->entry, &t->cap, need, sizeof(*t->entry));
	if (t->too_many || t->no_memory)
		return;
	qsort(t->touched, t->ntouched, sizeof(*t->touched), by_process);
	for (size_t i = 0; i < t->ntouched; i++) {
		struct process_times_entry *e = &t->entry[t->n++];

		*e = (struct process_times_entry){ .piece = piece, .process = t->touched[i] };
		memcpy(e->ns, t->now[e->process], sizeof(e->ns));
	}
}

/* What was counted up to the edge is the piece's before it. */
static void edge(void *ctx, const struct model *m, size_t at)
{
	struct process_times *t = ctx;

	(void)m;
	if (at && t->ntouched && !t->too_many && !t->no_memory)
		keep(t, (uint32_t)at - 1);
	forget(t);
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct process_times *t = ctx;

	process_times_free(t);
	process_times_init(t);
	t->pieces = iv->n;
	return true;
}

void process_times_init(struct process_times *t)
{
	*t = (struct process_times){
		.watch = { .ctx = t, .begin = begin, .edge = edge, .record = record }
	};
}

void process_times_free(struct process_times *t)
{
	free(t->entry);
	free(t->now);
	free(t->touched);
	*t = (struct process_times){ .watch = t->watch };
}

/* ---- by group ---------------------------------------------------------------------------- */

int process_tracks_make(struct process_tracks *k, const struct processes *p,
			const struct process_times *t, size_t n)
{
	*k = (struct process_tracks){ .p = p, .t = t };
	if (t->no_memory)
		return -ENOMEM;
	k->track_of = malloc((p->groups + 1) * sizeof(*k->track_of));
	if (!k->track_of)
		return -ENOMEM;
	while (k->ntracks < p->nrows && k->ntracks < n && p->row[k->ntracks].kind == PROCESSES_ONE)
		k->ntracks++;
	for (size_t i = 0; i <= p->groups; i++)
		k->track_of[i] = k->ntracks;
	for (size_t i = 0; i < k->ntracks; i++)
		k->track_of[p->row[i].group] = i;
	return 0;
}

void process_tracks_free(struct process_tracks *k)
{
	free(k->track_of);
	k->track_of = NULL;
}

/* The first entry of that piece, or of one after it. */
static size_t first_of(const struct process_times *t, size_t piece)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->entry[middle].piece < piece)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void process_tracks_add(const struct process_tracks *k, size_t piece, double (*sums)[PROCESS_TIMES])
{
	const struct process_times *t = k->t;

	for (size_t i = first_of(t, piece); i < t->n && t->entry[i].piece == piece; i++) {
		const struct process_times_entry *e = &t->entry[i];
		double *to = sums[k->track_of[k->p->group_of[e->process]]];

		for (unsigned int v = 0; v < PROCESS_TIMES; v++)
			to[v] += e->ns[v];
	}
}
