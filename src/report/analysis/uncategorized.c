// SPDX-License-Identifier: BSD-2-Clause
#include "uncategorized.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/rules/stack_class.h"

const unsigned int uncategorized_leaf[UNCATEGORIZED_LEAVES] = { LEAF_OTHER_NETWORK,
								LEAF_OTHER_KERNEL };

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct uncategorized_function *)a)->name,
		      ((const struct uncategorized_function *)b)->name);
}

static int by_samples(const void *pa, const void *pb)
{
	const struct uncategorized_function *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* Those of one name as one. Returns how many there are. */
static size_t join_names(struct uncategorized_function *f, size_t n)
{
	size_t names = 0;

	qsort(f, n, sizeof(*f), by_name);
	for (size_t i = 0; i < n; i++) {
		if (names && !strcmp(f[names - 1].name, f[i].name))
			f[names - 1].samples += f[i].samples;
		else
			f[names++] = f[i];
	}
	return names;
}

int uncategorized_make(struct uncategorized *o, const struct model *m, unsigned int leaf)
{
	struct uncategorized_function *f = calloc(m->nsymbols + 1u, sizeof(*f));
	size_t n = 0;

	if (!f)
		return -ENOMEM;
	for (uint32_t i = 0; i <= m->nsymbols; i++)
		f[i].name = model_string(m, m->symbol[i]);
	for (uint32_t i = 1; i <= m->nstacks; i++)
		if (m->classes->at[m->class[i]].category == leaf)
			f[m->stack[i].symbol].samples += m->count[i];
	for (uint32_t i = 0; i <= m->nsymbols; i++)
		if (f[i].samples)
			f[n++] = f[i];
	*o = (struct uncategorized){ .leaf = leaf, .function = f, .n = join_names(f, n) };
	qsort(f, o->n, sizeof(*f), by_samples);
	return 0;
}

void uncategorized_free(struct uncategorized *o)
{
	free(o->function);
}
