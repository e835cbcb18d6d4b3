// SPDX-License-Identifier: BSD-2-Clause
#include "model_window.h"

#include <stdlib.h>

#include <netcost/reasons.h>

struct model_window {
	struct model *model;
	int (*take)(struct model *m, const struct trace_record *rec);
	struct cut *cut;
	struct sound *sound;
	bool framed; /* a frame of the window has begun */
	bool ended;
};

void model_window_free(struct model_window *w)
{
	if (!w)
		return;
	cut_free(w->cut);
	sound_free(w->sound);
	free(w);
}

/* FRAME's times may go beyond the window. */
static bool see_moment(void *ctx, uint64_t at_ns)
{
	struct model *m = ctx;

	if (at_ns > INT64_MAX)
		return true;
	if (!m->last_ns || at_ns < m->first_ns)
		m->first_ns = at_ns;
	if (at_ns > m->last_ns)
		m->last_ns = at_ns;
	return true;
}

static int take(void *ctx, struct trace_record *rec)
{
	struct model_window *w = ctx;

	w->framed |= rec->type == TRACE_FRAME;
	w->ended |= rec->type == TRACE_END;
	if (w->framed)
		sound_moments(rec, see_moment, w->model);
	return w->take(w->model, rec);
}

struct model_window *model_window_new(const struct cut_plan *plan, struct model *m,
				      int (*take_fn)(struct model *m,
						     const struct trace_record *rec))
{
	struct model_window *w = calloc(1, sizeof(*w));
	const struct sound_sink sink = { .ctx = w, .take = take };

	if (!w)
		return NULL;
	w->model = m;
	w->take = take_fn;
	w->cut = cut_new(plan);
	w->sound = sound_new(&sink, cut_edit, w->cut);
	if (w->cut && w->sound)
		return w;
	model_window_free(w);
	return NULL;
}

int model_window_feed(struct model_window *w, const struct trace_record *rec)
{
	struct trace_record own = *rec;

	int err = sound_record(w->sound, &own);

	w->model->sound = *sound_result(w->sound);
	return err;
}

static int end_lost(struct model_window *w)
{
	const struct trace_record end = {
		.type = TRACE_END,
		.nfields = 1,
		.field[0] = { .key = TRACE_END_WHY,
			      .kind = TRACE_STR,
			      .n = sizeof(reason_end_lost) - 1,
			      .p = (const uint8_t *)reason_end_lost },
	};

	return w->take(w->model, &end);
}

int model_window_read(struct model_window *w, struct trace_reader *r)
{
	int err = sound_read(w->sound, r, &w->model->budget);

	w->model->sound = *sound_result(w->sound);
	/* A window has an end of its own. But what is damaged may have been in it. */
	w->model->status = (struct trace_status){ .ended = true };
	if (trace_reader_status(r)->damages) {
		w->model->status = *trace_reader_status(r);
		w->model->status.ended = true;
	}
	return err || w->ended ? err : end_lost(w);
}
