// SPDX-License-Identifier: BSD-2-Clause
#include "mend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <msgpack.h> /* msgpack_packer, msgpack_sbuffer */

#include "idmend.h"

struct mend {
	struct trace_reader *reader;
	const char *lost;
	struct idmend ids[IDS_COUNT];
	uint64_t seq, skipped; /* of FRAME; frames outside of the reader's window */
	bool torn;	       /* records are not as they should be from here on */

	/* What the last record defines, taken in when the next one is asked for: it may be rejected. */
	const struct schema_key *defines;
	uint32_t first, n;
	bool rejected;

	bool due[IDS_COUNT]; /* stand-ins that are to be handed out before `held` */
	bool holding;
	struct trace_record held;

	msgpack_sbuffer columns, stand_in;
	msgpack_packer pk, stand_in_pk;
};

struct mend *mend_new(struct trace_reader *r, const char *lost)
{
	struct mend *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->reader = r;
	m->lost = lost;
	for (int i = 0; i < IDS_COUNT; i++)
		idmend_init(&m->ids[i]);
	msgpack_sbuffer_init(&m->columns);
	msgpack_sbuffer_init(&m->stand_in);
	msgpack_packer_init(&m->pk, &m->columns, msgpack_sbuffer_write);
	msgpack_packer_init(&m->stand_in_pk, &m->stand_in, msgpack_sbuffer_write);
	return m;
}

void mend_free(struct mend *m)
{
	if (!m)
		return;
	for (int i = 0; i < IDS_COUNT; i++)
		idmend_free(&m->ids[i]);
	msgpack_sbuffer_destroy(&m->columns);
	msgpack_sbuffer_destroy(&m->stand_in);
	free(m);
}

uint64_t mend_lost(const struct mend *m, enum schema_ids ids)
{
	return m->ids[ids].lost;
}

void mend_reject(struct mend *m)
{
	m->rejected = true;
}

/* ---- stand-ins --------------------------------------------------------------------------- */

/* A lost task is 0, not known; a lost interface, zone or program leaves its elements out. */
static void need_stand_in(struct mend *m, enum schema_ids ids)
{
	struct idmend *d = &m->ids[ids];

	if (d->stand_in || (ids != IDS_MODULE && ids != IDS_SYMBOL && ids != IDS_STACK))
		return;
	if (ids == IDS_STACK)
		need_stand_in(m, IDS_SYMBOL);
	d->stand_in = d->out_next++;
	d->shifted = m->due[ids] = true;
}

static void add_field(struct trace_record *rec, uint8_t key, uint8_t kind, uint64_t v)
{
	rec->field[rec->nfields++] =
		(struct trace_field){ .key = key, .kind = kind, .n = 1, .v = v };
}

static void pack_name(struct mend *m)
{
	size_t n = strlen(m->lost);

	msgpack_pack_str(&m->stand_in_pk, n);
	msgpack_pack_str_body(&m->stand_in_pk, m->lost, n);
}

/* Columns of one element each; what was packed for the i-th column is at at[i]. */
static void set_columns(struct mend *m, struct trace_record *rec, const size_t *at)
{
	for (unsigned int i = 1; i < rec->nfields; i++)
		rec->field[i].p = (const uint8_t *)m->stand_in.data + at[i - 1];
}

static void stand_in_module(struct mend *m, struct trace_record *rec)
{
	rec->type = TRACE_MODULE;
	add_field(rec, TRACE_MODULE_ID, TRACE_UINT, m->ids[IDS_MODULE].stand_in);
	add_field(rec, TRACE_MODULE_NAME, TRACE_STR, 0);
	rec->field[1].n = (uint32_t)strlen(m->lost);
	rec->field[1].p = (const uint8_t *)m->lost;
}

