// SPDX-License-Identifier: BSD-2-Clause
/* Reads the frames of a file and the records of frames. All input is untrusted. */
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
	r->window.index = &r->window.own;
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
	reader_end_spool(r);
	ZSTD_freeDCtx(r->dctx);
	record_marks_free(&r->marks);
	free(r->window.own.frame);
	free(r->schema);
	free(r->in_buf);
	free(r->out);
	free(r);
}

void trace_reader_set_recover(struct trace_reader *r, bool on)
{
	r->recover = on;
}

int trace_reader_set_described(struct trace_reader *r)
{
	if (!r->schema)
		r->schema = calloc(1, sizeof(*r->schema));
	return r->schema ? 0 : -ENOMEM;
}

const char *trace_reader_name(const struct trace_reader *r, unsigned int type, unsigned int key)
{
	const struct schema_row *row = r->schema ? schema_find(r->schema, type, key) : NULL;

	if (!key && trace_type_desc(type))
		return trace_type_desc(type)->name;
	if (trace_key_desc(type, key))
		return trace_key_desc(type, key)->name;
	return row ? row->name : NULL;
}

const char *trace_reader_number(const struct trace_reader *r, unsigned int type, unsigned int key,
				uint64_t number)
{
	const struct schema_row *row = r->schema ? schema_find(r->schema, type, key) : NULL;
	const struct trace_key_desc *desc = trace_key_desc(type, key);
	const char *of = row ? row->one_of : "";
	size_t n;

	if (desc && desc->one_of && number >= desc->known)
		trace_enum_names(desc->one_of, &of, &n);
	return r->schema && *of ? schema_name(r->schema, of, number) : NULL;
}

void trace_reader_watch(struct trace_reader *r, const struct trace_watch *watch)
{
	r->watch = *watch;
}

const struct trace_status *trace_reader_status(const struct trace_reader *r)
{
	return &r->st;
}

int trace_reader_go(struct trace_reader *r, uint64_t offset, uint64_t seq)
{
	if (!r->st.frames || !reader_go_to(r, offset))
		return -EINVAL;
	r->eof = false;
	r->cur.p = r->cur.end;
	r->seq = seq - 1;
	r->error = 0;
	r->end_seen = r->st.ended = false;
	r->st.problem = TRACE_OK;
	r->st.what[0] = '\0';
	return 0;
}

/* Finds the next frame whose records are to be returned. */
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

/* Returns whether the next object of the frame is to be returned as a record. */
static bool take_object(struct trace_reader *r, struct trace_record *rec)
{
	record_parse(&r->cur, rec, r->schema, &r->marks, &r->st.unknown_types, &r->st.unknown_keys);
	r->st.records++;
	if (rec->type == TRACE_END)
		r->st.ended = true;
	if (rec->type != TRACE_SCHEMA && rec->type != TRACE_NAMES)
		return rec->type;
	if (r->schema && rec->type == TRACE_SCHEMA)
		schema_take(r->schema, rec);
	if (r->schema && rec->type == TRACE_NAMES)
		schema_take_names(r->schema, rec);
	return r->schema;
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
	if (r->schema)
		r->schema->n = r->schema->nnumbers = 0;
	return 1;
}
