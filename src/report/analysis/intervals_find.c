// SPDX-License-Identifier: BSD-2-Clause
/* The first pass: the ticks, and the pieces between them. */
#include "intervals.h"

#include <math.h>
#include <stdlib.h>

#include <netcost/array.h>

void intervals_init(struct intervals *iv, uint64_t every_ns)
{
	*iv = (struct intervals){ .every_ns = every_ns };
}

void intervals_free(struct intervals *iv)
{
	for (size_t i = 0; iv->row && i < iv->n; i++)
		countmap_free(&iv->row[i].stacks);
	free(iv->edge);
	free(iv->row);
	free(iv->cell);
	free(iv->before);
	free(iv->rx);
	*iv = (struct intervals){ .watch = iv->watch,
				  .second = iv->second,
				  .also = iv->also,
				  .every_ns = iv->every_ns,
				  .most = iv->most,
				  .window_ticks = iv->window_ticks,
				  .wants_rx = iv->wants_rx,
				  .wants_stacks = iv->wants_stacks };
}

/* ---- ticks ------------------------------------------------------------------------------- */

static bool add_edge(struct intervals *iv, uint64_t at_ns)
{
	if (iv->nedges > INTERVALS_MAX) {
		iv->too_many = true;
		return true;
	}
	if (array_reserve(&iv->edge, &iv->cap, iv->nedges + 1, sizeof(*iv->edge)))
		return false;
	iv->edge[iv->nedges++] = at_ns;
	return true;
}

/* All pieces become twice as long; the next edge is then in the middle of one. */
static void join_pieces(struct intervals *iv)
{
	size_t n = 0;

	for (size_t i = 0; i < iv->nedges; i += 2)
		iv->edge[n++] = iv->edge[i];
	iv->nedges = n;
	iv->ticks_each *= 2;
}

/* Where the number of pieces is limited. */
static bool is_edge_of_most(struct intervals *iv)
{
	if (++iv->ticks_since < iv->ticks_each)
		return false;
	if (iv->nedges > iv->most) {
		join_pieces(iv);
		return false;
	}
	iv->ticks_since = 0;
	return true;
}

/* Records of a full tick: a window's tick has none of them. */
static bool is_full_tick(const struct trace_record *rec)
{
	return rec->type == TRACE_SELF || rec->type == TRACE_SAMPLE_LOSS ||
	       rec->type == TRACE_PROCSTAT || rec->type == TRACE_NETDEV_STATS;
}

/* A recorder that had to wait for a CPU reads two ticks one right after the other: that is no piece of time. */
#define LEAST 0.1 /* of the time between two ticks */

static void note_header(struct intervals *iv, const struct trace_record *header)
{
	double tick_ms = (double)trace_record_uint(header, TRACE_HEADER_TICK_MS, 0);
	bool windows = trace_record_uint(header, TRACE_HEADER_BUDGET_PPM, 0);

	iv->has_windows = windows && !iv->window_ticks;
	if (!windows || !iv->window_ticks) /* windows are as short as they are */
		iv->least_ns = (uint64_t)(LEAST * fmin(tick_ms, 1e9) * 1e6);
}

/* Pieces begin where --every would have them, or with the first tick after that. */
static bool is_edge(struct intervals *iv, uint64_t at_ns)
{
	uint64_t first, last;

	if (!iv->nedges)
		return true;
	first = iv->edge[0];
	last = iv->edge[iv->nedges - 1];
	if (at_ns <= last || at_ns - last < iv->least_ns)
		return false;
	if (iv->most)
		return is_edge_of_most(iv);
	return !iv->every_ns || (at_ns - first) / iv->every_ns > (last - first) / iv->every_ns;
}

static void note_cpus(struct intervals *iv, const struct trace_record *tick)
{
	struct trace_column cpus = trace_record_column(tick, TRACE_TICK_CPU);
	uint64_t cpu;

	while (trace_column_uint(&cpus, &cpu)) {
		if (cpu >= TRACE_MAX_CPU || iv->slot[cpu])
			continue;
		iv->number[iv->ncpus++] = (uint32_t)cpu;
		iv->slot[cpu] = (uint16_t)iv->ncpus;
	}
}

