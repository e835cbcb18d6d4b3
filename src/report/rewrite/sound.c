// SPDX-License-Identifier: BSD-2-Clause
#include "sound.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/spec/exact_sums.h"
#include "report/spec/fate_sums.h"
#include "report/spec/repair.h"

struct sound {
	struct sound_sink sink;
	copy_edit_fn *edit;
	void *edit_ctx;
	struct check *check;
	struct exact_sums *sums;
	struct fate_sums *fates;
	struct repair *repair; /* NULL: the record does not come from a reader */
	uint64_t named_lost; /* how often lost definitions have been named, in all records so far */
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
	s->sums = exact_sums_new();
	s->fates = fate_sums_new();
	if (s->check && s->sums && s->fates)
		return s;
	sound_free(s);
	return NULL;
}

void sound_free(struct sound *s)
{
	if (!s)
		return;
	check_free(s->check);
	exact_sums_free(s->sums);
	fate_sums_free(s->fates);
	free(s);
}

const struct sound_result *sound_result(const struct sound *s)
{
	return &s->result;
}

uint32_t sound_highest(const struct sound *s, enum trace_ids ids)
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

int copy_derived(struct trace_record *rec, const char *what, msgpack_sbuffer *to)
{
	const struct trace_field *old = trace_record_field(rec, TRACE_HEADER_DERIVED);
	uint32_t n = old ? old->n : 0;
	msgpack_packer pk;
	struct trace_field *f;

	msgpack_sbuffer_clear(to);
	msgpack_packer_init(&pk, to, msgpack_sbuffer_write);
	if ((old && msgpack_sbuffer_write(to, (const char *)old->p, trace_field_size(old))) ||
	    msgpack_pack_str(&pk, strlen(what)) || msgpack_pack_str_body(&pk, what, strlen(what)))
		return -ENOMEM;
	f = copy_field(rec, TRACE_HEADER_DERIVED);
	if (!f)
		return -EMSGSIZE;
	*f = (struct trace_field){ .key = TRACE_HEADER_DERIVED, .kind = TRACE_STRS, .n = n + 1 };
	f->p = (const uint8_t *)to->data;
	return 0;
}

/* ---- torn ticks -------------------------------------------------------------------------- */

static int take(struct sound *s, struct trace_record *rec)
{
	exact_sums_record(s->sums, rec);
	fate_sums_record(s->fates, rec);
	s->result.records++;
	s->result.samples = check_samples(s->check);
	return s->sink.take(s->sink.ctx, rec);
}

/*
 * A tick whose exact times do not sum, or whose RX_FATES do not because the tick before them is missing: which of the values are
 * wrong is not known, but they do not belong together. EXACT_LOSS counts the reading as torn, as in a recording.
 */
static int end_tick(struct sound *s)
{
	struct trace_record rec = {
		.type = TRACE_EXACT_LOSS,
		.nfields = 1,
		.field[0] = { .key = TRACE_EXACT_LOSS_TORN, .kind = TRACE_UINT },
	};
	int err = 0;

	if (!exact_sums_fit(s->sums) || !fate_sums_fit(s->fates)) {
		rec.field[0].v = exact_sums_torn(s->sums) + 1;
		s->result.torn++;
		err = check_record(s->check, &rec, NULL);
		if (!err)
			err = take(s, &rec);
	}
	(void)exact_sums_end(s->sums);
	(void)fate_sums_end(s->fates);
	return err;
}

/* Counts the readings that were marked so far. False: there cannot have been so many. */
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
	/* Without HEADER there is no trace. */
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
		return leave_out(s, rec, "a record that fits no frame");
	if (!add_torn(s, rec))
		return leave_out(s, rec, "exact_loss.torn: more readings than there can be");
	if (s->sink.is_full && s->sink.is_full(s->sink.ctx, size))
		err = begin_frame(s, &frame);
	if (!err)
		err = check_record(s->check, rec, NULL);
	if (err == -EBADMSG)
		return leave_out(s, rec, check_what(s->check));
	return err ? err : take(s, rec);
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

/* Lost definitions that are named by records which the editor drops do not count. */
static void count_lost(struct sound *s, bool used)
{
	uint64_t lost = 0;

	for (int ids = 0; s->repair && ids < TRACE_IDS_COUNT; ids++)
		lost += repair_lost(s->repair, (enum trace_ids)ids);
	if (used)
		s->result.lost += lost - s->named_lost;
	s->named_lost = lost;
}

/* The editor can drop a record, or make several of it. */
int sound_record(struct sound *s, struct trace_record *rec)
{
	int verdict, err = 0;
	bool used = false;

	do {
		verdict = s->edit ? s->edit(s->edit_ctx, rec) : COPY_IT;
		if (verdict < 0)
			return verdict;
		if (verdict == COPY_BROKEN)
			err = leave_out(s, rec, "a definition or a column that does not fit");
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
