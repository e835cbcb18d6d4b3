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
	while (err > 0 && !r->st.more && seek_leaves_out(r));
	return r->error ? r->error : err;
}

/* Whether the next object of the frame is handed out. */
static bool take_object(struct trace_reader *r, struct trace_record *rec)
{
	record_parse(&r->cur, rec, &r->marks, &r->st.unknown_types, &r->st.unknown_keys);
	r->st.records++;
	if (rec->type == TRACE_END)
		r->st.ended = true;
	return rec->type;
}

int trace_reader_next(struct trace_reader *r, struct trace_record *rec)
{
	if (r->window.set && !r->window.begun)
		seek_begin(r, rec);
	while (!r->error && !r->st.more) {
		if (r->cur.p < r->cur.end) {
			if (take_object(r, rec))
				return 1;
		} else if (advance(r, rec) <= 0) {
			break;
		}
	}
	return r->error;
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
	return 1;
}
