// SPDX-License-Identifier: BSD-2-Clause
/* Ticks that are differences from a base: handed out as whole as any other. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "mp_pack.h"
#include "ticks.h"
#include "reader_impl.h"

void reader_ticks_free(struct reader_tick *t)
{
	record_marks_free(&t->marks);
	free(t->bytes);
	free(t->sum);
}

/* Numbers and bases hold within a part. */
void reader_ticks_reset(struct reader_tick *t)
{
	t->base = 0;
	t->usable = false;
	t->state = READER_TICK_WHOLE;
}

void reader_ticks_frame(struct reader_tick *t)
{
	t->state = READER_TICK_WHOLE;
	t->ticked = t->pending = false;
	t->unfolded = 0;
}

/* Recovery leaves out what does not fit a base; otherwise nothing is read after it. 0, or the error. */
static int offence(struct trace_reader *r, const char *what)
{
	if (!r->recover)
		return reader_broken(r, what);
	if (!r->st.damages)
		reader_gap(r, what);
	r->st.counters_lost++;
	return 0;
}

/* ---- the base ---------------------------------------------------------------------------- */

/* Keeps an object of the frame, as it is in the file. */
static int keep(struct trace_reader *r, const uint8_t *object)
{
	struct reader_tick *t = &r->tick;
	size_t n = (size_t)(r->cur.p - object);

	if (n > TRACE_MAX_BASE - t->n) {
		t->usable = false;
		t->state = READER_TICK_WHOLE;
		return offence(r, "a base that is too large");
	}
	memcpy(t->bytes + t->n, object, n);
	t->n += n;
	return 1;
}

/* Where frames are missing or left out, so are bases. */
static bool may_follow(const struct trace_reader *r, uint64_t base)
{
	const struct reader_tick *t = &r->tick;

	return r->recover || r->window.seeking ? base > t->base : base == t->base + 1;
}

static int begin_base(struct trace_reader *r, uint64_t base, const uint8_t *object)
{
	struct reader_tick *t = &r->tick;

	if (!may_follow(r, base) || t->ticked) {
		t->usable = false;
		return offence(r, "a base out of order");
	}
	if (!t->bytes)
		t->bytes = malloc(TRACE_MAX_BASE + RECORD_SLACK);
	if (!t->bytes)
		return reader_no_memory(r);
	t->base = base;
	t->n = 0;
	t->usable = true;
	t->state = READER_TICK_BASE;
	return keep(r, object);
}

/* The base's next record. 1, 0: there is none. */
static int base_next(struct trace_reader *r, struct trace_record *rec)
{
	struct reader_tick *t = &r->tick;
	uint64_t ignored = 0;

	if (t->rest.p == t->rest.end)
		return 0;
	t->marks.n = 0;
	/* It was good when it was kept. */
	return record_parse(&t->rest, rec, &t->marks, &ignored, &ignored) ? reader_no_memory(r) : 1;
}

/* ---- sums -------------------------------------------------------------------------------- */

static bool reserve(struct reader_tick *t)
{
	size_t n = RECORD_SLACK;

	for (unsigned int i = 0; i < t->diff.nfields; i++)
		if (t->diff.field[i].kind == TRACE_UINTS)
			n += (size_t)t->diff.field[i].n * MP_NUMBER_BYTES;
	return !array_reserve(&t->sum, &t->sum_size, n, 1);
}

static uint8_t *add_columns(uint8_t *p, struct trace_column base, struct trace_column diff)
{
	uint64_t a, b;

	while (trace_column_uint(&base, &a) && trace_column_uint(&diff, &b)) {
		if ((a == TRACE_NIL) != (b == TRACE_NIL))
			return NULL;
		if (a != TRACE_NIL && (a += b) > INT64_MAX)
			return NULL;
		p = mp_put_uint(p, a);
	}
	return p;
}

/* Adds d to the base's field. NULL: they do not fit. */
static uint8_t *add_field(struct trace_field *f, const struct trace_field *d, uint8_t *p)
{
	uint8_t *end;

	if (f->kind == TRACE_UINT) {
		f->v += d->v;
		return f->v > INT64_MAX ? NULL : p;
	}
	if (f->n != d->n)
		return NULL;
	end = add_columns(p, (struct trace_column){ f->p, f->n },
			  (struct trace_column){ d->p, d->n });
	f->p = p;
	return end;
}

static struct trace_field *field_of(struct trace_record *rec, unsigned int key)
{
	const struct trace_field *f = trace_record_field(rec, key);

	return f ? &rec->field[f - rec->field] : NULL;
}

/* rec, the base's, becomes what the difference makes of it. 1, or as offence(). */
static int add(struct trace_reader *r, struct trace_record *rec)
{
	struct reader_tick *t = &r->tick;
	uint8_t *p;

	if (!reserve(t))
		return reader_no_memory(r);
	p = t->sum;
	for (unsigned int i = 0; i < t->diff.nfields; i++) {
		const struct trace_field *d = &t->diff.field[i];
		enum tick_role role = tick_role(rec->type, d->key);
		struct trace_field *f = field_of(rec, d->key);

		if (role == TICK_ADDED && f)
			p = add_field(f, d, p);
		else if (role == TICK_ADDED || role == TICK_KEPT)
			p = NULL;
		if (!p)
			return offence(r, "a counter that does not fit its base");
	}
	return 1;
}

