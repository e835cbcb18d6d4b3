/* SPDX-License-Identifier: BSD-2-Clause */
/* stacks.h: stacks of a trace as a tree of names, as text, and as a picture. */
#ifndef NETCOST_REPORT_STACKS_H
#define NETCOST_REPORT_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/model.h"

/* ---- a tree ------------------------------------------------------------------------------- */

/*
 * Stacks of the same names are one node, whatever their ids; siblings stand in the order of their
 * names.
 */

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

/* Counts the chosen samples anew, or those of one CPU (of a model with MODEL_CPU_STACKS). */
void stacktree_count(struct stacktree *t, const struct model_choice *of);
void stacktree_count_cpu(struct stacktree *t, const struct model_cpu *c,
			 const struct model_choice *of);

/* ---- text --------------------------------------------------------------------------------- */

/*
 * As flamegraph.pl, inferno and speedscope read them: "outermost;…;innermost count". The order of
 * lines depends on names alone.
 */

/*
 * root: below which all stacks stand, or NULL. of: the stacks that are written. per_cpu needs a
 * model with MODEL_CPU_STACKS. sum: what all samples weigh together, each as much as another, in
 * whole numbers; 0: lines have counts of samples. 0 or -ENOMEM; errors of out stay with out.
 */
int folded_write(FILE *out, const struct model *m, const char *root, const struct model_choice *of,
		 bool per_cpu, double sum);

/* One stack, without a count. */
void folded_stack(FILE *out, const struct model *m, uint32_t stack);

/* ---- a picture ---------------------------------------------------------------------------- */

/*
 * Brendan Gregg's flame graph, an SVG that stands alone: a browser zooms and searches in it. The
 * same bytes for the same trace and options.
 */

struct flamegraph_options {
	const char *title;  /* of the trace */
	const char *before; /* of the trace that it is compared with */
	const char *only;   /* what is shown, for the heading: ", idle time left out"; "": all */
	struct model_choice of;
	bool icicle;  /* callers above what they call */
	bool in_page; /* of HTML, which has title, legend and controls around it */
};

/* What is in every picture, byte by byte: a page allows nothing else to run. */
extern const char flamegraph_script[], flamegraph_style[];

/* What widths stand for, depending on what was sampled. */
const char *flamegraph_widths(const struct model *m);

/*
 * before: NULL, or a model whose shares are taken off: then the colours say what has become more
 * (red) or less (blue). 0 or -ENOMEM; errors of out stay with out.
 */
int flamegraph_write(FILE *out, const struct model *m, const struct model *before,
		     const struct flamegraph_options *o);

#endif
