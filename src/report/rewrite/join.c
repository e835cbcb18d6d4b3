// SPDX-License-Identifier: BSD-2-Clause
/* Joins the files of one recording into one trace. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/hash.h>
#include <netcost/reasons.h>

#include "rewrite.h"

/* ---- finding files of a recording --------------------------------------------------- */

/* Returns a hash of the fields of HEADER that are constant during a recording. */
static uint64_t hash_header(const struct trace_record *rec)
{
	uint64_t hash = HASH_START;

	for (unsigned int i = 0; i < rec->nfields; i++) {
		const struct trace_field *f = &rec->field[i];

		if (f->key == TRACE_HEADER_START_NS || f->key == TRACE_HEADER_CPUS_ONLINE)
			continue;
		hash = hash_add(hash, &f->key, sizeof(f->key));
		if (f->kind == TRACE_UINT)
			hash = hash_add(hash, &f->v, sizeof(f->v));
		else
			hash = hash_add(hash, f->p, trace_field_size(f));
	}
	return hash;
}

static void see(struct join_ends *e, const struct trace_record *rec)
{
	char why[sizeof(reason_goes_on) + 1];

	if (rec->type == TRACE_HEADER)
		e->host = hash_header(rec);
	if (rec->type == TRACE_TICK) {
		e->last_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, 0);
		e->first_ns = e->first_ns ? e->first_ns : e->last_ns;
	}
	if (rec->type == TRACE_END)
		e->goes_on = !strcmp(trace_record_str(rec, TRACE_END_WHY, why, sizeof(why)),
				     reason_goes_on);
}

void join_look(const char *file, struct join_ends *ends)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK), more = -1;
	const struct trace_status *st;
	struct trace_reader *r;
	struct trace_record rec;

	*ends = (struct join_ends){ 0 };
	if (fd < 0)
		return;
	if (lseek(fd, 0, SEEK_CUR) >= 0 && !trace_reader_new(&r, fd)) {
		while ((more = trace_reader_next(r, &rec)) > 0)
			see(ends, &rec);
		st = trace_reader_status(r);
		/* If the end of the file is missing, the recording may continue in another file. */
		ends->goes_on |= st->problem == TRACE_CUT;
		ends->known = ends->first_ns && (st->problem == TRACE_CUT ||
						 (!more && st->ended && trace_reader_part(r) == 0));
		trace_reader_free(r);
	}
	close(fd);
}

bool join_follows(const struct join_ends *a, const struct join_ends *b)
{
	return a->known && a->goes_on && b->known && a->host == b->host &&
	       a->last_ns == b->first_ns;
}

bool join_misses(const struct join_ends *a, const struct join_ends *b)
{
	return a->known && a->goes_on && b->known && a->host == b->host && a->last_ns < b->first_ns;
}

/* ---- joined ids --------------------------------------------------------------------- */

/* maximum number of equal definitions in one file that find_id() tries one by one */
#define REPEATS 64

/* The ids of one kind. */
struct sort {
	uint32_t *map; /* id in the joined trace of each id in the file; 0: undefined */
	size_t n;
	uint32_t *file; /* number of the last file that defined each id of the joined trace */
	size_t nfile;
	uint32_t highest;
};

struct join {
	uint32_t files; /* number of the current file */
	/*
	 * ticked: the current file had a tick; seam: the current tick is also the last tick of the
	 * previous file
	 */
	bool ticked, seam;
	struct sort sort[TRACE_IDS_COUNT];
	/* ids by their definition; the kind of an id is used as the class */
	struct scrub_names names;
	/* read: number of the last file that has a reading of the counter */
	struct counter_series last[SERIES_COUNT], base[SERIES_COUNT], read[SERIES_COUNT];
	uint64_t lost[TRACE_MAX_CPU], lost_base[TRACE_MAX_CPU];
	uint32_t order[TRACE_MAX_CPU], ncpus;	/* CPUs of the tick */
	struct mp_buf column[TRACE_MAX_FIELDS]; /* data that the record's fields point to */
	/* data of the fields of a definition, made from column[] */
	struct mp_buf defined[TRACE_MAX_FIELDS];
	struct mp_buf content; /* bytes of a definition */
};