static void stand_in_symbol(struct mend *m, struct trace_record *rec)
{
	size_t at[3] = { 0 };

	rec->type = TRACE_SYMBOLS;
	add_field(rec, TRACE_SYMBOLS_FIRST, TRACE_UINT, m->ids[IDS_SYMBOL].stand_in);
	add_field(rec, TRACE_SYMBOLS_NAME, TRACE_STRS, 0);
	add_field(rec, TRACE_SYMBOLS_MODULE, TRACE_UINTS, 0);
	add_field(rec, TRACE_SYMBOLS_OFFSET, TRACE_INTS, 0);
	pack_name(m);
	at[1] = m->stand_in.size;
	msgpack_pack_uint32(&m->stand_in_pk, 0);
	at[2] = m->stand_in.size;
	msgpack_pack_int32(&m->stand_in_pk, 0);
	set_columns(m, rec, at);
}

static void stand_in_stack(struct mend *m, struct trace_record *rec)
{
	size_t at[2] = { 0 };

	rec->type = TRACE_STACKS;
	add_field(rec, TRACE_STACKS_FIRST, TRACE_UINT, m->ids[IDS_STACK].stand_in);
	add_field(rec, TRACE_STACKS_UP, TRACE_UINTS, 0);
	add_field(rec, TRACE_STACKS_SYMBOL, TRACE_UINTS, 0);
	msgpack_pack_uint32(&m->stand_in_pk, m->ids[IDS_STACK].stand_in);
	at[1] = m->stand_in.size;
	msgpack_pack_uint32(&m->stand_in_pk, m->ids[IDS_SYMBOL].stand_in);
	set_columns(m, rec, at);
}

/* In this order: each may name the one before it. */
static bool next_stand_in(struct mend *m, struct trace_record *rec)
{
	static const struct {
		enum schema_ids ids;
		void (*make)(struct mend *m, struct trace_record *rec);
	} kinds[] = {
		{ IDS_MODULE, stand_in_module },
		{ IDS_SYMBOL, stand_in_symbol },
		{ IDS_STACK, stand_in_stack },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!m->due[kinds[i].ids])
			continue;
		m->due[kinds[i].ids] = false;
		msgpack_sbuffer_clear(&m->stand_in);
		rec->nfields = 0;
		kinds[i].make(m, rec);
		return true;
	}
	return false;
}

/* ---- columns ----------------------------------------------------------------------------- */

static void put(struct mend *m, uint64_t v)
{
	if (v == TRACE_NIL)
		msgpack_pack_nil(&m->pk);
	else
		msgpack_pack_uint64(&m->pk, v);
}

/* What is not defined stays so: nil is no id. */
static uint64_t mended_id(struct mend *m, enum schema_ids ids, uint64_t id)
{
	struct idmend *d = &m->ids[ids];
	uint32_t out;
	enum idmend_found found = idmend_find(d, id, &out);

	if (found == IDMEND_UNDEFINED)
		return TRACE_NIL;
	if (found == IDMEND_OK)
		return out;
	d->lost++;
	need_stand_in(m, ids);
	return d->stand_in;
}

/* Of a list that is lost it is not known what its numbers stood for, nor how many there were. */
static uint64_t mended_code(struct mend *m, const struct trace_record *rec, uint64_t v)
{
	struct idmend *d = &m->ids[IDS_STACK];
	uint64_t id = trace_record_uint(rec, TRACE_SAMPLES_CODES, 0);
	uint32_t out;
	enum idmend_found found = idmend_find(&m->ids[IDS_CODES], id, &out);

	if (!v || v == TRACE_NIL)
		return v;
	if (found == IDMEND_LOST) {
		d->lost++;
		need_stand_in(m, IDS_STACK);
		return d->stand_in;
	}
	if (!rec->codes || found == IDMEND_UNDEFINED)
		return TRACE_NIL;
	return mended_id(m, IDS_STACK, trace_stack_of(rec->codes, v));
}

/* The dense id of a stack's caller; TRACE_NIL: there is none such. */
static uint64_t mended_caller(struct mend *m, uint64_t id, uint64_t up)
{
	uint64_t caller = id - up;

	if (!up || up > id)
		return TRACE_NIL;
	/* Earlier in the same column. Stand-ins have been made by then. */
	if (caller >= m->first)
		return m->ids[IDS_STACK].out_next + (caller - m->first);
	return mended_id(m, IDS_STACK, caller);
}

