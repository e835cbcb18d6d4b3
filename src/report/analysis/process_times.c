// SPDX-License-Identifier: BSD-2-Clause
#include "process_times.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

/* ---- while the pieces are filled --------------------------------------------------------- */

/* Of a process what of these times is its own, and so on. */
static void sums_of(double ns[PROCESS_TIMES], const struct store *s, size_t row)
{
	for (size_t i = 0; i < PROCESSES_TIMES; i++) {
		const struct processes_time *of = &processes_time[i];
		uint64_t v = store_value(s, row, MODEL_PROCESS_KEY(of->value));

		if (v == TRACE_NIL)
			continue;
		ns[of->own ? PROCESS_TIME_ON_CPU : PROCESS_TIME_INTERRUPTED] += (double)v;
		if (of->own && of->network)
			ns[PROCESS_TIME_NETWORK] += (double)v;
	}
}

static int by_process(const void *pa, const void *pb)
{
	const struct process_times_entry *a = pa, *b = pb;

	return (a->process > b->process) - (a->process < b->process);
}

static void take(void *ctx, uint32_t piece, const struct store *s)
{
	struct process_times *t = ctx;
	const uint32_t *row;
	size_t n = store_touched(s, &row), before = t->n;

	t->too_many |= t->n + n > PROCESS_TIMES_MOST;
	t->no_memory |= !t->too_many &&
			array_reserve(&t->entry, &t->cap, t->n + n, sizeof(*t->entry));
	if (t->too_many || t->no_memory)
		return;
	for (size_t i = 0; i < n; i++) {
		struct process_times_entry *e = &t->entry[t->n];

		*e = (struct process_times_entry){ .piece = piece };
		e->process = (uint32_t)store_dim(s, row[i], TRACE_PROCESS_STATS_PROCESS);
		sums_of(e->ns, s, row[i]);
		t->n += e->ns[PROCESS_TIME_ON_CPU] > 0 || e->ns[PROCESS_TIME_INTERRUPTED] > 0;
	}
	if (t->n > before)
		qsort(&t->entry[before], t->n - before, sizeof(*t->entry), by_process);
}

static void forget(struct process_times *t)
{
	free(t->entry);
	*t = (struct process_times){ .pieces = t->pieces };
}

static void begin(void *ctx, const struct intervals *iv)
{
	(void)iv;
	forget(ctx);
}

void process_times_init(struct process_times *t)
{
	*t = (struct process_times){ .pieces = { .ctx = t, .begin = begin, .take = take } };
	pieces_init(&t->pieces, &model_process_stats_query);
}

/* It can be used again. */
void process_times_free(struct process_times *t)
{
	pieces_free(&t->pieces);
	forget(t);
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