_Static_assert((int)TRACE_IDS_COUNT <= (int)TRACE_PRIVACIES, "each kind of id is a class of names");

struct join *join_new(uint64_t memory)
{
	struct join *j = calloc(1, sizeof(*j));

	if (j)
		budget_init(&j->names.budget, memory, 0);
	return j;
}

void join_free(struct join *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < TRACE_IDS_COUNT; i++) {
		free(j->sort[i].map);
		free(j->sort[i].file);
	}
	for (size_t i = 0; i < SERIES_COUNT; i++) {
		free(j->last[i].last);
		free(j->base[i].last);
		free(j->read[i].last);
	}
	for (size_t i = 0; i < TRACE_MAX_FIELDS; i++) {
		mp_buf_free(&j->column[i]);
		mp_buf_free(&j->defined[i]);
	}
	mp_buf_free(&j->content);
	scrub_names_free(&j->names);
	free(j);
}

/* ---- references to ids -------------------------------------------------------------- */

static int grow(uint32_t **list, size_t *n, size_t to)
{
	size_t had = *n;

	if (to <= had)
		return 0;
	if (array_reserve(list, n, to, sizeof(**list)))
		return -ENOMEM;
	memset(*list + had, 0, (*n - had) * sizeof(**list));
	return 0;
}

/*
 * Returns an id in the joined trace. An undefined id stays undefined, because 0 would have another
 * meaning.
 */
static uint64_t mapped(const struct sort *s, uint64_t id)
{
	if (!id || id == TRACE_NIL)
		return id;
	return id < s->n && s->map[id] ? s->map[id] : UINT32_MAX;
}

static void put_column(struct trace_field *f, struct mp_buf *to)
{
	f->p = to->p;
}

static void map_ids(struct join *j, const struct trace_key_desc *k, struct trace_field *f,
		    struct mp_buf *to)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	uint64_t v;

	if (f->kind == TRACE_UINT) {
		f->v = mapped(&j->sort[k->ids], f->v);
		return;
	}
	to->n = 0;
	while (trace_column_uint(&c, &v))
		mp_buf_uint(to, mapped(&j->sort[k->ids], v));
	put_column(f, to);
}

/* ---- definitions of ids ------------------------------------------------------------- */

/* Finds the id of the definition in j->content. Equal definitions in one file keep separate ids. */
static int find_id(struct join *j, enum trace_ids ids, uint64_t old, uint32_t *id)
{
	struct sort *s = &j->sort[ids];
	size_t n = j->content.n;

	for (uint64_t repeat = 0;; repeat++) {
		uint64_t which = repeat < REPEATS ? repeat : REPEATS + old;
		int err;

		j->content.n = n;
		mp_buf_bytes(&j->content, &which, sizeof(which));
		if (j->content.failed)
			return -ENOMEM;
		err = scrub_number(&j->names, (enum trace_privacy)ids, j->content.p, j->content.n,
				   id);
		if (!err)
			err = grow(&s->file, &s->nfile, (size_t)*id + 1);
		if (err)
			return err;
		if (s->file[*id] != j->files || repeat == REPEATS)
			break;
	}
	s->file[*id] = j->files;
	return 0;
}

static int set_id(struct join *j, enum trace_ids ids, uint64_t old, uint32_t id)
{
	struct sort *s = &j->sort[ids];

	if (old >= UINT32_MAX)
		return -EBADMSG;
	if (grow(&s->map, &s->n, (size_t)old + 1))
		return -ENOMEM;
	s->map[old] = id;
	return 0;
}

static bool is_column(const struct trace_record *rec, const struct trace_field *f)
{
	return trace_key_desc(rec->type, f->key)->flags & TRACE_KEY_COLUMN;
}

