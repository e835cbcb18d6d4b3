// SPDX-License-Identifier: BSD-2-Clause
/* Finds the category and class of a stack. */
#include "rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernel functions by their common name ------------------------------------------ */

/* A name that is not NUL-terminated. */
struct funcname {
	const char *s;
	size_t len;
};

static const char *without_arch(const char *name)
{
	static const char *const arch[] = { "__x64_",	"__ia32_", "__x32_",   "__arm64_",
					    "__s390x_", "__s390_", "__riscv_", "__powerpc_",
					    "__se_",	"__do_" };

	if (name[0] != '_' || name[1] != '_')
		return name;
	for (size_t i = 0; i < sizeof(arch) / sizeof(*arch); i++) {
		const char *rest = name + strlen(arch[i]);

		if (strncmp(name, arch[i], strlen(arch[i])))
			continue;
		if (!strncmp(rest, "compat_", 7))
			rest += 7;
		if (!strncmp(rest, "sys_", 4))
			return rest;
	}
	return name;
}

/*
 * Returns the length of a name up to its first dot. Names in C contain no dots, but compilers append suffixes that
 * begin with a dot.
 */
static size_t without_suffix(const char *name)
{
	return *name ? 1 + strcspn(name + 1, ".") : 0;
}

/*
 * Strips compiler suffixes (.isra.0, .constprop.0, .part.0, .cold, .llvm.123 …), and maps system calls of all
 * architectures (__x64_sys_NAME, __arm64_sys_NAME, __ia32_compat_sys_NAME …) to sys_NAME.
 */
static struct funcname funcname(const char *function)
{
	const char *s = without_arch(function);

	return (struct funcname){ s, without_suffix(s) };
}

/* Compares two names. The order is total; 0 means that the names are equal. */
static int funcname_compare(struct funcname a, struct funcname b)
{
	int d = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

	return d ? d : (a.len > b.len) - (a.len < b.len);
}

static bool funcname_begins(struct funcname name, struct funcname with)
{
	return name.len >= with.len && !memcmp(name.s, with.s, with.len);
}

/* ---- marks -------------------------------------------------------------------------- */

/* A category that a name marks. */
struct use {
	struct funcname caller; /* s NULL: any caller */
	bool caller_prefix;
	uint8_t category;
	uint32_t function; /* index in the rules */
};

/* The name of a function, or a prefix of names. */
struct name {
	struct funcname text;
	bool prefix;
	uint32_t first, n; /* the uses of the name; those with a caller come first */
	uint16_t up;	   /* the longest prefix that also matches the name; 0: no such prefix */
};

struct classifier {
	const struct rules *rules;
	struct use *use;
	/* from index 1 on: whole names in sorted order, followed by prefixes, the longest first */
	struct name *name;
	uint32_t nwhole, n;
};

_Static_assert(RULES_MAX_FUNCTIONS < CLASSIFY_USER && RULES_MAX_CATEGORIES <= UINT8_MAX,
	       "names and categories fit their fields");

/* ---- names ------------------------------------------------------------------------------- */

static struct funcname name_of(const struct rules_function *f)
{
	return f->prefix ? (struct funcname){ f->name, strlen(f->name) } : funcname(f->name);
}

/* Compares two functions by name. Of two functions with the same name, the more specific one comes first. */
static int compare_functions(const void *pa, const void *pb)
{
	const struct rules_function *a = *(const struct rules_function *const *)pa;
	const struct rules_function *b = *(const struct rules_function *const *)pb;
	struct funcname na = name_of(a), nb = name_of(b);
	int d;

	if (a->prefix != b->prefix)
		return a->prefix - b->prefix;
	if (a->prefix && na.len != nb.len)
		return na.len < nb.len ? 1 : -1;
	if ((d = funcname_compare(na, nb)))
		return d;
	if (!a->caller || !b->caller)
		return (b->caller != NULL) - (a->caller != NULL);
	return a->caller_prefix - b->caller_prefix;
}

static bool same_name(const struct name *n, const struct rules_function *f)
{
	return n->prefix == f->prefix && !funcname_compare(n->text, name_of(f));
}

