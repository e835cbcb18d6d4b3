// SPDX-License-Identifier: BSD-2-Clause
#include "classes.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(CLASSES_MAX > RULES_MAX_CATEGORIES, "there is a class for each category");

static void put_in(struct class *class, unsigned int category)
{
	class->in[category / 64] |= UINT64_C(1) << category % 64;
}

bool class_is_in(const struct class *class, unsigned int category)
{
	return class->in[category / 64] >> category % 64 & 1;
}

static bool is_same(const struct class *a, const struct class *b)
{
	return a->category == b->category && !memcmp(a->in, b->in, sizeof(a->in));
}

static size_t hash(const struct class *class)
{
	uint64_t h = class->category;

	for (size_t i = 0; i < CLASSES_WORDS; i++)
		h = (h ^ class->in[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(h ^ h >> 32) % CLASSES_SLOTS;
}

static enum class_family family(const struct classes *c, const struct class *class)
{
	unsigned int leaf = classifier_rules(c->classifier)->category[class->category].leaf;

	if (c->undecided[leaf] && class_is_in(class, c->undecided[leaf]))
		return CLASS_UNDECIDED;
	return leaf == LEAF_SOCK_LOCAL				? CLASS_LOCAL :
	       leaf == LEAF_SOCK_SEND || leaf == LEAF_SOCK_RECV ? CLASS_NETWORK :
								  CLASS_NO_SOCKET;
}

/* The class like that one, made when there is none. */
static unsigned int find(struct classes *c, const struct class *wanted)
{
	size_t i = hash(wanted);

	for (; c->slot[i]; i = (i + 1) % CLASSES_SLOTS)
		if (is_same(&c->at[c->slot[i] - 1], wanted))
			return c->slot[i] - 1;
	if (c->n == CLASSES_MAX) {
		c->full = true;
		return wanted->category;
	}
	c->family[c->n] = (uint8_t)family(c, wanted);
	c->at[c->n++] = *wanted;
	c->slot[i] = (uint16_t)c->n;
	return c->n - 1;
}

struct classes *classes_new(const struct classifier *classifier)
{
	const struct rules *r = classifier_rules(classifier);
	struct classes *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->classifier = classifier;
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (r->category[i].undecided) {
			c->undecided[r->category[i].leaf] = i;
			c->any_undecided = true;
		}
	for (unsigned int i = 0; i < r->ncategories; i++) {
		struct class class = { .category = i };

		for (unsigned int up = i; up >= LEAF_COUNT; up = r->category[up].parent)
			put_in(&class, up);
		put_in(&class, r->category[i].leaf);
		find(c, &class);
	}
	return c;
}

/* A function that marks the leaf, and is not one of the undecided, is a protocol's: now it is known. */
static unsigned int decide(const struct classes *c, unsigned int outer, uint16_t mark,
			   const char *caller)
{
	unsigned int leaf = classifier_rules(c->classifier)->category[c->at[outer].category].leaf;

	if (c->family[outer] == CLASS_UNDECIDED &&
	    classifier_marks(c->classifier, mark, leaf, caller) &&
	    !classifier_marks(c->classifier, mark, c->undecided[leaf], caller))
		return leaf;
	return outer;
}

unsigned int classes_step(struct classes *c, unsigned int outer, uint16_t mark, const char *caller)
{
	const struct rules *r = classifier_rules(c->classifier);
	unsigned int was = c->at[outer = decide(c, outer, mark, caller)].category;
	unsigned int is = classify_step(c->classifier, was, mark, caller);
	struct class class;

	if (is == was)
		return outer;
	class = c->at[r->category[is].leaf == r->category[was].leaf ? outer : r->category[is].leaf];
	class.category = is;
	put_in(&class, is);
	return find(c, &class);
}
