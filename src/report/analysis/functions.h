/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.h: divides CPU time by category and by function, from samples. */
#ifndef NETCOST_REPORT_FUNCTIONS_H
#define NETCOST_REPORT_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model/model.h"
#include "report/rules/rules.h"
#include "split.h"

/* ---- categories ------------------------------------------------------------------------ */

/*
 * CPU time of the leaves by category, from samples. The categories are those of the rules. Samples represent the same
 * time, and have the same errors, as in the leaves (split.h).
 *
 * A category has three figures. "self" counts the samples that have the category as their innermost category.
 * "exclusive" adds the samples of the nested categories. "inclusive" counts all samples of its leaf with a stack that
 * contains the category. It does not matter where the stack ends (Netto counts sub-events in the same way). The self
 * figure and the exclusive figures of the direct children sum to the exclusive figure. All self figures sum to all
 * samples.
 */

struct inside_value {
	uint64_t samples;
	double share, ci95; /* fractions of CPU time; NaN: not measured */
};

struct inside_row {
	struct inside_value self, exclusive, inclusive;
};

/* The categories on one CPU or on all CPUs. There is a row for each category of the rules. The leaves come first. */
struct inside {
	const struct rules *rules; /* NULL: no samples */
	struct inside_row row[RULES_MAX_CATEGORIES];
};

/* Without user-space stacks, the categories of user mode are unknown: their shares are NaN. */
bool inside_known(const struct model *m, const struct rules_category *c);
/* Makes the categories of CPU number i of the split. The model's classifier must outlive `in`. */
void inside_cpu(struct inside *in, const struct model *m, const struct split *s, size_t i);
/* Makes the categories of all CPUs. Returns 0 or -ENOMEM. */
int inside_make(struct inside *in, const struct model *m, const struct split *s);
/*
 * Returns the share of CPU time of the categories that are set in categories[], by number. If all categories of a leaf
 * are set, the leaf's share of the split is used. NaN: unknown.
 */
double inside_share(const struct inside *in, const struct split_cpu *all, const bool *categories);

/* ---- functions ------------------------------------------------------------------------- */

/* Functions in which samples were taken. All symbols with the same name in the same module are one function. */

/* Name of the function that represents user mode. */
#define FUNCTION_USER "[user]"

struct function {
	const char *name, *module; /* name "": unknown; module "": the kernel itself */
	uint32_t symbol;	   /* one of the function's symbols */
};

struct functions {
	const struct model *m;
	struct function *at; /* sorted by name, then by module; the last entry is user mode */
	uint32_t n;
	/* maps a symbol to its function; valid only for symbols on stacks of samples */
	uint32_t *of;
};

/*
 * Makes the functions of a model, which must outlive them. Without MODEL_MODULES, all functions belong to the kernel
 * itself. Returns 0, or -ENOMEM if out of memory, in which case there is nothing to free.
 */
int functions_make(struct functions *f, const struct model *m);
void functions_free(struct functions *f);

int function_compare(const struct function *a, const struct function *b);
/* Returns the innermost function of a stack. */
uint32_t functions_of_stack(const struct functions *f, uint32_t stack);

/* Samples of a stack: samples with exactly this stack, and samples with this stack or a stack that begins with it. */
struct functions_stack {
	double own, below;
};

/* Samples of a function: self samples, and samples that include the functions it calls. */
struct functions_sum {
	double self, inclusive;
};

/*
 * Adds up the samples of stacks by function, and sets `below` of each stack. Returns an array with a sum for each
 * function, which the caller frees, or NULL if out of memory.
 */
struct functions_sum *functions_add_up(const struct functions *f, struct functions_stack *stack);

/* ---- top: the functions with the most self samples, with their self and inclusive samples ---- */

struct top_share {
	uint64_t samples;
	double share, ci95; /* fractions of the counted samples; NaN: no samples */
};

struct top_row {
	const char *name, *module; /* name "": unknown; module "": the kernel itself */
	struct top_share self, inclusive;
	/* The most frequent category of the function's samples, and the share of the samples in this category. */
	const struct rules_category *category;
	double category_share;
};

struct top {
	const struct model *m;
	uint64_t samples, of; /* number of counted samples; number of all samples */
	struct top_row *row;  /* rows, in descending order of self samples */
	size_t n;	      /* number of rows */
	size_t functions;     /* number of all functions that have samples */
	uint64_t rest;	      /* number of self samples of functions that have no row */
};

/*
 * Makes the table. `of` chooses the stacks that are counted; n is the largest number of rows. The model needs
 * MODEL_MODULES. Returns 0 or -ENOMEM.
 */
int top_make(struct top *t, const struct model *m, const struct model_choice *of, size_t n);
void top_free(struct top *t);

/* ---- functions that no rule assigns to a category ---- */

struct uncategorized_function {
	const char *name; /* "": unknown */
	uint64_t samples;
};

struct uncategorized {
	unsigned int leaf;
	/* The innermost functions of the leaf's own stacks, in descending order of samples. */
	struct uncategorized_function *function;
	size_t n;
};

/* Number of leaves for which it is worth finding new categories. */
#define UNCATEGORIZED_LEAVES 2
extern const unsigned int uncategorized_leaf[UNCATEGORIZED_LEAVES];

/*
 * Finds the functions of a leaf that have no category. Returns 0, or -ENOMEM if out of memory, in which case there is
 * nothing to free.
 */
int uncategorized_make(struct uncategorized *u, const struct model *m, unsigned int leaf);
void uncategorized_free(struct uncategorized *u);

#endif
