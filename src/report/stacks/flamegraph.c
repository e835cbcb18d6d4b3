// SPDX-License-Identifier: BSD-2-Clause
#include "stacks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/summary.h"
#include "report/tables/tables.h"
#include "report/base/text.h"

#define ROW 17		 /* px, height of a frame, including the line between two frames */
#define TOP 92		 /* px, height of title and legend */
#define EDGE 4		 /* px, margin above and below the frames of a picture in a page */
#define BOTTOM 30	 /* px, height of the details on hovered frames */
#define NOMINAL 1200	 /* px, assumed width without a script: texts are truncated for it */
#define CHAR 7.3	 /* px, width of a character */
#define NARROWEST 0.0001 /* fraction of the whole picture; smaller frames are left out */

/* Script and style of every picture. The bytes are fixed, because a page does not allow any other script or style. */
static const char flamegraph_script[] =
#include "flamegraph_js.h"
	;

static const char flamegraph_style[] =
#include "flamegraph_css.h"
	;

struct flame {
	FILE *out;
	const struct flamegraph_options *o;
	struct stacktree tree, before;
	/* Samples of each node and its descendants in the other trace. NULL: there is no other trace. */
	uint64_t *count_before;
	uint32_t *leaves;   /* sets of leaves of the nodes */
	unsigned int top;   /* px, height above the frames */
	unsigned int depth; /* depth of the deepest visible frame */
	uint64_t total, matched_before;
	int legend_x; /* px, position of the next entry of the legend */
};

/* ---- numbers ----------------------------------------------------------------------------- */

/* Finds the leaves of the samples of a node and its descendants. */
static void find_leaves(struct flame *f)
{
	const struct model *m = f->tree.m;

	for (const struct stacktree_entry *e = f->tree.entry; e < f->tree.entry + f->tree.nentries;
	     e++)
		if (e->count && model_is_chosen(m, e->stack, &f->o->of))
			f->leaves[e->node] |= 1u << model_leaf(m, m->class[e->stack]);
	for (uint32_t i = f->tree.n - 1; i > 0; i--)
		f->leaves[f->tree.node[i].parent] |= f->leaves[i];
}

static const struct stacktree_name *name_of(const struct stacktree *t, uint32_t node)
{
	return &t->name[t->node[node].name];
}

/* Returns the child with this name, or 0 if there is no such child. Siblings are sorted by name. */
static uint32_t child_named(const struct stacktree *t, uint32_t node, const char *name)
{
	uint32_t i = t->node[node].child;
	int order = 1;

	while (i && (order = strcmp(name_of(t, i)->text, name)) < 0)
		i = t->node[i].next;
	return i && !order ? i : 0;
}

/* Finds each node in the other trace. The recursion is as deep as the stacks. */
static void match(struct flame *f, uint32_t node, uint32_t theirs)
{
	f->count_before[node] = f->before.count[theirs];
	f->matched_before += f->before.own[theirs];
	for (uint32_t i = f->before.node[theirs].child; i; i = f->before.node[i].next) {
		uint32_t ours = child_named(&f->tree, node, name_of(&f->before, i)->text);

		if (ours)
			match(f, ours, i);
	}
}

static int compare_with(struct flame *f, const struct model *before)
{
	int err = stacktree_make(&f->before, before);

	if (err)
		return err;
	f->count_before = calloc(f->tree.n, sizeof(*f->count_before));
	if (!f->count_before)
		return -ENOMEM;
	stacktree_count(&f->before, &f->o->of);
	match(f, 0, 0);
	return 0;
}

static bool is_drawn(const struct flame *f, uint32_t node)
{
	return f->tree.count[node] && (double)f->tree.count[node] >= NARROWEST * (double)f->total;
}

static unsigned int depth_below(const struct flame *f, uint32_t node)
{
	unsigned int deepest = 0;

	for (uint32_t i = f->tree.node[node].child; i; i = f->tree.node[i].next)
		if (is_drawn(f, i)) {
			unsigned int depth = 1 + depth_below(f, i);

			deepest = depth > deepest ? depth : deepest;
		}
	return deepest;
}

