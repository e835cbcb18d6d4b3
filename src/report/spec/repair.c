// SPDX-License-Identifier: BSD-2-Clause
/* The memory budget of a trace's definitions, and the definitions that stand in for lost ones. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/units.h>

#include "format/mp_pack.h"
#include "spec.h"

/* ---- memory ------------------------------------------------------------------------------ */

/*
 * Bytes per kept definition, without its name. The size includes array elements, which grow by half, and data derived
 * from the definition.
 */
static const uint16_t cost[TRACE_IDS_COUNT] = {
	[TRACE_IDS_MODULE] = 64,   [TRACE_IDS_SYMBOL] = 64,  [TRACE_IDS_STACK] = 64,
	[TRACE_IDS_TASK] = 128,	   [TRACE_IDS_NETDEV] = 768, [TRACE_IDS_ZONE] = 256,
	[TRACE_IDS_PROGRAM] = 384, [TRACE_IDS_CGROUP] = 128, [TRACE_IDS_PROTOCOL] = 256,
	[TRACE_IDS_DROP] = 192,	   [TRACE_IDS_OTHER] = 1792, [TRACE_IDS_PROCESS] = 192,
};

/* Bytes per definition for the data that check.c and cut.c keep: depths of stacks, and the last values of counters. */
static const uint8_t checked[TRACE_IDS_COUNT] = {
	[TRACE_IDS_STACK] = 4,	   [TRACE_IDS_NETDEV] = 192,  [TRACE_IDS_ZONE] = 64,
	[TRACE_IDS_PROGRAM] = 128, [TRACE_IDS_PROTOCOL] = 48, [TRACE_IDS_DROP] = 48,
	[TRACE_IDS_OTHER] = 128,
};

#define COST_SETTING 128 /* bytes for a row of CONTEXT, without its texts */

void budget_init(struct budget *b, uint64_t bytes, unsigned int kept)
{
	*b = (struct budget){ .limit = bytes ? bytes : BUDGET_BYTES, .kept = kept };
}

int budget_take(struct budget *b, uint64_t bytes)
{
	if (__builtin_add_overflow(b->used, bytes, &b->used))
		b->used = UINT64_MAX;
	if (b->used > b->limit && b->shed) {
		b->shed(b->shed_ctx);
		b->shed = NULL;
	}
	return b->used > b->limit ? BUDGET_SPENT : 0;
}

static bool has_texts(unsigned int type)
{
	return type == TRACE_CONTEXT || type == TRACE_SOURCE || type == TRACE_PROBE ||
	       type == TRACE_PROBE_COST;
}

static uint64_t texts_of(const struct trace_record *rec)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < rec->nfields; i++)
		if (rec->field[i].kind == TRACE_STR || rec->field[i].kind == TRACE_STRS)
			bytes += 2 * trace_field_size(&rec->field[i]);
	return bytes;
}

int budget_take_record(struct budget *b, const struct trace_record *rec)
{
	const struct trace_key_desc *k = trace_type_defines(rec->type);
	uint64_t rows = k || rec->type == TRACE_CONTEXT ? trace_record_rows(rec) : 0;

	if (k && b->kept & 1u << k->ids)
		return budget_take(b, rows * cost[k->ids] + texts_of(rec));
	if (k)
		return budget_take(b, rows * checked[k->ids]);
	if (b->kept & BUDGET_TEXTS && has_texts(rec->type))
		return budget_take(b, rows * COST_SETTING + texts_of(rec));
	return 0;
}

char *budget_text(uint64_t bytes, char *dst, size_t size)
{
	uint64_t mib = (bytes ? bytes : BUDGET_BYTES) / UNITS_MIB;

	snprintf(dst, size,
		 "too large for --memory: its names and ids take more than %" PRIu64
		 " MiB; the file may be valid: set --memory=%" PRIu64 " or more",
		 mib, 2 * mib);
	return dst;
}

/* ---- ids of one kind: from the file's ids to dense ids ------------------------------ */

struct id_remap_range {
	uint32_t first, n; /* first id and number of ids in the file */
	uint32_t out;
};