static uint64_t mended_value(struct mend *m, const struct trace_record *rec,
			     const struct schema_key *k, uint32_t i, uint64_t v)
{
	uint64_t caller;

	if (rec->type == TRACE_SAMPLES && k->ids == IDS_STACK &&
	    trace_record_field(rec, TRACE_SAMPLES_CODES))
		return mended_code(m, rec, v);
	if (rec->type != TRACE_STACKS || k->key != TRACE_STACKS_UP)
		return k->ids ? mended_id(m, k->ids, v) : v;
	if (!m->defines)
		return 0; /* no stack is defined by this */
	caller = mended_caller(m, m->first + (uint64_t)i, v);
	return caller == TRACE_NIL ? 0 : m->ids[IDS_STACK].out_next + (uint64_t)i - caller;
}

/* Records whose columns have an element for each id: in their order, or as a column of ids says. */
static const struct subjects {
	uint8_t type, key; /* key 0: in their order */
	uint8_t ids;
} subjects[] = {
	{ TRACE_NETDEV_STATS, TRACE_NETDEV_STATS_ID, IDS_NETDEV },
	{ TRACE_ENERGY, 0, IDS_ZONE },
	{ TRACE_PROGRAM_STATS, 0, IDS_PROGRAM },
};

static const struct subjects *subjects_of(const struct trace_record *rec)
{
	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		if (subjects[i].type == rec->type)
			return &subjects[i];
	return NULL;
}

/* Whose definition is lost. */
static bool is_left_out(struct mend *m, const struct subjects *s, uint64_t id)
{
	uint32_t out;

	return idmend_find(&m->ids[s->ids], id, &out) == IDMEND_LOST;
}

/* Packs the field's mended elements; returns how many. No more than a frame can hold. */
static uint32_t mend_column(struct mend *m, const struct trace_record *rec,
			    const struct schema_key *k, const struct trace_field *f)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	const struct subjects *s = subjects_of(rec);
	struct trace_column ids = trace_record_column(rec, s ? s->key : 0);
	uint32_t n = 0;
	uint64_t v, id;

	for (uint32_t i = 0; trace_column_uint(&c, &v); i++) {
		id = i + 1ull;
		if (s && s->key && !trace_column_uint(&ids, &id))
			break;
		if (s && is_left_out(m, s, id))
			continue;
		if (m->columns.size > TRACE_MAX_FRAME)
			break;
		put(m, mended_value(m, rec, k, i, v));
		n++;
	}
	return n;
}

static bool is_mended(const struct trace_record *rec, const struct schema_key *k,
		      const struct trace_field *f)
{
	if (!f || f->kind != TRACE_UINTS)
		return false;
	return k->ids || (rec->type == TRACE_STACKS && k->key == TRACE_STACKS_UP) ||
	       (k->flags & KEY_LENGTH && subjects_of(rec));
}

/* Packs all columns that are to be mended, then puts them into *to. */
static void mend_columns(struct mend *m, const struct trace_record *rec, struct trace_record *to)
{
	struct {
		struct trace_field *f;
		size_t at;
		uint32_t n;
	} done[TRACE_MAX_FIELDS];
	size_t n, ndone = 0;
	const struct schema_key *k = schema_type(rec->type, &n);

	msgpack_sbuffer_clear(&m->columns);
	for (size_t i = 0; i < n; i++, k++) {
		const struct trace_field *f = trace_record_field(rec, k->key);

		if (!is_mended(rec, k, f))
			continue;
		done[ndone].f = &to->field[f - rec->field];
		done[ndone].at = m->columns.size;
		done[ndone++].n = mend_column(m, rec, k, f);
	}
	while (ndone--) { /* only now does the buffer stay where it is, if there is one */
		done[ndone].f->n = done[ndone].n;
		if (done[ndone].n)
			done[ndone].f->p = (const uint8_t *)m->columns.data + done[ndone].at;
	}
}

