/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * classify.h: which category a stack belongs to, by the functions in it: the innermost one. A step a
 * function, from the outermost one on; so stacks that begin alike share the work.
 */
#ifndef NETCOST_REPORT_CLASSIFY_H
#define NETCOST_REPORT_CLASSIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "leaf.h"
#include "rules.h"

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

#endif
