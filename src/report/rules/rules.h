/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rules.h: a parsed rules file: the categories of stacks, and the functions that mark the categories.
 * examples/rules/README.md describes the syntax. examples/rules/default.rules is compiled in.
 *
 * The file may be hostile, so every length and number is limited, and errors are reported.
 */
#ifndef NETCOST_REPORT_RULES_H
#define NETCOST_REPORT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/events.h>

/*
 * The leaves that a CPU's time is split into.
 *
 *	ENUM		key		title			column		exact event, -1: none
 */
#define LEAVES(X)                                                                                  \
	X(IDLE, "idle", "idle", "idle", NETCOST_EV_IDLE)                                           \
	X(USER, "user", "user", "user", -1)                                                        \
	X(SOCK_SEND, "sock_send", "socket send", "send", NETCOST_EV_SOCK_SEND)                     \
	X(SOCK_RECV, "sock_recv", "socket receive", "recv", NETCOST_EV_SOCK_RECV)                  \
	X(RX_SOFTIRQ, "rx_softirq", "RX softirq", "RX", NETCOST_EV_RX_SOFTIRQ)                     \
	X(TX_SOFTIRQ, "tx_softirq", "TX softirq", "TX", NETCOST_EV_TX_SOFTIRQ)                     \
	X(HARDIRQ_NET, "hardirq_net", "hard interrupts: network devices", "irq",                   \
	  NETCOST_EV_HARDIRQ_NET)                                                                  \
	X(OTHER_NETWORK, "other_network", "other network", "othnet", -1)                           \
	X(SOCK_LOCAL, "sock_local", "local sockets", "local", NETCOST_EV_SOCK_LOCAL)               \
	X(IO_WORKER, "io_worker", "io_uring workers", "iowrk", NETCOST_EV_IO_WORKER)               \
	X(OTHER_KERNEL, "other_kernel", "other", "other", -1)                                      \
	/* Used if no samples distinguish user mode from the kernel. */                            \
	X(TASK, "user_and_other_kernel", "user + other kernel", "task", NETCOST_EV_TASK)           \
	/* The recorder's own cost, if it is known. Otherwise, it is part of the other leaves. */  \
	X(OWN, "netcost_itself", "netcost itself", "own", -1)

enum leaf {
#define X(name, key, title, column, event) LEAF_##name,
	LEAVES(X)
#undef X
		LEAF_COUNT
};

/* A set of leaves. */
#define LEAF_BIT(name) (1u << LEAF_##name)
#define LEAF_NETWORK                                                                               \
	(LEAF_BIT(SOCK_SEND) | LEAF_BIT(SOCK_RECV) | LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ) | \
	 LEAF_BIT(HARDIRQ_NET) | LEAF_BIT(OTHER_NETWORK))
#define LEAF_KERNEL                                                                                \
	(LEAF_NETWORK | LEAF_BIT(SOCK_LOCAL) | LEAF_BIT(IO_WORKER) | LEAF_BIT(OTHER_KERNEL))
#define LEAF_BUSY (LEAF_KERNEL | LEAF_BIT(USER) | LEAF_BIT(TASK))
#define LEAF_ALL (LEAF_BUSY | LEAF_BIT(IDLE) | LEAF_BIT(OWN))
/*
 * Leaves that samples cannot identify. TASK exists only without samples. HARDIRQ_NET is not sampled, because the
 * sampler's timer waits until the handlers of hard interrupts have run. A timer that does not wait finds the handlers
 * in the stack of the interrupted code. The time of hard interrupts is shown if it was measured; otherwise, it is part
 * of other leaves. OWN can be in any leaf.
 */
#define LEAF_NOT_SAMPLED (LEAF_BIT(TASK) | LEAF_BIT(HARDIRQ_NET) | LEAF_BIT(OWN))

/* Returns true if samples can identify a leaf. Also accepts the numbers of items that follow the leaves. */
static inline bool leaf_is_sampled(unsigned int leaf)
{
	return leaf >= LEAF_COUNT || !(LEAF_NOT_SAMPLED >> leaf & 1);
}

struct leaf_desc {
	const char *key, *title, *column;
	int event; /* enum netcost_event, or -1 */
};

extern const struct leaf_desc leaf_desc[LEAF_COUNT];

/* A node of the tree of leaves and their parents, in display order. */
struct leaf_node {
	const char *key, *title;
	unsigned int depth, leaves; /* leaves: a set, which has one bit if the node is a leaf */
	const char *brief;	    /* a short title; NULL: use `title` */
};