/* Adds the names of functions. `sorted` contains the rules' functions in sorted order. */
static void add_names(struct classifier *c, const struct rules_function *const *sorted)
{
	for (uint32_t i = 0; i < c->rules->nfunctions; i++) {
		const struct rules_function *f = sorted[i];
		struct name *last = &c->name[c->n];
		struct use *u = &c->use[i];

		u->category = (uint8_t)f->category;
		u->function = (uint32_t)(f - c->rules->function);
		u->caller_prefix = f->caller_prefix;
		if (f->caller_prefix)
			u->caller = (struct funcname){ f->caller, strlen(f->caller) };
		else if (f->caller)
			u->caller = funcname(f->caller);
		if (!c->n || !same_name(last, f)) {
			last = &c->name[++c->n];
			*last = (struct name){ name_of(f), f->prefix, i, 0, 0 };
			c->nwhole += !f->prefix;
		}
		last->n++;
	}
}

/* Returns the first matching prefix from index `from` on. Prefixes are sorted by length. */
static uint16_t find_prefix(const struct classifier *c, struct funcname text, uint32_t from)
{
	for (uint32_t i = from; i <= c->n; i++) {
		const struct name *p = &c->name[i];

		if ((!p->text.len || *text.s == *p->text.s) && funcname_begins(text, p->text))
			return (uint16_t)i;
	}
	return 0;
}

struct classifier *classifier_new(const struct rules *rules)
{
	size_t n = rules->nfunctions;
	struct classifier *c = calloc(1, sizeof(*c));
	const struct rules_function **sorted = calloc(n + 1, sizeof(*sorted));

