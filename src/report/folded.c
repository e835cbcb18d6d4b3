// SPDX-License-Identifier: BSD-2-Clause
#include "folded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

struct name {
	const char *text;
	size_t len;
};

/* Node 0 is the root, and as a child or sibling: none. */
struct node {
	uint32_t parent, name; /* name: rank among the names, so that it sorts as they do */
	uint32_t child, next;  /* the first child by name; the next sibling */
};

/* The stacks as a tree of names. Parents come before their children. */
struct tree {
	const struct model *m;
	const char *root;
	char *strings;	   /* the model's, made safe for a line */
	struct name *name; /* by rank */
	uint32_t nnames;
	uint32_t *rank; /* by symbol id; the last one is the user mode's */
	struct node *node;
	uint32_t n;
	uint32_t *node_of; /* by stack id */
	uint64_t *own;	   /* samples of a node */
	bool *live;	   /* it has some, or what is below it has */

	char *line;
	size_t line_size;
};

/* ---- names ------------------------------------------------------------------------------- */

struct ranked {
	const char *name;
	uint32_t symbol;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct ranked *)a)->name, ((const struct ranked *)b)->name);
}

static int rank_names(struct tree *t)
{
	size_t n = t->m->nsymbols + 2u; /* 0 .. nsymbols, and user mode */
	struct ranked *r = calloc(n, sizeof(*r));
	uint32_t rank = 0;

	t->strings = malloc(t->m->strings_len);
	t->name = calloc(n, sizeof(*t->name));
	t->rank = calloc(n, sizeof(*t->rank));
	if (!r || !t->strings || !t->name || !t->rank) {
		free(r);
		return -ENOMEM;
	}
	memcpy(t->strings, t->m->strings, t->m->strings_len);
	for (uint32_t i = 0; i < n; i++) {
		char *name = i + 1 < n ? t->strings + t->m->symbol[i] : FOLDED_USER;

		if (i + 1 < n)
			escape_folded(name);
		r[i] = (struct ranked){ .name = *name ? name : FOLDED_UNKNOWN, .symbol = i };
	}
	qsort(r, n, sizeof(*r), by_name);
	for (size_t i = 0; i < n; i++) {
		rank += i > 0 && strcmp(r[i].name, r[i - 1].name) != 0;
		t->name[rank] = (struct name){ r[i].name, strlen(r[i].name) };
		t->rank[r[i].symbol] = rank;
	}
	t->nnames = rank + 1;
	free(r);
	return 0;
}

/* ---- tree -------------------------------------------------------------------------------- */

static size_t hash(uint32_t parent, uint32_t name, size_t mask)
{
	uint64_t h = ((uint64_t)parent << 32 | name) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h ^ h >> 32) & mask;
}

/* The child of that name, made when there is none. places: node ids, 0: free. */
static uint32_t find_child(struct tree *t, uint32_t *places, size_t mask, uint32_t parent,
			   uint32_t name)
{
	size_t i = hash(parent, name, mask);

	for (; places[i]; i = (i + 1) & mask) {
		const struct node *node = &t->node[places[i]];

		if (node->parent == parent && node->name == name)
			return places[i];
	}
	places[i] = t->n;
	t->node[t->n] = (struct node){ .parent = parent, .name = name };
	return t->n++;
}

static int make_nodes(struct tree *t)
{
	const struct model *m = t->m;
	size_t places_n = 64;
	uint32_t *places;

	while (places_n < 2 * (m->nstacks + (size_t)2))
		places_n *= 2;
	places = calloc(places_n, sizeof(*places));
	t->node = calloc(m->nstacks + 2u, sizeof(*t->node));
	t->node_of = calloc(m->nstacks + 1u, sizeof(*t->node_of));
	if (!places || !t->node || !t->node_of) {
		free(places);
		return -ENOMEM;
	}
	t->n = 1;
	t->node_of[0] = find_child(t, places, places_n - 1, 0, t->rank[m->nsymbols + 1]);
	for (uint32_t i = 1; i <= m->nstacks; i++) {
		const struct model_stack *s = &m->stack[i];
		uint32_t parent = s->parent ? t->node_of[s->parent] : 0;

		t->node_of[i] = find_child(t, places, places_n - 1, parent, t->rank[s->symbol]);
	}
	free(places);
	return 0;
}

/* Nodes in falling order of name, each to the front of its siblings: sorted, without a comparison. */
static int link_nodes(struct tree *t)
{
	uint32_t *first = calloc(t->nnames, sizeof(*first)); /* the nodes of a name, in a list */
	uint32_t *same = calloc(t->n, sizeof(*same));

	t->own = calloc(t->n, sizeof(*t->own));
	t->live = calloc(t->n, sizeof(*t->live));
	if (!first || !same || !t->own || !t->live) {
		free(first);
		free(same);
		return -ENOMEM;
	}
	for (uint32_t i = 1; i < t->n; i++) { /* the root is nobody's child */
		same[i] = first[t->node[i].name];
		first[t->node[i].name] = i;
	}
	for (uint32_t name = t->nnames; name-- > 0;)
		for (uint32_t i = first[name]; i; i = same[i]) {
			struct node *parent = &t->node[t->node[i].parent];

			t->node[i].next = parent->child;
			parent->child = i;
		}
	free(first);
	free(same);
	return 0;
}