/* Rewrites a record that defines one id. */
static int define_one(struct join *j, struct trace_record *rec, enum trace_ids ids)
{
	uint64_t old = rec->field[0].v;
	uint32_t id;
	int err;

	j->content.n = 0;
	for (unsigned int i = 1; i < rec->nfields; i++) {
		const struct trace_field *f = &rec->field[i];

		mp_buf_uint(&j->content, f->key);
		mp_buf_uint(&j->content, f->kind == TRACE_UINT ? f->v : f->n);
		if (f->kind != TRACE_UINT)
			mp_buf_bytes(&j->content, f->p, trace_field_size(f));
	}
	err = find_id(j, ids, old, &id);
	if (!err)
		err = set_id(j, ids, old, id);
	if (err)
		return err;
	rec->field[0].v = id;
	if (id <= j->sort[ids].highest)
		return COPY_KEPT;
	j->sort[ids].highest = id;
	return COPY_IT;
}

struct cell {
	uint64_t v;
	const char *s;
	uint32_t n;
};

static bool next_cell(struct trace_column *c, unsigned int kind, struct cell *cell)
{
	int64_t v;

	if (kind == TRACE_STRS)
		return trace_column_str(c, &cell->s, &cell->n);
	if (kind == TRACE_UINTS)
		return trace_column_uint(c, &cell->v);
	if (!trace_column_int(c, &v))
		return false;
	cell->v = (uint64_t)v;
	return true;
}

static void put_cell(struct mp_buf *to, unsigned int kind, const struct cell *cell)
{
	if (kind == TRACE_STRS)
		mp_buf_str(to, cell->s, cell->n);
	else if (kind == TRACE_UINTS)
		mp_buf_uint(to, cell->v);
	else
		mp_buf_int(to, (int64_t)cell->v);
}

/*
 * Rewrites a record that defines ids in columns. Only new definitions remain. A stack stores the
 * distance to the id of its caller.
 */
static int define_some(struct join *j, struct trace_record *rec, enum trace_ids ids, uint32_t n)
{
	struct cell cell[TRACE_MAX_FIELDS];
	struct trace_column c[TRACE_MAX_FIELDS];
	uint32_t had = j->sort[ids].highest, some = 0;

	for (unsigned int i = 1; i < rec->nfields; i++) {
		c[i] = (struct trace_column){ .p = rec->field[i].p, .n = rec->field[i].n };
		j->defined[i].n = 0;
	}
	for (uint32_t at = 0; at < n; at++) {
		uint64_t old = rec->field[0].v + at, caller = 0;
		uint32_t id;
		int err;

		j->content.n = 0;
		for (unsigned int i = 1; i < rec->nfields; i++) {
			if (!next_cell(&c[i], rec->field[i].kind, &cell[i]))
				return COPY_BROKEN;
			if (rec->type == TRACE_STACKS && rec->field[i].key == TRACE_STACKS_UP) {
				if (cell[i].v > old)
					return COPY_BROKEN;
				caller = mapped(&j->sort[ids], old - cell[i].v);
				if (caller > j->sort[ids].highest)
					return COPY_BROKEN;
				cell[i].v = caller;
			}
			mp_buf_uint(&j->content, rec->field[i].key);
			put_cell(&j->content, rec->field[i].kind, &cell[i]);
		}
		err = find_id(j, ids, old, &id);
		if (!err)
			err = set_id(j, ids, old, id);
		if (err)
			return err;
		if (id <= j->sort[ids].highest)
			continue;
		j->sort[ids].highest = id;
		some++;
		for (unsigned int i = 1; i < rec->nfields; i++) {
			if (rec->type == TRACE_STACKS && rec->field[i].key == TRACE_STACKS_UP)
				cell[i].v = id - caller;
			put_cell(&j->defined[i], rec->field[i].kind, &cell[i]);
		}
	}
	rec->field[0].v = (uint64_t)had + 1;
	for (unsigned int i = 1; i < rec->nfields; i++) {
		rec->field[i].n = some;
		put_column(&rec->field[i], &j->defined[i]);
		if (j->defined[i].failed)
			return -ENOMEM;
	}
	return some ? COPY_IT : COPY_KEPT;
}

