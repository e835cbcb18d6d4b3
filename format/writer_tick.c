// SPDX-License-Identifier: BSD-2-Clause
/*
 * The counters of a tick, held until all of them are known: then they are packed, most as differences from
 * those of a base. Numbers that hardly grow take a byte each, and what stands still takes none.
 */
#include <errno.h>
#include <stdlib.h>

#include <netcost/array.h>

#include "ticks.h"
#include "writer_impl.h"

/* Ticks from base to base. Differences from an old one are larger, a base is as large as 3 ticks or 4. */
#define BASE_TICKS 20

/* ---- holding ----------------------------------------------------------------------------- */

static bool has_room(struct held *h, size_t records, size_t fields, size_t values)
{
	return !array_reserve(&h->record, &h->records_size, h->nrecords + records,
			      sizeof(*h->record)) &&
	       !array_reserve(&h->field, &h->fields_size, h->nfields + fields, sizeof(*h->field)) &&
	       !array_reserve(&h->value, &h->values_size, h->nvalues + values, sizeof(*h->value));
}

static void held_clear(struct held *h)
{
	h->nrecords = h->nfields = h->nvalues = h->bytes = 0;
}

void held_free(struct held *h)
{
	free(h->record);
	free(h->field);
	free(h->value);
	*h = (struct held){ 0 };
}

static size_t uint_bytes(uint64_t v)
{
	return v < 0x80 || v == TRACE_NIL ? 1 :
	       v <= UINT8_MAX		  ? 2 :
	       v <= UINT16_MAX		  ? 3 :
	       v <= UINT32_MAX		  ? 5 :
					    9;
}

static size_t head_bytes(size_t n)
{
	return n < 16 ? 1 : n <= UINT16_MAX ? 3 : 5;
}

void writer_hold_record(struct trace_writer *w, enum trace_type type, unsigned int nfields)
{
	struct held *h = &w->tick;

	if (!has_room(h, 1, 0, 0)) {
		writer_fail(w, -ENOMEM);
		return;
	}
	h->record[h->nrecords++] = (struct held_record){ .type = (uint8_t)type };
	h->bytes += 2 + head_bytes(nfields); /* the array's head, the type, the map's head */
}

uint64_t *writer_hold(struct trace_writer *w, unsigned int key, enum trace_kind kind, size_t n)
{
	struct held *h = &w->tick;
	bool wrong = tick_role(w->type, key) == TICK_MADE ||
		     (kind != TRACE_UINT && kind != TRACE_UINTS);

	if (w->error)
		return NULL; /* there may be no record to hold it in */
	if (wrong || n > TRACE_MAX_FRAME)
		writer_fail(w, wrong ? -EINVAL : -EMSGSIZE);
	else if (!has_room(h, 0, 1, n + 1)) /* an empty column has a place, too */
		writer_fail(w, -ENOMEM);
	if (w->error)
		return NULL;
	h->field[h->nfields++] =
		(struct held_field){ .n = (uint32_t)n, .key = (uint8_t)key, .kind = (uint8_t)kind };
	h->record[h->nrecords - 1].nfields++;
	h->bytes += 1 + (kind == TRACE_UINT ? 0 : head_bytes(n));
	return h->value + h->nvalues;
}

void writer_hold_end(struct trace_writer *w)
{
	struct held *h = &w->tick;

	for (uint32_t n = h->field[h->nfields - 1].n; n--; h->nvalues++) {
		uint64_t *v = &h->value[h->nvalues];

		*v = *v > INT64_MAX ? TRACE_NIL : *v;
		h->bytes += uint_bytes(*v);
	}
}

/* ---- against the base -------------------------------------------------------------------- */

static bool have_one_shape(const struct held *a, const struct held *b)
{
	if (a->nrecords != b->nrecords || a->nfields != b->nfields || a->nvalues != b->nvalues)
		return false;
	for (size_t i = 0; i < a->nrecords; i++)
		if (a->record[i].type != b->record[i].type ||
		    a->record[i].nfields != b->record[i].nfields)
			return false;
	for (size_t i = 0; i < a->nfields; i++)
		if (a->field[i].key != b->field[i].key || a->field[i].n != b->field[i].n)
			return false;
	return true;
}

/* Whether a field's values can be written as differences. *differs: one of them is not 0. */
static bool can_subtract(const uint64_t *v, const uint64_t *base, uint32_t n, bool *differs)
{
	uint64_t any = 0;

	for (uint32_t i = 0; i < n; i++) {
		if ((v[i] == TRACE_NIL) != (base[i] == TRACE_NIL) || v[i] < base[i])
			return false;
		any |= v[i] ^ base[i];
	}
	*differs = any != 0;
	return true;
}

/* A reader takes a record for the first of its name in the base, after the last one that it has seen. */
static bool is_first_named(const struct held *h, size_t from, size_t i, uint64_t name)
{
	for (; from < i; from++)
		if (h->record[from].type == h->record[i].type && h->record[from].name == name)
			return false;
	return true;
}

/*
 * Whether the tick can be written as differences from the base, and which of its fields and records differ.
 */