static void tree_free(struct tree *t)
{
	free(t->strings);
	free(t->name);
	free(t->rank);
	free(t->node);
	free(t->node_of);
	free(t->own);
	free(t->live);
	free(t->line);
}

/* ---- counts ------------------------------------------------------------------------------ */

static void clear_counts(struct tree *t)
{
	memset(t->own, 0, t->n * sizeof(*t->own));
	memset(t->live, 0, t->n * sizeof(*t->live));
}

static void add_count(struct tree *t, uint32_t stack, uint64_t count, unsigned int drop)
{
	if (!drop || !(drop & 1u << model_leaf(t->m, t->m->class[stack])))
		t->own[t->node_of[stack]] += count;
}

static void find_live(struct tree *t)
{
	for (uint32_t i = t->n - 1; i > 0; i--)
		if (t->own[i] || t->live[i])
			t->live[i] = t->live[t->node[i].parent] = true;
}

/* ---- lines ------------------------------------------------------------------------------- */

#define COUNT_CHARS 22 /* a blank, 20 digits, the line's end */

/* Puts separator and name behind the line's first len bytes; there stays room for a count. */
static int append(struct tree *t, size_t *len, const char *name, size_t n)
{
	size_t need = *len + 1 + n + COUNT_CHARS;
	char *line;

	if (need > t->line_size) {
		line = realloc(t->line, 2 * need);
		if (!line)
			return -ENOMEM;
		t->line = line;
		t->line_size = 2 * need;
	}
	if (*len)
		t->line[(*len)++] = ';';
	memcpy(t->line + *len, name, n);
	*len += n;
	return 0;
}

/* printf() takes longer than all else that is done for a line. */
static void write_line(FILE *out, struct tree *t, size_t len, uint64_t count)
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
	fwrite(t->line, 1, len, out);
}

/* Writes what is below a node; t->line holds the path to it, len bytes. As deep as stacks are. */
static int write_below(FILE *out, struct tree *t, uint32_t node, size_t len)
{
	for (uint32_t i = t->node[node].child; i && !ferror(out); i = t->node[i].next) {
		const struct name *name = &t->name[t->node[i].name];
		size_t end = len;
		int err;

		if (!t->live[i])
			continue;
		err = append(t, &end, name->text, name->len);
		if (err)
			return err;
		if (t->own[i])
			write_line(out, t, end, t->own[i]);
		err = write_below(out, t, i, end);
		if (err)
			return err;
	}
	return 0;
}

static int append_root(struct tree *t, size_t *len)
{
	return t->root ? append(t, len, t->root, strlen(t->root)) : 0;
}

static int write_cpus(FILE *out, struct tree *t, unsigned int drop)
{
	const struct model_cpu *c;
	int err = 0;

	model_for_each_cpu(t->m, c)
	{
		char cpu[16];
		size_t len = 0;

		if (!c->samples)
			continue;
		clear_counts(t);
		for (size_t i = 0; i < countmap_places(&c->stacks); i++)
			add_count(t, c->stacks.entry[i].id, c->stacks.entry[i].count, drop);
		find_live(t);
		err = append_root(t, &len);
		if (!err)
			err = append(t, &len, cpu,
				     (size_t)snprintf(cpu, sizeof(cpu), "cpu%u", c->cpu));
		if (!err)
			err = write_below(out, t, 0, len);
		if (err)
			break;
	}
	return err;
}

static int write_all(FILE *out, struct tree *t, unsigned int drop)
{
	size_t len = 0;
	int err = append_root(t, &len);

	if (err)
		return err;
	for (uint32_t i = 0; i <= t->m->nstacks; i++)
		add_count(t, i, t->m->count[i], drop);
	find_live(t);
	return write_below(out, t, 0, len);
}

int folded_write(FILE *out, const struct model *m, const char *root, unsigned int drop,
		 bool per_cpu)
{
	struct tree t = { .m = m, .root = root };
	int err;

	if (!(err = rank_names(&t)) && !(err = make_nodes(&t)) && !(err = link_nodes(&t)))
		err = per_cpu ? write_cpus(out, &t, drop) : write_all(out, &t, drop);
	tree_free(&t);
	return err;
}

void folded_stack(FILE *out, const struct model *m, uint32_t stack)
{
	uint32_t path[TRACE_MAX_STACK], n = 0;
	char name[TRACE_MAX_STR + 1];

	if (!stack)
		fputs(FOLDED_USER, out);
	for (; stack; stack = m->stack[stack].parent)
		path[n++] = m->stack[stack].symbol;
	while (n--) {
		snprintf(name, sizeof(name), "%s", model_string(m, m->symbol[path[n]]));
		escape_folded(name);
		fprintf(out, "%s%s", *name ? name : FOLDED_UNKNOWN, n ? ";" : "");
	}
}
