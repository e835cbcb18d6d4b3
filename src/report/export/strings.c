// SPDX-License-Identifier: BSD-2-Clause
#include "strings.h"

#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/hash.h>

#include "clean.h"

static bool add(struct strings *s, const char *text, uint64_t hash)
{
	char *copy = strdup(text);

	if (!copy || array_reserve(&s->text, &s->cap_text, s->n + 1, sizeof(*s->text)) ||
	    array_reserve(&s->next, &s->cap_next, s->n + 1, sizeof(*s->next)) ||
	    (s->n && idmap_set(&s->by_hash, hash, (uint32_t)s->n))) {
		free(copy);
		return false;
	}
	s->text[s->n++] = copy;
	return true;
}

void strings_init(struct strings *s)
{
	*s = (struct strings){ 0 };
	s->no_memory = !add(s, "", 0);
}

void strings_free(struct strings *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->text[i]);
	free(s->text);
	free(s->next);
	idmap_free(&s->by_hash);
	*s = (struct strings){ 0 };
}

uint32_t strings_id(struct strings *s, const char *text)
{
	char clean[CLEAN_SIZE];
	const char *of = clean_utf8(clean, sizeof(clean), text);
	uint64_t hash = hash_add(HASH_START, of, strlen(of));
	uint32_t first = idmap_get(&s->by_hash, hash), i = first;

	if (!*clean || s->no_memory)
		return 0;
	for (; i; i = s->next[i])
		if (!strcmp(s->text[i], clean))
			return i;
	s->no_memory = !add(s, clean, hash);
	if (s->no_memory)
		return 0;
	s->next[s->n - 1] = first;
	return (uint32_t)s->n - 1;
}
