// SPDX-License-Identifier: BSD-2-Clause
/* Finds the valid records of a trace, and writes them to a new trace. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/reasons.h>

#include "rewrite.h"

/* ---- valid records ------------------------------------------------------------------ */

struct sound {
	struct sound_sink sink;
	copy_edit_fn *edit;
	void *edit_ctx;
	struct check *check;
	struct sums *sums;
	/* stand-ins for lost definitions; NULL: the records do not come from a reader */
	struct repair *repair;
	uint64_t named_lost; /* number of references to lost definitions in all earlier records */
	struct sound_result result;
};

struct sound *sound_new(const struct sound_sink *sink, copy_edit_fn *edit, void *edit_ctx)
{
	struct sound *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->sink = *sink;
	s->edit = edit;
	s->edit_ctx = edit_ctx;
	s->check = check_new();
	s->sums = sums_new();
	if (s->check && s->sums)
		return s;
	sound_free(s);
	return NULL;
}

void sound_free(struct sound *s)
{
	if (!s)
		return;
	check_free(s->check);
	sums_free(s->sums);
	free(s);
}

const struct sound_result *sound_result(const struct sound *s)
{
	return &s->result;
}

static uint32_t sound_highest(const struct sound *s, enum trace_ids ids)
{
	return check_highest(s->check, ids);
}

void sound_moments(const struct trace_record *rec, check_time_fn *fn, void *ctx)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &n);

	if (rec->type == TRACE_SAMPLES)
		check_sample_times(rec, fn, ctx);
	for (size_t i = 0; i < n; i++, k++) {
		const struct trace_field *f = trace_record_field(rec, k->key);
		struct trace_column col = trace_record_column(rec, k->key);
		uint64_t v;

		if (!f || !(k->flags & TRACE_KEY_TIME))
			continue;
		if (f->kind == TRACE_UINT)
			fn(ctx, f->v);
		while (trace_column_uint(&col, &v))
			fn(ctx, v);
	}
}

/* ---- for editors ------------------------------------------------------------------------- */

struct trace_field *copy_field(struct trace_record *rec, unsigned int key)
{
	unsigned int at = 0;

	while (at < rec->nfields && rec->field[at].key < key)
		at++;
	if (at < rec->nfields && rec->field[at].key == key)
		return &rec->field[at];
	if (rec->nfields == TRACE_MAX_FIELDS)
		return NULL;
	memmove(&rec->field[at + 1], &rec->field[at], (rec->nfields++ - at) * sizeof(*rec->field));
	return &rec->field[at];
}

int copy_derived(struct trace_record *rec, const char *what, struct mp_buf *to)
{
	const struct trace_field *old = trace_record_field(rec, TRACE_HEADER_DERIVED);
	uint32_t n = old ? old->n : 0;
	struct trace_field *f;

	to->n = 0;
	if (old)
		mp_buf_bytes(to, old->p, trace_field_size(old));
	mp_buf_str(to, (const uint8_t *)what, strlen(what));
	if (to->failed)
		return -ENOMEM;
	f = copy_field(rec, TRACE_HEADER_DERIVED);
	if (!f)
		return -EMSGSIZE;
	*f = (struct trace_field){ .key = TRACE_HEADER_DERIVED, .kind = TRACE_STRS, .n = n + 1 };
	f->p = to->p;
	return 0;
}

/* ---- torn ticks -------------------------------------------------------------------------- */

static int sound_take(struct sound *s, struct trace_record *rec)
{
	sums_record(s->sums, rec);
	s->result.records++;
	s->result.samples = check_samples(s->check);
	return s->sink.take(s->sink.ctx, rec);
}

/*
 * Marks a tick as torn in EXACT_LOSS, as the recorder does, if the tick's values are inconsistent. Either its exact
 * times do not add up, or its RX_FATES do not add up. RX_FATES do not add up if those of the previous tick are missing.
 * It is unknown which of the values are wrong.
 */
static int end_tick(struct sound *s)
{
	struct trace_record rec = {
		.type = TRACE_EXACT_LOSS,
		.nfields = 1,
		.field[0] = { .key = TRACE_EXACT_LOSS_TORN, .kind = TRACE_UINT },
	};
	int err = 0;

	if (!sums_fit(s->sums)) {
		rec.field[0].v = sums_torn(s->sums) + 1;
		s->result.torn++;
		err = check_record(s->check, &rec, NULL);
		if (!err)
			err = sound_take(s, &rec);
	}
	(void)sums_end(s->sums);
	return err;
}

/*
 * Adds the number of ticks that were marked so far to the record's number of torn readings. Returns false if the sum is
 * impossible.
 */
static bool add_torn(struct sound *s, struct trace_record *rec)
{
	for (unsigned int i = 0; rec->type == TRACE_EXACT_LOSS && i < rec->nfields; i++) {
		struct trace_field *f = &rec->field[i];

		if (f->key != TRACE_EXACT_LOSS_TORN)
			continue;
		if (f->v > INT64_MAX / 2)
			return false;
		f->v += s->result.torn;
	}
	return true;
}

/* ---- one record -------------------------------------------------------------------------- */