static bool compare(struct trace_writer *w)
{
	struct held *h = &w->tick;
	const struct held *base = &w->base;
	struct held_field *f = h->field;
	const uint64_t *v = h->value;
	size_t next = 0;

	for (size_t i = 0; i < h->nrecords; i++) {
		struct held_record *r = &h->record[i];

		r->name = TRACE_NIL;
		r->due = 0;
		for (unsigned int k = 0; k < r->nfields; k++, f++) {
			enum tick_role role = tick_role(r->type, f->key);
			const uint64_t *old = base->value + (v - h->value);

			f->differs = false;
			if (role != TICK_OWN && !can_subtract(v, old, f->n, &f->differs))
				return false;
			if (role == TICK_NAME)
				r->name = *v;
			if ((role == TICK_NAME || role == TICK_KEPT) && f->differs)
				return false;
			r->due += f->differs;
			v += f->n;
		}
		if (r->due && !is_first_named(h, next, i, r->name))
			return false;
		next = r->due ? i + 1 : next;
	}
	return true;
}

static bool fits_base(struct trace_writer *w)
{
	return w->bases && w->unfolded + w->base_bytes <= TRACE_MAX_FRAME &&
	       (w->ticked || w->since_base < BASE_TICKS) && have_one_shape(&w->tick, &w->base) &&
	       compare(w);
}

/* ---- packing ----------------------------------------------------------------------------- */

static uint8_t *put_object(uint8_t *p, uint8_t type, unsigned int nfields)
{
	*p++ = 0x92;
	*p++ = type;
	return mp_put_head(p, MP_MAP, nfields);
}

/* base: what is subtracted, NULL: nothing. */
static uint8_t *put_field(uint8_t *p, const struct held_field *f, const uint64_t *v,
			  const uint64_t *base)
{
	*p++ = f->key;
	if (f->kind == TRACE_UINTS)
		p = mp_put_head(p, MP_ARRAY, f->n);
	for (uint32_t i = 0; i < f->n; i++)
		p = mp_put_uint(p, base && v[i] != TRACE_NIL ? v[i] - base[i] : v[i]);
	return p;
}

/* made: the key that the library adds to TICK, 0: none. */
static uint8_t *put_whole(struct trace_writer *w, uint8_t *p, unsigned int made)
{
	const struct held *h = &w->tick;
	const struct held_field *f = h->field;
	const uint64_t *v = h->value;

	for (size_t i = 0; i < h->nrecords; i++) {
		const struct held_record *r = &h->record[i];

		p = put_object(p, r->type, r->nfields + (!i && made));
		for (unsigned int k = 0; k < r->nfields; k++, v += f++->n)
			p = put_field(p, f, v, NULL);
		if (!i && made) {
			*p++ = (uint8_t)made;
			p = mp_put_uint(p, w->bases);
		}
	}
	w->records += h->nrecords;
	return p;
}

static uint8_t *put_differences(struct trace_writer *w, uint8_t *p)
{
	const struct held *h = &w->tick;
	const struct held_field *f = h->field;
	const uint64_t *v = h->value, *base = w->base.value;

	for (size_t i = 0; i < h->nrecords; i++) {
		const struct held_record *r = &h->record[i];
		bool tick = r->type == TRACE_TICK,
		     at = tick && r->nfields && f->key == TRACE_TICK_AT_NS;
		bool written = tick || r->due;

		if (written)
			p = put_object(p, r->type, r->due + tick + at + (r->name != TRACE_NIL));
		for (unsigned int k = 0; k < r->nfields; k++, f++) {
			enum tick_role role = tick_role(r->type, f->key);

			if (written && (f->differs || role == TICK_OWN || role == TICK_NAME))
				p = put_field(p, f, v, role == TICK_ADDED ? base : NULL);
			v += f->n;
			base += f->n;
		}
		if (tick) {
			*p++ = TRACE_TICK_FROM;
			p = mp_put_uint(p, w->bases);
		}
		w->records += written;
	}
	return p;
}

#define MADE_BYTES 10 /* of base or from */

/* The first tick of a frame is a base when one is due: who reads a part of the time finds it by INDEX. */
static bool becomes_base(const struct trace_writer *w)
{
	return !w->ticked && w->tick.bytes + MADE_BYTES <= TRACE_MAX_BASE;
}

static void keep_base(struct trace_writer *w, size_t bytes)
{
	struct held old = w->base;

	w->base = w->tick;
	w->tick = old;
	w->base_bytes = bytes;
	w->since_base = 0;
	w->has_base = true;
}

void writer_tick_end(struct trace_writer *w)
{
	uint8_t *p;
	size_t before = w->body.n;
	bool base;

	if (!w->in_tick || w->error)
		return;
	w->in_tick = false;
	p = mp_buf_room(&w->body, w->tick.bytes + MADE_BYTES);
	if (!p) {
		writer_fail(w, -ENOMEM);
		return;
	}
	if (fits_base(w)) {
		p = put_differences(w, p);
		w->unfolded += w->base_bytes;
		base = false;
	} else {
		base = becomes_base(w);
		w->bases += base;
		p = put_whole(w, p, base ? TRACE_TICK_BASE : 0);
	}
	mp_buf_end(&w->body, p);
	if (base)
		keep_base(w, w->body.n - before);
	w->since_base++;
	w->ticked = true;
	held_clear(&w->tick);
}

void writer_ticks_reset(struct trace_writer *w)
{
	held_clear(&w->base);
	w->bases = w->since_base = 0;
}
