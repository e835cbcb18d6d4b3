/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * classes.h: stacks of one kind. A class is the category that a stack belongs to, and all those that it
 * passed on the way there since it came into its leaf: what is inclusive time. There are few of them however
 * many stacks there are, so samples can be counted by class.
 */
#ifndef NETCOST_REPORT_CLASSES_H
#define NETCOST_REPORT_CLASSES_H

#include "classify.h"

#define CLASSES_MAX 1024
#define CLASSES_SLOTS (4 * CLASSES_MAX)
#define CLASSES_WORDS ((RULES_MAX_CATEGORIES + 63) / 64)

struct class
{
	uint64_t in[CLASSES_WORDS]; /* the categories that it is in, as a set */
	unsigned int category;	    /* the innermost one */
};

/* What a sample there says of its task's sockets. */
enum class_family {
	CLASS_NO_SOCKET, /* nothing */
	CLASS_NETWORK,
	CLASS_LOCAL,
	CLASS_UNDECIDED, /* that it is in a call on one; not of which kind */
};

struct classes {
	const struct classifier *classifier;
	unsigned int undecided[LEAF_COUNT]; /* the category of a leaf that is; 0: none */
	bool any_undecided;
	/* First one for each category, with nothing but what that lies in; so leaves are their own class. */
	struct class at[CLASSES_MAX];
	uint8_t family[CLASSES_MAX]; /* enum class_family */
	unsigned int n;
	bool full; /* there were more: of some stacks only the category and what it lies in is known */
	uint16_t slot[CLASSES_SLOTS];
};

/* NULL: no memory. The classifier must outlive it. */
struct classes *classes_new(const struct classifier *c);

/* As classify_step(), from class to class. */
unsigned int classes_step(struct classes *c, unsigned int outer, uint16_t mark, const char *caller);

bool class_is_in(const struct class *class, unsigned int category);

#endif
