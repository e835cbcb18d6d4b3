// SPDX-License-Identifier: BSD-2-Clause
/* Writes a recording in several files: the last tick of one file is also the first tick of the next file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "writer_impl.h"

/*
 * Returns whether the type belongs to a tick, or to data that a tick refers to. Records of all other types go to one
 * file only.
 */
static bool is_of_tick(enum trace_type type)
{
	return type == TRACE_TICK || trace_type_is_counter(type) || trace_type_defines(type);
}

struct trace_writer *writer_also(const struct trace_writer *w, enum trace_type type)
{
	return w->next && is_of_tick(type) ? w->next : NULL;
}

/* ---- bases of counters ------------------------------------------------------------------- */

static struct writer_base *find(struct trace_writer *w, unsigned int key)
{
	for (size_t k = 0; k < w->nbases; k++) {
		size_t i =
			/* the records come in the same order in each tick */
			(w->guess + k) % w->nbases;
		struct writer_base *b = &w->base[i];

		if (b->type == w->type && b->key == key && b->about == w->about) {
			w->guess = i + 1;
			return b;
		}
	}
	return NULL;
}

static struct writer_base *add(struct trace_writer *w, unsigned int key)
{
	struct writer_base *b;

	if (array_reserve(&w->base, &w->bases_size, w->nbases + 1, sizeof(*b)))
		return NULL;
	b = &w->base[w->nbases++];
	*b = (struct writer_base){ .type = w->type, .key = key, .about = w->about };
	return b;
}

/*
 * Makes the counters that the first tick of `to` lacks, such as exact counters in a pause, count from the same values
 * as in the file before. So they continue from file to file.
 */
static int inherit(struct trace_writer *to, const struct trace_writer *from)
{
	for (size_t k = 0; k < from->nbases; k++) {
		const struct writer_base *had = &from->base[k];
		struct writer_base *b;

		to->type = had->type;
		to->about = had->about;
		b = find(to, had->key);
		if (!b)
			b = add(to, had->key);
		if (!b || array_reserve(&b->v, &b->size, had->n, sizeof(*b->v)))
			return -ENOMEM;
		for (size_t i = 0; i < had->n; i++)
			if (i >= b->n || b->v[i] == TRACE_NIL)
				b->v[i] = had->v[i];
		b->n = had->n > b->n ? had->n : b->n;
	}
	return 0;
}

void trace_writer_follow(struct trace_writer *w, struct trace_writer *next)
{
	if (w->next) {
		if (inherit(w->next, w))
			writer_fail(w->next, -ENOMEM);
		w->next->basing = false;
	}
	w->next = next;
	if (next)
		next->basing = true;
}

/* Stores the values of the first tick. Later counters of the same kind count from these values. */
static int take(struct trace_writer *w, unsigned int key, const uint64_t *v, size_t n)
{
	struct writer_base *b = find(w, key);

	if (!b)
		b = add(w, key);
	if (!b || array_reserve(&b->v, &b->size, n, sizeof(*b->v)))
		return -ENOMEM;
	if (n > b->n)
		memcpy(b->v + b->n, v + b->n, (n - b->n) * sizeof(*v));
	b->n = n > b->n ? n : b->n;
	return 0;
}

/*
 * Returns a counter relative to its value at the first tick. A counter that was never known at the first tick of a file
 * is returned unchanged.
 */
static uint64_t less(const struct writer_base *b, size_t i, uint64_t v)
{
	uint64_t from = b && i < b->n ? b->v[i] : 0;

	return v > INT64_MAX || from > v ? v : v - from;
}

const uint64_t *writer_counted(struct trace_writer *w, const struct trace_key_desc *key,
			       const uint64_t *v, size_t n)
{
	const struct writer_base *b;

	if (!(w->basing || w->nbases) || !key || !(key->flags & TRACE_KEY_COUNTER))
		return v;
	if (array_reserve(&w->counted, &w->counted_size, n + 1, sizeof(*v)) ||
	    (w->basing && take(w, key->key, v, n))) {
		writer_fail(w, -ENOMEM);
		return v;
	}
	b = find(w, key->key);
	for (size_t i = 0; i < n; i++)
		w->counted[i] = less(b, i, v[i]);
	return w->counted;
}

void writer_bases_free(struct trace_writer *w)
{
	for (size_t i = 0; i < w->nbases; i++)
		free(w->base[i].v);
	free(w->base);
	free(w->counted);
}
