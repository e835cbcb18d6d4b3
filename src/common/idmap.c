// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/idmap.h>

#include <errno.h>
#include <stdlib.h>

/* Mixes a key with the finaliser of splitmix64: each bit of the result depends on each bit of the key. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

static struct idmap_slot *find(const struct idmap *m, uint64_t key)
{
	size_t i = mix(key) & m->mask;

	while (m->slot[i].id && m->slot[i].key != key)
		i = (i + 1) & m->mask;
	return &m->slot[i];
}

static int grow(struct idmap *m)
{
	struct idmap old = *m;
	size_t size = old.slot ? 2 * (old.mask + 1) : 256;

	m->slot = calloc(size, sizeof(*m->slot));
	if (!m->slot) {
		*m = old;
		return -ENOMEM;
	}
	m->mask = size - 1;
	for (size_t i = 0; old.slot && i <= old.mask; i++)
		if (old.slot[i].id)
			*find(m, old.slot[i].key) = old.slot[i];
	free(old.slot);
	return 0;
}

void idmap_free(struct idmap *m)
{
	free(m->slot);
	*m = (struct idmap){ 0 };
}

uint32_t idmap_get(const struct idmap *m, uint64_t key)
{
	return m->slot ? find(m, key)->id : 0;
}

void idmap_prefetch(const struct idmap *m, uint64_t key)
{
	if (m->slot)
		__builtin_prefetch(&m->slot[mix(key) & m->mask]);
}

int idmap_set(struct idmap *m, uint64_t key, uint32_t id)
{
	struct idmap_slot *s;
	int err;

	if (!m->slot || m->used * 4 >= m->mask * 3) {
		err = grow(m);
		if (err)
			return err;
	}
	s = find(m, key);
	m->used += !s->id;
	s->key = key;
	s->id = id;
	return 0;
}
