/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stack_class.h: stacks of one kind. A class is the category that a stack belongs to, and all those that it
 * passed on the way there since it came into its leaf: what is inclusive time. There are few of them however
 * many stacks there are, so samples can be counted by class.
 */
#ifndef NETCOST_REPORT_STACK_CLASS_H
#define NETCOST_REPORT_STACK_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "rules.h"

/*
 * Which category a stack belongs to, by the functions in it: the innermost one. A step a function, from the outermost one on; so
 * stacks that begin alike share the work.
 */
struct classifier;

/* NULL: no memory. The rules must outlive it. */
struct classifier *classifier_new(const struct rules *rules);
void classifier_free(struct classifier *c); /* takes NULL */
const struct rules *classifier_rules(const struct classifier *c);

/* What a function may mark, found once for each: for classify_step(). 0: nothing, whoever calls it. */
#define CLASSIFY_NOTHING 0
uint16_t classifier_mark(const struct classifier *c, const char *function);

/*
 * The category of a stack that was in `outer` up to a function with that mark, which `caller` calls (NULL:
 * nobody, it is the outermost). It begins in LEAF_OTHER_KERNEL.
 */
unsigned int classify_step(const struct classifier *c, unsigned int outer, uint16_t mark,
			   const char *caller);

/* Does it mark that very category, when `caller` calls it? */
bool classifier_marks(const struct classifier *c, uint16_t mark, unsigned int category,
		      const char *caller);

/* Sets function[i] of those functions of the rules that are that name: what a kernel has of them. */
void classifier_note(const struct classifier *c, uint16_t mark, bool *function);

/* ---- classes ------------------------------------------------------------------------------ */

#define STACK_CLASSES_MAX 1024
#define STACK_CLASSES_SLOTS (4 * STACK_CLASSES_MAX)
#define STACK_CLASSES_WORDS ((RULES_MAX_CATEGORIES + 63) / 64)

struct stack_class {
	uint64_t in[STACK_CLASSES_WORDS]; /* the categories that it is in, as a set */
	unsigned int category;		  /* the innermost one */
};

/* The two kinds of the recorder's own programs: of those in a class of probes (netcost/probes.h) a run's cost is known. */
enum own_kind {
	OWN_PROBES,
	OWN_OTHERS, /* in no class */
	OWN_KINDS,
};

/* What a sample there says about its task's sockets. */
enum socket_family {
	SOCKET_NONE, /* nothing */
	SOCKET_NETWORK,
	SOCKET_LOCAL,
	SOCKET_UNDECIDED, /* that it is in a call on one, but not of which kind */
};

struct stack_classes {
	const struct classifier *classifier;
	unsigned int undecided[LEAF_COUNT]; /* the category of a leaf that is; 0: none */
	bool any_undecided;
	/*
	 * First one for each category, with only the categories around it; so a leaf's class has the
	 * leaf's number.
	 */
	struct stack_class at[STACK_CLASSES_MAX];
	uint8_t family[STACK_CLASSES_MAX]; /* enum socket_family */
	unsigned int n;
	/* Of stacks below own programs: own[kind][class] is that of stacks that began in a class. 0: there is none yet. */
	uint16_t own[OWN_KINDS][STACK_CLASSES_MAX];
	uint16_t from[STACK_CLASSES_MAX];    /* … and where those began; in others: itself */
	uint8_t own_kind[STACK_CLASSES_MAX]; /* enum own_kind, where that is another class */
	bool full; /* there were more: of some stacks only the category and what it lies in is known */
	uint16_t slot[STACK_CLASSES_SLOTS];
};

/* NULL: no memory. The classifier must outlive it. */
struct stack_classes *stack_classes_new(const struct classifier *c);

/* As classify_step(), from class to class. */
unsigned int stack_classes_step(struct stack_classes *c, unsigned int outer, uint16_t mark,
				const char *caller);

/* The class of a stack below a program of the recorder's own, which began in that class. If there are too many, in its leaf. */
unsigned int stack_classes_own(struct stack_classes *c, unsigned int class, enum own_kind kind);
/* The class as times are measured: where an own program ran. Of other stacks, theirs. */
static inline unsigned int stack_classes_measured(const struct stack_classes *c, unsigned int class)
{
	return c->from[class];
}
unsigned int stack_classes_leaf(const struct stack_classes *c, unsigned int class);

bool stack_class_is_in(const struct stack_class *class, unsigned int category);

#endif
