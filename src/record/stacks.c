// SPDX-License-Identifier: BSD-2-Clause
#include "stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <netcost/trace.h>

#include "idmap.h"
#include "symbols.h"

/*
 * Most samples repeat a stack seen moments ago, and most others all of one but the innermost function: a cache by the
 * hash of the raw addresses knows both. 96 bits of a randomly keyed hash, beside those that choose the set, make a
 * mix-up less likely than a bit flip in memory.
 *
 * Between two drains others have filled the processor's caches, so what costs is lines of memory: a set is one.
 */
#define CACHE_SETS 8192
#define WAYS 4

struct set {
	struct cached {
		uint64_t a;
		uint32_t b, id;
	} way[WAYS];
};

#define CACHE_BYTES (CACHE_SETS * sizeof(struct set))
#define LANES 3

_Static_assert(sizeof(struct set) == 64, "one line");

struct stacks {
	struct symbols *symbols;
	struct set *cache;
	uint32_t generation; /* of the symbols that the cache goes by */
	struct stack_hash seed[LANES + 1];

	struct idmap node; /* parent << 32 | symbol */
	uint32_t count;

	uint32_t *up, *symbol; /* nodes not yet written */
	size_t npending, pending_size;
};

int stacks_new(struct stacks **sp, struct symbols *symbols)
{
	struct stacks *s = calloc(1, sizeof(*s));

	*sp = s;
	if (!s)
		return -ENOMEM;
	s->symbols = symbols;
	s->cache = aligned_alloc(sizeof(*s->cache), CACHE_BYTES);
	if (s->cache)
		memset(s->cache, 0, CACHE_BYTES);
	if (!s->cache || getrandom(s->seed, sizeof(s->seed), 0) != sizeof(s->seed)) {
		int err = s->cache ? -errno : -ENOMEM;

		stacks_free(s);
		*sp = NULL;
		return err;
	}
	return 0;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	idmap_free(&s->node);
	free(s->cache);
	free(s->up);
	free(s->symbol);
	free(s);
}

uint32_t stacks_count(const struct stacks *s)
{
	return s->count;
}

/* Two halves of multiply and fold, each word into both. */
static struct stack_hash mix(struct stack_hash h, uint64_t word)
{
	unsigned __int128 x = (unsigned __int128)(h.a ^ word) * 0x9e3779b97f4a7c15ull;
	unsigned __int128 y = (unsigned __int128)(h.b + word) * 0xd6e8feb86659fd93ull;

	return (struct stack_hash){ (uint64_t)x ^ (uint64_t)(x >> 64) ^ h.b,
				    (uint64_t)y ^ (uint64_t)(y >> 64) };
}

static struct set *cache_set(const struct stacks *s, const struct stack_hash *h)
{
	return &s->cache[h->a % CACHE_SETS];
}

/* The lanes do not wait for each other. */
struct stack_look stacks_look(const struct stacks *s, const uint64_t *ips, size_t n)
{
	struct stack_hash lane[LANES];
	struct stack_look look;
	size_t k = 1;

	memcpy(lane, s->seed, sizeof(lane));
	n = n < TRACE_MAX_STACK ? n : TRACE_MAX_STACK;
	for (; k + LANES <= n; k += LANES)
		for (size_t j = 0; j < LANES; j++)
			lane[j] = mix(lane[j], ips[k + j]);
	for (; k < n; k++)
		lane[0] = mix(lane[0], ips[k]);
	look.callers = mix(lane[0], n);
	for (size_t j = 1; j < LANES; j++)
		look.callers = mix(look.callers, lane[j].a ^ lane[j].b << 1);
	look.whole = mix(look.callers, ips[0]);
	__builtin_prefetch(cache_set(s, &look.whole));
	return look;
}

/* 0: not known */
static uint32_t cache_get(const struct stacks *s, const struct stack_hash *h)
{
	const struct set *set = cache_set(s, h);

	for (size_t i = 0; i < WAYS; i++)
		if (set->way[i].a == h->a && set->way[i].b == (uint32_t)h->b)
			return set->way[i].id;
	return 0;
}

