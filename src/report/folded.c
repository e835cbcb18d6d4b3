// SPDX-License-Identifier: BSD-2-Clause
#include "folded.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

struct node {
	uint32_t parent, name; /* name: rank among the names, so that it sorts as they do */
};

/*
 * The stacks as a tree of names. Node 0 is the root; parents come before their children. order lists
 * the nodes by parent, then by name; child[p] .. child[p + 1] are p's children in it.
 */
struct tree {
	const struct model *m;
	char *strings;	   /* the model's, made safe for a line */
	const char **name; /* by rank */
	uint32_t *rank;	   /* by symbol id; the last one is the user mode's */
	struct node *node;
	uint32_t n;
	uint32_t *node_of; /* by stack id */
	uint32_t *order, *child;
	uint64_t *own, *below; /* samples of a node, and of it with all that is below it */

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
		t->name[rank] = r[i].name;
		t->rank[r[i].symbol] = rank;
	}
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

struct ordered {
	struct node node;
	uint32_t id;
};

static int by_parent_and_name(const void *pa, const void *pb)
{
	const struct ordered *a = pa, *b = pb;

	if (a->node.parent != b->node.parent)
		return a->node.parent < b->node.parent ? -1 : 1;
	return (a->node.name > b->node.name) - (a->node.name < b->node.name);
}

static int order_nodes(struct tree *t)
{
	struct ordered *o = calloc(t->n, sizeof(*o));
	uint32_t at = 0;

	t->order = calloc(t->n, sizeof(*t->order));
	t->child = calloc(t->n + 1u, sizeof(*t->child));
	t->own = calloc(t->n, sizeof(*t->own));
	t->below = calloc(t->n, sizeof(*t->below));
	if (!o || !t->order || !t->child || !t->own || !t->below) {
		free(o);
		return -ENOMEM;
	}
	for (uint32_t i = 1; i < t->n; i++) /* the root is nobody's child */
		o[i - 1] = (struct ordered){ .node = t->node[i], .id = i };
	qsort(o, t->n - 1, sizeof(*o), by_parent_and_name);
	for (uint32_t p = 0; p < t->n; p++) {
		t->child[p] = at;
		for (; at < t->n - 1 && o[at].node.parent == p; at++)
			t->order[at] = o[at].id;
	}
	t->child[t->n] = at;
	free(o);
	return 0;
}

static void tree_free(struct tree *t)
{
	free(t->strings);
	free(t->name);
	free(t->rank);
	free(t->node);
	free(t->node_of);
	free(t->order);
	free(t->child);
	free(t->own);
	free(t->below);
	free(t->line);
}

/* ---- counts ------------------------------------------------------------------------------ */

static void clear_counts(struct tree *t)
{
	memset(t->own, 0, t->n * sizeof(*t->own));
	memset(t->below, 0, t->n * sizeof(*t->below));
}

static void add_count(struct tree *t, uint32_t stack, uint64_t count, unsigned int drop)
{
	if (!(drop & 1u << t->m->leaf[stack]))
		t->own[t->node_of[stack]] += count;
}

static void sum_counts(struct tree *t)
{
	for (uint32_t i = t->n - 1; i > 0; i--) {
		t->below[i] += t->own[i];
		t->below[t->node[i].parent] += t->below[i];
	}
}

/* ---- lines ------------------------------------------------------------------------------- */

static int append(struct tree *t, size_t *len, const char *s)
{
	size_t n = strlen(s);
	char *line;

	if (*len + n + 1 > t->line_size) {
		line = realloc(t->line, 2 * (*len + n + 1));
		if (!line)
			return -ENOMEM;
		t->line = line;
		t->line_size = 2 * (*len + n + 1);
	}
	memcpy(t->line + *len, s, n + 1);
	*len += n;
	return 0;
}

/* Writes what is below a node; t->line holds the path to it, len bytes. As deep as stacks are. */
static int write_below(FILE *out, struct tree *t, uint32_t node, size_t len)
{
	for (uint32_t i = t->child[node]; i < t->child[node + 1] && !ferror(out); i++) {
		uint32_t child = t->order[i];
		size_t end = len;
		int err;

		if (!t->below[child])
			continue;
		if ((err = len ? append(t, &end, ";") : 0) ||
		    (err = append(t, &end, t->name[t->node[child].name])))
			return err;
		if (t->own[child])
			fprintf(out, "%.*s %" PRIu64 "\n", (int)end, t->line, t->own[child]);
		err = write_below(out, t, child, end);
		if (err)
			return err;
	}
	return 0;
}

static int write_cpus(FILE *out, struct tree *t, unsigned int drop)
{
	const struct model_cpu *c;
	int err = 0;

	model_for_each_cpu(t->m, c)
	{
		char prefix[16];
		size_t len = 0;

		if (!c->samples)
			continue;
		clear_counts(t);
		for (size_t i = 0; i < countmap_places(&c->stacks); i++)
			add_count(t, c->stacks.entry[i].id, c->stacks.entry[i].count, drop);
		sum_counts(t);
		snprintf(prefix, sizeof(prefix), "cpu%u", c->cpu);
		err = append(t, &len, prefix);
		if (!err)
			err = write_below(out, t, 0, len);
		if (err)
			break;
	}
	return err;
}

static int write_all(FILE *out, struct tree *t, unsigned int drop)
{
	for (uint32_t i = 0; i <= t->m->nstacks; i++)
		add_count(t, i, t->m->count[i], drop);
	sum_counts(t);
	return write_below(out, t, 0, 0);
}

int folded_write(FILE *out, const struct model *m, unsigned int drop, bool per_cpu)
{
	struct tree t = { .m = m };
	int err;

	if (!(err = rank_names(&t)) && !(err = make_nodes(&t)) && !(err = order_nodes(&t)))
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
