/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rules.h: a parsed rules file: the categories of stacks, and the functions that mark them.
 * examples/rules/README.md has the syntax; examples/rules/default.rules is compiled in.
 *
 * The file may be hostile: every length and number is limited, and errors are reported.
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
#define LEAVES(X)                                                                                   \
	X(IDLE, "idle", "idle", "idle", NETCOST_EV_IDLE)                                            \
	X(USER, "user", "user", "user", -1)                                                         \
	X(SOCK_SEND, "sock_send", "socket send", "send", NETCOST_EV_SOCK_SEND)                      \
	X(SOCK_RECV, "sock_recv", "socket receive", "recv", NETCOST_EV_SOCK_RECV)                   \
	X(RX_SOFTIRQ, "rx_softirq", "RX softirq", "RX", NETCOST_EV_RX_SOFTIRQ)                      \
	X(TX_SOFTIRQ, "tx_softirq", "TX softirq", "TX", NETCOST_EV_TX_SOFTIRQ)                      \
	X(HARDIRQ_NET, "hardirq_net", "hard interrupts: network devices", "irq",                    \
	  NETCOST_EV_HARDIRQ_NET)                                                                   \
	X(OTHER_NETWORK, "other_network", "other network", "othnet", -1)                            \
	X(SOCK_LOCAL, "sock_local", "local sockets", "local", NETCOST_EV_SOCK_LOCAL)                \
	X(IO_WORKER, "io_worker", "io_uring workers", "iowrk", NETCOST_EV_IO_WORKER)                \
	X(OTHER_KERNEL, "other_kernel", "other", "other", -1)                                       \
	/* Used where no samples distinguish user mode from the kernel. */                          \
	X(TASK, "user_and_other_kernel", "user + other kernel", "task", NETCOST_EV_TASK)            \
	/* The recorder's own cost, where it is known; otherwise it is part of the other leaves. */ \
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
 * Leaves that samples cannot identify. TASK exists only without samples. Hard interrupts: a
 * sampler's timer waits until their handlers have run or, if it does not wait, finds them in the
 * interrupted code. They are shown where they were measured; otherwise their time is in other
 * leaves. OWN can be in any leaf.
 */
#define LEAF_NOT_SAMPLED (LEAF_BIT(TASK) | LEAF_BIT(HARDIRQ_NET) | LEAF_BIT(OWN))

/* Accepts items that follow the leaves, too. */
static inline bool leaf_is_sampled(unsigned int leaf)
{
	return leaf >= LEAF_COUNT || !(LEAF_NOT_SAMPLED >> leaf & 1);
}

struct leaf_desc {
	const char *key, *title, *column;
	int event; /* enum netcost_event, or -1 */
};

extern const struct leaf_desc leaf_desc[LEAF_COUNT];

