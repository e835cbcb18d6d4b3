// SPDX-License-Identifier: BSD-2-Clause
/*
 * Checks a record against SPEC.md: its fields by the registry, and rules of each type that the registry cannot express.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "spec.h"
#include "format/layout.h"

struct check {
	const struct trace_status *st; /* status of the current record's reader, or NULL */
	uint32_t highest[TRACE_IDS_COUNT];

	uint32_t header_ncpus;
	uint64_t *frame_lost; /* array with header_ncpus elements */

	bool ranged; /* FRAME contained both times */
	uint64_t first_ns, last_ns;

	bool ticked;			      /* a TICK was seen in this frame */
	uint32_t order[TRACE_MAX_CPU], ncpus; /* CPUs of this TICK */
	uint8_t named[TRACE_MAX_CPU]; /* scratch memory for the CPUs of a TICK, or of HEADER */
	struct counter_series
		/* by type and subject: number of the last tick that contained a record of this type and subject */
		had[TRACE_TYPES_MAX];
	uint64_t nticks;

	struct counter_series series[SERIES_COUNT];
	struct counter_series subject; /* ids to which the elements of the current columns belong */
	struct counter_series wrap;    /* value at which the counter of each zone wraps */
	uint8_t *depth;		       /* depth of each stack, by id */
	size_t depth_size;

	uint64_t samples, odd;
	char what[160], oddity[160];
};

struct check *check_new(void)
{
	return calloc(1, sizeof(struct check));
}

void check_free(struct check *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < sizeof(c->series) / sizeof(*c->series); i++)
		free(c->series[i].last);
	for (size_t i = 0; i < TRACE_TYPES_MAX; i++)
		free(c->had[i].last);
	free(c->subject.last);
	free(c->wrap.last);
	free(c->frame_lost);
	free(c->depth);
	free(c);
}

const char *check_what(const struct check *c)
{
	return c->what;
}

const char *check_oddity(const struct check *c, uint64_t *count)
{
	*count = c->odd;
	return c->oddity;
}

uint64_t check_samples(const struct check *c)
{
	return c->samples;
}

uint32_t check_highest(const struct check *c, enum trace_ids ids)
{
	return c->highest[ids];
}

void check_frame(struct check *c)
{
	c->ticked = c->ranged = false;
	c->ncpus = 0;
}

/* ---- the last value of each counter ------------------------------------------------------ */

int series_grow(struct counter_series *s, size_t n)
{
	size_t had = s->n;
	int err = array_reserve(&s->last, &s->n, n, sizeof(*s->last));

	for (size_t i = had; i < s->n; i++)
		s->last[i] = TRACE_NIL;
	return err;
}

size_t series_of(const struct trace_record *rec, const struct trace_key_desc *k)
{
	const struct trace_key_desc *first = trace_key_desc(rec->type, 1);
	uint64_t about = 0;

	if (first->known)
		about = trace_record_about(rec);
	if (first->known && about >= first->known)
		return SERIES_COUNT;
	if (first->flags & TRACE_KEY_ABOUT && first->kind == TRACE_UINT && first->ids)
		return SERIES_COUNT; /* a trace may have any number of these ids */
	return trace_key_row(k) * TRACE_KNOWN_MAX + (size_t)about;
}

/* ---- errors ------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static int broken(struct check *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->what, sizeof(c->what), fmt, ap);
	va_end(ap);
	return -EBADMSG;
}

static int name_of(const struct trace_key_desc *k, char *dst, size_t size)
{
	return snprintf(dst, size, "%s.%s", trace_type_desc(k->type)->name, k->name);
}

/* Reports an error with the name of the key as a prefix. */
__attribute__((format(printf, 3, 4))) static int
key_broken(struct check *c, const struct trace_key_desc *k, const char *fmt, ...)
{
	int n = name_of(k, c->what, sizeof(c->what));
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->what + n, sizeof(c->what) - (size_t)n, fmt, ap);
	va_end(ap);
	return -EBADMSG;
}

/* ---- one value --------------------------------------------------------------------------- */

