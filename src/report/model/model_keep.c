// SPDX-License-Identifier: BSD-2-Clause
/* Code shared by the files that build a model: strings, counters and CPUs. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/reasons.h>

#include "model_impl.h"
#include "report/rules/rules.h"

/* ---- counters ---------------------------------------------------------------------------- */

void counter_add(struct counter *c, uint64_t v, uint64_t wrap)
{
	uint64_t step = v - c->last;

	if (v == TRACE_NIL)
		return;
	if (!c->readings) {
		c->first = v;
		step = 0;
	} else if (v < c->last && v <= wrap && c->last <= wrap) {
		c->wraps++;
		step = wrap - c->last + v + 1;
	} else if (v < c->last) {
		c->backwards++;
		step = 0;
	}
	if (__builtin_add_overflow(c->sum, step, &c->sum))
		c->sum = UINT64_MAX;
	c->last = v;
	if (c->readings < UINT32_MAX)
		c->readings++;
}

void model_count(struct model *m, struct counter *c, uint64_t v, uint64_t wrap, unsigned int type,
		 unsigned int key)
{
	uint32_t before = c->backwards;

	counter_add(c, v, wrap);
	if (c->backwards == before)
		return;
	if (!m->backwards++)
		m->backwards_key = trace_key_desc(type, key);
}

double counter_moved(const struct counter *c)
{
	return c->readings < 2 ? NAN : (double)c->sum;
}

double counter_last(const struct counter *c)
{
	return c->readings ? (double)c->last : NAN;
}

/* ---- strings ----------------------------------------------------------------------------- */

int model_damaged(struct model *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->err, sizeof(m->err), fmt, ap);
	va_end(ap);
	return -EBADMSG;
}

int model_keep(struct model *m, const char *s, size_t len, model_str *out)
{
	char *dst;
	int err;

	*out = 0;
	if (!len)
		return 0;
	if (m->strings_len + len + 1 > UINT32_MAX)
		return -ENOMEM;
	err = array_reserve(&m->strings, &m->cap.strings, m->strings_len + len + 1, 1);
	if (err)
		return err;
	*out = (model_str)m->strings_len;
	dst = m->strings + m->strings_len;
	for (size_t i = 0; i < len; i++)
		dst[i] = s[i] ? s[i] : '?';
	dst[len] = '\0';
	m->strings_len += len + 1;
	return 0;
}

int model_keep_reason(struct model *m, const char *s, size_t len, model_str *out)
{
	char text[TRACE_MAX_STR + 1];
	size_t n = reason_sentences(s, len, text, sizeof(text));
	int err = budget_take(&m->budget, n);

	return err ? err : model_keep(m, text, n, out);
}

static int keep_as(struct model *m, const struct trace_record *rec, unsigned int key, const char *s,
		   size_t len, model_str *out)
{
	bool reason = trace_key_desc(rec->type, key)->privacy == TRACE_PRIVATE_TEXTS;

	return reason ? model_keep_reason(m, s, len, out) : model_keep(m, s, len, out);
}

int model_keep_field(struct model *m, const struct trace_record *rec, unsigned int key,
		     model_str *out)
{
	const struct trace_field *f = trace_record_field(rec, key);

	if (!f || f->kind != TRACE_STR) {
		*out = 0;
		return 0;
	}
	return keep_as(m, rec, key, (const char *)f->p, f->n, out);
}

int model_keep_list(struct model *m, const struct trace_record *rec, unsigned int key,
		    struct model_strs *out)
{
	struct trace_column c = trace_record_column(rec, key);
	const char *s;
	uint32_t len;

	*out = (struct model_strs){ 0 };
	while (trace_column_str(&c, &s, &len)) {
		model_str one;
		int err;

		if (!len) /* the empty string has a fixed place outside of all rows */
			continue;
		err = keep_as(m, rec, key, s, len, &one);
		if (err)
			return err;
		if (!out->n++)
			out->first = one;
	}
	return 0;
}

const char *model_string(const struct model *m, model_str s)
{
	return m->strings + s;
}

/* ---- CPUs -------------------------------------------------------------------------------- */

int model_get_cpu(struct model *m, uint64_t number, struct model_cpu **cpu)
{
	if (number >= TRACE_MAX_CPU)
		return model_damaged(m, "CPU number %" PRIu64 " is above the format's %u", number,
				     TRACE_MAX_CPU - 1);
	if (!m->cpu[number]) {
		m->cpu[number] = calloc(1, sizeof(**m->cpu));
		if (!m->cpu[number])
			return -ENOMEM;
		m->cpu[number]->cpu = (unsigned int)number;
		if (number >= m->cpu_end)
			m->cpu_end = (unsigned int)number + 1;
	}
	*cpu = m->cpu[number];
	return 0;
}

struct model_cpu *model_next_cpu(const struct model *m, unsigned int cpu)
{
	for (; cpu < m->cpu_end; cpu++)
		if (m->cpu[cpu])
			return m->cpu[cpu];
	return NULL;
}

uint64_t model_lost(const struct model_cpu *c)
{
	return c->lost.last > c->frame_lost ? c->lost.last : c->frame_lost;
}

uint64_t model_samples_lost(const struct model *m)
{
	const struct model_cpu *c;
	uint64_t sum = 0;

	model_for_each_cpu(m, c) if (__builtin_add_overflow(sum, model_lost(c),
							    &sum)) return UINT64_MAX;
	return sum;
}

void model_free_cpu(struct model_cpu *c)
{
	if (!c)
		return;
	countmap_free(&c->stacks);
	for (int of = 0; of < MODEL_OWNERS_COUNT; of++)
		countmap_free(&c->owned[of]);
	free(c->class);
	free(c);
}