/* ---- records ----------------------------------------------------------------------------- */

static struct trace_field *field_of(struct trace_record *rec, unsigned int key)
{
	const struct trace_field *f = trace_record_field(rec, key);

	return f ? &rec->field[f - rec->field] : NULL;
}

/* Where ids change, SAMPLES have them plain. */
static void drop_codes(struct trace_record *rec)
{
	struct trace_field *f = field_of(rec, TRACE_SAMPLES_CODES);

	if (rec->type != TRACE_SAMPLES || !f)
		return;
	rec->codes = NULL;
	memmove(f, f + 1, (size_t)(&rec->field[--rec->nfields] - f) * sizeof(*f));
}

/* Stand-ins that the columns need come first, and shift the ids that the record defines. */
static void mend_record(struct mend *m, struct trace_record *rec)
{
	struct trace_field *parent =
		rec->type == TRACE_ENERGY_ZONE ? field_of(rec, TRACE_ENERGY_ZONE_PARENT) : NULL;
	const struct schema_key *k = schema_defines(rec->type);
	struct trace_record from = *rec;
	uint64_t lost[IDS_COUNT];

	for (int i = 0; i < IDS_COUNT; i++)
		lost[i] = m->ids[i].lost;
	mend_columns(m, &from, rec);
	if (m->due[IDS_MODULE] || m->due[IDS_SYMBOL] || m->due[IDS_STACK]) {
		for (int i = 0; i < IDS_COUNT; i++)
			m->ids[i].lost = lost[i];
		mend_columns(m, &from, rec);
	}
	drop_codes(rec);
	if (parent)
		parent->v = mended_id(m, IDS_ZONE, parent->v);
	if (k && field_of(rec, k->key)) /* 0: nothing is defined so */
		field_of(rec, k->key)->v = m->defines ? m->ids[k->ids].out_next : 0;
}

/* A gap in seq: definitions of all sorts may be missing. There are none in frames that were left out. */
static void see_frame(struct mend *m, const struct trace_record *rec)
{
	uint64_t seq = trace_record_uint(rec, TRACE_FRAME_SEQ, 0);
	uint64_t skipped = trace_reader_status(m->reader)->frames_skipped;
	bool gap = seq != m->seq + 1 + (skipped - m->skipped);

	for (int i = 0; gap && i < IDS_COUNT; i++)
		m->ids[i].open = m->torn = true;
	m->seq = seq;
	m->skipped = skipped;
}

static int take_in(struct mend *m)
{
	int err = 0;

	if (m->defines)
		err = idmend_define(&m->ids[m->defines->ids], m->first, m->n, !m->rejected);
	m->torn |= m->rejected && m->defines;
	m->defines = NULL;
	m->rejected = false;
	return err;
}

static void see_definition(struct mend *m, const struct trace_record *rec)
{
	const struct schema_key *k = schema_defines(rec->type);
	uint64_t first = k ? trace_record_uint(rec, k->key, 0) : 0;
	uint32_t n = k ? schema_defined(rec) : 0;

	if (!k || !idmend_may_define(&m->ids[k->ids], first, n))
		return;
	m->defines = k;
	m->first = (uint32_t)first;
	m->n = n;
}

int mend_next(struct mend *m, struct trace_record *rec)
{
	int err;

	if (m->holding) {
		if (next_stand_in(m, rec))
			return 1;
		*rec = m->held;
		m->holding = false;
		return 1;
	}
	err = take_in(m);
	if (err)
		return err;
	err = trace_reader_next(m->reader, rec);
	if (err <= 0)
		return err;
	if (rec->type == TRACE_FRAME)
		see_frame(m, rec);
	see_definition(m, rec);
	if (!m->torn)
		return 1;
	mend_record(m, rec);
	m->held = *rec;
	m->holding = next_stand_in(m, rec);
	return 1;
}