struct id_remap {
	struct id_remap_range *range; /* ranges in ascending order */
	size_t nranges, size;
	uint32_t next;	   /* the next id in the file; if `open`, a higher id is possible */
	uint32_t out_next; /* the next dense id */
	/* dense id of the stand-in for all lost definitions; 0: not needed yet */
	uint32_t stand_in;
	bool open; /* definitions may be missing after the last one */
	uint64_t lost;
};

enum id_remap_found {
	ID_REMAP_OK,
	ID_REMAP_LOST,
	ID_REMAP_UNDEFINED,
};

static void id_remap_init(struct id_remap *map)
{
	*map = (struct id_remap){ .next = 1, .out_next = 1 };
}

static void id_remap_free(struct id_remap *map)
{
	free(map->range);
}

/* Returns true if the file may define n ids from `first` on. */
static bool id_remap_may_define(const struct id_remap *map, uint64_t first, uint32_t n)
{
	return (first == map->next || (map->open && first > map->next)) && first <= TRACE_MAX_ID &&
	       first + n <= TRACE_MAX_ID;
}

static int add_range(struct id_remap *map, uint32_t first, uint32_t n)
{
	struct id_remap_range *last = map->nranges ? &map->range[map->nranges - 1] : NULL;

	if (last && last->first + last->n == first && last->out + last->n == map->out_next) {
		last->n += n;
		return 0;
	}
	if (array_reserve(&map->range, &map->size, map->nranges + 1, sizeof(*map->range)))
		return -ENOMEM;
	map->range[map->nranges++] = (struct id_remap_range){ first, n, map->out_next };
	return 0;
}

/*
 * Adds a definition for which id_remap_may_define() returned true. Its dense ids start at map->out_next. !kept means
 * that the definitions are lost. Returns 0 or -ENOMEM.
 */
static int id_remap_define(struct id_remap *map, uint32_t first, uint32_t n, bool kept)
{
	int err = kept && n ? add_range(map, first, n) : 0;

	if (err)
		return err;
	map->open = false;
	map->next = first + n;
	map->out_next += kept ? n : 0;
	return 0;
}

/* Returns the last range with a first id of at most `id`. */
static const struct id_remap_range *range_of(const struct id_remap *map, uint32_t id)
{
	size_t low = 0, high = map->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->range[middle].first <= id)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &map->range[low - 1] : NULL;
}

/* Maps an id of the file to a dense id. Id 0 is mapped to 0. */
static enum id_remap_found id_remap_find(const struct id_remap *map, uint64_t id, uint32_t *out)
{
	const struct id_remap_range *r;

	*out = 0;
	if (!id)
		return ID_REMAP_OK;
	if (id >= TRACE_MAX_ID || (id >= map->next && !map->open))
		return ID_REMAP_UNDEFINED;
	r = range_of(map, (uint32_t)id);
	if (!r || id - r->first >= r->n)
		return ID_REMAP_LOST;
	*out = r->out + (uint32_t)(id - r->first);
	return ID_REMAP_OK;
}

/* ---- repair ------------------------------------------------------------------------------ */

#define STAND_IN_COLUMNS 4 /* maximum number of numeric columns of a definition that can be lost */

struct repair {
	struct trace_reader *reader;
	const char *lost;
	struct budget *budget;
	struct id_remap ids[TRACE_IDS_COUNT];
	/* seq of the last FRAME; number of frames outside of the reader's window */
	uint64_t seq, skipped;
	bool torn; /* an inconsistency was found, so later records may be wrong */

	/*
	 * The ids that the last record defines. The definition takes effect when the next record is requested, because
	 * the record may be rejected until then.
	 */
	const struct trace_key_desc *defines;
	uint32_t first, n;
	bool rejected;

	bool due[TRACE_IDS_COUNT]; /* stand-ins that are returned before `held` */
	bool holding;
	struct trace_record held;
	bool about_lost; /* the last record is about an object with a lost definition */

	struct mp_buf columns; /* columns of the last repaired record */
	uint8_t *stand_in;     /* columns of the last stand-in */
};

struct repair *repair_new(struct trace_reader *r, const char *lost, struct budget *budget)
{
	struct repair *rp = calloc(1, sizeof(*rp));

	if (!rp)
		return NULL;
	rp->reader = r;
	rp->lost = lost;
	rp->budget = budget;
	for (int i = 0; i < TRACE_IDS_COUNT; i++)
		id_remap_init(&rp->ids[i]);
	rp->stand_in = malloc(MP_HEAD_BYTES + strlen(lost) + STAND_IN_COLUMNS * MP_NUMBER_BYTES);
	if (rp->stand_in)
		return rp;
	repair_free(rp);
	return NULL;
}