#define LEAF_NODES 16
extern const struct leaf_node leaf_node[LEAF_NODES];

/* ---- rules -------------------------------------------------------------------------------- */

#define RULES_MAX_BYTES (1u << 20)
#define RULES_MAX_LINE 4096u
#define RULES_MAX_NAME 512u	 /* longest name of a function, as in the kernel */
#define RULES_MAX_KEY 40u	 /* longest key of a category or a set */
#define RULES_MAX_TITLE 40u	 /* longest title that fits its column */
#define RULES_MAX_CATEGORIES 200 /* including the leaves */
#define RULES_MAX_FUNCTIONS 8192u
#define RULES_MAX_DEPTH 6 /* largest depth of nested categories */
#define RULES_MAX_SETS 64

/*
 * A category. The first LEAF_COUNT categories are the leaves, by number. The other categories are in the order of the
 * file.
 */
struct rules_category {
	const char *key, *title;
	unsigned int parent, leaf, depth; /* for a leaf: the leaf, the leaf, 0 */
	/* functions called by a function of this category also belong to the category, unless another leaf begins */
	bool whole;
	/* like `whole`, but the category is the work of probes, which is absent while the probes are detached */
	bool tracing;
	/* stacks of this category do not show the socket family yet: see socket_family.h */
	bool undecided;
	unsigned int line; /* line of the definition; 0: the file does not mention the leaf */
};

struct rules_function {
	const char *name, *caller; /* caller NULL: any caller */
	/* set if `name` or `caller` is a prefix, which matches any name that begins with it */
	bool prefix, caller_prefix;
	unsigned int category, line;
};

struct rules {
	struct rules_category category[RULES_MAX_CATEGORIES];
	unsigned int ncategories;
	/* each use of a set contains copies of the set's members */
	struct rules_function *function;
	size_t nfunctions;
	char *text;	  /* storage of all names */
	const char *file; /* NULL: the default rules */
};

/* An error in a rules file. Line 0: the error concerns the whole file. */
struct rules_error {
	unsigned int line;
	char what[300];
};

/* Parses rules. Returns 0, -EINVAL with a message in err, or -ENOMEM. */
int rules_parse(struct rules **rules, const char *text, size_t len, struct rules_error *err);
void rules_free(struct rules *r); /* r may be NULL */

/* Returns true if the category is `top` or lies below `top`. */
bool rules_is_below(const struct rules *r, unsigned int category, unsigned int top);

/* What an item in a list of categories refers to. */
struct rules_item {
	const char *key, *title;
	unsigned int leaves;   /* a set of leaves; 0: a category */
	unsigned int category; /* if `leaves` is 0 */
	size_t len;	       /* length of the item */
	/* number of things that the item names; 0: unknown; above 1: the title of several categories */
	unsigned int n;
};

/*
 * Finds the first item of a list whose items are separated by commas: the key or the title of a leaf, of a sum of leaves
 * (network, kernel) or of a category, in any case.
 */
struct rules_item rules_find(const struct rules *r, const char *list);
/* Returns the rest of the list, or NULL if the item is the last one. */
const char *rules_next_item(const char *list, const struct rules_item *item);
/*
 * Selects the categories named in a list, and everything below them. `title` becomes a list of the titles, separated by
 * commas. Returns the first item that does not name exactly one thing, or NULL if all items do.
 */
const char *rules_choose(const struct rules *r, const char *list, bool chosen[RULES_MAX_CATEGORIES],
			 char *title, size_t size);

/* The built-in rules. */
const char *rules_default(size_t *len);

/*
 * Reads a file, or the default rules if `file` is NULL. The caller frees the text. Returns NULL if there was an error,
 * which was reported.
 */
char *rules_read(const char *file, size_t *len);
/*
 * Loads rules from a file. The string `file` must outlive the rules. Returns NULL if there was an error, which was
 * reported.
 */
struct rules *rules_load(const char *file);

/* ---- classes of stacks ----------------------------------------------------------------- */

/*
 * Classes of stacks. A class is the category of a stack together with all categories that the stack passed since it
 * entered its leaf. Inclusive times need these categories. There are few classes even if there are many stacks, so
 * samples can be counted by class.
 */

/*
 * Finds the category of a stack: the innermost category that the stack's functions mark. The classifier handles a stack
 * function by function, from the outermost one on, so stacks with a common prefix share the work.
 */
struct classifier;

