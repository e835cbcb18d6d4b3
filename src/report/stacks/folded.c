// SPDX-License-Identifier: BSD-2-Clause
/* Converts stacks to a tree of names, and to lines of text. */
#include "stacks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/idmap.h>

#include "report/base/text.h"

/* ---- names ------------------------------------------------------------------------------- */

struct ranked {
	const char *name;
	uint32_t symbol;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct ranked *)a)->name, ((const struct ranked *)b)->name);
}

static int rank_names(struct stacktree *t)
{
	const struct model *m = t->m;
	/* symbols 0 .. nsymbols, user mode, the recorder's own programs, and tasks from id 1 on */
	size_t n = m->nsymbols + 3u + (m->npairs ? m->ntasks : 0);
	struct ranked *r = calloc(n, sizeof(*r));
	uint32_t rank = 0;

	t->strings = malloc(m->strings_len);
	t->name = calloc(n, sizeof(*t->name));
	t->rank = calloc(n, sizeof(*t->rank));
	if (!r || !t->strings || !t->name || !t->rank) {
		free(r);
		return -ENOMEM;
	}
	memcpy(t->strings, m->strings, m->strings_len);
	for (uint32_t i = 0; i < n; i++) {
		char *name = i == m->nsymbols + 2 ? STACKTREE_OWN : STACKTREE_USER;

		if (i <= m->nsymbols || i > m->nsymbols + 2) {
			name = t->strings + (i <= m->nsymbols ? m->symbol[i] :
								m->task[i - m->nsymbols - 2].comm);
			escape_folded(name);
		}
		r[i] = (struct ranked){ .name = *name ? name : STACKTREE_UNKNOWN, .symbol = i };
	}
	qsort(r, n, sizeof(*r), by_name);
	for (size_t i = 0; i < n; i++) {
		rank += i > 0 && strcmp(r[i].name, r[i - 1].name) != 0;
		t->name[rank] = (struct stacktree_name){ r[i].name, strlen(r[i].name) };
		t->rank[r[i].symbol] = rank;
	}
	t->nnames = rank + 1;
	free(r);
	return 0;
}

/* ---- tree -------------------------------------------------------------------------------- */

/*
 * Returns the child with this name. If there is no such child, it is created. Returns 0 if out of memory. (0 is the
 * root, which is never a child.)
 */
static uint32_t find_child(struct stacktree *t, struct idmap *children, uint32_t parent,
			   uint32_t name)
{
	uint64_t key = (uint64_t)parent << 32 | name;
	uint32_t id = idmap_get(children, key);

	if (id)
		return id;
	if (array_reserve(&t->node, &t->size, t->n + (size_t)1, sizeof(*t->node)) ||
	    idmap_set(children, key, t->n))
		return 0;
	t->node[t->n] = (struct stacktree_node){ .parent = parent, .name = name };
	return t->n++;
}

static bool is_own(const struct model *m, uint32_t stack)
{
	return m->classes && model_leaf(m, m->class[stack]) == LEAF_OWN;
}

/* Returns the node of a stack below another node, or 0 if out of memory. The recursion is as deep as the stacks. */
static uint32_t node_below(struct stacktree *t, struct idmap *children, uint32_t top,
			   uint32_t stack)
{
	const struct model *m = t->m;
	const struct model_stack *s = &m->stack[stack];
	uint32_t parent = top;

	if (t->node_of[stack] && t->top[stack] == top)
		return t->node_of[stack];
	if (is_own(m, stack) && !is_own(m, s->parent)) {
		if (!t->own_node)
			t->own_node = find_child(t, children, 0, t->rank[m->nsymbols + 2]);
		parent = t->own_node;
		if (!parent)
			return 0;
	} else if (s->parent) {
		parent = node_below(t, children, top, s->parent);
		if (!parent)
			return 0;
	}
	t->top[stack] = top;
	t->node_of[stack] =
		find_child(t, children, parent, t->rank[stack ? s->symbol : m->nsymbols + 1]);
	return t->node_of[stack];
}

static int make_nodes(struct stacktree *t)
{
	const struct model *m = t->m;
	struct stacktree_entry *e;
	struct idmap children = { 0 };
	bool ok = true;

	t->nentries = m->nstacks + (size_t)1 + m->npairs;
	t->entry = calloc(t->nentries, sizeof(*t->entry));
	t->node_of = calloc(m->nstacks + 1u, sizeof(*t->node_of));
	t->top = calloc(m->nstacks + 1u, sizeof(*t->top));
	if (!t->entry || !t->node_of || !t->top ||
	    array_reserve(&t->node, &t->size, 1, sizeof(*t->node)))
		return -ENOMEM;
	t->node[0] = (struct stacktree_node){ 0 };
	t->n = 1;
	for (uint32_t i = 0; i <= m->nstacks; i++)
		t->entry[i] = (struct stacktree_entry){ i, 0, m->count[i] };
	for (uint32_t i = 0; i < m->npairs; i++) {
		const struct model_pair *p = &m->pair[i];

		e = &t->entry[m->nstacks + 1 + i];
		*e = (struct stacktree_entry){ p->stack, 0, p->count };
		t->entry[p->stack].count -= p->count;
		if (p->task)
			e->node = find_child(t, &children, 0, t->rank[m->nsymbols + 2 + p->task]);
	}
	for (e = t->entry; ok && e < t->entry + t->nentries; e++)
		if (e->count || !m->npairs)
			ok = (e->node = node_below(t, &children, e->node, e->stack));
	idmap_free(&children);
	return ok ? 0 : -ENOMEM;
}

/*
 * Links the nodes. Nodes are inserted at the front of their siblings, in descending order of names. This sorts siblings
 * without comparisons.
 */