/* The current field. */
struct walk {
	const struct trace_key_desc *key;
	struct counter_series *series; /* NULL: the field is not a counter that is checked */
	/* the elements are for CPUs (per_cpu), or for the ids in another column (listed) */
	bool per_cpu, listed;
	uint32_t i;
};

#define FOLLOWED (TRACE_KEY_COUNTER | TRACE_KEY_LEVEL | TRACE_KEY_HOST_COUNTER)

static struct walk walk_of(struct check *c, const struct trace_record *rec,
			   const struct trace_key_desc *k)
{
	const struct trace_key_desc *first = trace_key_desc(rec->type, 1);
	struct walk w = { .key = k, .per_cpu = k->flags & TRACE_KEY_PER_CPU };
	size_t at = k->flags & FOLLOWED ? series_of(rec, k) : SERIES_COUNT;

	w.listed = first->flags & TRACE_KEY_ABOUT && first->ids;
	w.series = at < SERIES_COUNT ? &c->series[at] : NULL;
	return w;
}

/* Returns the CPU or id of the current element. */
static size_t subject(const struct check *c, const struct walk *w)
{
	return w->per_cpu ? c->order[w->i] : w->listed ? c->subject.last[w->i] : w->i;
}

static int check_id(struct check *c, const struct walk *w, uint64_t v)
{
	const char *what = trace_ids_name(w->key->ids);

	if (v <= c->highest[w->key->ids] && (v || !(w->key->flags & TRACE_KEY_NONZERO)))
		return 0;
	if (v == TRACE_NIL)
		return key_broken(c, w->key, ": nil is not a valid %s id", what);
	return key_broken(c, w->key, ": %s %" PRIu64 " is not defined", what, v);
}

static int check_counter(struct check *c, const struct walk *w, uint64_t v)
{
	size_t at = subject(c, w);
	uint64_t last;
	char name[64];

	if (series_grow(w->series, at + 1))
		return -ENOMEM;
	last = w->series->last[at];
	if (last == TRACE_NIL || v >= last)
		return 0;
	if (!(w->key->flags & TRACE_KEY_HOST_COUNTER))
		return key_broken(c, w->key, " falls from %" PRIu64 " to %" PRIu64, last, v);
	name_of(w->key, name, sizeof(name));
	if (!c->odd++)
		snprintf(c->oddity, sizeof(c->oddity), "%s went back from %" PRIu64 " to %" PRIu64,
			 name, last, v);
	return 0;
}

static int check_value(struct check *c, const struct walk *w, uint64_t v)
{
	unsigned int flags = w->key->flags;

	if (trace_key_is_id(w->key))
		return check_id(c, w, v);
	if (flags & TRACE_KEY_CPU && v >= TRACE_MAX_CPU)
		return key_broken(c, w->key, ": CPU number above %u", TRACE_MAX_CPU - 1);
	if (v == TRACE_NIL)
		return 0;
	if (flags & TRACE_KEY_COUNTER32 && v > UINT32_MAX)
		return key_broken(c, w->key, ": %" PRIu64 " has more than 32 bits", v);
	if (flags & TRACE_KEY_TIME && c->ranged && (v < c->first_ns || v > c->last_ns))
		return key_broken(c, w->key, ": %" PRIu64 " is outside FRAME's time range", v);
	return w->series ? check_counter(c, w, v) : 0;
}

/* ---- one field --------------------------------------------------------------------------- */

static int check_values(struct check *c, struct walk *w, const struct trace_field *f)
{
	struct trace_column col = { .p = f->p, .n = f->n };
	uint64_t v;
	int err = 0;

	if (f->kind == TRACE_UINT)
		return check_value(c, w, f->v);
	if (f->kind != TRACE_UINTS)
		return 0;
	for (; !err && trace_column_uint(&col, &v); w->i++)
		err = check_value(c, w, v);
	return err;
}