/* ---- colours ----------------------------------------------------------------------------- */

/*
 * Returns the colour of a change. Red: the share increased; blue: it decreased. A change by a tenth of all samples has
 * the full colour.
 */
static void change_color(char *dst, size_t size, double change)
{
	double strength = fmin(sqrt(fabs(change) / 0.1), 1);
	int rest = 235 - (int)lround(strength * 150);

	if (change >= 0)
		snprintf(dst, size, "#eb%02x%02x", rest, rest);
	else
		snprintf(dst, size, "#%02x%02xeb", rest, rest);
}

static double share(uint64_t count, uint64_t total)
{
	return total ? (double)count / (double)total : 0;
}

/* ---- the picture ------------------------------------------------------------------------- */

/* Writes a name into a frame, truncated to the frame's width. */
static void put_label(FILE *out, const char *name, double px)
{
	size_t fits = px > 6 + 3 * CHAR ? (size_t)((px - 6) / CHAR) : 0, n = strlen(name);

	escape_xml(out, name, n <= fits ? n : fits > 2 ? fits - 2 : 0);
	if (n > fits && fits > 2)
		fputs("..", out);
}

static void frame(struct flame *f, uint32_t node, uint64_t x, unsigned int depth)
{
	const char *name = node ? name_of(&f->tree, node)->text : "all";
	double left = 100 * share(x, f->total), width = share(f->tree.count[node], f->total);
	unsigned int row = f->o->icicle ? depth : f->depth - depth;
	char color[16];

	fprintf(f->out,
		"<g class=\"f\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64
		"\" data-d=\"%u\"><title>",
		x, f->tree.count[node], depth);
	escape_xml(f->out, name, SIZE_MAX);
	fprintf(f->out, " (%" PRIu64 " samples, %.2f %%", f->tree.count[node], 100 * width);
	snprintf(color, sizeof(color), "%s", color_of(f->leaves[node]));
	if (f->count_before) {
		double change = width - share(f->count_before[node], f->before.count[0]);

		fprintf(f->out, ", %+.2f", 100 * change);
		change_color(color, sizeof(color), change);
	}
	fprintf(f->out,
		")</title><rect x=\"%.4f%%\" y=\"%u\" width=\"%.4f%%\" height=\"%d\" fill=\"%s\"/>"
		"<text x=\"%.4f%%\" dx=\"3\" y=\"%u\">",
		left, f->top + row * ROW, 100 * width, ROW - 1, color, left,
		f->top + row * ROW + 12);
	put_label(f->out, name, width * NOMINAL);
	fputs("</text></g>\n", f->out);
}

/* Writes the frame of a node and the frames of its descendants. The recursion is as deep as the stacks. */
static void frames(struct flame *f, uint32_t node, uint64_t x, unsigned int depth)
{
	frame(f, node, x, depth);
	for (uint32_t i = f->tree.node[node].child; i; i = f->tree.node[i].next) {
		if (is_drawn(f, i))
			frames(f, i, x, depth + 1);
		x += f->tree.count[i];
	}
}

static void legend_entry(void *flame, const char *color, const char *title)
{
	struct flame *f = flame;
	int x = f->legend_x;

	fprintf(f->out,
		"<rect x=\"%d\" y=\"66\" width=\"12\" height=\"12\" fill=\"%s\"/>"
		"<text x=\"%d\" y=\"76\">%s</text>\n",
		x, color, x + 16, title);
	f->legend_x += 34 + (int)(CHAR * (double)strlen(title));
}