void repair_free(struct repair *rp)
{
	if (!rp)
		return;
	for (int i = 0; i < TRACE_IDS_COUNT; i++)
		id_remap_free(&rp->ids[i]);
	mp_buf_free(&rp->columns);
	free(rp->stand_in);
	free(rp);
}

uint64_t repair_lost(const struct repair *rp, enum trace_ids ids)
{
	return rp->ids[ids].lost;
}

void repair_reject(struct repair *rp)
{
	rp->rejected = true;
}

/* Returns true for the key of a stack's caller. Its value is the id of the stack minus the id of the caller. */
static bool is_up(const struct trace_key_desc *k)
{
	return k->type == TRACE_STACKS && k->key == TRACE_STACKS_UP;
}

/* ---- stand-ins --------------------------------------------------------------------------- */

/*
 * Requests a stand-in for a lost definition. Lost tasks become 0 (unknown) instead. Elements for lost interfaces, zones
 * or programs are dropped.
 */
static void need_stand_in(struct repair *rp, enum trace_ids ids)
{
	struct id_remap *map = &rp->ids[ids];

	if (map->stand_in ||
	    (ids != TRACE_IDS_MODULE && ids != TRACE_IDS_SYMBOL && ids != TRACE_IDS_STACK))
		return;
	if (ids == TRACE_IDS_STACK)
		need_stand_in(rp, TRACE_IDS_SYMBOL);
	map->stand_in = map->out_next++;
	rp->due[ids] = true;
}

/* Makes a stand-in. It has the name of lost definitions, its module is the kernel itself, and a stack has no caller. */
static void make_stand_in(struct repair *rp, enum trace_type type, struct trace_record *rec)
{
	size_t n, len = strlen(rp->lost);
	const struct trace_key_desc *k = trace_type_keys(type, &n);
	uint32_t id = rp->ids[k->ids].stand_in, symbol = rp->ids[TRACE_IDS_SYMBOL].stand_in;
	uint8_t *p = rp->stand_in;

	*rec = (struct trace_record){ .type = type, .nfields = (unsigned int)n };
	for (struct trace_field *f = rec->field; n--; k++, f++) {
		*f = (struct trace_field){ .key = k->key, .kind = k->kind, .n = 1, .p = p };
		if (k->kind == TRACE_STR) {
			f->n = (uint32_t)len;
			f->p = (const uint8_t *)rp->lost;
		} else if (k->kind == TRACE_STRS) {
			p = mp_put_head(p, MP_STR, len);
			memcpy(p, rp->lost, len);
			p += len;
		} else if (k->flags & TRACE_KEY_DEFINES) {
			f->v = id;
		} else {
			p = mp_put_uint(p, is_up(k) ? id : k->ids == TRACE_IDS_SYMBOL ? symbol : 0);
		}
	}
}

/* Returns the next stand-in. The order is fixed, because each stand-in may refer to the previous one. */
static bool next_stand_in(struct repair *rp, struct trace_record *rec)
{
	static const enum trace_type types[] = { TRACE_MODULE, TRACE_SYMBOLS, TRACE_STACKS };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		bool *due = &rp->due[trace_type_defines(types[i])->ids];

		if (!*due)
			continue;
		*due = false;
		make_stand_in(rp, types[i], rec);
		return true;
	}
	return false;
}

/* ---- columns ----------------------------------------------------------------------------- */

/* Returns the dense id of an id in the file. If the id is undefined, returns TRACE_NIL, which is never an id. */
static uint64_t repaired_id(struct repair *rp, enum trace_ids ids, uint64_t id)
{
	uint32_t out;
	enum id_remap_found found = id_remap_find(&rp->ids[ids], id, &out);

	if (found == ID_REMAP_UNDEFINED)
		return TRACE_NIL;
	if (found == ID_REMAP_OK)
		return out;
	rp->ids[ids].lost++;
	need_stand_in(rp, ids);
	return rp->ids[ids].stand_in;
}

