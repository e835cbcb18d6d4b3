// SPDX-License-Identifier: BSD-2-Clause
#include "scrub_names.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct name {
	enum trace_privacy class;
	uint32_t number;
	size_t n;
	const void *bytes;
};

static int compare(const void *pa, const void *pb)
{
	const struct name *a = pa, *b = pb;

	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	return memcmp(a->bytes, b->bytes, a->n);
}

uint32_t scrub_find(const struct scrub_names *s, enum trace_privacy class, const void *name,
		    size_t n)
{
	const struct name key = { .class = class, .n = n, .bytes = name };
	struct name *const *found = tfind(&key, &s->tree, compare);

	return found ? (*found)->number : 0;
}

/* The bytes follow the name itself. */
static struct name *make(enum trace_privacy class, const void *bytes, size_t n)
{
	struct name *name = malloc(sizeof(*name) + n);

	if (name) {
		memcpy(name + 1, bytes, n);
		*name = (struct name){ .class = class, .n = n, .bytes = name + 1 };
	}
	return name;
}

/* With what malloc() and the tree have of their own. */
#define COST (sizeof(struct name) + 72)

int scrub_number(struct scrub_names *s, enum trace_privacy class, const void *bytes, size_t n,
		 uint32_t *number)
{
	struct name *name;

	*number = scrub_find(s, class, bytes, n);
	if (*number)
		return 0;
	if (budget_take(&s->budget, COST + n))
		return BUDGET_SPENT;
	name = make(class, bytes, n);
	if (!name || !tsearch(name, &s->tree, compare)) {
		free(name);
		return -ENOMEM;
	}
	*number = name->number = ++s->count[class];
	return 0;
}

void scrub_names_free(struct scrub_names *s)
{
	tdestroy(s->tree, free);
	*s = (struct scrub_names){ 0 };
}
