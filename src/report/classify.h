/* SPDX-License-Identifier: BSD-2-Clause */
/* classify.h: which leaf a stack belongs to, by the functions in it. */
#ifndef NETCOST_REPORT_CLASSIFY_H
#define NETCOST_REPORT_CLASSIFY_H

#include <stddef.h>
#include <stdint.h>

#include "leaf.h"

/* A leaf and the functions that mark it. */
struct class_rule {
	enum leaf leaf;
	const char *functions; /* separated by blanks; "tcp_*" is all that begin with tcp_ */
};

extern const struct class_rule builtin_rules[];
extern const size_t builtin_nrules;

struct classifier;

/* NULL: no memory. The rules' strings must outlive it. */
struct classifier *classifier_new(const struct class_rule *rules, size_t n);
void classifier_free(struct classifier *c); /* takes NULL */

#define CLASS_NO_MARK LEAF_COUNT

/* The leaf that a function marks, or CLASS_NO_MARK. */
enum leaf classifier_mark(const struct classifier *c, const char *function);
/* What a stack is that was `outer` up to a function which marks `mark`. */
enum leaf classify_step(enum leaf outer, enum leaf mark);

#endif
