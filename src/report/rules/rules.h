/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rules.h: a rules file, parsed: the categories that stacks are sorted into, and the functions that mark
 * them. examples/rules/README.md has the syntax; examples/rules/default.rules is compiled in.
 *
 * The file may come from anywhere: every length and number is limited, and what is wrong is said.
 */
#ifndef NETCOST_REPORT_RULES_H
#define NETCOST_REPORT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "leaf.h"

#define RULES_MAX_BYTES (1u << 20)
#define RULES_MAX_LINE 4096u
#define RULES_MAX_NAME 512u	 /* of a function: the kernel's limit */
#define RULES_MAX_KEY 40u	 /* of a category or a set */
#define RULES_MAX_TITLE 40u	 /* so that it fits its column */
#define RULES_MAX_CATEGORIES 200 /* the leaves among them */
#define RULES_MAX_FUNCTIONS 8192u
#define RULES_MAX_DEPTH 6 /* of categories below each other */
#define RULES_MAX_SETS 64

/* The first LEAF_COUNT categories are the leaves, by number; the others stand in the order of the file. */
struct rules_category {
	const char *key, *title;
	unsigned int parent, leaf, depth; /* of a leaf: itself, itself, 0 */
	bool whole;	/* what runs inside it stays in it, except where another leaf begins */
	bool tracing;	/* likewise, and it is what probes do: not there while they are detached */
	bool undecided; /* its stacks do not say yet what kind of socket it is: socket_family.h */
	unsigned int line; /* 0: the file has nothing of that leaf */
};

struct rules_function {
	const char *name, *caller;  /* caller: NULL: whoever calls it */
	bool prefix, caller_prefix; /* any function that begins so */
	unsigned int category, line;
};

struct rules {
	struct rules_category category[RULES_MAX_CATEGORIES];
	unsigned int ncategories;
	struct rules_function *function; /* sets are copied to where they are used */
	size_t nfunctions;
	char *text;	  /* what all names point into */
	const char *file; /* NULL: none, the default ones */
};

/* What is wrong with a file, and where. Line 0: with the whole file. */
struct rules_error {
	unsigned int line;
	char what[300];
};

/* -EINVAL: err says why. -ENOMEM. */
int rules_parse(struct rules **rules, const char *text, size_t len, struct rules_error *err);
void rules_free(struct rules *r); /* takes NULL */

/* Does the category lie below the other one, or is it that one? */
bool rules_is_below(const struct rules *r, unsigned int category, unsigned int top);

/* The rules that are compiled in. */
const char *rules_default(size_t *len);

/* The text of a file, of the default rules where file is NULL; to be freed. NULL: the error was reported. */
char *rules_read(const char *file, size_t *len);
/* The rules of it, which must outlive them by name. NULL: the error was reported. */
struct rules *rules_load(const char *file);

#endif