/* The oldest of the set goes. */
static void cache_put(struct stacks *s, const struct stack_hash *h, uint32_t id)
{
	struct cached *way = cache_set(s, h)->way;

	memmove(way + 1, way, (WAYS - 1) * sizeof(*way));
	way[0] = (struct cached){ h->a, (uint32_t)h->b, id };
}

static int add_pending(struct stacks *s, uint32_t up, uint32_t symbol)
{
	if (s->npending == s->pending_size) {
		size_t size = s->pending_size ? 2 * s->pending_size : 256;
		uint32_t *u = realloc(s->up, size * sizeof(*u));
		uint32_t *y;

		if (!u)
			return -ENOMEM;
		s->up = u;
		y = realloc(s->symbol, size * sizeof(*y));
		if (!y)
			return -ENOMEM;
		s->symbol = y;
		s->pending_size = size;
	}
	s->up[s->npending] = up;
	s->symbol[s->npending++] = symbol;
	return 0;
}

static uint32_t node_id(struct stacks *s, uint32_t parent, uint32_t symbol)
{
	uint64_t key = (uint64_t)parent << 32 | symbol;
	uint32_t id = idmap_get(&s->node, key);

	if (id)
		return id;
	id = s->count + 1;
	if (id >= TRACE_MAX_ID || add_pending(s, id - parent, symbol) ||
	    idmap_set(&s->node, key, id))
		return 0;
	return s->count = id;
}

static void forget_old_symbols(struct stacks *s)
{
	if (s->generation == symbols_generation(s->symbols))
		return;
	s->generation = symbols_generation(s->symbols);
	memset(s->cache, 0, CACHE_BYTES);
}

/* hash[i]: of ips[i] and what is outside of it. */
static void hash_parts(const struct stacks *s, const uint64_t *ips, size_t n, struct stack_hash *hash)
{
	struct stack_hash h = s->seed[LANES];

	while (n--) {
		hash[n] = h = mix(h, ips[n]);
		__builtin_prefetch(cache_set(s, &h));
	}
}

static uint32_t child_id(struct stacks *s, uint32_t parent, uint64_t address)
{
	uint32_t symbol = symbols_id(s->symbols, address);

	return symbol ? node_id(s, parent, symbol) : 0;
}

/* Of return addresses, the longest part of which that is known is looked for. */
static uint32_t callers_id(struct stacks *s, const uint64_t *ips, size_t n)
{
	struct stack_hash hash[TRACE_MAX_STACK];
	uint32_t id = 0;
	size_t at = 0;

	hash_parts(s, ips, n, hash);
	while (at < n && !(id = cache_get(s, &hash[at])))
		at++;
	while (at--) {
		id = child_id(s, id, ips[at] - 1); /* the call is before it */
		if (!id)
			return 0;
		cache_put(s, &hash[at], id);
	}
	return id;
}

uint32_t stacks_id(struct stacks *s, const struct stack_look *look, const uint64_t *ips, size_t n)
{
	uint32_t id, callers = 0;

	forget_old_symbols(s);
	id = cache_get(s, &look->whole);
	if (id)
		return id;
	n = n < TRACE_MAX_STACK ? n : TRACE_MAX_STACK; /* the outermost go; perf cuts there too */
	if (n > 1) {
		callers = cache_get(s, &look->callers);
		if (!callers) {
			callers = callers_id(s, ips + 1, n - 1);
			if (!callers)
				return 0;
			cache_put(s, &look->callers, callers);
		}
	}
	id = child_id(s, callers, ips[0]);
	if (id)
		cache_put(s, &look->whole, id);
	return id;
}

int stacks_write(struct stacks *s, struct trace_writer *w)
{
	size_t n = s->npending;

	if (!n)
		return 0;
	trace_writer_begin(w, TRACE_STACKS, 3);
	trace_writer_uint(w, TRACE_STACKS_FIRST, s->count - n + 1);
	trace_writer_u32s(w, TRACE_STACKS_UP, s->up, n);
	trace_writer_u32s(w, TRACE_STACKS_SYMBOL, s->symbol, n);
	s->npending = 0;
	return trace_writer_end(w);
}
