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
 * Most samples repeat a stack seen moments ago, and most others all of one but the innermost functions. A cache by
 * the hash of the raw addresses, from the outermost one up to each, finds the longest part that is known: a stack
 * with one look, others with a few. 96 bits of a randomly keyed hash make a mix-up less likely than a bit flip in
 * memory.
 */
#define CACHE_SIZE 16384

struct hash {
	uint64_t a, b;
};

struct cached {
	uint64_t a;
	uint32_t b, id;
};

struct stacks {
	struct symbols *symbols;
	struct cached *cache;
	uint32_t generation; /* of the symbols that the cache goes by */
	struct hash seed;

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
	s->cache = calloc(CACHE_SIZE, sizeof(*s->cache));
	if (!s->cache || getrandom(&s->seed, sizeof(s->seed), 0) != sizeof(s->seed)) {
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

/* Two lanes of multiply and fold, each word into both. hash[i]: of what is outside of ips[i], and of that. */
static void hash_ips(const struct stacks *s, const uint64_t *ips, size_t n, struct hash *hash)
{
	uint64_t a = s->seed.a, b = s->seed.b;

	while (n--) {
		/* The innermost is an address, all others are return addresses: not the same function. */
		unsigned __int128 x = (unsigned __int128)(a ^ ips[n] ^ !n) * 0x9e3779b97f4a7c15ull;
		unsigned __int128 y = (unsigned __int128)(b + ips[n]) * 0xd6e8feb86659fd93ull;

		a = (uint64_t)x ^ (uint64_t)(x >> 64) ^ b;
		b = (uint64_t)y ^ (uint64_t)(y >> 64);
		hash[n] = (struct hash){ a, b };
	}
}

static struct cached *cache_slot(const struct stacks *s, const struct hash *h)
{
	return &s->cache[h->a % CACHE_SIZE];
}

/* 0: not known */
static uint32_t cache_get(const struct stacks *s, const struct hash *h)
{
	const struct cached *c = cache_slot(s, h);

	return c->a == h->a && c->b == (uint32_t)h->b ? c->id : 0;
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
	memset(s->cache, 0, CACHE_SIZE * sizeof(*s->cache));
}

uint32_t stacks_id(struct stacks *s, const uint64_t *ips, size_t n)
{
	struct hash hash[TRACE_MAX_STACK];
	uint32_t id = 0;
	size_t at = 0;

	forget_old_symbols(s);
	if (n > TRACE_MAX_STACK)
		n = TRACE_MAX_STACK; /* the outermost go; perf cuts there too */
	hash_ips(s, ips, n, hash);
	while (at < n && !(id = cache_get(s, &hash[at])))
		at++;
	while (at--) {
		/* All but the innermost are return addresses: the call is before them. */
		uint32_t symbol = symbols_id(s->symbols, ips[at] - (at > 0));

		id = symbol ? node_id(s, id, symbol) : 0;
		if (!id)
			return 0;
		*cache_slot(s, &hash[at]) = (struct cached){ hash[at].a, (uint32_t)hash[at].b, id };
	}
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
