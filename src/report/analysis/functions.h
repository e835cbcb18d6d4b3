/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.h: the functions that samples were taken in: all symbols of one name in one module are one. */
#ifndef NETCOST_REPORT_FUNCTIONS_H
#define NETCOST_REPORT_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/model/model.h"

/* User mode, as a function. */
#define FUNCTION_USER "[user]"

struct function {
	const char *name, *module; /* name "": not known; module "": the kernel itself */
	uint32_t symbol;	   /* one of them */
};

struct functions {
	const struct model *m;
	struct function *at; /* by name, then module; the last one is user mode */
	uint32_t n;
	uint32_t *of; /* symbol to function; only for symbols on stacks of samples */
};

/* Needs MODEL_MODULES. The model must outlive it. -ENOMEM: there is nothing to free. */
int functions_make(struct functions *f, const struct model *m);
void functions_free(struct functions *f);

int function_compare(const struct function *a, const struct function *b);
/* The innermost one of a stack. */
uint32_t functions_of_stack(const struct functions *f, uint32_t stack);
/* Did that function call itself on the way here? Then its outer call's time includes this one's. */
bool functions_is_nested(const struct functions *f, uint32_t stack);

/* What a stack has: itself, and with those that it begins. */
struct functions_stack {
	double own, below;
};

/* What a function has: itself, and with all that it calls. */
struct functions_sum {
	double self, inclusive;
};

/* Adds up what stacks have by themselves; sets their `below`. A sum for each function, to be freed; NULL: no memory. */
struct functions_sum *functions_add_up(const struct functions *f, struct functions_stack *stack);

#endif