static int check_length(struct check *c, const struct trace_key_desc *k,
			const struct trace_field *f, uint32_t rows)
{
	if (k->flags & TRACE_KEY_PER_CPU && f->n != c->ncpus)
		return key_broken(c, k,
				  " has %" PRIu32 " elements, but the TICK has %" PRIu32 " CPUs",
				  f->n, c->ncpus);
	if (k->flags & TRACE_KEY_COLUMN && f->n != rows)
		return key_broken(c, k, " has %" PRIu32 " elements, other columns have %" PRIu32,
				  f->n, rows);
	if (k->flags & TRACE_KEY_EACH && f->n > c->highest[k->ids])
		return key_broken(c, k, " has %" PRIu32 " elements, but there are %" PRIu32 " %ss",
				  f->n, c->highest[k->ids], trace_ids_name(k->ids));
	return 0;
}

/* Checks a definition. Ids are consecutive: a definition continues where the last definition ended. */
static int check_definition(struct check *c, const struct trace_key_desc *k, uint64_t first,
			    uint32_t rows)
{
	uint32_t highest = c->highest[k->ids];
	const char *what = trace_ids_name(k->ids);

	if (first != highest + 1ull)
		return key_broken(c, k, ": %s %" PRIu64 " is defined after %" PRIu32, what, first,
				  highest);
	if (first + rows > TRACE_MAX_ID)
		return key_broken(c, k, ": more than %u %s ids", TRACE_MAX_ID - 1, what);
	return 0;
}

/* Checks that a tick has at most one record per subject. A subject is an id, or a number that this version knows. */
static int check_once(struct check *c, const struct trace_key_desc *k, uint64_t about)
{
	struct counter_series *had = &c->had[k->type];

	if (k->known && about >= k->known)
		return 0;
	if (series_grow(had, about + 1))
		return -ENOMEM;
	if (had->last[about] == c->nticks)
		return key_broken(c, k, ": %s %" PRIu64 " comes twice in a tick",
				  k->ids ? trace_ids_name(k->ids) : "number", about);
	had->last[about] = c->nticks;
	return 0;
}

/*
 * Returns true if the key is one of several keys that together are the subject of a record. Values of a single such key
 * may repeat.
 */
static bool is_one_of_several(const struct trace_key_desc *k)
{
	size_t n, subjects = 0;
	const struct trace_key_desc *other = trace_type_keys(k->type, &n);

	while (n--)
		subjects += !!(other++->flags & TRACE_KEY_ABOUT);
	return subjects > 1;
}

/* Checks the subject of the record, or of the elements of its columns. */
static int check_subjects(struct check *c, const struct trace_key_desc *k,
			  const struct trace_field *f)
{
	struct trace_column column = { .p = f->p, .n = f->n };
	uint64_t about;
	int err = 0;

	if (is_one_of_several(k))
		return 0;
	if (f->kind == TRACE_UINT)
		return check_once(c, k, f->v);
	if (series_grow(&c->subject, column.n))
		return -ENOMEM;
	for (size_t i = 0; !err && trace_column_uint(&column, &about); i++) {
		err = check_once(c, k, about);
		c->subject.last[i] = about;
	}
	return err;
}

static int check_field(struct check *c, const struct trace_record *rec,
		       const struct trace_key_desc *k, uint32_t rows)
{
	const struct trace_field *f = trace_record_field(rec, k->key);
	struct walk w;
	int err;

	if (!f)
		return k->flags & TRACE_KEY_MUST ? key_broken(c, k, " is missing") : 0;
	w = walk_of(c, rec, k);
	err = check_length(c, k, f, rows);
	if (err)
		return err;
	if (k->flags & TRACE_KEY_DEFINES)
		return check_definition(c, k, f->v, rows);
	err = check_values(c, &w, f);
	return !err && k->flags & TRACE_KEY_ABOUT ? check_subjects(c, k, f) : err;
}

static int check_fields(struct check *c, const struct trace_record *rec)
{
	uint32_t rows = trace_record_rows(rec);
	const struct trace_key_desc *k;
	size_t n;
	int err = 0;

	if (trace_type_is_counter(rec->type) && !c->ticked)
		return broken(c, "%s without a TICK before it in its frame",
			      trace_type_desc(rec->type)->name);
	for (k = trace_type_keys(rec->type, &n); n-- && !err; k++)
		err = check_field(c, rec, k, rows);
	return err;
}

