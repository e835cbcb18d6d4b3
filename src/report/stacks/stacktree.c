// SPDX-License-Identifier: BSD-2-Clause
#include "stacktree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
	size_t n =
		t->m->nsymbols + 3u; /* 0 .. nsymbols, user mode, and what is the recorder's own */
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
		char *name = i + 1 == n ? STACKTREE_OWN : STACKTREE_USER;

		if (i <= t->m->nsymbols) {
			name = t->strings + t->m->symbol[i];
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

/* The child of that name, made when there is none; 0: no memory. The root is nobody's child. */
static uint32_t find_child(struct stacktree *t, struct idmap *children, uint32_t parent,
			   uint32_t name)
{
	uint64_t key = (uint64_t)parent << 32 | name;
	uint32_t id = idmap_get(children, key);

	if (id)
		return id;
	if (idmap_set(children, key, t->n))
		return 0;
	t->node[t->n] = (struct stacktree_node){ .parent = parent, .name = name };
	return t->n++;
}

static bool is_own(const struct model *m, uint32_t stack)
{
	return m->classes && model_leaf(m, m->class[stack]) == LEAF_OWN;
}

static int make_nodes(struct stacktree *t)
{
	const struct model *m = t->m;
	uint32_t own = 0;
	struct idmap children = { 0 };
	bool ok;

	t->node = calloc(m->nstacks + 3u, sizeof(*t->node));
	t->node_of = calloc(m->nstacks + 1u, sizeof(*t->node_of));
	if (!t->node || !t->node_of)
		return -ENOMEM;
	t->n = 1;
	t->node_of[0] = find_child(t, &children, 0, t->rank[m->nsymbols + 1]);
	ok = t->node_of[0];
	for (uint32_t i = 1; i <= m->nstacks && ok; i++) {
		const struct model_stack *s = &m->stack[i];
		uint32_t parent = s->parent ? t->node_of[s->parent] : 0;

		if (is_own(m, i) && !is_own(m, s->parent)) {
			if (!own)
				own = find_child(t, &children, 0, t->rank[m->nsymbols + 2]);
			ok = own;
			parent = own;
		}
		if (!ok)
			break;
		t->node_of[i] = find_child(t, &children, parent, t->rank[s->symbol]);
		ok = t->node_of[i];
	}
	idmap_free(&children);
	return ok ? 0 : -ENOMEM;
}

/* Puts nodes, in falling order of name, to the front of their siblings: so these are sorted without comparisons. */
static int link_nodes(struct stacktree *t)
{
	uint32_t *first = calloc(t->nnames, sizeof(*first)); /* the nodes of a name, in a list */
	uint32_t *same = calloc(t->n, sizeof(*same));

	t->own = calloc(t->n, sizeof(*t->own));
	t->count = calloc(t->n, sizeof(*t->count));
	if (!first || !same || !t->own || !t->count) {
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

static void add_count(struct stacktree *t, uint32_t stack, uint64_t count, unsigned int drop)
{
	if (!drop || !(drop & 1u << model_leaf(t->m, t->m->class[stack])))
		t->own[t->node_of[stack]] += count;
}

/* Parents come before their children: so backwards each node is complete before it is added. */
static void sum_up(struct stacktree *t)
{
	memcpy(t->count, t->own, t->n * sizeof(*t->count));
	for (uint32_t i = t->n - 1; i > 0; i--)
		t->count[t->node[i].parent] += t->count[i];
}

void stacktree_count(struct stacktree *t, unsigned int drop)
{
	memset(t->own, 0, t->n * sizeof(*t->own));
	for (uint32_t i = 0; i <= t->m->nstacks; i++)
		add_count(t, i, t->m->count[i], drop);
	sum_up(t);
}

void stacktree_count_cpu(struct stacktree *t, const struct model_cpu *c, unsigned int drop)
{
	memset(t->own, 0, t->n * sizeof(*t->own));
	for (size_t i = 0; i < countmap_places(&c->stacks); i++)
		add_count(t, c->stacks.entry[i].id, c->stacks.entry[i].count, drop);
	sum_up(t);
}
