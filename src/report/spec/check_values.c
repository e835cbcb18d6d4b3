// SPDX-License-Identifier: BSD-2-Clause
/* The fields of a record against schema.h. */
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

/* ---- one value --------------------------------------------------------------------------- */

/* A field in the midst of being walked. */
struct walk {
	const struct trace_record *rec;
	const struct schema_key *key;
	const char *name;
	struct series *series; /* NULL: not a counter that is followed */
	uint32_t i;
};

static size_t subject(const struct check *c, const struct walk *w)
{
	if (w->key->flags & KEY_PER_CPU)
		return c->order[w->i];
	return w->rec->type == TRACE_NETDEV_STATS ? c->subject.last[w->i] : w->i;
}

static int check_id(struct check *c, const struct walk *w, uint64_t v)
{
	if (v <= c->highest[w->key->ids] && (v || !(w->key->flags & KEY_NO_ZERO)))
		return 0;
	if (v == TRACE_NIL)
		return check_broken(c, "%s: nil is no %s id", w->name,
				    schema_ids_name[w->key->ids]);
	return check_broken(c, "%s: %s %" PRIu64 " is not defined", w->name,
			    schema_ids_name[w->key->ids], v);
}

static int check_counter(struct check *c, const struct walk *w, uint64_t v)
{
	size_t at = subject(c, w);
	uint64_t last;

	if (series_grow(w->series, at + 1))
		return -ENOMEM;
	last = w->series->last[at];
	if (last == TRACE_NIL || v >= last)
		return 0;
	if (w->key->flags & KEY_OWN)
		return check_broken(c, "%s falls from %" PRIu64 " to %" PRIu64, w->name, last, v);
	if (!c->odd++)
		snprintf(c->oddity, sizeof(c->oddity), "%s went back from %" PRIu64 " to %" PRIu64,
			 w->name, last, v);
	return 0;
}

static int check_value(struct check *c, const struct walk *w, uint64_t v)
{
	unsigned int flags = w->key->flags;

	if (w->key->ids)
		return check_id(c, w, v);
	if (flags & KEY_CPU && v >= TRACE_MAX_CPU)
		return check_broken(c, "%s: no CPU number is beyond %u", w->name,
				    TRACE_MAX_CPU - 1);
	if (v == TRACE_NIL)
		return 0;
	if (flags & KEY_U32 && v > UINT32_MAX)
		return check_broken(c, "%s: %" PRIu64 " has more than 32 bits", w->name, v);
	if (flags & KEY_TIME && c->ranged && (v < c->first_ns || v > c->last_ns))
		return check_broken(c, "%s: %" PRIu64 " is outside FRAME's time range", w->name, v);
	return w->series ? check_counter(c, w, v) : 0;
}

/* ---- one field --------------------------------------------------------------------------- */

static struct series *followed(struct check *c, const struct trace_record *rec,
			       const struct schema_key *k)
{
	size_t at = k->flags & (KEY_OWN | KEY_HOST) ? series_of(rec, k) : SERIES_COUNT;

	return at < SERIES_COUNT ? &c->series[at] : NULL;
}

static int check_values(struct check *c, struct walk *w, const struct trace_field *f)
{
	struct trace_column col = { .p = f->p, .n = f->n };
	const struct trace_codes *coded =
		w->key->ids == IDS_STACK && w->rec->type == TRACE_SAMPLES ? w->rec->codes : NULL;
	uint64_t v;
	int err = 0;

	if (f->kind == TRACE_UINT)
		return check_value(c, w, f->v);
	if (f->kind != TRACE_UINTS)
		return 0;
	for (; !err && trace_column_uint(&col, &v); w->i++)
		err = check_value(c, w, coded && v != TRACE_NIL ? trace_stack_of(coded, v) : v);
	return err;
}

static int check_length(struct check *c, const struct walk *w, const struct trace_field *f,
			uint32_t length)
{
	if (w->key->flags & KEY_PER_CPU && f->n != c->ncpus)
		return check_broken(c, "%s has %" PRIu32 " elements, the TICK %" PRIu32 " CPUs",
				    w->name, f->n, c->ncpus);
	if (w->key->flags & KEY_LENGTH && f->n != length)
		return check_broken(c, "%s has %" PRIu32 " elements, columns beside it %" PRIu32,
				    w->name, f->n, length);
	return 0;
}

/* Ids are dense: a definition goes on where the last one ended. */
static int check_definition(struct check *c, const struct walk *w, uint64_t first)
{
	uint32_t highest = c->highest[w->key->ids];
	const char *what = schema_ids_name[w->key->ids];

	if (first != highest + 1ull)
		return check_broken(c, "%s: %s %" PRIu64 " is defined after %" PRIu32, w->name,
				    what, first, highest);
	if (first + schema_defined(w->rec) > TRACE_MAX_ID)
		return check_broken(c, "%s: more than %u %s ids", w->name, TRACE_MAX_ID - 1, what);
	return 0;
}

int check_fields(struct check *c, const struct trace_record *rec)
{
	uint32_t length = schema_defined(rec);
	const struct schema_key *k;
	size_t n;

	if (schema_is_counter(rec->type) && !c->ticked)
		return check_broken(c, "%s without a TICK before it in its frame",
				    trace_type_desc(rec->type)->name);
	k = schema_type(rec->type, &n);
	for (size_t i = 0; i < n; i++, k++) {
		const struct trace_field *f = trace_record_field(rec, k->key);
		struct walk w = { .rec = rec, .key = k, .series = followed(c, rec, k) };
		char name[64];
		int err;

		snprintf(name, sizeof(name), "%s.%s", trace_type_desc(rec->type)->name,
			 trace_key_desc(rec->type, k->key)->name);
		w.name = name;
		if (!f && k->flags & KEY_MUST)
			return check_broken(c, "%s is missing", name);
		if (!f)
			continue;
		err = check_length(c, &w, f, length);
		if (!err)
			err = k->defines ? check_definition(c, &w, f->v) : check_values(c, &w, f);
		if (err)
			return err;
	}
	return 0;
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
	size_t n;
	const struct schema_key *k = schema_type(rec->type, &n);

	for (size_t i = 0; i < n; i++, k++) {
		const struct trace_field *f = trace_record_field(rec, k->key);
		struct walk w = { .rec = rec, .key = k, .series = followed(c, rec, k) };

		if (f && w.series)
			keep_series(c, &w, f);
		if (k->defines)
			c->highest[k->ids] += schema_defined(rec);
	}
}