static int define(struct join *j, struct trace_record *rec, const struct trace_key_desc *k)
{
	uint32_t n = 0;
	bool columns = false;

	if (!rec->nfields || rec->field[0].key != k->key)
		return COPY_BROKEN;
	for (unsigned int i = 1; i < rec->nfields; i++) {
		if (is_column(rec, &rec->field[i]) && columns && rec->field[i].n != n)
			return COPY_BROKEN;
		if (is_column(rec, &rec->field[i])) {
			columns = true;
			n = rec->field[i].n;
		}
	}
	for (unsigned int i = 1; columns && i < rec->nfields; i++)
		if (!is_column(rec, &rec->field[i]))
			return COPY_BROKEN;
	return columns ? define_some(j, rec, k->ids, n) : define_one(j, rec, k->ids);
}

/* ---- counters ---------------------------------------------------------------------------- */

/*
 * Makes a counter of a later file continue at its value at the end of the previous file. at: the number of the CPU, or
 * the id. Both files have the tick between them, and the joined trace has the value of the previous file. A counter that
 * was not read in this tick, such as an exact counter in a pause, goes on from its last value, unless it decreased: then
 * it was restarted.
 */
static int count(struct join *j, size_t series, size_t at, uint64_t *v)
{
	struct counter_series *last = &j->last[series], *base = &j->base[series];
	struct counter_series *read = &j->read[series];

	if (series_grow(last, at + 1) || series_grow(base, at + 1) || series_grow(read, at + 1))
		return -ENOMEM;
	if (*v == TRACE_NIL)
		return 0;
	if (base->last[at] == TRACE_NIL)
		base->last[at] = 0;
	if (j->seam)
		base->last[at] = last->last[at] == TRACE_NIL ? 0 : last->last[at] - *v;
	else if (read->last[at] != j->files && last->last[at] != TRACE_NIL &&
		 (int64_t)(*v + base->last[at] - last->last[at]) < 0)
		base->last[at] = last->last[at];
	read->last[at] = j->files;
	*v += base->last[at];
	if (*v > INT64_MAX) /* the counter decreased, or its value is impossible */
		return -EBADMSG;
	last->last[at] = *v;
	return 0;
}

/* Rewrites a counter column by id. A counter that the later file does not have yet keeps its last value. */
static int count_ids(struct join *j, const struct trace_key_desc *k, size_t series,
		     struct trace_field *f, struct mp_buf *to)
{
	const struct sort *s = &j->sort[k->ids];
	struct trace_column c = { .p = f->p, .n = f->n };
	uint64_t *value = calloc((size_t)s->highest + 1, sizeof(*value)), v;
	int err = value ? 0 : -ENOMEM;

	for (uint32_t id = 1; !err && id <= s->highest; id++) {
		bool stands = series < SERIES_COUNT && id <= j->last[series].n;

		value[id] = stands ? j->last[series].last[id - 1] : TRACE_NIL;
	}
	for (uint64_t old = 1; !err && trace_column_uint(&c, &v); old++) {
		uint64_t id = mapped(s, old);

		if (id > s->highest)
			err = -EBADMSG;
		else if (series < SERIES_COUNT)
			err = count(j, series, (size_t)id - 1, &v);
		if (!err)
			value[id] = v;
	}
	to->n = 0;
	for (uint32_t id = 1; !err && id <= s->highest; id++)
		mp_buf_uint(to, value[id]);
	f->n = s->highest;
	put_column(f, to);
	free(value);
	return err;
}

static int count_cpus(struct join *j, size_t series, struct trace_field *f, struct mp_buf *to)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	uint64_t v;
	int err = 0;

	if (f->n != j->ncpus)
		return -EBADMSG;
	to->n = 0;
	for (uint32_t i = 0; !err && trace_column_uint(&c, &v); i++) {
		err = count(j, series, j->order[i], &v);
		mp_buf_uint(to, v);
	}
	put_column(f, to);
	return err;
}

static void begin_tick(struct join *j, const struct trace_record *tick)
{
	struct trace_column cpus = trace_record_column(tick, TRACE_TICK_CPU);
	uint64_t cpu;

	j->seam = j->files > 1 && !j->ticked;
	j->ticked = true;
	j->ncpus = 0;
	while (j->ncpus < TRACE_MAX_CPU && trace_column_uint(&cpus, &cpu) && cpu < TRACE_MAX_CPU)
		j->order[j->ncpus++] = (uint32_t)cpu;
}