static int link_nodes(struct stacktree *t)
{
	/* for each name, the list of nodes with this name */
	uint32_t *first = calloc(t->nnames, sizeof(*first));
	uint32_t *same = calloc(t->n, sizeof(*same));

	t->own = calloc(t->n, sizeof(*t->own));
	t->count = calloc(t->n, sizeof(*t->count));
	if (!first || !same || !t->own || !t->count) {
		free(first);
		free(same);
		return -ENOMEM;
	}
	for (uint32_t i = 1; i < t->n; i++) { /* start at 1, because the root is not a child */
		same[i] = first[t->node[i].name];
		first[t->node[i].name] = i;
	}
	for (uint32_t name = t->nnames; name-- > 0;)
		for (uint32_t i = first[name]; i; i = same[i]) {
			struct stacktree_node *parent = &t->node[t->node[i].parent];

			t->node[i].next = parent->child;
			parent->child = i;
		}
	free(first);
	free(same);
	return 0;
}

void stacktree_free(struct stacktree *t)
{
	free(t->strings);
	free(t->name);
	free(t->rank);
	free(t->node);
	free(t->node_of);
	free(t->top);
	free(t->entry);
	free(t->own);
	free(t->count);
	*t = (struct stacktree){ 0 };
}

int stacktree_make(struct stacktree *t, const struct model *m)
{
	int err;

	*t = (struct stacktree){ .m = m };
	if (!(err = rank_names(t)) && !(err = make_nodes(t)))
		err = link_nodes(t);
	return err;
}

/* ---- counts ------------------------------------------------------------------------------ */

static void add_count(struct stacktree *t, uint32_t stack, uint32_t node, uint64_t count,
		      const struct model_choice *of)
{
	if (count && model_is_chosen(t->m, stack, of))
		t->own[node] += count;
}

/*
 * Sums up the counts of nodes. Parents come before their children, so in backward order each node is complete before it
 * is added to its parent.
 */
static void sum_up(struct stacktree *t)
{
	memcpy(t->count, t->own, t->n * sizeof(*t->count));
	for (uint32_t i = t->n - 1; i > 0; i--)
		t->count[t->node[i].parent] += t->count[i];
}

void stacktree_count(struct stacktree *t, const struct model_choice *of)
{
	memset(t->own, 0, t->n * sizeof(*t->own));
	for (const struct stacktree_entry *e = t->entry; e < t->entry + t->nentries; e++)
		add_count(t, e->stack, e->node, e->count, of);
	sum_up(t);
}

static void stacktree_count_cpu(struct stacktree *t, const struct model_cpu *c,
				const struct model_choice *of)
{
	memset(t->own, 0, t->n * sizeof(*t->own));
	for (size_t i = 0; i < countmap_places(&c->stacks); i++) {
		const struct countmap_entry *e = &c->stacks.entry[i];

		add_count(t, e->id, t->node_of[e->id], e->count, of);
	}
	sum_up(t);
}

struct folded {
	FILE *out;
	struct stacktree tree;
	const char *root;
	char *line;
	size_t line_size;
	/* Weight of a sample. 0: counts are written without a weight. */
	double weight;
	/* number of samples so far; the fraction that is rounded down in one line is added to the next line */
	uint64_t counted;
};

/* ---- lines ------------------------------------------------------------------------------- */

#define COUNT_CHARS 22 /* a blank, 20 digits, and the end of the line */

/* Writes a separator and a name after the first *len bytes of the line, and leaves room for a count. */
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

/* Writes a line. printf() would take longer than all other work for a line. */
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

/* Returns the weight of a line's samples, rounded so that all lines sum to the weight of all samples. */
static uint64_t weigh(struct folded *t, uint64_t samples)
{
	double before = floor((double)t->counted * t->weight);

	if (!(t->weight > 0))
		return samples;
	t->counted += samples;
	return (uint64_t)(floor((double)t->counted * t->weight) - before);
}

/*
 * Writes the lines of everything below a node. The first `len` bytes of t->line contain the path to the node. The
 * recursion is as deep as the stacks.
 */
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

/* Writes the counts of the tree. Each line begins with the root and the CPU, if these are given. */
static int write_tree(struct folded *t, const struct model_cpu *c)
{
	size_t len = 0;
	char cpu[16];
	int err = t->root ? append(t, &len, t->root, strlen(t->root)) : 0;

	if (!err && c)
		err = append(t, &len, cpu, (size_t)snprintf(cpu, sizeof(cpu), "cpu%u", c->cpu));
	return err ? err : write_below(t, 0, len);
}

static int write_cpus(struct folded *t, const struct model_choice *of)
{
	const struct model_cpu *c;
	int err = 0;

	model_for_each_cpu(t->tree.m, c)
	{
		if (!c->samples)
			continue;
		stacktree_count_cpu(&t->tree, c, of);
		err = write_tree(t, c);
		if (err)
			break;
	}
	return err;
}

static int write_all(struct folded *t, const struct model_choice *of)
{
	stacktree_count(&t->tree, of);
	return write_tree(t, NULL);
}

int folded_write(FILE *out, const struct model *m, const char *root, const struct model_choice *of,
		 bool per_cpu, double sum)
{
	struct folded t = { .out = out, .root = root };
	int err = stacktree_make(&t.tree, m);

	if (!err && sum > 0) {
		stacktree_count(&t.tree, of);
		/* The added 0.5 ensures that floor() does not make the total smaller than `sum`. */
		t.weight = (sum + 0.5) / (double)t.tree.count[0];
	}
	if (!err)
		err = per_cpu ? write_cpus(&t, of) : write_all(&t, of);
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