	if (c) {
		c->rules = rules;
		c->use = calloc(n + 1, sizeof(*c->use));
		c->name = calloc(n + 1, sizeof(*c->name));
	}
	if (!c || !sorted || !c->use || !c->name) {
		free(sorted);
		classifier_free(c);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = &rules->function[i];
	qsort(sorted, n, sizeof(*sorted), compare_functions);
	add_names(c, sorted);
	free(sorted);
	for (uint32_t i = 1; i <= c->n; i++)
		c->name[i].up =
			find_prefix(c, c->name[i].text, i <= c->nwhole ? c->nwhole + 1 : i + 1);
	return c;
}

void classifier_free(struct classifier *c)
{
	if (!c)
		return;
	free(c->use);
	free(c->name);
	free(c);
}

const struct rules *classifier_rules(const struct classifier *c)
{
	return c->rules;
}

uint16_t classifier_mark(const struct classifier *c, const char *function)
{
	struct funcname text = funcname(function);
	uint32_t lo = 1, hi = c->nwhole + 1;

	if (!text.len)
		return CLASSIFY_NOTHING;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int d = funcname_compare(text, c->name[mid].text);

		if (!d)
			return (uint16_t)mid;
		if (d < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return find_prefix(c, text, c->nwhole + 1);
}

/* ---- stacks ------------------------------------------------------------------------------ */

/*
 * Leaves in which a mark of another leaf has no effect. Usually, the innermost mark determines the leaf. The exceptions
 * keep samples consistent with the exact counters. A local send is never a network send, even if it passes generic code
 * of the network. A softirq keeps its leaf in any context. "Other network" gets only time that no other leaf claims:
 * for example, timers on an idle CPU belong to the idle task's time.
 */
#define SOFTIRQS (LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ))

static const unsigned int without_effect_in[LEAF_COUNT] = {
	[LEAF_SOCK_SEND] = LEAF_BIT(SOCK_LOCAL) | SOFTIRQS | LEAF_BIT(IDLE),
	[LEAF_SOCK_RECV] = LEAF_BIT(SOCK_LOCAL) | SOFTIRQS | LEAF_BIT(IDLE),
	[LEAF_SOCK_LOCAL] = SOFTIRQS | LEAF_BIT(IDLE),
	[LEAF_IO_WORKER] = ~LEAF_BIT(OTHER_KERNEL),
	[LEAF_OTHER_NETWORK] = ~LEAF_BIT(OTHER_KERNEL),
	[LEAF_OTHER_KERNEL] = ~LEAF_BIT(OTHER_NETWORK),
};

static bool is_called_by(const struct use *u, const char *caller)
{
	struct funcname text;

	if (!u->caller.s)
		return true;
	if (!caller)
		return false;
	text = funcname(caller);
	return u->caller_prefix ? funcname_begins(text, u->caller) :
				  !funcname_compare(text, u->caller);
}

/* Iterates over a mark's uses, the most specific one first. */
#define for_each_use(c, u, mark)                                                                   \
	for (uint16_t at_ = (mark); at_; at_ = (c)->name[at_].up)                                  \
		for (const struct use *u = &(c)->use[(c)->name[at_].first],                        \
				      *end_ = u + (c)->name[at_].n;                                \
		     u < end_; u++)

/* Returns true if the function marks exactly this category when `caller` calls it. */
static bool classifier_marks(const struct classifier *c, uint16_t mark, unsigned int category,
			     const char *caller)
{
	for_each_use(c, u,
		     mark) if (u->category == category && is_called_by(u, caller)) return true;
	return false;
}

/*
 * Returns the leaf after a call of a function with this mark. The most specific use of the mark that names a leaf
 * decides. If no use names a leaf, the leaf stays `outer`. Functions of user space never change the leaf.
 */
static unsigned int step_leaf(const struct classifier *c, unsigned int outer, uint16_t mark,
			      const char *caller)
{
	if (outer == LEAF_USER)
		return outer;
	for_each_use(c, u, mark)
	{
		if (u->category >= LEAF_COUNT || !is_called_by(u, caller))
			continue;
		return without_effect_in[u->category] & 1u << outer ? outer : u->category;
	}
	return outer;
}

static bool is_in_whole(const struct rules *r, unsigned int category)
{
	for (; category >= LEAF_COUNT; category = r->category[category].parent)
		if (r->category[category].whole)
			return true;
	return false;
}

/*
 * Returns the category inside the leaf. A category applies only if the stack is inside the category's parent. The
 * deepest category that applies is returned. Probes may run anywhere and are not part of a `whole` category.
 */
static unsigned int step_inside(const struct classifier *c, unsigned int outer, uint16_t mark,
				const char *caller, bool only_tracing)
{
	const struct rules *r = c->rules;
	unsigned int best = outer, depth = 0;

	for_each_use(c, u, mark)
	{
		const struct rules_category *to = &r->category[u->category];

		if (to->depth > depth && (to->tracing || !only_tracing) &&
		    rules_is_below(r, outer, to->parent) && is_called_by(u, caller)) {
			best = u->category;
			depth = to->depth;
		}
	}
	return best;
}

unsigned int classify_step(const struct classifier *c, unsigned int outer, uint16_t mark,
			   const char *caller)
{
	unsigned int was, leaf;

	if (!mark)
		return outer;
	was = c->rules->category[outer].leaf;
	leaf = step_leaf(c, was, mark, caller);
	return step_inside(c, leaf == was ? outer : leaf, mark, caller,
			   leaf == was && is_in_whole(c->rules, outer));
}

void classifier_note(const struct classifier *c, uint16_t mark, bool *function)
{
	for_each_use(c, u, mark) function[u->function] = true;
}

/* ---- classes of stacks ------------------------------------------------------------------- */

_Static_assert(
	STACK_CLASSES_MAX > RULES_MAX_CATEGORIES + OWN_KINDS * LEAF_COUNT,
	"there must be room for a class per category, and for the classes of netcost's own programs");

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

/* Returns the class that equals `wanted`. If there is no such class, it is created. */
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
	c->leaf[c->n] = (uint8_t)classifier_rules(c->classifier)->category[wanted->category].leaf;
	c->from[c->n] = (uint16_t)c->n;
	c->at[c->n++] = *wanted;
	c->slot[i] = (uint16_t)c->n;
	return c->n - 1;
}

/*
 * Adds the class of stacks below netcost's own programs that began in `class`. All such classes have the same content
 * but count their samples separately, so find() must not return them.
 */
static unsigned int add_own(struct stack_classes *c, unsigned int class, enum own_kind kind)
{
	c->at[c->n] = (struct stack_class){ .category = LEAF_OWN };
	put_in(&c->at[c->n], LEAF_OWN);
	c->from[c->n] = (uint16_t) class;
	c->leaf[c->n] = LEAF_OWN;
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
	return c->leaf[class];
}

unsigned int stack_classes_own(struct stack_classes *c, unsigned int class, enum own_kind kind)
{
	if (c->own[kind][class])
		return c->own[kind][class];
	if (c->n == STACK_CLASSES_MAX)
		return c->own[kind][stack_classes_leaf(c, class)];
	return add_own(c, class, kind);
}

/*
 * Decides the family of a stack. A function that marks the leaf but not the undecided category belongs to a protocol,
 * so the family is then decided.
 */
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