static void frame(struct join *j, struct trace_record *rec)
{
	for (unsigned int i = 0; i < rec->nfields; i++) {
		struct trace_field *f = &rec->field[i];
		struct trace_column c = { .p = f->p, .n = f->n };
		uint64_t v;

		if (f->key != TRACE_FRAME_LOST || f->n > TRACE_MAX_CPU)
			continue;
		j->column[i].n = 0;
		for (uint32_t at = 0; trace_column_uint(&c, &v); at++) {
			if (v <= INT64_MAX - j->lost_base[at])
				j->lost[at] = v += j->lost_base[at];
			mp_buf_uint(&j->column[i], v);
		}
		put_column(f, &j->column[i]);
	}
}

/* ---- records ----------------------------------------------------------------------------- */

/* Returns true for records that each file repeats before its first tick. They are dropped in later files. */
static bool is_again(const struct join *j, enum trace_type type)
{
	static const bool again[TRACE_TYPES_MAX] = {
		[TRACE_SCHEMA] = true,	[TRACE_PROBE] = true,	    [TRACE_PROBE_COST] = true,
		[TRACE_CONTEXT] = true, [TRACE_CERTIFICATE] = true, [TRACE_LATENCY_ONLY] = true,
	};

	return j->files > 1 && !j->ticked && again[type];
}

static void begin_file(struct join *j)
{
	j->files++;
	j->ticked = j->seam = false;
	for (size_t i = 0; i < TRACE_IDS_COUNT; i++)
		if (j->sort[i].n)
			memset(j->sort[i].map, 0, j->sort[i].n * sizeof(*j->sort[i].map));
	memcpy(j->lost_base, j->lost, sizeof(j->lost));
}

static int edit_fields(struct join *j, struct trace_record *rec)
{
	for (unsigned int i = 0; i < rec->nfields; i++) {
		struct trace_field *f = &rec->field[i];
		const struct trace_key_desc *k = trace_key_desc(rec->type, f->key);
		size_t series = k->flags & TRACE_KEY_COUNTER ? series_of(rec, k) : SERIES_COUNT;
		int err = 0;

		if (k->flags & TRACE_KEY_EACH)
			err = count_ids(j, k, series, f, &j->column[i]);
		else if (k->ids && !(k->flags & TRACE_KEY_DEFINES))
			map_ids(j, k, f, &j->column[i]);
		else if (series < SERIES_COUNT && f->kind == TRACE_UINT)
			err = count(j, series, 0, &f->v);
		else if (series < SERIES_COUNT && k->flags & TRACE_KEY_PER_CPU)
			err = count_cpus(j, series, f, &j->column[i]);
		if (err)
			return err == -EBADMSG ? COPY_BROKEN : err;
		if (j->column[i].failed)
			return -ENOMEM;
	}
	return COPY_IT;
}

int join_edit(void *ctx, struct trace_record *rec)
{
	struct join *j = ctx;
	const struct trace_key_desc *defines;
	int verdict;

	if (rec->type == TRACE_HEADER) {
		begin_file(j);
		return j->files > 1 ? COPY_KEPT : COPY_IT;
	}
	if (!trace_type_desc(rec->type) || rec->type == TRACE_END || rec->type == TRACE_INDEX)
		return COPY_IT;
	if (is_again(j, rec->type))
		return COPY_KEPT;
	if (rec->type == TRACE_FRAME)
		frame(j, rec);
	if (rec->type == TRACE_TICK)
		begin_tick(j, rec);
	verdict = edit_fields(j, rec);
	defines = trace_type_defines(rec->type);
	if (verdict == COPY_IT && defines)
		verdict = define(j, rec, defines);
	if (verdict == COPY_IT && j->seam &&
	    (rec->type == TRACE_TICK || trace_type_is_counter(rec->type)))
		verdict = COPY_KEPT;
	return verdict;
}