static void legend_of_changes(struct flame *f)
{
	static const double changes[] = { -0.1, -0.01, 0, 0.01, 0.1 };
	int x = 10;

	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++, x += 90) {
		char color[16];

		change_color(color, sizeof(color), changes[i]);
		fprintf(f->out,
			"<rect x=\"%d\" y=\"66\" width=\"12\" height=\"12\" fill=\"%s\"/>"
			"<text x=\"%d\" y=\"76\">%+g %%</text>\n",
			x, color, x + 16, 100 * changes[i]);
	}
	fprintf(f->out, "<text x=\"%d\" y=\"76\">points; gone: %.2f %%</text>\n", x,
		100 * share(f->before.count[0] - f->matched_before, f->before.count[0]));
}

const char *flamegraph_widths(const struct model *m)
{
	static const char *const of[] = {
		[SPLIT_OF_TIME] = "CPU time",
		[SPLIT_OF_CYCLES] = "CPU cycles",
		[SPLIT_OF_NETWORK] = "CPU time inside the network",
	};

	return of[summary_samples_of(m)];
}

static void heading(struct flame *f)
{
	const struct model *m = f->tree.m;
	double cut = summary_user_cut(m);
	char early[64] = "";

	if (!isnan(cut))
		snprintf(early, sizeof(early), "; %.3g %% of user-space stacks end early",
			 100 * cut);
	fputs("<text class=\"title\" x=\"10\" y=\"24\">", f->out);
	escape_xml(f->out, f->o->title, SIZE_MAX);
	if (f->o->before) {
		fputs(", against ", f->out);
		escape_xml(f->out, f->o->before, SIZE_MAX);
	}
	fprintf(f->out,
		"</text>\n<text x=\"10\" y=\"46\">%" PRIu64 " samples of %sstacks at %" PRIu64
		" Hz%s; widths are %s%s%s</text>\n",
		f->total, m->has_user ? "" : "kernel ", m->header.sample_hz, f->o->only,
		flamegraph_widths(m),
		f->count_before ? "; colours are changes of the shares of these samples" : "",
		early);
	if (f->count_before)
		legend_of_changes(f);
	else
		colors_of(f->leaves[0], legend_entry, f);
	fputs("<text class=\"search\" x=\"100%\" dx=\"-70\" y=\"24\">search</text>\n"
	      "<text class=\"reset\" x=\"100%\" dx=\"-160\" y=\"24\" visibility=\"hidden\">zoom out</text>\n"
	      "<text class=\"status\" x=\"100%\" dx=\"-10\" y=\"46\" text-anchor=\"end\"></text>\n",
	      f->out);
}

static void picture(struct flame *f)
{
	unsigned int below = f->o->in_page ? EDGE : BOTTOM;
	unsigned int height = f->top + (f->depth + 1) * ROW + below;

	fprintf(f->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" height=\"%u\" data-total=\"%" PRIu64
		"\" font-family=\"monospace\" font-size=\"12\" role=\"group\" aria-label=\"flame graph\">\n"
		"<style>%s</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
		height, f->total, flamegraph_style);
	if (!f->o->in_page)
		heading(f);
	frames(f, 0, 0, 0);
	if (!f->o->in_page)
		fprintf(f->out, "<text class=\"details\" x=\"10\" y=\"%u\"></text>\n", height - 10);
	fprintf(f->out, "<script><![CDATA[%s]]></script>\n</svg>\n", flamegraph_script);
}

int flamegraph_write(FILE *out, const struct model *m, const struct model *before,
		     const struct flamegraph_options *o)
{
	struct flame f = { .out = out, .o = o, .top = o->in_page ? EDGE : TOP, .legend_x = 10 };
	int err = stacktree_make(&f.tree, m);

	if (!err) {
		f.leaves = calloc(f.tree.n, sizeof(*f.leaves));
		err = f.leaves ? 0 : -ENOMEM;
	}
	if (!err) {
		stacktree_count(&f.tree, &o->of);
		f.total = f.tree.count[0];
		find_leaves(&f);
		err = before ? compare_with(&f, before) : 0;
	}
	if (!err) {
		f.depth = depth_below(&f, 0);
		picture(&f);
	}
	free(f.count_before);
	free(f.leaves);
	stacktree_free(&f.before);
	stacktree_free(&f.tree);
	return err;
}