static bool make_rows(struct intervals *iv)
{
	size_t n = iv->nedges > 1 ? iv->nedges - 1 : 0;

	iv->too_many |= n * iv->ncpus > INTERVALS_CELLS_MAX;
	iv->n = iv->too_many ? 0 : n;
	iv->row = calloc(iv->n + 1, sizeof(*iv->row));
	iv->cell = calloc(iv->n * iv->ncpus + 1, sizeof(*iv->cell));
	iv->before = calloc(iv->ncpus + 1, sizeof(*iv->before));
	if (!iv->row || !iv->cell || !iv->before)
		return false;
	for (size_t i = 0; i < iv->n; i++) {
		iv->row[i].begin_ns = iv->edge[i];
		iv->row[i].end_ns = iv->edge[i + 1];
	}
	for (const struct intervals_watch *w = iv->second; w; w = w->more)
		if (w->begin && !w->begin(w->ctx, iv))
			return false;
	return !iv->watch || iv->watch->begin(iv->watch->ctx, iv);
}

/* The last piece may be shorter; where pieces are joined, or it would be very short, longer. */
static bool end_pieces(struct intervals *iv)
{
	bool late;

	if (!iv->nedges && iv->any_first_ns) {
		iv->last_ns = iv->any_last_ns;
		if (!add_edge(iv, iv->any_first_ns))
			return false;
	}
	if (!iv->nedges || iv->last_ns <= iv->edge[iv->nedges - 1])
		return true;
	late = iv->last_ns - iv->edge[iv->nedges - 1] < iv->least_ns;
	if ((!iv->most && !late) || iv->nedges == 1)
		return add_edge(iv, iv->last_ns);
	iv->edge[iv->nedges - 1] = iv->last_ns;
	return true;
}

void intervals_begin(struct intervals *iv)
{
	intervals_free(iv);
	iv->ticks_each = 1;
	if (iv->also)
		intervals_begin(iv->also);
}

/* For a trace without a full tick: all of its time is one piece. */
static void note_any_tick(struct intervals *iv, uint64_t at_ns)
{
	if (!iv->any_first_ns)
		iv->any_first_ns = at_ns;
	if (at_ns > iv->any_last_ns)
		iv->any_last_ns = at_ns;
}

static bool note_tick(struct intervals *iv, uint64_t at_ns)
{
	if (at_ns > iv->last_ns)
		iv->last_ns = at_ns;
	return !is_edge(iv, at_ns) || add_edge(iv, at_ns);
}

bool intervals_tick(struct intervals *iv, const struct trace_record *rec)
{
	uint64_t at_ns;

	if (iv->also && !intervals_tick(iv->also, rec))
		return false;
	for (const struct intervals_watch *w = iv->second; w; w = w->more)
		if (w->first && !w->first(w->ctx, rec))
			return false;
	if (rec->type == TRACE_HEADER)
		note_header(iv, rec);
	if (rec->type == TRACE_TICK) {
		note_cpus(iv, rec);
		iv->tick_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, TRACE_NIL);
	} else if (!is_full_tick(rec)) {
		return true;
	}
	at_ns = iv->tick_ns;
	if (!at_ns || at_ns == TRACE_NIL)
		return true;
	if (rec->type == TRACE_TICK && iv->has_windows) {
		note_any_tick(iv, at_ns);
		return true;
	}
	iv->tick_ns = 0;
	return note_tick(iv, at_ns);
}

bool intervals_end(struct intervals *iv)
{
	return end_pieces(iv) && make_rows(iv) && (!iv->also || intervals_end(iv->also));
}

bool intervals_find(struct intervals *iv, struct trace_reader *r)
{
	struct trace_record rec;
	bool ok = true;

	intervals_begin(iv);
	while (ok && trace_reader_next(r, &rec) > 0)
		ok = intervals_tick(iv, &rec);
	return ok && intervals_end(iv);
}

size_t intervals_closed(const struct intervals *iv)
{
	return iv->next > 1 ? iv->next - 1 : 0;
}