/* ---- state after a valid record ----------------------------------------------------- */

static void keep_series(struct check *c, struct walk *w, const struct trace_field *f)
{
	struct trace_column col = { .p = f->p, .n = f->n };
	uint64_t v;

	if (f->kind == TRACE_UINT) {
		w->series->last[0] = f->v;
		return;
	}
	for (; trace_column_uint(&col, &v); w->i++)
		if (v != TRACE_NIL)
			w->series->last[subject(c, w)] = v;
}

static void check_keep(struct check *c, const struct trace_record *rec)
{
	const struct trace_key_desc *defines = trace_type_defines(rec->type);
	size_t n;

	for (const struct trace_key_desc *k = trace_type_keys(rec->type, &n); n--; k++) {
		const struct trace_field *f =
			k->flags & FOLLOWED ? trace_record_field(rec, k->key) : NULL;
		struct walk w;

		if (!f)
			continue;
		w = walk_of(c, rec, k);
		if (w.series)
			keep_series(c, &w, f);
	}
	if (defines)
		c->highest[defines->ids] += trace_record_rows(rec);
}

/* ---- lists of CPUs ----------------------------------------------------------------------- */

/* Checks that a list has each CPU at most once. */
static int check_cpus(struct check *c, const char *what, struct trace_column cpus)
{
	uint64_t cpu;

	if (cpus.n > TRACE_MAX_CPU)
		return broken(c, "%s has %" PRIu32 " CPUs", what, cpus.n);
	memset(c->named, 0, sizeof(c->named));
	while (trace_column_uint(&cpus, &cpu))
		if (cpu >= TRACE_MAX_CPU)
			return broken(c, "%s: CPU number above %u", what, TRACE_MAX_CPU - 1);
		else if (c->named[cpu]++)
			return broken(c, "%s: a CPU comes twice", what);
	return 0;
}

/* ---- HEADER, FRAME, END ------------------------------------------------------------------ */

static int header(struct check *c, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_HEADER_CPUS);

	int err = check_cpus(c, "header.cpus", cpus);

	if (err)
		return err;
	free(c->frame_lost);
	c->frame_lost = calloc(cpus.n + 1u, sizeof(*c->frame_lost));
	c->header_ncpus = cpus.n;
	return c->frame_lost ? 0 : -ENOMEM;
}

static int frame(struct check *c, const struct trace_record *rec)
{
	const struct trace_field *first = trace_record_field(rec, TRACE_FRAME_FIRST_NS);
	const struct trace_field *last = trace_record_field(rec, TRACE_FRAME_LAST_NS);
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t v;

	check_frame(c);
	if (lost.n && lost.n != c->header_ncpus)
		return broken(c, "frame.lost has %" PRIu32 " elements, header.cpus %" PRIu32,
			      lost.n, c->header_ncpus);
	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++) {
		if (v < c->frame_lost[i])
			return broken(c, "frame.lost decreases from %" PRIu64 " to %" PRIu64,
				      c->frame_lost[i], v);
		if (v != TRACE_NIL)
			c->frame_lost[i] = v;
	}
	if (!first != !last)
		return broken(c, "frame has only one of first_ns and last_ns");
	if (!first)
		return 0;
	if (first->v > last->v)
		return broken(c, "frame.first_ns is after frame.last_ns");
	c->ranged = true;
	c->first_ns = first->v;
	c->last_ns = last->v;
	return 0;
}

static int end(struct check *c, const struct trace_record *rec)
{
	const struct trace_status *st = c->st;
	const struct {
		uint8_t key;
		uint64_t has;
	} total[] = {
		{ TRACE_END_FRAMES, st ? st->frames - 1 : 0 },
		{ TRACE_END_RECORDS, st ? st->records - 1 : 0 },
		{ TRACE_END_SAMPLES, c->samples },
		{ TRACE_END_SYMBOLS, c->highest[TRACE_IDS_SYMBOL] },
		{ TRACE_END_STACKS, c->highest[TRACE_IDS_STACK] },
		{ TRACE_END_TASKS, c->highest[TRACE_IDS_TASK] },
	};

	for (size_t i = 0; st && i < sizeof(total) / sizeof(*total); i++) {
		uint64_t says = trace_record_uint(rec, total[i].key, total[i].has);

		if (says != total[i].has)
			return broken(c, "end.%s is %" PRIu64 ", but there are %" PRIu64,
				      trace_key_desc(TRACE_END, total[i].key)->name, says,
				      total[i].has);
	}
	return 0;
}