enum leaf model_leaf(const struct model *m, unsigned int class)
{
	const struct stack_classes *c = m->classes;

	return c ? c->leaf[class] : class;
}

bool model_is_chosen(const struct model *m, uint32_t stack, const struct model_choice *of)
{
	unsigned int class = m->class[stack];

	if (of->categories && !of->categories[m->classes->at[class].category])
		return false;
	return of->leaves == LEAF_ALL || of->leaves >> model_leaf(m, class) & 1;
}

void model_leaves(const struct model *m, const struct model_cpu *c, uint64_t leaf[LEAF_COUNT])
{
	memset(leaf, 0, LEAF_COUNT * sizeof(*leaf));
	for (size_t i = 0; i < c->nclasses; i++)
		leaf[model_leaf(m, (unsigned int)i)] += c->class[i];
}

enum leaf model_own_leaf(const struct model *m, unsigned int class, enum own_kind *kind)
{
	const struct stack_classes *c = m->classes;

	if (!c || c->from[class] == class)
		return LEAF_OWN;
	*kind = c->own_kind[class];
	return stack_classes_leaf(c, c->from[class]);
}

void model_own_samples(const struct model *m, const struct model_cpu *c, uint64_t all[LEAF_COUNT],
		       uint64_t others[LEAF_COUNT], uint64_t paused[LEAF_COUNT])
{
	enum own_kind kind = OWN_PROBES;

	memset(all, 0, LEAF_COUNT * sizeof(*all));
	memset(others, 0, LEAF_COUNT * sizeof(*others));
	for (size_t i = 0; i < c->nclasses; i++) {
		enum leaf leaf = model_own_leaf(m, (unsigned int)i, &kind);

		if (leaf == LEAF_OWN)
			continue;
		all[leaf] += c->class[i];
		others[leaf] += kind == OWN_OTHERS ? c->class[i] : 0;
	}
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		paused[l] = c->paused_own[OWN_PROBES][l] + c->paused_own[OWN_OTHERS][l];
		all[l] -= paused[l];
		others[l] -= c->paused_own[OWN_OTHERS][l];
	}
}

/* While a map grows, both the old and the new one exist. */
#define COUNTMAP_BYTES(places) ((places)*2 * sizeof(struct countmap_entry))

int model_count_id(struct model *m, struct countmap *map, uint32_t id, uint64_t n)
{
	size_t places = countmap_places(map);

	if (!countmap_add(map, id, n))
		return -ENOMEM;
	places = countmap_places(map) - places;
	return places ? budget_take(&m->budget, COUNTMAP_BYTES(places)) : 0;
}

/* ---- samples by owner -------------------------------------------------------------------- */

/* Makes room for an id. The budget is charged first, because the id may be large. */
static int owners_reserve(struct model *m, struct model_owners *o, uint32_t id)
{
	size_t n = o->nall + o->nall / 2 > id ? o->nall + o->nall / 2 : (size_t)id + 1;
	int err = budget_take(&m->budget, (n - o->nall) * sizeof(*o->all));

	if (!err)
		err = array_resize(&o->all, n, sizeof(*o->all));
	if (err)
		return err;
	memset(o->all + o->nall, 0, (n - o->nall) * sizeof(*o->all));
	o->nall = n;
	return 0;
}

static int owners_count_in_all(struct model *m, struct model_owners *o, uint32_t id, uint64_t n)
{
	int err = id < o->nall ? 0 : owners_reserve(m, o, id);

	if (!err && __builtin_add_overflow(o->all[id], n, &o->all[id]))
		o->all[id] = UINT64_MAX;
	return err;
}

/* Replaces the CPUs' maps by one array. */
static int owners_sum_cpus(struct model *m, enum model_owners_of of)
{
	struct model_owners *o = &m->owners[of];
	struct model_cpu *c;
	int err = 0;

	m->budget.used -= COUNTMAP_BYTES(o->slots);
	model_for_each_cpu(m, c)
	{
		const struct countmap *map = &c->owned[of];

		for (size_t i = 0; !err && i < countmap_places(map); i++)
			if (map->entry[i].count)
				err = owners_count_in_all(m, o, map->entry[i].id,
							  map->entry[i].count);
		countmap_free(&c->owned[of]);
	}
	return err;
}

int model_count_owner(struct model *m, struct model_cpu *cpu, enum model_owners_of of, uint32_t id,
		      uint64_t n)
{
	struct model_owners *o = &m->owners[of];
	struct countmap *map = &cpu->owned[of];
	size_t had = countmap_places(map);
	int err;

	if (o->all)
		return owners_count_in_all(m, o, id, n);
	err = model_count_id(m, map, id, n);
	o->slots += countmap_places(map) - had;
	return err == BUDGET_SPENT || (!err && o->slots > MODEL_OWNERS_SLOTS) ?
		       owners_sum_cpus(m, of) :
		       err;
}

bool model_owned_next(struct model_owned *o)
{
	size_t n = o->map ? countmap_places(o->map) : o->owners->nall;
	uint64_t id = 0;

	for (o->samples = 0; !o->samples && o->at < n; o->at++) {
		id = o->map ? o->map->entry[o->at].id : o->at;
		o->samples = o->map ? o->map->entry[o->at].count : o->owners->all[o->at];
	}
	o->owner = (uint32_t)(id / LEAF_COUNT);
	o->leaf = (unsigned int)(id % LEAF_COUNT);
	return o->samples;
}

struct model_owned model_owned(const struct model *m, const struct model_cpu *c,
			       enum model_owners_of of)
{
	return (struct model_owned){ .map = c ? &c->owned[of] : NULL, .owners = &m->owners[of] };
}
