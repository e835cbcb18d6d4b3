// SPDX-License-Identifier: BSD-2-Clause
/* Frames out of the file, records out of frames. Every byte is taken for hostile. */
#include <netcost/trace.h>

#include <errno.h>
#include <stdlib.h>

#include "seek.h"

int trace_reader_new(struct trace_reader **rp, int fd)
{
	struct trace_reader *r = calloc(1, sizeof(*r));

	*rp = r;
	if (!r)
		return -ENOMEM;
	r->fd = fd;
	r->in_size = 2 * READ_CHUNK;
	r->in_buf = r->in = malloc(r->in_size);
	r->out = malloc(TRACE_MAX_FRAME + RECORD_SLACK);
	r->dctx = ZSTD_createDCtx();
	if (!r->in_buf || !r->out || !r->dctx) {
		trace_reader_free(r);
		*rp = NULL;
		return -ENOMEM;
	}
	return 0;
}

void trace_reader_free(struct trace_reader *r)
{
	if (!r)
		return;
	ZSTD_freeDCtx(r->dctx);
	record_marks_free(&r->marks);
	reader_ticks_free(&r->tick);
	free(r->window.frame);
	free(r->in_buf);
	free(r->out);
	free(r);
}

void trace_reader_set_recover(struct trace_reader *r, bool on)
{
	r->recover = on;
}

void trace_reader_watch(struct trace_reader *r, const struct trace_watch *watch)
{
	r->watch = *watch;
}

const struct trace_status *trace_reader_status(const struct trace_reader *r)
{
	return &r->st;
}

/* The next frame that is to be handed out. */
static int advance(struct trace_reader *r, struct trace_record *scratch)
{
	int err;

	do
		err = r->window.seeking ? seek_next(r, scratch) :
		      r->recover	? reader_recover(r, scratch) :
					  reader_read_on(r, scratch);
	while (err > 0 && !r->st.more && seek_leaves_out(r, scratch));
	reader_ticks_frame(&r->tick);
	return r->error ? r->error : err;
}

/* 1: rec is the next record of the frame, 0: there is none that is handed out. */
static int take_object(struct trace_reader *r, struct trace_record *rec)
{
	const uint8_t *object = r->cur.p;

	record_parse(&r->cur, rec, &r->marks, &r->st.unknown_types, &r->st.unknown_keys);
	record_see_codes(rec, &r->codes);
	r->st.records++;
	if (rec->type == TRACE_END)
		r->st.ended = true;
	return rec->type ? reader_tick_take(r, rec, object) : 0;
}

int trace_reader_next(struct trace_reader *r, struct trace_record *rec)
{
	int err = 0;

	if (r->window.set && !r->window.begun)
		seek_begin(r, rec);
	while (!err && !r->error && !r->st.more) {
		err = reader_tick_due(r, rec);
		if (!err && r->cur.p < r->cur.end) {
			err = take_object(r, rec);
		} else if (!err) {
			if (advance(r, rec) <= 0)
				break;
		}
	}
	return r->error ? r->error : err;
}

int trace_reader_part(struct trace_reader *r)
{
	struct trace_record rec;
	int err;

	do
		err = trace_reader_next(r, &rec);
	while (err > 0);
	if (err < 0 || !r->st.more)
		return err;
	r->st = r->next.st;
	r->cur = r->next.cur;
	r->error = r->next.error;
	r->over = false;
	reader_ticks_reset(&r->tick);
	return 1;
}
