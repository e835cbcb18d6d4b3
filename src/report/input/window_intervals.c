// SPDX-License-Identifier: BSD-2-Clause
#include "window_intervals.h"

#include <errno.h>

/* Whether a tick is sound does not depend on samples. */
static int edit(void *ctx, struct trace_record *rec)
{
	return rec->type == TRACE_SAMPLES ? COPY_KEPT : cut_edit(ctx, rec);
}

static int take(void *ctx, struct trace_record *rec)
{
	return intervals_tick(ctx, rec) ? 0 : -ENOMEM;
}

bool window_intervals(struct intervals *iv, struct trace_reader *r, const struct cut_plan *window,
		      unsigned long memory)
{
	const struct sound_sink sink = { .ctx = iv, .take = take };
	struct cut *cut = cut_new(window);
	struct sound *sound = cut ? sound_new(&sink, edit, cut) : NULL;
	struct budget budget;
	int err = -ENOMEM;

	budget_init(&budget, memory, 0);
	intervals_begin(iv);
	if (sound)
		err = sound_read(sound, r, &budget);
	sound_free(sound);
	cut_free(cut);
	return err != -ENOMEM && intervals_end(iv);
}
