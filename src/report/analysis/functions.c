// SPDX-License-Identifier: BSD-2-Clause
#include "functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int function_compare(const struct function *a, const struct function *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->module, b->module);
}

static int by_name(const void *a, const void *b)
{
	return function_compare(a, b);
}

/* Those of one name become one. n: symbols, the unknown one among them. */
static void join_symbols(struct functions *f, uint32_t n)
{
	qsort(f->at, n, sizeof(*f->at), by_name);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t symbol = f->at[i].symbol;

		if (!f->n || function_compare(&f->at[f->n - 1], &f->at[i]))
			f->at[f->n++] = f->at[i];
		f->of[symbol] = f->n - 1;
	}
	f->at[f->n++] = (struct function){ .name = FUNCTION_USER, .module = "" };
}

int functions_make(struct functions *f, const struct model *m)
{
	uint32_t n = m->nsymbols + 1;

	*f = (struct functions){ .m = m };
	f->at = calloc(n + 1u, sizeof(*f->at));
	f->of = calloc(n, sizeof(*f->of));
	if (!f->at || !f->of) {
		functions_free(f);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++)
		f->at[i] = (struct function){
			.name = model_string(m, m->symbol[i]),
			.module = model_string(m, m->module_name[m->module[i]]),
			.symbol = i,
		};
	join_symbols(f, n);
	return 0;
}

void functions_free(struct functions *f)
{
	free(f->at);
	free(f->of);
	*f = (struct functions){ 0 };
}

uint32_t functions_of_stack(const struct functions *f, uint32_t stack)
{
	return stack ? f->of[f->m->stack[stack].symbol] : f->n - 1;
}

bool functions_is_nested(const struct functions *f, uint32_t stack)
{
	uint32_t function = functions_of_stack(f, stack);

	while ((stack = f->m->stack[stack].parent))
		if (functions_of_stack(f, stack) == function)
			return true;
	return false;
}

/* Callers have lower ids than what they call. */
void functions_sum(const struct functions *f, const double *weight, double *below, double *self,
		   double *inclusive)
{
	const struct model *m = f->m;

	memset(below, 0, (m->nstacks + 1u) * sizeof(*below));
	for (uint32_t i = m->nstacks + 1; i--;) {
		uint32_t function = functions_of_stack(f, i);

		self[function] += weight[i];
		below[i] += weight[i];
		if (i && m->stack[i].parent)
			below[m->stack[i].parent] += below[i];
		if (below[i] > 0 && !functions_is_nested(f, i))
			inclusive[function] += below[i];
	}
}
