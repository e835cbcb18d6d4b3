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

/* Symbols of the same name become one function. n: symbols, the unknown one among them. */
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

/*
 * Sets f->of to 1 for symbols on stacks of samples, and for the unknown one. Returns how many these
 * are; 0: no memory. Callers have lower ids than what they call.
 */
static uint32_t find_met(struct functions *f)
{
	const struct model *m = f->m;
	bool *met = calloc(m->nstacks + 1u, sizeof(*met));
	uint32_t n = 1;

	f->of[0] = 1;
	for (uint32_t i = m->nstacks; met && i; i--) {
		if (!m->count[i] && !met[i])
			continue;
		met[m->stack[i].parent] = true;
		n += !f->of[m->stack[i].symbol];
		f->of[m->stack[i].symbol] = 1;
	}
	free(met);
	return met ? n : 0;
}

static void fill(struct functions *f)
{
	const struct model *m = f->m;
	uint32_t n = 0;

	for (uint32_t i = 0; i <= m->nsymbols; i++)
		if (f->of[i])
			f->at[n++] = (struct function){
				.name = model_string(m, m->symbol[i]),
				.module = model_string(m, m->module_name[m->module[i]]),
				.symbol = i,
			};
}

int functions_make(struct functions *f, const struct model *m)
{
	uint32_t n = 0;

	*f = (struct functions){ .m = m };
	f->of = calloc(m->nsymbols + 1u, sizeof(*f->of));
	if (f->of)
		n = find_met(f);
	if (n)
		f->at = calloc(n + 1u, sizeof(*f->at));
	if (!f->at) {
		functions_free(f);
		return -ENOMEM;
	}
	fill(f);
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
struct functions_sum *functions_add_up(const struct functions *f, struct functions_stack *stack)
{
	const struct model *m = f->m;
	struct functions_sum *sum = calloc(f->n, sizeof(*sum));

	if (!sum)
		return NULL;
	for (uint32_t i = 0; i <= m->nstacks; i++)
		stack[i].below = 0;
	for (uint32_t i = m->nstacks + 1; i--;) {
		uint32_t function = functions_of_stack(f, i);

		sum[function].self += stack[i].own;
		stack[i].below += stack[i].own;
		if (i && m->stack[i].parent)
			stack[m->stack[i].parent].below += stack[i].below;
		if (stack[i].below > 0 && !functions_is_nested(f, i))
			sum[function].inclusive += stack[i].below;
	}
	return sum;
}