/* Returns the dense id of a stack's caller, or TRACE_NIL if the caller is undefined. */
static uint64_t repaired_caller(struct repair *rp, uint64_t id, uint64_t up)
{
	uint64_t caller = id - up;

	if (!up || up > id)
		return TRACE_NIL;
	/* The caller is defined earlier in the same column. Its stand-in, if any, has already been made. */
	if (caller >= rp->first)
		return rp->ids[TRACE_IDS_STACK].out_next + (caller - rp->first);
	return repaired_id(rp, TRACE_IDS_STACK, caller);
}

static uint64_t repaired_value(struct repair *rp, const struct trace_key_desc *k, uint32_t i,
			       uint64_t v)
{
	uint64_t caller;

	if (!is_up(k))
		return trace_key_is_id(k) ? repaired_id(rp, k->ids, v) : v;
	if (!rp->defines)
		return 0; /* the record does not define a stack */
	caller = repaired_caller(rp, rp->first + (uint64_t)i, v);
	return caller == TRACE_NIL ? 0 : rp->ids[TRACE_IDS_STACK].out_next + (uint64_t)i - caller;
}

/*
 * Returns the kind of the ids that a column's elements are about. This is needed because elements of lost definitions
 * are dropped. *ids is the column with these ids. *ids is empty if the elements are in the order of ids.
 */
static enum trace_ids subjects_of(const struct trace_record *rec, const struct trace_key_desc *k,
				  struct trace_column *ids)
{
	const struct trace_key_desc *first = trace_key_desc(rec->type, 1);

	*ids = (struct trace_column){ 0 };
	if (k->flags & TRACE_KEY_EACH)
		return k->ids;
	if (!(first->flags & TRACE_KEY_ABOUT) || !(k->flags & TRACE_KEY_COLUMN))
		return TRACE_IDS_NONE;
	*ids = trace_record_column(rec, first->key);
	return first->ids;
}

static bool is_lost(const struct repair *rp, enum trace_ids ids, uint64_t id)
{
	uint32_t out;

	return ids && id_remap_find(&rp->ids[ids], id, &out) == ID_REMAP_LOST;
}

/* Packs the repaired elements of a field, up to the maximum size of a frame. Returns the number of elements. */
static uint32_t repair_column(struct repair *rp, const struct trace_record *rec,
			      const struct trace_key_desc *k, const struct trace_field *f)
{
	struct trace_column c = { .p = f->p, .n = f->n }, ids;
	enum trace_ids about = subjects_of(rec, k, &ids);
	bool listed = about && !(k->flags & TRACE_KEY_EACH);
	uint32_t n = 0;
	uint64_t v, id;

	for (uint32_t i = 0; trace_column_uint(&c, &v); i++) {
		id = i + 1ull;
		if (listed && !trace_column_uint(&ids, &id))
			break;
		if (is_lost(rp, about, id))
			continue;
		if (rp->columns.n > TRACE_MAX_FRAME)
			break;
		mp_buf_uint(&rp->columns, repaired_value(rp, k, i, v));
		n++;
	}
	return n;
}

static bool is_repaired(const struct trace_record *rec, const struct trace_key_desc *k,
			const struct trace_field *f)
{
	struct trace_column ids;

	if (!f || f->kind != TRACE_UINTS)
		return false;
	return trace_key_is_id(k) || is_up(k) || subjects_of(rec, k, &ids);
}

/* Packs all repaired columns, and then sets the fields in *to. */
static void repair_columns(struct repair *rp, const struct trace_record *rec,
			   struct trace_record *to)
{
	struct {
		struct trace_field *f;
		size_t at;
		uint32_t n;
	} done[TRACE_MAX_FIELDS];
	size_t n, ndone = 0;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &n);

	rp->columns.n = 0;
	for (size_t i = 0; i < n; i++, k++) {
		const struct trace_field *f = trace_record_field(rec, k->key);

		if (!is_repaired(rec, k, f))
			continue;
		done[ndone].f = &to->field[f - rec->field];
		done[ndone].at = rp->columns.n;
		done[ndone++].n = repair_column(rp, rec, k, f);
	}
	/* the buffer has its final address, which is NULL if the buffer is empty */
	while (ndone--) {
		done[ndone].f->n = done[ndone].n;
		if (done[ndone].n)
			done[ndone].f->p = rp->columns.p + done[ndone].at;
	}
}

