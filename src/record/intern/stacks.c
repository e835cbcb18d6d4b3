// SPDX-License-Identifier: BSD-2-Clause
#include "stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include <netcost/array.h>
#include <netcost/idmap.h>
#include <netcost/trace.h>

#include "symbols.h"

/*
 * Most samples repeat a recent stack except for the address in the innermost function. Most of the other samples repeat
 * all of a recent stack except its innermost function. The cache finds both kinds by hash. It also has each outer part
 * of a stack, and the longest part that is in the cache is used. 96 bits of a randomly keyed hash make a collision less
 * likely than a bit flip in memory.
 *
 * Between two drains other programs have filled the processor's caches, so each cache line that is read costs time. A
 * set is one line, and the lines that several samples need are prefetched before the first one is used.
 */
#define CACHE_SETS 8192
#define WAYS 4
#define CACHE_BYTES (CACHE_SETS * sizeof(struct set))

struct hash {
	uint64_t a, b;
};

struct set {
	struct cached {
		uint64_t a;
		uint32_t b, id;
	} way[WAYS];
};

_Static_assert(sizeof(struct set) == 64, "one line");

struct stacks {
	struct symbols *symbols;
	struct set *cache;
	uint32_t generation; /* generation of the symbols that the cache holds */
	struct hash seed[3];

	struct idmap node; /* keyed by node_key() */
	uint32_t count;

	uint32_t *up, *symbol; /* nodes not written yet */
	size_t npending, pending_size;
};

