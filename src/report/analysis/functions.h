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
 * The leaves by category, from samples: categories are those of the rules. Samples represent the same time, and have
 * the same errors, as those of the leaves (split.h).
 *
 * A category has three figures: "self" counts samples whose innermost category it is; "exclusive" adds the categories
 * nested in it; and "inclusive" counts all samples of its leaf that passed it, wherever they end (as Netto counts
 * sub-events). The self figure and the exclusive figures of the direct children sum to the exclusive figure; all self
 * figures sum to all samples.
 */

struct inside_value {
	uint64_t samples;
	double share, ci95; /* of CPU time; NaN: not measured */
};

struct inside_row {
	struct inside_value self, exclusive, inclusive;
};

/* For one CPU, or for all: a row for each category of the rules. The leaves come first. */
struct inside {
	const struct rules *rules; /* NULL: no samples */
	struct inside_row row[RULES_MAX_CATEGORIES];
};

/* For CPU number i of the split. The model's classifier must outlive it. */
void inside_cpu(struct inside *in, const struct model *m, const struct split *s, size_t i);
/* For all CPUs. -ENOMEM. */
int inside_make(struct inside *in, const struct model *m, const struct split *s);
/*
 * The share of CPU time of these categories, by number: that of the split where all of a leaf is
 * in it. NaN: not known.
 */
double inside_share(const struct inside *in, const struct split_cpu *all, const bool *categories);

/* ---- functions ------------------------------------------------------------------------- */

/* Functions in which samples were taken: all symbols with the same name in the same module are one function. */

/* User mode, as a function. */
#define FUNCTION_USER "[user]"

struct function {
	const char *name, *module; /* name "": not known; module "": the kernel itself */
	uint32_t symbol;	   /* one of its symbols */
};

struct functions {
	const struct model *m;
	struct function *at; /* by name, then module; the last one is user mode */
	uint32_t n;
	uint32_t *of; /* symbol to function; only for symbols on stacks of samples */
};

/*
 * Without MODEL_MODULES all belong to the kernel itself. The model must outlive it. -ENOMEM: there is nothing to
 * free.
 */
int functions_make(struct functions *f, const struct model *m);
void functions_free(struct functions *f);

int function_compare(const struct function *a, const struct function *b);
/* Returns the innermost function of a stack. */
uint32_t functions_of_stack(const struct functions *f, uint32_t stack);
/* Whether that function occurs more than once on this stack: then its outer call already includes this time. */
bool functions_is_nested(const struct functions *f, uint32_t stack);

/* Samples of a stack: of itself, and including the stacks that begin with it. */
struct functions_stack {
	double own, below;
};

/* Samples of a function: of itself, and including the functions that it calls. */
struct functions_sum {
	double self, inclusive;
};

/*
 * Adds up the samples of stacks; sets their `below`. Returns a sum for each function, to be freed; NULL: out of
 * memory.
 */
struct functions_sum *functions_add_up(const struct functions *f, struct functions_stack *stack);

/* ---- top: functions, by their self samples (innermost function) and their inclusive samples -- */

struct top_share {
	uint64_t samples;
	double share, ci95; /* of the samples counted; NaN: no samples */
};

struct top_row {
	const char *name, *module; /* name "": not known; module "": the kernel itself */
	struct top_share self, inclusive;
	/* The category of most of its samples, and their share. */
	const struct rules_category *category;
	double category_share;
};

struct top {
	const struct model *m;
	uint64_t samples, of; /* number of samples counted, of all samples */
	struct top_row *row;  /* the largest self first */
	size_t n;	      /* rows */
	size_t functions;     /* number of all functions with samples */
	uint64_t rest;	      /* self samples of functions that have no row */
};

/* of: the stacks that are counted; n: the largest number of rows. Needs MODEL_MODULES. -ENOMEM. */
int top_make(struct top *t, const struct model *m, const struct model_choice *of, size_t n);
void top_free(struct top *t);

/* ---- functions without a category: those that the rules do not know -------------------------------- */

struct uncategorized_function {
	const char *name; /* "": not known */
	uint64_t samples;
};

struct uncategorized {
	unsigned int leaf;
	/* The innermost functions of the leaf's own stacks, those with the most samples first. */
	struct uncategorized_function *function;
	size_t n;
};

/* The leaves where new categories are worth finding. */
#define UNCATEGORIZED_LEAVES 2
extern const unsigned int uncategorized_leaf[UNCATEGORIZED_LEAVES];

/* -ENOMEM: there is nothing to free. */
int uncategorized_make(struct uncategorized *u, const struct model *m, unsigned int leaf);
void uncategorized_free(struct uncategorized *u);

#endif