/* ---- ids and samples --------------------------------------------------------------------- */

static int stacks(struct check *c, const struct trace_record *rec)
{
	struct trace_column ups = trace_record_column(rec, TRACE_STACKS_UP);
	uint32_t id = c->highest[TRACE_IDS_STACK];
	uint64_t up;

	if (array_reserve(&c->depth, &c->depth_size, id + (size_t)ups.n + 1, sizeof(*c->depth)))
		return -ENOMEM;
	c->depth[0] = 0;
	while (trace_column_uint(&ups, &up)) {
		id++;
		if (!up || up > id)
			return broken(c, "stacks.up: stack %" PRIu32 " has no caller", id);
		if (c->depth[id - up] >= TRACE_MAX_STACK)
			return broken(c, "stacks.up: stack %" PRIu32 " is deeper than %u", id,
				      TRACE_MAX_STACK);
		c->depth[id] = c->depth[id - up] + 1;
	}
	return 0;
}

bool check_sample_times(const struct trace_record *rec, check_time_fn *fn, void *ctx)
{
	struct trace_times times = trace_record_times(rec);
	uint64_t time_ns;

	while (trace_times_next(&times, &time_ns))
		if (!fn(ctx, time_ns))
			return false;
	return true;
}

struct sample_range {
	uint64_t before_first, last, bad;
};

static bool in_range(void *ctx, uint64_t time_ns)
{
	struct sample_range *r = ctx;

	r->bad = time_ns;
	return time_ns >= r->before_first && time_ns <= r->last;
}

static int samples(struct check *c, const struct trace_record *rec)
{
	uint64_t unit_ns = trace_record_uint(rec, TRACE_SAMPLES_UNIT_NS, 1);
	/* the value may have been rounded down by at most this time */
	uint64_t rounded_ns = unit_ns ? unit_ns - 1 : 0;
	struct sample_range r = { .last = c->ranged ? c->last_ns : INT64_MAX };

	if (c->ranged && c->first_ns > rounded_ns)
		r.before_first = c->first_ns - rounded_ns;
	if (!check_sample_times(rec, in_range, &r))
		return broken(c, "samples: a sample at %" PRIu64 " is outside FRAME's time range",
			      r.bad);
	return 0;
}

/* ---- counters ---------------------------------------------------------------------------- */

/* Begins a tick. Even if the TICK is invalid, the counters that follow it do not belong to the previous TICK. */
static int tick(struct check *c, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_TICK_CPU);
	int err = check_cpus(c, "tick.cpu", cpus);
	uint64_t cpu;

	c->ticked = false;
	c->ncpus = 0;
	c->nticks++;
	while (!err && trace_column_uint(&cpus, &cpu))
		c->order[c->ncpus++] = (uint32_t)cpu;
	return err;
}

/* Checks EXACT_LOSS. The time without probes is part of the time without an event. */
static int exact_loss(struct check *c, const struct trace_record *rec)
{
	struct trace_column offs = trace_record_column(rec, TRACE_EXACT_LOSS_OFF_NS);
	struct trace_column wholes = trace_record_column(rec, TRACE_EXACT_LOSS_OFFLINE_NS);
	uint64_t off, whole;

	while (trace_column_uint(&offs, &off) && trace_column_uint(&wholes, &whole))
		if (off != TRACE_NIL && off > whole)
			return broken(c, "exact_loss.off_ns: %" PRIu64 " is more than offline_ns",
				      off);
	return 0;
}