int stacks_new(struct stacks **sp, struct symbols *symbols)
{
	struct stacks *s = calloc(1, sizeof(*s));

	*sp = s;
	if (!s)
		return -ENOMEM;
	s->symbols = symbols;
	/* the memory is zeroed; only the pages in use take time and memory */
	s->cache =
		mmap(NULL, CACHE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (s->cache == MAP_FAILED || getrandom(s->seed, sizeof(s->seed), 0) != sizeof(s->seed)) {
		int err = -errno;

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
	if (s->cache != MAP_FAILED)
		munmap(s->cache, CACHE_BYTES);
	free(s->up);
	free(s->symbol);
	free(s);
}

uint32_t stacks_count(const struct stacks *s)
{
	return s->count;
}

/*
 * Mixes a word into a state. Both halves of the product are kept, so that two different words lead to two different
 * states. Later words can make two states equal only by hitting 128 random bits.
 */
static struct hash mix(struct hash h, uint64_t word)
{
	unsigned __int128 x = (unsigned __int128)(h.a ^ word) * 0x9e3779b97f4a7c15ull;

	return (struct hash){ (uint64_t)x + h.b, (uint64_t)(x >> 64) };
}

static struct set *cache_set(const struct stacks *s, const struct hash *h)
{
	return &s->cache[h->a % CACHE_SETS];
}

/*
 * Returns the id of a hash. Returns 0 if the hash is not in the cache. All ways are read, because all ways are equally
 * likely. Two equal entries have the same id.
 */
static uint32_t cache_get(const struct stacks *s, const struct hash *h)
{
	const struct cached *way = cache_set(s, h)->way;
	uint32_t id = 0;

	for (size_t i = 0; i < WAYS; i++)
		id |= (way[i].a == h->a) & (way[i].b == (uint32_t)h->b) ? way[i].id : 0;
	return id;
}

/* Adds an entry, which replaces the oldest entry of the set. */
static void cache_put(struct stacks *s, const struct hash *h, uint32_t id)
{
	struct cached *way = cache_set(s, h)->way;

	memmove(way + 1, way, (WAYS - 1) * sizeof(*way));
	way[0] = (struct cached){ h->a, (uint32_t)h->b, id };
}

static int add_pending(struct stacks *s, uint32_t up, uint32_t symbol)
{
	const struct array_column columns[] = {
		{ &s->up, sizeof(*s->up) },
		{ &s->symbol, sizeof(*s->symbol) },
	};

	if (array_reserve_columns(columns, 2, &s->pending_size, s->npending + 1))
		return -ENOMEM;
	s->up[s->npending] = up;
	s->symbol[s->npending++] = symbol;
	return 0;
}

static uint64_t node_key(uint32_t parent, uint32_t symbol)
{
	return (uint64_t)parent << 32 | symbol;
}

static uint32_t node_id(struct stacks *s, uint32_t parent, uint32_t symbol)
{
	uint64_t key = node_key(parent, symbol);
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

/* Hashes all but the innermost address, in two independent lanes. */
static struct hash hash_callers(const struct stacks *s, const struct chain *c)
{
	struct hash even = s->seed[0], odd = s->seed[1];
	size_t k = 1;

	for (; k + 1 < c->n; k += 2) {
		even = mix(even, c->ips[k]);
		odd = mix(odd, c->ips[k + 1]);
	}
	if (k < c->n)
		even = mix(even, c->ips[k]);
	even = mix(even, odd.a);
	return mix(even, odd.b ^ c->n);
}

/* Sets hash[i] to the hash of ips[i] and its callers. */
static void hash_parts(const struct stacks *s, const uint64_t *ips, size_t n, struct hash *hash)
{
	struct hash h = s->seed[2];

	while (n--) {
		hash[n] = h = mix(h, ips[n]);
		__builtin_prefetch(cache_set(s, &h));
	}
}

/* Finds the callers' stack by its longest known part. */
static uint32_t callers_by_parts(struct stacks *s, const uint64_t *ips, size_t n)
{
	struct hash hash[TRACE_MAX_STACK];
	uint32_t id = 0;
	size_t at = 0;

	hash_parts(s, ips, n, hash);
	while (at < n && !(id = cache_get(s, &hash[at])))
		at++;
	while (at--) {
		/* ips[at] is a return address, so the call is before this address */
		uint32_t symbol = symbols_id(s->symbols, ips[at] - 1);

		id = symbol ? node_id(s, id, symbol) : 0;
		if (!id)
			return 0;
		cache_put(s, &hash[at], id);
	}
	return id;
}

static uint32_t callers_id(struct stacks *s, const struct chain *c, const struct hash *callers)
{
	uint32_t id = cache_get(s, callers);

	if (id)
		return id;
	id = callers_by_parts(s, c->ips + 1, c->n - 1);
	if (id)
		cache_put(s, callers, id);
	return id;
}

/* Intermediate results for several chains. */
struct looked {
	size_t n;
	const struct chain *chain;
	struct hash callers[STACKS_AT_ONCE], whole[STACKS_AT_ONCE];
	uint32_t innermost[STACKS_AT_ONCE]; /* symbols of the innermost addresses */
	size_t missed[STACKS_AT_ONCE], nmissed;
};

static void look(struct stacks *s, struct looked *l)
{
	for (size_t k = 0; k < l->n; k++) {
		symbols_prefetch(s->symbols, *l->chain[k].ips);
		l->callers[k] = hash_callers(s, &l->chain[k]);
	}
	for (size_t k = 0; k < l->n; k++) {
		l->innermost[k] = symbols_id(s->symbols, *l->chain[k].ips);
		l->whole[k] = mix(l->callers[k], l->innermost[k]);
		__builtin_prefetch(cache_set(s, &l->whole[k]));
	}
}

static void find(struct stacks *s, struct looked *l, uint32_t *id)
{
	l->nmissed = 0;
	for (size_t k = 0; k < l->n; k++) {
		id[k] = cache_get(s, &l->whole[k]);
		if (id[k] || !l->innermost[k])
			continue;
		l->missed[l->nmissed++] = k;
		__builtin_prefetch(cache_set(s, &l->callers[k]));
	}
}

static void add(struct stacks *s, const struct looked *l, uint32_t *id)
{
	uint32_t parent[STACKS_AT_ONCE];

	for (size_t m = 0; m < l->nmissed; m++) {
		size_t k = l->missed[m];

		parent[m] = l->chain[k].n > 1 ? callers_id(s, &l->chain[k], &l->callers[k]) : 0;
		idmap_prefetch(&s->node, node_key(parent[m], l->innermost[k]));
	}
	for (size_t m = 0; m < l->nmissed; m++) {
		size_t k = l->missed[m];

		if (l->chain[k].n > 1 && !parent[m])
			continue; /* out of memory */
		id[k] = node_id(s, parent[m], l->innermost[k]);
		if (id[k])
			cache_put(s, &l->whole[k], id[k]);
	}
}

void stacks_ids(struct stacks *s, const struct chain *chain, size_t n, uint32_t *id)
{
	struct looked l;

	l.n = n;
	l.chain = chain;
	forget_old_symbols(s);
	look(s, &l);
	find(s, &l, id);
	add(s, &l, id);
}

int stacks_write(struct stacks *s, struct trace_writer *w)
{
	size_t n = s->npending;

	if (!n)
		return 0;
	trace_writer_begin(w, TRACE_STACKS);
	trace_writer_uint(w, TRACE_STACKS_FIRST, s->count - n + 1);
	trace_writer_u32s(w, TRACE_STACKS_UP, s->up, n);
	trace_writer_u32s(w, TRACE_STACKS_SYMBOL, s->symbol, n);
	s->npending = 0;
	return trace_writer_end(w);
}

void stacks_again(struct stacks *s)
{
	forget_old_symbols(s);
	idmap_free(&s->node);
	s->count = 0;
}
