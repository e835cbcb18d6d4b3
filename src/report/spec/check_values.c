// SPDX-License-Identifier: BSD-2-Clause
/* The fields of a record against the registry. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "check_impl.h"

int check_broken(struct check *c, const char *fmt, ...)
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

/* The same, after the key's name. */
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

/* A field that is being walked. */
struct walk {
	const struct trace_key_desc *key;
	struct series *series; /* NULL: not a counter that is followed */
	bool per_cpu, listed;  /* what its elements are about: CPUs, or ids of another column */
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

/* Which CPU or id the element at hand is of. */
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
		return key_broken(c, w->key, ": nil is no %s id", what);
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
		return key_broken(c, w->key, ": no CPU number is beyond %u", TRACE_MAX_CPU - 1);
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
		return key_broken(c, k, " has %" PRIu32 " elements, the TICK %" PRIu32 " CPUs",
				  f->n, c->ncpus);
	if (k->flags & TRACE_KEY_COLUMN && f->n != rows)
		return key_broken(c, k, " has %" PRIu32 " elements, columns beside it %" PRIu32,
				  f->n, rows);
	if (k->flags & TRACE_KEY_EACH && f->n > c->highest[k->ids])
		return key_broken(c, k, " has %" PRIu32 " elements, there are %" PRIu32 " %ss",
				  f->n, c->highest[k->ids], trace_ids_name(k->ids));
	return 0;
}

/* Ids are dense: a definition goes on where the last one ended. */
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

/* Ids that the elements of the columns after this one are about. */
static int check_subjects(struct check *c, const struct trace_key_desc *k,
			  const struct trace_field *f)
{
	struct trace_column ids = { .p = f->p, .n = f->n };
	uint64_t id;

	if (series_grow(&c->subject, ids.n) || series_grow(&c->met, c->highest[k->ids] + 1u))
		return -ENOMEM;
	c->nmet++;
	for (size_t i = 0; trace_column_uint(&ids, &id); i++) {
		if (c->met.last[id] == c->nmet)
			return key_broken(c, k, ": %s %" PRIu64 " comes twice",
					  trace_ids_name(k->ids), id);
		c->met.last[id] = c->nmet;
		c->subject.last[i] = id;
	}
	return 0;
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
	return !err && k->flags & TRACE_KEY_ABOUT && k->ids ? check_subjects(c, k, f) : err;
}

/* What a tick MUST NOT have two records about: a number that this version knows or an id; nil: neither, or there may be several. */
static uint64_t only_about(const struct check *c, const struct trace_record *rec)
{
	const struct trace_key_desc *first = trace_key_desc(rec->type, 1);
	uint64_t about = trace_record_about(rec);
	uint64_t end = first->known ? first->known : first->ids ? c->highest[first->ids] + 1ull : 0;

	return rec->type != TRACE_PROBE_RUNS && trace_type_is_counter(rec->type) && about < end ?
		       about :
		       TRACE_NIL;
}

/* A tick has one record about it. */
static int check_once(struct check *c, const struct trace_record *rec)
{
	struct series *had = &c->had[rec->type];
	uint64_t at = only_about(c, rec);

	if (at == TRACE_NIL)
		return 0;
	if (series_grow(had, at + 1))
		return -ENOMEM;
	if (had->last[at] != c->nticks)
		return 0;
	return check_broken(c, "%s comes twice in a tick", trace_type_desc(rec->type)->name);
}

int check_fields(struct check *c, const struct trace_record *rec)
{
	uint32_t rows = trace_record_rows(rec);
	const struct trace_key_desc *k;
	size_t n;
	int err = 0;

	if (trace_type_is_counter(rec->type) && !c->ticked)
		return check_broken(c, "%s without a TICK before it in its frame",
				    trace_type_desc(rec->type)->name);
	err = check_once(c, rec);
	for (k = trace_type_keys(rec->type, &n); n-- && !err; k++)
		err = check_field(c, rec, k, rows);
	return err;
}

/* ---- what is kept of a good record ------------------------------------------------------- */

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

void check_keep(struct check *c, const struct trace_record *rec)
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
	if (only_about(c, rec) != TRACE_NIL)
		c->had[rec->type].last[only_about(c, rec)] = c->nticks;
	if (defines)
		c->highest[defines->ids] += trace_record_rows(rec);
}