static int energy(struct check *c, const struct trace_record *rec)
{
	struct trace_column raws = trace_record_column(rec, TRACE_ENERGY_RAW);
	uint64_t raw;

	for (uint32_t i = 0; i < c->highest[TRACE_IDS_ZONE] && trace_column_uint(&raws, &raw); i++)
		if (raw != TRACE_NIL && c->wrap.last[i] && raw > c->wrap.last[i])
			return broken(c, "energy.raw: %" PRIu64 " is above its zone's wrap value",
				      raw);
	return 0;
}

static int zone(struct check *c, const struct trace_record *rec)
{
	uint32_t n = c->highest[TRACE_IDS_ZONE];

	if (series_grow(&c->wrap, n + 1u))
		return -ENOMEM;
	c->wrap.last[n] = trace_record_uint(rec, TRACE_ENERGY_ZONE_WRAP, 0);
	return 0;
}

/* Checks a record of counters that has a separate time of reading. */
static int reading(struct check *c, const struct trace_record *rec)
{
	uint64_t began_ns = trace_record_uint(rec, TRACE_BEGAN_NS, 0);
	uint64_t ended_ns = trace_record_uint(rec, TRACE_ENDED_NS, UINT64_MAX);

	if (began_ns <= ended_ns || !trace_type_is_counter(rec->type))
		return 0;
	return broken(c, "%s.ended_ns: %" PRIu64 " is before began_ns",
		      trace_type_desc(rec->type)->name, ended_ns);
}

/* ---- dispatch ----------------------------------------------------------------------- */

typedef int rule(struct check *c, const struct trace_record *rec);

static rule *const rules[UINT8_MAX + 1] = {
	[TRACE_HEADER] = header,   [TRACE_FRAME] = frame, [TRACE_STACKS] = stacks,
	[TRACE_SAMPLES] = samples, [TRACE_TICK] = tick,	  [TRACE_ENERGY_ZONE] = zone,
	[TRACE_ENERGY] = energy,   [TRACE_END] = end,	  [TRACE_EXACT_LOSS] = exact_loss,
};

int check_record(struct check *c, const struct trace_record *rec, const struct trace_status *st)
{
	rule *r = rules[rec->type & UINT8_MAX];
	int err;

	c->st = st;
	err = r ? r(c, rec) : 0;
	if (!err)
		err = reading(c, rec);
	if (!err)
		err = check_fields(c, rec);
	if (err)
		return err;
	check_keep(c, rec);
	c->ticked |= rec->type == TRACE_TICK;
	if (rec->type == TRACE_SAMPLES)
		c->samples += trace_record_column(rec, TRACE_SAMPLES_STACK).n;
	return 0;
}

/* ---- hints ----------------------------------------------------------------------------- */

/* The following code checks the hints of a file against its frames. */

/*
 * Mixes a value into a hash. The hash only detects accidental errors, which is sufficient because a deliberately wrong
 * hint cannot mislead the reader.
 */
