/* SPDX-License-Identifier: BSD-2-Clause */
/* stacks.h: the stacks of a trace as a tree of names, as text, and as a picture. */
#ifndef NETCOST_REPORT_STACKS_H
#define NETCOST_REPORT_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/model.h"

/* ---- a tree ------------------------------------------------------------------------------- */

/* Stacks with the same names are one node, even if their ids differ. Siblings are sorted by name. */

#define STACKTREE_USER "[user]"
#define STACKTREE_UNKNOWN "[unknown]"
#define STACKTREE_OWN                                                                              \
	"[netcost itself]" /* stands above the recorder's own programs, in place of the functions in which they ran */

struct stacktree_name {
	const char *text;
	size_t len;
};

/* A node. Node 0 is the root; as `child` or `next`, 0 means that there is no such node. */
struct stacktree_node {
	uint32_t parent, name; /* name: rank among the names, so that ranks sort like names */
	uint32_t child, next;  /* the first child by name; the next sibling */
};

/* Samples of a stack, or of a stack and a task. With a task, the node is below the node of the process. */
struct stacktree_entry {
	uint32_t stack, node;
	uint64_t count;
};

/*
 * A tree. In the array of nodes, parents come before their children. If the model has samples by stack and task, the
 * outermost nodes are processes.
 */
struct stacktree {
	const struct model *m;
	char *strings; /* copy of the model's strings, without characters that would break a line */
	struct stacktree_name *name; /* names by rank */
	uint32_t nnames;
	/* rank of each symbol, by id; then the ranks of user mode, of STACKTREE_OWN, and of tasks from id 1 on */
	uint32_t *rank;
	struct stacktree_node *node;
	uint32_t n;
	size_t size;
	uint32_t own_node; /* index of STACKTREE_OWN; 0: the tree has no such node */
	/*
	 * by stack id: the node of the stack (0: unknown), and the node below which the stack begins (the root, or a
	 * process)
	 */
	uint32_t *node_of, *top;
	struct stacktree_entry *entry; /* by stack id; then by pair */
	size_t nentries;
	uint64_t *own;	 /* samples of each node itself */
	uint64_t *count; /* samples of each node and all nodes below it */
};

/*
 * Makes a tree in which no samples are counted yet. The model must outlive the tree. Returns 0 or -ENOMEM. In both
 * cases, the tree must be freed.
 */
int stacktree_make(struct stacktree *t, const struct model *m);
void stacktree_free(struct stacktree *t);

/* Count the chosen samples of all CPUs, or of one CPU (needs MODEL_CPU_STACKS). Previous counts are removed. */
void stacktree_count(struct stacktree *t, const struct model_choice *of);

/* ---- text --------------------------------------------------------------------------------- */

/*
 * Folded stacks, in the format that flamegraph.pl, inferno and speedscope read: "outermost;…;innermost count". The
 * order of lines depends only on names.
 */

/*
 * Writes the folded stacks. `root` is a name that all lines begin with, or NULL. `of` chooses the stacks. per_cpu
 * requires a model with MODEL_CPU_STACKS. If `sum` is not 0, it is distributed over all samples: each sample has the
 * same weight, and counts are rounded to whole numbers that sum to `sum`. If `sum` is 0, lines contain the number of
 * samples. Returns 0 or -ENOMEM. Write errors are left in the state of `out`.
 */
int folded_write(FILE *out, const struct model *m, const char *root, const struct model_choice *of,
		 bool per_cpu, double sum);

/* Writes one stack, without a count. */
void folded_stack(FILE *out, const struct model *m, uint32_t stack);

/* ---- a picture ---------------------------------------------------------------------------- */

/*
 * Brendan Gregg's flame graph, as a self-contained SVG that can be zoomed and searched in a browser. The same trace and
 * options always result in the same bytes.
 */

struct flamegraph_options {
	const char *title;  /* title of the trace */
	const char *before; /* title of the trace to compare with */
	/* description of the displayed samples, for the heading: ", idle time left out"; "": all samples */
	const char *only;
	struct model_choice of;
	bool icicle; /* callers are displayed above the functions that they call */
	/* the picture is part of an HTML page, which contains title, legend and controls */
	bool in_page;
};

/* Returns a description of the widths' meaning, which depends on the event that was sampled. */
const char *flamegraph_widths(const struct model *m);

/*
 * Writes a flame graph. `before` is NULL, or a model with which the shares are compared. In a comparison, colours show
 * which shares increased (red) or decreased (blue). Returns 0 or -ENOMEM. Write errors are left in the state of `out`.
 */
int flamegraph_write(FILE *out, const struct model *m, const struct model *before,
		     const struct flamegraph_options *o);

#endif