/* ---- ticks ------------------------------------------------------------------------------- */

/* The library's own keys stand after all others. */
static void strip(struct trace_record *rec)
{
	while (rec->nfields && tick_role(rec->type, rec->field[rec->nfields - 1].key) == TICK_MADE)
		rec->nfields--;
}

/* at_ns, the first key, is not the base's. */
static void set_at_ns(struct trace_record *rec, const struct trace_record *diff)
{
	const struct trace_field *at = trace_record_field(diff, TRACE_TICK_AT_NS);
	bool had = trace_record_field(rec, TRACE_TICK_AT_NS);

	if (!at && !had)
		return;
	memmove(rec->field + (at != NULL), rec->field + had,
		(rec->nfields - had) * sizeof(*rec->field));
	rec->nfields = rec->nfields - had + (at != NULL);
	if (at)
		rec->field[0] = *at;
}

static int begin_from(struct trace_reader *r, struct trace_record *rec, uint64_t from)
{
	struct reader_tick *t = &r->tick;
	int err;

	t->state = READER_TICK_LOST;
	if (from != t->base || !t->usable)
		return offence(r, "counters without their base");
	t->unfolded += t->n;
	if (t->unfolded > TRACE_MAX_FRAME)
		return offence(r, "a frame with too much of its base");
	t->rest = (struct mp_cursor){ t->bytes, t->bytes + t->n };
	t->diff = *rec;
	err = base_next(r, rec);
	if (err > 0)
		err = add(r, rec);
	if (err <= 0)
		return err;
	t->state = READER_TICK_FROM;
	set_at_ns(rec, &t->diff);
	strip(rec);
	return 1;
}

static int begin_tick(struct trace_reader *r, struct trace_record *rec, const uint8_t *object)
{
	const struct trace_field *base = trace_record_field(rec, TRACE_TICK_BASE);
	const struct trace_field *from = trace_record_field(rec, TRACE_TICK_FROM);
	struct reader_tick *t = &r->tick;
	int err = 1;

	t->state = READER_TICK_WHOLE;
	if (base && from) {
		t->state = READER_TICK_LOST;
		err = offence(r, "a tick that is a base and has one");
	} else if (base) {
		rec->base = true;
		err = begin_base(r, base->v, object);
	} else if (from) {
		err = begin_from(r, rec, from->v);
	}
	t->ticked = true;
	strip(rec);
	return err;
}

int reader_tick_take(struct trace_reader *r, struct trace_record *rec, const uint8_t *object)
{
	struct reader_tick *t = &r->tick;

	if (rec->type == TRACE_TICK)
		return begin_tick(r, rec, object);
	if (!trace_type_is_counter(rec->type)) {
		if (t->state == READER_TICK_BASE)
			t->state = READER_TICK_WHOLE;
		return 1;
	}
	if (t->state == READER_TICK_WHOLE)
		return 1;
	if (t->state == READER_TICK_BASE)
		return keep(r, object);
	if (t->state == READER_TICK_FROM) {
		t->diff = *rec;
		t->pending = true;
		return 0;
	}
	r->st.counters_lost++;
	return 0;
}

/* ---- what the file leaves out ------------------------------------------------------------ */

/* Whether b is the difference of a. */
static bool is_one(const struct trace_record *a, const struct trace_record *b)
{
	return a->type == b->type && trace_record_about(a) == trace_record_about(b);
}

/* Whether the next object is of a known type and no counter: counters after it are whole. */
static bool ends_here(const struct trace_reader *r)
{
	struct mp_cursor c = r->cur;
	struct mp_value type;

	if (c.p == c.end)
		return true;
	mp_read(&c); /* the object's array */
	type = mp_read(&c);
	return type.v <= UINT8_MAX && trace_type_desc((unsigned int)type.v) &&
	       !trace_type_is_counter((unsigned int)type.v);
}

int reader_tick_due(struct trace_reader *r, struct trace_record *rec)
{
	struct reader_tick *t = &r->tick;
	int err;

	if (t->state != READER_TICK_FROM || (!t->pending && !ends_here(r)))
		return 0;
	err = base_next(r, rec);
	if (err < 0)
		return err;
	if (!t->pending) {
		if (!err)
			t->state = READER_TICK_WHOLE;
		return err;
	}
	if (err && !is_one(rec, &t->diff))
		return 1; /* unchanged */
	t->pending = false;
	return err ? add(r, rec) : offence(r, "a counter that its base does not have");
}

int reader_tick_skim(struct trace_reader *r, struct trace_record *scratch)
{
	uint64_t ignored = 0;
	int err = 1;

	reader_ticks_frame(&r->tick);
	while (err >= 0 && r->cur.p < r->cur.end) {
		const uint8_t *object = r->cur.p;

		record_parse(&r->cur, scratch, &r->marks, &ignored, &ignored);
		if (scratch->type == TRACE_TICK && r->tick.ticked)
			break;
		if (scratch->type)
			err = reader_tick_take(r, scratch, object);
	}
	r->cur.p = r->cur.end;
	return err < 0 ? err : 0;
}