static uint64_t mix(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static void run_add(struct hint_run *r, uint64_t entry)
{
	for (int i = 0; i < SEEK_ENTRY_SIZE; i++)
		r->hash = mix(r->hash, entry >> 8 * i & 0xff);
	r->frames++;
}

/* ---- skippable frames -------------------------------------------------------------------- */

static void on_frame(void *ctx, uint32_t magic, uint64_t offset, uint64_t size, uint64_t content)
{
	struct hints *h = ctx;

	if (offset) {
		run_add(&h->file, h->entry);
		run_add(&h->part, h->entry);
	}
	h->offset = offset;
	h->entry = size | content << 32;
	if (magic == ZSTD_FRAME_MAGIC)
		h->data_offset = offset;
	h->hint_magic = magic;
	h->hint_size = size - 8;
	h->hint_at = h->hint_hash = 0;
	/* a table with content is checked by on_hint() */
	h->wrong_table = magic == SEEK_TABLE_MAGIC && !h->hint_size;
}

/*
 * Returns true if the seek table is right. It must contain the entries of all frames or, in a concatenated file, of the
 * last part's frames. The entries are followed by the number of frames, flags and the magic number.
 */
static bool table_is_right(const struct hints *h)
{
	uint8_t tail[SEEK_FOOTER_SIZE];
	const struct hint_run *run;

	for (size_t i = 0; i < sizeof(tail); i++)
		tail[i] = h->tail[(h->hint_at + i) % sizeof(tail)];
	run = le32(tail) == h->file.frames ? &h->file : &h->part;
	return h->hint_size == run->frames * SEEK_ENTRY_SIZE + SEEK_FOOTER_SIZE &&
	       h->hint_hash == run->hash && le32(tail) == run->frames && !tail[4] &&
	       le32(tail + 5) == SEEK_FOOTER_MAGIC;
}

static void on_hint(void *ctx, const uint8_t *p, size_t n)
{
	struct hints *h = ctx;

	for (size_t i = 0; i < n; i++) {
		if (h->hint_at + SEEK_FOOTER_SIZE < h->hint_size)
			h->hint_hash = mix(h->hint_hash, p[i]);
		h->tail[h->hint_at++ % sizeof(h->tail)] = p[i];
	}
	if (h->hint_magic == SEEK_TABLE_MAGIC && h->hint_at == h->hint_size)
		h->wrong_table = !table_is_right(h);
}

const struct trace_watch hints_watch = { .frame = on_frame, .hint = on_hint };

/* ---- INDEX ------------------------------------------------------------------------------- */

static bool column_is_right(const struct hints *h, const struct trace_record *rec, unsigned int key,
			    enum hint_column i)
{
	struct trace_column c = trace_record_column(rec, key);
	bool right = c.n == h->data_frames, unknown = false;
	uint64_t v, hash = 0;

	while (trace_column_uint(&c, &v)) {
		hash = mix(hash, v);
		unknown |= v == TRACE_NIL;
	}
	return right && (hash == h->column[i] || (i == HINT_DEFINES && unknown));
}

/* Begins a frame. INDEX contains only the frames before its own frame, so a frame is added when the next one begins. */
static void next_frame(struct hints *h, uint64_t first_ns, uint64_t last_ns)
{
	if (h->begun) {
		h->data_frames++;
		for (int i = 0; i < HINT_COLUMNS; i++)
			h->column[i] = mix(h->column[i], h->now[i]);
	}
	h->begun = true;
	h->now[HINT_OFFSET] = h->data_offset - h->begin;
	h->now[HINT_FIRST] = first_ns;
	h->now[HINT_LAST] = last_ns;
	h->now[HINT_DEFINES] = 0;
}

/* Begins a part. The last frame contains the HEADER, and is preceded by the part's magic frame. */
static void next_part(struct hints *h)
{
	h->part = (struct hint_run){ 0 };
	run_add(&h->part, MAGIC_FRAME_SIZE);
	h->begin = h->data_offset - MAGIC_FRAME_SIZE;
	h->data_frames = 0;
	memset(h->column, 0, sizeof(h->column));
	h->begun = false;
	next_frame(h, TRACE_NIL, TRACE_NIL);
}

static void index_record(struct hints *h, const struct trace_record *rec)
{
	h->wrong_index |= !column_is_right(h, rec, TRACE_INDEX_OFFSET, HINT_OFFSET) ||
			  !column_is_right(h, rec, TRACE_INDEX_FIRST_NS, HINT_FIRST) ||
			  !column_is_right(h, rec, TRACE_INDEX_LAST_NS, HINT_LAST);
	/* The INDEX of older writers does not have this column. */
	h->wrong_defines |= trace_record_field(rec, TRACE_INDEX_DEFINES) &&
			    !column_is_right(h, rec, TRACE_INDEX_DEFINES, HINT_DEFINES);
}

void hints_record(struct hints *h, const struct trace_record *rec)
{
	if (rec->type == TRACE_HEADER)
		next_part(h);
	else if (rec->type == TRACE_FRAME)
		next_frame(h, trace_record_uint(rec, TRACE_FRAME_FIRST_NS, TRACE_NIL),
			   trace_record_uint(rec, TRACE_FRAME_LAST_NS, TRACE_NIL));
	else if (rec->type == TRACE_INDEX)
		index_record(h, rec);
	if (trace_type_desc(rec->type)->of == TRACE_WHOLE)
		h->now[HINT_DEFINES] = 1;
}
