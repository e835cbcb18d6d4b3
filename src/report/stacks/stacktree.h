/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacktree.h: a model's stacks as a tree of names. Stacks of the same names are one node, whatever their ids;
 * siblings stand in the order of their names.
 */
#ifndef NETCOST_REPORT_STACKTREE_H
#define NETCOST_REPORT_STACKTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/model/model.h"

#define STACKTREE_USER "[user]"
#define STACKTREE_UNKNOWN "[unknown]"
#define STACKTREE_OWN                                                                              \
	"[netcost itself]" /* above programs of the recorder's own, in place of what these ran in */

struct stacktree_name {
	const char *text;
	size_t len;
};

/* Node 0 is the root; as a child or sibling it means none. */
struct stacktree_node {
	uint32_t parent, name; /* name: rank among the names, so that it sorts as they do */
	uint32_t child, next;  /* the first child by name; the next sibling */
};

/* Parents come before their children. */
struct stacktree {
	const struct model *m;
	char *strings;		     /* the model's, made safe for a line */
	struct stacktree_name *name; /* by rank */
	uint32_t nnames;
	uint32_t *rank; /* by symbol id; then the user mode's, and STACKTREE_OWN's */
	struct stacktree_node *node;
	uint32_t n;
	uint32_t *node_of; /* by stack id */
	uint64_t *own;	   /* samples of a node */
	uint64_t *count;   /* and of all that is below it */
};

/* 0 or -ENOMEM; to be freed in any case. The model must outlive it. No samples are counted yet. */
int stacktree_make(struct stacktree *t, const struct model *m);
void stacktree_free(struct stacktree *t);

/* Counts all samples anew, or those of one CPU (of a model with MODEL_CPU_STACKS). drop: leaves left out. */
void stacktree_count(struct stacktree *t, unsigned int drop);
void stacktree_count_cpu(struct stacktree *t, const struct model_cpu *c, unsigned int drop);

#endif