/* ---- records ----------------------------------------------------------------------------- */

/*
 * Repairs the ids in single fields. If the file may not define an id, the definition is ignored, and the id becomes 0.
 */
static void repair_uints(struct repair *rp, struct trace_record *rec)
{
	for (unsigned int i = 0; i < rec->nfields; i++) {
		struct trace_field *f = &rec->field[i];
		const struct trace_key_desc *k = trace_key_desc(rec->type, f->key);

		if (k->flags & TRACE_KEY_DEFINES)
			f->v = rp->defines ? rp->ids[k->ids].out_next : 0;
		else if (f->kind == TRACE_UINT && trace_key_is_id(k)) {
			uint64_t id = repaired_id(rp, k->ids, f->v);

			rp->about_lost |= f->v && !id && k->flags & TRACE_KEY_ABOUT;
			f->v = id;
		}
	}
}

/*
 * Repairs a record. If columns need stand-ins, the stand-ins come before the record and shift the ids that the record
 * defines.
 */
static void repair_record(struct repair *rp, struct trace_record *rec)
{
	struct trace_record from = *rec;
	uint64_t lost[TRACE_IDS_COUNT];

	for (int i = 0; i < TRACE_IDS_COUNT; i++)
		lost[i] = rp->ids[i].lost;
	repair_columns(rp, &from, rec);
	if (rp->due[TRACE_IDS_MODULE] || rp->due[TRACE_IDS_SYMBOL] || rp->due[TRACE_IDS_STACK]) {
		for (int i = 0; i < TRACE_IDS_COUNT; i++)
			rp->ids[i].lost = lost[i];
		repair_columns(rp, &from, rec);
	}
	repair_uints(rp, rec);
}

/*
 * Checks the seq of a FRAME. After a gap, definitions of any kind may be missing, unless the frames were skipped on
 * purpose.
 */
static void see_frame(struct repair *rp, const struct trace_record *rec)
{
	uint64_t seq = trace_record_uint(rec, TRACE_FRAME_SEQ, 0);
	uint64_t skipped = trace_reader_status(rp->reader)->frames_skipped;
	bool gap = seq != rp->seq + 1 + (skipped - rp->skipped);

	for (int i = 0; gap && i < TRACE_IDS_COUNT; i++)
		rp->ids[i].open = rp->torn = true;
	rp->seq = seq;
	rp->skipped = skipped;
}

static int take_in(struct repair *rp)
{
	int err = 0;

	if (rp->defines)
		err = id_remap_define(&rp->ids[rp->defines->ids], rp->first, rp->n, !rp->rejected);
	rp->torn |= rp->rejected && rp->defines;
	rp->defines = NULL;
	rp->rejected = false;
	return err;
}

static void see_definition(struct repair *rp, const struct trace_record *rec)
{
	const struct trace_key_desc *k = trace_type_defines(rec->type);
	uint64_t first = k ? trace_record_uint(rec, k->key, 0) : 0;
	uint32_t n = k ? trace_record_rows(rec) : 0;

	if (!k || !id_remap_may_define(&rp->ids[k->ids], first, n))
		return;
	rp->defines = k;
	rp->first = (uint32_t)first;
	rp->n = n;
}

static int read_next(struct repair *rp, struct trace_record *rec)
{
	int err = take_in(rp);

	rp->about_lost = false;
	if (err)
		return err;
	err = trace_reader_next(rp->reader, rec);
	if (err <= 0)
		return err;
	if (rec->type == TRACE_FRAME)
		see_frame(rp, rec);
	err = budget_take_record(rp->budget, rec);
	if (err)
		return err;
	see_definition(rp, rec);
	if (!rp->torn)
		return 1;
	repair_record(rp, rec);
	if (rp->columns.failed)
		return -ENOMEM;
	rp->held = *rec;
	rp->holding = next_stand_in(rp, rec);
	return 1;
}

int repair_next(struct repair *rp, struct trace_record *rec)
{
	int err;

	if (rp->holding) {
		if (next_stand_in(rp, rec))
			return 1;
		*rec = rp->held;
		rp->holding = false;
		return 1;
	}
	do /* drop records about objects with lost definitions */
		err = read_next(rp, rec);
	while (err > 0 && rp->about_lost);
	return err;
}