static size_t size_of(const struct trace_record *rec)
{
	size_t size = 8;

	for (unsigned int i = 0; i < rec->nfields; i++)
		size += 16 + trace_field_size(&rec->field[i]);
	return size;
}

static int leave_out(struct sound *s, const struct trace_record *rec, const char *why)
{
	if (s->repair)
		repair_reject(s->repair);
	if (!s->result.broken++)
		snprintf(s->result.first_broken, sizeof(s->result.first_broken), "%s", why);
	/* A trace without HEADER cannot be used. */
	return rec->type == TRACE_HEADER ? -EBADMSG : 0;
}

static int begin_frame(struct sound *s, struct trace_record *frame)
{
	int err = end_tick(s);

	check_frame(s->check);
	return err ? err : s->sink.take(s->sink.ctx, frame);
}

static int judge(struct sound *s, struct trace_record *rec)
{
	struct trace_record frame = { .type = TRACE_FRAME };
	size_t size = size_of(rec);
	int err = 0;

	if (size > SOUND_MAX_RECORD)
		return leave_out(s, rec, "a record that is larger than a frame");
	if (!add_torn(s, rec))
		return leave_out(s, rec, "exact_loss.torn: more readings than ticks");
	if (s->sink.is_full && s->sink.is_full(s->sink.ctx, size))
		err = begin_frame(s, &frame);
	if (!err)
		err = check_record(s->check, rec, NULL);
	if (err == -EBADMSG)
		return leave_out(s, rec, check_what(s->check));
	return err ? err : sound_take(s, rec);
}

static int one(struct sound *s, struct trace_record *rec)
{
	int err;

	if (rec->type == TRACE_FRAME)
		return begin_frame(s, rec);
	if (rec->type == TRACE_END)
		return s->sink.take(s->sink.ctx, rec);
	if (rec->type == TRACE_INDEX)
		return 0;
	err = rec->type == TRACE_TICK ? end_tick(s) : 0;
	return err ? err : judge(s, rec);
}

/* Counts the references of a record to lost definitions, unless the editor drops the record. */
static void count_lost(struct sound *s, bool used)
{
	uint64_t lost = 0;

	for (int ids = 0; s->repair && ids < TRACE_IDS_COUNT; ids++)
		lost += repair_lost(s->repair, (enum trace_ids)ids);
	if (used)
		s->result.lost += lost - s->named_lost;
	s->named_lost = lost;
}

/* Checks a record and passes it on. The editor can drop the record, or make several records of it. */
int sound_record(struct sound *s, struct trace_record *rec)
{
	int verdict, err = 0;
	bool used = false;

	do {
		verdict = s->edit ? s->edit(s->edit_ctx, rec) : COPY_IT;
		if (verdict < 0)
			return verdict;
		if (verdict == COPY_BROKEN)
			err = leave_out(s, rec, "an invalid definition or column");
		else if (verdict != COPY_KEPT)
			err = one(s, rec);
		used |= verdict != COPY_KEPT;
	} while (!err && verdict == COPY_MORE);
	count_lost(s, used);
	return err;
}

int sound_read(struct sound *s, struct trace_reader *r, struct budget *budget)
{
	struct trace_record rec;
	int err;

	s->named_lost = 0;
	s->repair = repair_new(r, "", budget);
	if (!s->repair)
		return -ENOMEM;
	while ((err = repair_next(s->repair, &rec)) > 0) {
		err = sound_record(s, &rec);
		if (err)
			break;
	}
	repair_free(s->repair);
	s->repair = NULL;
	return err ? err : end_tick(s);
}

/* ---- writing a trace ---------------------------------------------------------------- */

struct copy {
	int fd;
	struct trace_writer *w;
	struct trace_totals totals; /* totals of the last part, whose END is not written yet */
	char why[TRACE_MAX_STR];

	struct sound *sound; /* the current part; all members below also belong to it */
	const struct copy_options *options;
	struct sound_result before; /* result at the start of the current file */
	const char *add_derived;
	uint32_t ncpus;
	uint64_t lost[TRACE_MAX_CPU];
	uint64_t last_ns, end_ns;
	bool begun, ended;
	struct mp_buf derived; /* data of HEADER's column `derived` */
};

/* ---- records with code of their own ------------------------------------------------- */

/* Notes a time. It is a check_time_fn. */
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

/*
 * Begins a frame where the input begins a frame. The losses and times of the input's FRAME are written in the new
 * FRAME.
 */
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

/* Ends a part. END is written later, when the program knows whether another part follows. */
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

/* ---- other records ------------------------------------------------------------------ */

static int header(struct copy *c, struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_HEADER_CPUS);
	int err = c->add_derived ? copy_derived(rec, c->add_derived, &c->derived) : 0;

	/* without sampling, samples cannot be lost */
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
	trace_writer_begin(c->w, rec->type);
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

/* ---- parts -------------------------------------------------------------------------- */

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
	mp_buf_free(&c->derived);
	free(c);
}

/* Edits a record. It is a copy_edit_fn. Each file of a part has its own editor. */
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
	int end = c ? copy_finish(c) : 0; /* an incomplete trace also gets an END */

	copy_free(c);
	return err ? err : end;
}