/* Creates a classifier. The rules must outlive the classifier. Returns NULL if out of memory. */
struct classifier *classifier_new(const struct rules *rules);
void classifier_free(struct classifier *c); /* c may be NULL */
const struct rules *classifier_rules(const struct classifier *c);

/*
 * Returns the mark of a function, for classify_step(). CLASSIFY_NOTHING means that the function marks no category for
 * any caller.
 */
#define CLASSIFY_NOTHING 0
/*
 * A bit that a model adds to the marks of functions of user space. It is 0 in the marks that classifier_mark() returns.
 */
#define CLASSIFY_USER 0x8000
uint16_t classifier_mark(const struct classifier *c, const char *function);

/*
 * Returns the category of a stack that was in the category `outer` and now calls a function with the given mark from
 * `caller`. `caller` is NULL if the function is the outermost one. The initial category is LEAF_OTHER_KERNEL.
 */
unsigned int classify_step(const struct classifier *c, unsigned int outer, uint16_t mark,
			   const char *caller);

/*
 * Sets function[i] for each function of the rules that matches the mark. Used to find the functions that exist in a
 * kernel.
 */
void classifier_note(const struct classifier *c, uint16_t mark, bool *function);

/* ---- classes ------------------------------------------------------------------------------ */

#define STACK_CLASSES_MAX 1024
#define STACK_CLASSES_SLOTS (4 * STACK_CLASSES_MAX)
#define STACK_CLASSES_WORDS ((RULES_MAX_CATEGORIES + 63) / 64)

struct stack_class {
	uint64_t in[STACK_CLASSES_WORDS]; /* the set of categories in the class */
	unsigned int category;		  /* the innermost category */
};

/*
 * Kinds of netcost's own programs. Programs of the kind OWN_PROBES belong to a class of probes (netcost/probes.h), so
 * their cost per run is known.
 */
enum own_kind {
	OWN_PROBES,
	OWN_OTHERS, /* programs in no class */
	OWN_KINDS,
};

/* The socket family of the calls in a class. */
enum socket_family {
	SOCKET_NONE, /* the class has no call on a socket */
	SOCKET_NETWORK,
	SOCKET_LOCAL,
	SOCKET_UNDECIDED, /* the calls are on sockets of an unknown family */
};

struct stack_classes {
	const struct classifier *classifier;
	/* the undecided category of each leaf; 0: the leaf has none */
	unsigned int undecided[LEAF_COUNT];
	bool any_undecided;
	/*
	 * The first classes correspond to the categories: each contains a category and all categories around it. So the
	 * class of a leaf has the leaf's number.
	 */
	struct stack_class at[STACK_CLASSES_MAX];
	uint8_t family[STACK_CLASSES_MAX]; /* enum socket_family */
	uint8_t leaf[STACK_CLASSES_MAX];   /* enum leaf */
	unsigned int n;
	/*
	 * own[kind][class] is the class of stacks below netcost's own programs that began in `class`. 0: the class has
	 * not been created yet.
	 */
	uint16_t own[OWN_KINDS][STACK_CLASSES_MAX];
	/*
	 * For classes of stacks below netcost's own programs: the class in which the program began. For other classes:
	 * the class itself.
	 */
	uint16_t from[STACK_CLASSES_MAX];
	/* enum own_kind, valid if from[] contains another class. */
	uint8_t own_kind[STACK_CLASSES_MAX];
	/*
	 * set if the maximum number of classes was reached; then only the category and its parents are known for some
	 * stacks
	 */
	bool full;
	uint16_t slot[STACK_CLASSES_SLOTS];
};

/* Creates the classes. The classifier must outlive them. Returns NULL if out of memory. */
struct stack_classes *stack_classes_new(const struct classifier *c);

/* Works like classify_step(), but with classes instead of categories. */
unsigned int stack_classes_step(struct stack_classes *c, unsigned int outer, uint16_t mark,
				const char *caller);

/*
 * Returns the class of stacks below one of netcost's own programs that began in `class`. If there are too many classes,
 * returns the class for the leaf of `class`.
 */
unsigned int stack_classes_own(struct stack_classes *c, unsigned int class, enum own_kind kind);
/*
 * Returns the class to which exact times belong: for stacks below one of netcost's own programs, the class in which the
 * program ran; otherwise `class` itself.
 */
static inline unsigned int stack_classes_measured(const struct stack_classes *c, unsigned int class)
{
	return c->from[class];
}
unsigned int stack_classes_leaf(const struct stack_classes *c, unsigned int class);

bool stack_class_is_in(const struct stack_class *class, unsigned int category);

#endif
