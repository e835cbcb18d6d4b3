// SPDX-License-Identifier: BSD-2-Clause
#include "stack_class.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(STACK_CLASSES_MAX > RULES_MAX_CATEGORIES + OWN_KINDS * LEAF_COUNT,
	       "there is a class for each category, and those of own programs");

static void put_in(struct stack_class *class, unsigned int category)
{
	class->in[category / 64] |= UINT64_C(1) << category % 64;
}

bool stack_class_is_in(const struct stack_class *class, unsigned int category)
{
	return class->in[category / 64] >> category % 64 & 1;
}

static bool is_same(const struct stack_class *a, const struct stack_class *b)
{
	return a->category == b->category && !memcmp(a->in, b->in, sizeof(a->in));
}

static size_t hash(const struct stack_class *class)
{
	uint64_t h = class->category;

	for (size_t i = 0; i < STACK_CLASSES_WORDS; i++)
		h = (h ^ class->in[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(h ^ h >> 32) % STACK_CLASSES_SLOTS;
}

static enum socket_family family(const struct stack_classes *c, const struct stack_class *class)
{
	unsigned int leaf = classifier_rules(c->classifier)->category[class->category].leaf;

	if (c->undecided[leaf] && stack_class_is_in(class, c->undecided[leaf]))
		return SOCKET_UNDECIDED;
	return leaf == LEAF_SOCK_LOCAL				? SOCKET_LOCAL :
	       leaf == LEAF_SOCK_SEND || leaf == LEAF_SOCK_RECV ? SOCKET_NETWORK :
								  SOCKET_NONE;
}

/* The class like that one, made when there is none. */
static unsigned int find(struct stack_classes *c, const struct stack_class *wanted)
{
	size_t i = hash(wanted);

	for (; c->slot[i]; i = (i + 1) % STACK_CLASSES_SLOTS)
		if (is_same(&c->at[c->slot[i] - 1], wanted))
			return c->slot[i] - 1;
	if (c->n == STACK_CLASSES_MAX) {
		c->full = true;
		return wanted->category;
	}
	c->family[c->n] = (uint8_t)family(c, wanted);
	c->from[c->n] = (uint16_t)c->n;
	c->at[c->n++] = *wanted;
	c->slot[i] = (uint16_t)c->n;
	return c->n - 1;
}

/* They are alike, but count samples apart: find() must not see them. */
static unsigned int add_own(struct stack_classes *c, unsigned int class, enum own_kind kind)
{
	c->at[c->n] = (struct stack_class){ .category = LEAF_OWN };
	put_in(&c->at[c->n], LEAF_OWN);
	c->from[c->n] = (uint16_t) class;
	c->own_kind[c->n] = (uint8_t)kind;
	c->own[kind][class] = (uint16_t)c->n;
	return c->n++;
}

struct stack_classes *stack_classes_new(const struct classifier *classifier)
{
	const struct rules *r = classifier_rules(classifier);
	struct stack_classes *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->classifier = classifier;
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (r->category[i].undecided) {
			c->undecided[r->category[i].leaf] = i;
			c->any_undecided = true;
		}
	for (unsigned int i = 0; i < r->ncategories; i++) {
		struct stack_class class = { .category = i };

		for (unsigned int up = i; up >= LEAF_COUNT; up = r->category[up].parent)
			put_in(&class, up);
		put_in(&class, r->category[i].leaf);
		find(c, &class);
	}
	for (unsigned int i = 0; i < LEAF_COUNT; i++)
		for (unsigned int k = 0; k < OWN_KINDS; k++)
			add_own(c, i, k);
	return c;
}

unsigned int stack_classes_leaf(const struct stack_classes *c, unsigned int class)
{
	return classifier_rules(c->classifier)->category[c->at[class].category].leaf;
}

unsigned int stack_classes_own(struct stack_classes *c, unsigned int class, enum own_kind kind)
{
	if (c->own[kind][class])
		return c->own[kind][class];
	if (c->n == STACK_CLASSES_MAX)
		return c->own[kind][stack_classes_leaf(c, class)];
	return add_own(c, class, kind);
}

/* A function that marks the leaf, and is not in the undecided category, is a protocol's: so it is decided. */
static unsigned int decide(const struct stack_classes *c, unsigned int outer, uint16_t mark,
			   const char *caller)
{
	unsigned int leaf = classifier_rules(c->classifier)->category[c->at[outer].category].leaf;

	if (c->family[outer] == SOCKET_UNDECIDED &&
	    classifier_marks(c->classifier, mark, leaf, caller) &&
	    !classifier_marks(c->classifier, mark, c->undecided[leaf], caller))
		return leaf;
	return outer;
}

unsigned int stack_classes_step(struct stack_classes *c, unsigned int outer, uint16_t mark,
				const char *caller)
{
	const struct rules *r = classifier_rules(c->classifier);
	unsigned int was = c->at[outer = decide(c, outer, mark, caller)].category;
	unsigned int is = classify_step(c->classifier, was, mark, caller);
	struct stack_class class;

	if (is == was)
		return outer;
	class = c->at[r->category[is].leaf == r->category[was].leaf ? outer : r->category[is].leaf];
	class.category = is;
	put_in(&class, is);
	return find(c, &class);
}