/* The tree: parents and leaves in display order. */
struct leaf_node {
	const char *key, *title;
	unsigned int depth, leaves; /* leaves: a set; a leaf has one bit */
	const char *brief;	    /* a short title; NULL: title */
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
 * The first LEAF_COUNT categories are the leaves, by number; the others are in the order of the
 * file.
 */
struct rules_category {
	const char *key, *title;
	unsigned int parent, leaf, depth; /* of a leaf: itself, itself, 0 */
	bool whole;	   /* functions below it stay in it, except where another leaf begins */
	bool tracing;	   /* like whole, for the work of probes: absent while they are detached */
	bool undecided;	   /* its stacks do not show the socket family yet: socket_family.h */
	unsigned int line; /* 0: the file does not mention the leaf */
};

struct rules_function {
	const char *name, *caller;  /* caller: NULL: any caller */
	bool prefix, caller_prefix; /* matches any function with this prefix */
	unsigned int category, line;
};

struct rules {
	struct rules_category category[RULES_MAX_CATEGORIES];
	unsigned int ncategories;
	struct rules_function *function; /* the members of a set are copied to each use */
	size_t nfunctions;
	char *text;	  /* storage of all names */
	const char *file; /* NULL: the default rules */
};

/* An error in a rules file. Line 0: an error of the whole file. */
struct rules_error {
	unsigned int line;
	char what[300];
};

/* -EINVAL: see err. -ENOMEM. */
int rules_parse(struct rules **rules, const char *text, size_t len, struct rules_error *err);
void rules_free(struct rules *r); /* accepts NULL */

/* True if the category is `top` or lies below it. */
bool rules_is_below(const struct rules *r, unsigned int category, unsigned int top);

/*
 * Selects the categories that a list of keys names, separated by commas: leaves, sums of leaves
 * (network, kernel) and categories, each with what lies below it. title: their titles, separated
 * by commas. Returns the first key that is unknown; NULL: all are known.
 */
const char *rules_choose(const struct rules *r, const char *list, bool chosen[RULES_MAX_CATEGORIES],
			 char *title, size_t size);

/* The built-in rules. */
const char *rules_default(size_t *len);

/*
 * Reads a file, or the default rules if file is NULL; the caller frees the text. NULL: the error
 * was reported.
 */
char *rules_read(const char *file, size_t *len);
/* Loads rules from a file. The string `file` must outlive them. NULL: the error was reported. */
struct rules *rules_load(const char *file);

/* ---- classes of stacks ----------------------------------------------------------------- */

/*
 * Stacks of one kind. A class is a stack's category and all categories that it passed since it
 * entered its leaf, which gives inclusive time. There are few classes even if there are many
 * stacks, so samples can be counted by class.
 */

/*
 * Finds the category of a stack: the innermost one that its functions mark. It works function by
 * function from the outermost one, so stacks with a common prefix share the work.
 */
struct classifier;

/* Returns NULL if out of memory. The rules must outlive it. */
struct classifier *classifier_new(const struct rules *rules);
void classifier_free(struct classifier *c); /* accepts NULL */
const struct rules *classifier_rules(const struct classifier *c);

/*
 * Returns what a function may mark, for classify_step(). CLASSIFY_NOTHING: it marks nothing,
 * whatever its caller.
 */
#define CLASSIFY_NOTHING 0
uint16_t classifier_mark(const struct classifier *c, const char *function);

/*
 * Returns the category of a stack that was in `outer` and calls a function with that mark from
 * `caller` (NULL: the function is the outermost one). The initial category is LEAF_OTHER_KERNEL.
 */
unsigned int classify_step(const struct classifier *c, unsigned int outer, uint16_t mark,
			   const char *caller);

/* True if the function marks exactly that category when `caller` calls it. */
bool classifier_marks(const struct classifier *c, uint16_t mark, unsigned int category,
		      const char *caller);

/* Sets function[i] for the rules' functions that have that name: those that exist in a kernel. */
void classifier_note(const struct classifier *c, uint16_t mark, bool *function);

/* ---- classes ------------------------------------------------------------------------------ */

#define STACK_CLASSES_MAX 1024
#define STACK_CLASSES_SLOTS (4 * STACK_CLASSES_MAX)
#define STACK_CLASSES_WORDS ((RULES_MAX_CATEGORIES + 63) / 64)

struct stack_class {
	uint64_t in[STACK_CLASSES_WORDS]; /* the set of categories that it is in */
	unsigned int category;		  /* the innermost one */
};

/*
 * Kinds of the recorder's own programs. OWN_PROBES are in a class of probes (netcost/probes.h),
 * whose cost per run is known.
 */
enum own_kind {
	OWN_PROBES,
	OWN_OTHERS, /* in no class */
	OWN_KINDS,
};

/* What a sample in a category shows about the sockets of its task. */
enum socket_family {
	SOCKET_NONE, /* nothing */
	SOCKET_NETWORK,
	SOCKET_LOCAL,
	SOCKET_UNDECIDED, /* it is in a call on a socket of an unknown family */
};

struct stack_classes {
	const struct classifier *classifier;
	unsigned int undecided[LEAF_COUNT]; /* the undecided category of each leaf; 0: none */
	bool any_undecided;
	/*
	 * The first classes are the categories themselves, with only the categories around them,
	 * so a leaf's class has the leaf's number.
	 */
	struct stack_class at[STACK_CLASSES_MAX];
	uint8_t family[STACK_CLASSES_MAX]; /* enum socket_family */
	unsigned int n;
	/*
	 * For stacks below own programs: own[kind][class] is the class of stacks that began in
	 * `class`. 0: not created yet.
	 */
	uint16_t own[OWN_KINDS][STACK_CLASSES_MAX];
	/* the class in which those began; for other classes: itself */
	uint16_t from[STACK_CLASSES_MAX];
	/* enum own_kind, valid where from[] is another class */
	uint8_t own_kind[STACK_CLASSES_MAX];
	/* the limit was reached: for some stacks only the category and its parents are known */
	bool full;
	uint16_t slot[STACK_CLASSES_SLOTS];
};

/* Returns NULL if out of memory. The classifier must outlive it. */
struct stack_classes *stack_classes_new(const struct classifier *c);

/* Does what classify_step() does, but from class to class. */
unsigned int stack_classes_step(struct stack_classes *c, unsigned int outer, uint16_t mark,
				const char *caller);

/*
 * Returns the class of a stack below an own program that began in `class`. If there are too many
 * classes, returns that of its leaf.
 */
unsigned int stack_classes_own(struct stack_classes *c, unsigned int class, enum own_kind kind);
/*
 * Returns the class that exact times use: the one in which an own program ran. Other classes are
 * unchanged.
 */
static inline unsigned int stack_classes_measured(const struct stack_classes *c, unsigned int class)
{
	return c->from[class];
}
unsigned int stack_classes_leaf(const struct stack_classes *c, unsigned int class);

bool stack_class_is_in(const struct stack_class *class, unsigned int category);

#endif
