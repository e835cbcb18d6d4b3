// SPDX-License-Identifier: BSD-2-Clause
#include "folded.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "report/base/text.h"
#include "stacktree.h"

struct folded {
	FILE *out;
	struct stacktree tree;
	const char *root;
	char *line;
	size_t line_size;
	/* What a sample weighs; 0: 1, and lines are written as they are counted. */
	double weight;
	uint64_t counted; /* so far: what is rounded down in one line is in the next */
};

/* ---- lines ------------------------------------------------------------------------------- */

#define COUNT_CHARS 22 /* a blank, 20 digits, the line's end */

/* Puts separator and name after the line's first len bytes; there is room left for a count. */
static int append(struct folded *t, size_t *len, const char *name, size_t n)
{
	if (array_reserve(&t->line, &t->line_size, *len + 1 + n + COUNT_CHARS, 1))
		return -ENOMEM;
	if (*len)
		t->line[(*len)++] = ';';
	memcpy(t->line + *len, name, n);
	*len += n;
	return 0;
}

/* printf() would take longer than everything else that is done for a line. */
static void write_line(struct folded *t, size_t len, uint64_t count)
{
	char digits[20];
	size_t n = sizeof(digits);

	do
		digits[--n] = (char)('0' + count % 10);
	while (count /= 10);
	t->line[len++] = ' ';
	memcpy(t->line + len, digits + n, sizeof(digits) - n);
	len += sizeof(digits) - n;
	t->line[len++] = '\n';
	fwrite(t->line, 1, len, t->out);
}

/* So that all lines sum to what all samples weigh. */
static uint64_t weigh(struct folded *t, uint64_t samples)
{
	double before = floor((double)t->counted * t->weight);

	if (!(t->weight > 0))
		return samples;
	t->counted += samples;
	return (uint64_t)(floor((double)t->counted * t->weight) - before);
}

/* Writes what is below a node; t->line holds the path to it, len bytes. As deep as stacks are. */
static int write_below(struct folded *t, uint32_t node, size_t len)
{
	const struct stacktree *tree = &t->tree;

	for (uint32_t i = tree->node[node].child; i && !ferror(t->out); i = tree->node[i].next) {
		const struct stacktree_name *name = &tree->name[tree->node[i].name];
		size_t end = len;
		int err;

		if (!tree->count[i])
			continue;
		err = append(t, &end, name->text, name->len);
		if (err)
			return err;
		if (tree->own[i])
			write_line(t, end, weigh(t, tree->own[i]));
		err = write_below(t, i, end);
		if (err)
			return err;
	}
	return 0;
}

/* Writes what is counted in the tree, below the root and the CPU, if given. */
static int write_tree(struct folded *t, const struct model_cpu *c)
{
	size_t len = 0;
	char cpu[16];
	int err = t->root ? append(t, &len, t->root, strlen(t->root)) : 0;

	if (!err && c)
		err = append(t, &len, cpu, (size_t)snprintf(cpu, sizeof(cpu), "cpu%u", c->cpu));
	return err ? err : write_below(t, 0, len);
}

static int write_cpus(struct folded *t, unsigned int drop)
{
	const struct model_cpu *c;
	int err = 0;

	model_for_each_cpu(t->tree.m, c)
	{
		if (!c->samples)
			continue;
		stacktree_count_cpu(&t->tree, c, drop);
		err = write_tree(t, c);
		if (err)
			break;
	}
	return err;
}

static int write_all(struct folded *t, unsigned int drop)
{
	stacktree_count(&t->tree, drop);
	return write_tree(t, NULL);
}

int folded_write(FILE *out, const struct model *m, const char *root, unsigned int drop,
		 bool per_cpu, double sum)
{
	struct folded t = { .out = out, .root = root };
	int err = stacktree_make(&t.tree, m);

	if (!err && sum > 0) {
		stacktree_count(&t.tree, drop);
		/* A little more, so that floor() makes no less of the whole. */
		t.weight = (sum + 0.5) / (double)t.tree.count[0];
	}
	if (!err)
		err = per_cpu ? write_cpus(&t, drop) : write_all(&t, drop);
	stacktree_free(&t.tree);
	free(t.line);
	return err;
}

void folded_stack(FILE *out, const struct model *m, uint32_t stack)
{
	uint32_t path[TRACE_MAX_STACK], n = 0;
	char name[TRACE_MAX_STR + 1];

	if (!stack)
		fputs(STACKTREE_USER, out);
	for (; stack; stack = m->stack[stack].parent)
		path[n++] = m->stack[stack].symbol;
	while (n--) {
		snprintf(name, sizeof(name), "%s", model_string(m, m->symbol[path[n]]));
		escape_folded(name);
		fprintf(out, "%s%s", *name ? name : STACKTREE_UNKNOWN, n ? ";" : "");
	}
}
