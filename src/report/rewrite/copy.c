// SPDX-License-Identifier: BSD-2-Clause
#include "copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/reasons.h>

struct copy {
	int fd;
	struct trace_writer *w;
	struct trace_totals totals; /* of the last part, whose END is not yet written */
	char why[TRACE_MAX_STR];

	struct sound *sound; /* of the part that is being copied, as is all below */
	const struct copy_options *options;
	struct sound_result before; /* the results when the last file was begun */
	const char *add_derived;
	uint32_t ncpus;
	uint64_t lost[TRACE_MAX_CPU];
	uint64_t last_ns, end_ns;
	bool begun, ended;
	msgpack_sbuffer derived; /* HEADER's column */
};

/* ---- the writer's own records ------------------------------------------------------------ */

/* A check_time_fn. */
static bool see_time(void *ctx, uint64_t time_ns)
{
	struct copy *c = ctx;

	if (time_ns > INT64_MAX)
		return true;
	trace_writer_time(c->w, time_ns);
	if (time_ns > c->last_ns)
		c->last_ns = time_ns;
	return true;
}

/* Frames begin where they did. The losses and times of FRAME go into the new one. */
static int frame(struct copy *c, const struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t first_ns = trace_record_uint(rec, TRACE_FRAME_FIRST_NS, 0);
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0), v;
	int err = c->w ? trace_writer_flush(c->w) : 0;

	if (err || lost.n != c->ncpus)
		lost.n = 0;
	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++)
		if (v != TRACE_NIL && v > c->lost[i])
			trace_writer_lost(c->w, i, c->lost[i] = v);
	if (last_ns && first_ns <= last_ns) {
		see_time(c, first_ns);
		see_time(c, last_ns);
	}
	return err;
}

static int end(struct copy *c, const struct trace_record *rec)
{
	c->ended = true;
	c->end_ns = trace_record_uint(rec, TRACE_END_AT_NS, 0);
	trace_record_str(rec, TRACE_END_WHY, c->why, sizeof(c->why));
	return 0;
}

/* END is written when it is known whether another part follows. */
static void end_part(struct copy *c, const struct sound *s)
{
	c->totals = (struct trace_totals){
		.samples = sound_result(s)->samples,
		.symbols = sound_highest(s, TRACE_IDS_SYMBOL),
		.stacks = sound_highest(s, TRACE_IDS_STACK),
		.tasks = sound_highest(s, TRACE_IDS_TASK),
		.at_ns = c->ended ? c->end_ns : c->last_ns,
		.why = c->ended ? c->why : reason_end_lost,
	};
}

/* ---- all others -------------------------------------------------------------------------- */

static int header(struct copy *c, struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_HEADER_CPUS);
	int err = c->add_derived ? copy_derived(rec, c->add_derived, &c->derived) : 0;

	/* If no samples are taken, none can be lost. */
	c->ncpus = trace_record_uint(rec, TRACE_HEADER_SAMPLE_HZ, 0) ? cpus.n : 0;
	if (!err)
		err = c->w ? trace_writer_next(c->w, &c->totals, c->ncpus) :
			     trace_writer_new(&c->w, c->fd, c->ncpus);
	c->begun = !err;
	return err;
}

static int write_record(struct copy *c, struct trace_record *rec)
{
	int err = rec->type == TRACE_HEADER ? header(c, rec) : 0;

	if (err)
		return err;
	sound_moments(rec, see_time, c);
	trace_writer_begin(c->w, rec->type, rec->nfields);
	for (unsigned int i = 0; i < rec->nfields; i++)
		trace_writer_field(c->w, &rec->field[i]);
	return trace_writer_end(c->w);
}

static int take(void *ctx, struct trace_record *rec)
{
	struct copy *c = ctx;

	return rec->type == TRACE_FRAME ? frame(c, rec) :
	       rec->type == TRACE_END	? end(c, rec) :
					  write_record(c, rec);
}

static bool is_full(void *ctx, size_t size)
{
	const struct copy *c = ctx;

	return c->w && trace_writer_pending(c->w) + size > SOUND_MAX_RECORD;
}

/* ---- a part, and all of them ------------------------------------------------------------- */

struct copy *copy_new(int fd)
{
	struct copy *c = calloc(1, sizeof(*c));

	if (c)
		c->fd = fd;
	return c;
}

void copy_free(struct copy *c)
{
	if (!c)
		return;
	trace_writer_free(c->w);
	sound_free(c->sound);
	msgpack_sbuffer_destroy(&c->derived);
	free(c);
}

/* A copy_edit_fn: each file of a part has its own. */
static int edit(void *ctx, struct trace_record *rec)
{
	const struct copy *c = ctx;

	return c->options->edit ? c->options->edit(c->options->ctx, rec) : COPY_IT;
}

static int begin_part(struct copy *c, const struct copy_options *o)
{
	const struct sound_sink sink = { .ctx = c, .take = take, .is_full = is_full };

	sound_free(c->sound);
	c->sound = sound_new(&sink, edit, c);
	if (!c->sound)
		return -ENOMEM;
	c->before = (struct sound_result){ 0 };
	c->add_derived = o->derived;
	memset(c->lost, 0, sizeof(c->lost));
	c->ncpus = 0;
	c->last_ns = c->end_ns = 0;
	c->begun = c->ended = false;
	return 0;
}

int copy_part(struct copy *c, struct trace_reader *r, const struct copy_options *o,
	      struct sound_result *result)
{
	struct budget budget;
	int err = o->goes_on && c->begun ? 0 : begin_part(c, o);

	if (err)
		return err;
	c->options = o;
	c->ended = false;
	budget_init(&budget, o->memory, 0);
	err = sound_read(c->sound, r, &budget);
	if (c->begun)
		end_part(c, c->sound);
	else if (!err)
		err = -EBADMSG;
	*result = *sound_result(c->sound);
	result->records -= c->before.records;
	result->samples -= c->before.samples;
	result->broken -= c->before.broken;
	result->lost -= c->before.lost;
	result->torn -= c->before.torn;
	c->before = *sound_result(c->sound);
	return err;
}

int copy_finish(struct copy *c)
{
	return c->w ? trace_writer_finish(c->w, &c->totals) : 0;
}

int copy_trace(struct trace_reader *r, int fd, const struct copy_options *o,
	       struct sound_result *result)
{
	struct copy *c = copy_new(fd);
	int err = c ? copy_part(c, r, o, result) : -ENOMEM;
	int end = c ? copy_finish(c) : 0; /* even what is incomplete gets its end */

	copy_free(c);
	return err ? err : end;
}
