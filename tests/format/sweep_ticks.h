/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sweep_ticks.h: ticks that are differences as what they are, from what msgpack-c sees: SPEC.md, section 8.1. Of
 * each frame also what is left of it where the base is lost that its ticks are differences from.
 */
#ifndef NETCOST_TESTS_SWEEP_TICKS_H
#define NETCOST_TESTS_SWEEP_TICKS_H

#include <stdbool.h>
#include <stdlib.h>

#include "sweep_hash.h"

#define MAX_OF_BASE 256

struct ticks {
	struct {
		msgpack_object object;
		msgpack_zone *zone;
	} base[MAX_OF_BASE]; /* its TICK and counters */
	size_t n, next;	     /* next: the first that the tick at hand has not come to */
	size_t base_frame;
	enum { TICK_WHOLE, TICK_BASE, TICK_FROM } state;
	bool leaving_out; /* counters, where the base is lost */
};

/* What a frame of data has: hashes of its records. */
struct content {
	uint64_t hash, without; /* without: the base in frame `needs` */
	size_t needs;		/* SIZE_MAX: none but its own */
	uint64_t samples;
};

static uint64_t type_of(const msgpack_object *o)
{
	return o->via.array.ptr[0].via.u64;
}

static const msgpack_object *value_of(const msgpack_object *o, uint64_t key)
{
	const msgpack_object_map *map = &o->via.array.ptr[1].via.map;

	for (uint32_t i = 0; i < map->size; i++)
		if (map->ptr[i].key.via.u64 == key)
			return &map->ptr[i].val;
	return NULL;
}

static bool is_counter(uint64_t type)
{
	return trace_type_is_counter((unsigned int)type);
}

/* Its key that is no count: 0: it has none. */
static uint64_t own_key(uint64_t type)
{
	const struct trace_key_desc *first = trace_key_desc((unsigned int)type, 1);

	if (!first || first->kind != TRACE_UINT)
		return 0;
	return first->flags & (TRACE_KEY_ABOUT | TRACE_KEY_AS_IS) ? first->key : 0;
}

static bool is_same_counter(const msgpack_object *a, const msgpack_object *b)
{
	uint64_t key = own_key(type_of(a));

	return type_of(a) == type_of(b) &&
	       (!key || value_of(a, key)->via.u64 == value_of(b, key)->via.u64);
}

static void mix_sum(uint64_t *hash, const msgpack_object *a, const msgpack_object *b)
{
	if (a->type != MSGPACK_OBJECT_ARRAY) {
		mix(hash, a->via.u64 + b->via.u64);
		return;
	}
	mix_array(hash, a->via.array.size);
	for (uint32_t i = 0; i < a->via.array.size; i++)
		if (a->via.array.ptr[i].type == MSGPACK_OBJECT_NIL)
			mix_nil(hash);
		else
			mix(hash, a->via.array.ptr[i].via.u64 + b->via.array.ptr[i].via.u64);
}

/* The base's record with what the difference adds; NULL: nothing. */
static void mix_counter(uint64_t *hash, const msgpack_object *base, const msgpack_object *diff)
{
	const msgpack_object_map *map = &base->via.array.ptr[1].via.map;
	bool is_base = type_of(base) == TRACE_TICK;

	mix(hash, type_of(base));
	mix(hash, map->size - is_base);
	for (uint32_t i = 0; i < map->size; i++) {
		uint64_t key = map->ptr[i].key.via.u64;
		const msgpack_object *more = diff ? value_of(diff, key) : NULL;

		if (is_base && key == TRACE_TICK_BASE)
			continue;
		mix(hash, key);
		if (more && key != own_key(type_of(base)))
			mix_sum(hash, &map->ptr[i].val, more);
		else
			mix_value(hash, more ? more : &map->ptr[i].val);
	}
}

static void end_tick(struct ticks *t, struct content *c)
{
	while (t->state == TICK_FROM && t->next < t->n)
		mix_counter(&c->hash, &t->base[t->next++].object, NULL);
	t->state = TICK_WHOLE;
}

static void forget_base(struct ticks *t)
{
	while (t->n)
		msgpack_zone_free(t->base[--t->n].zone);
}

static void keep(struct ticks *t, msgpack_unpacked *u)
{
	if (t->n == MAX_OF_BASE)
		abort();
	t->base[t->n].object = u->data;
	t->base[t->n++].zone = msgpack_unpacked_release_zone(u);
}

static void take_tick(struct ticks *t, struct content *c, size_t frame, msgpack_unpacked *u)
{
	const msgpack_object *o = &u->data;

	t->leaving_out = false;
	if (value_of(o, TRACE_TICK_BASE)) {
		forget_base(t);
		t->state = TICK_BASE;
		t->base_frame = frame;
		mix_counter(&c->hash, o, NULL);
		mix_counter(&c->without, o, NULL);
		keep(t, u);
	} else if (value_of(o, TRACE_TICK_FROM)) {
		t->state = TICK_FROM;
		t->next = 1;
		mix_counter(&c->hash, &t->base[0].object, o);
		t->leaving_out = t->base_frame != frame;
		c->needs = t->leaving_out ? t->base_frame : c->needs;
	} else {
		mix_object(&c->hash, o);
		mix_object(&c->without, o);
	}
}

/* One object of that frame. */
static void ticks_take(struct ticks *t, struct content *c, size_t frame, msgpack_unpacked *u)
{
	const msgpack_object *o = &u->data;

	c->samples += samples_in(o);
	if (!is_counter(type_of(o)))
		end_tick(t, c);
	if (type_of(o) == TRACE_TICK) {
		take_tick(t, c, frame, u);
		return;
	}
	if (t->state == TICK_FROM) {
		while (!is_same_counter(&t->base[t->next].object, o))
			mix_counter(&c->hash, &t->base[t->next++].object, NULL);
		mix_counter(&c->hash, &t->base[t->next++].object, o);
		return;
	}
	mix_object(&c->hash, o);
	if (!t->leaving_out || !is_counter(type_of(o)))
		mix_object(&c->without, o);
	if (t->state == TICK_BASE)
		keep(t, u);
}

#endif
