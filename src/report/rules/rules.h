/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rules.h: a rules file, parsed: the categories that stacks are sorted into, and the functions that mark
 * them. examples/rules/README.md has the syntax; examples/rules/default.rules is compiled in.
 *
 * The file may come from anywhere: every length and number is limited, and what is wrong is said.
 */
#ifndef NETCOST_REPORT_RULES_H
#define NETCOST_REPORT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/events.h>

/*
 * A rules file, parsed: the categories that stacks are sorted into, and the functions that mark
 * them. examples/rules/README.md has the syntax; examples/rules/default.rules is compiled in.
 *
 * The file may come from anywhere: every length and number is limited, and what is wrong is said.
 */

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
	/* Where there are no samples to tell user mode from the kernel. */                        \
	X(TASK, "user_and_other_kernel", "user + other kernel", "task", NETCOST_EV_TASK)           \
	/* What the recorder itself cost, where it is known; otherwise it is in the others. */     \
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
 * Of these no sample tells: TASK is what there is without samples; and a sampler's timer waits until a hard interrupt's
 * handlers have run, or, if it need not wait, finds them in what they interrupted. They are shown where they were
 * measured; otherwise their time is in other leaves. So is OWN, which is everywhere.
 */
#define LEAF_NOT_SAMPLED (LEAF_BIT(TASK) | LEAF_BIT(HARDIRQ_NET) | LEAF_BIT(OWN))

/* Also of items that follow the leaves. */
static inline bool leaf_is_sampled(unsigned int leaf)
{
	return leaf >= LEAF_COUNT || !(LEAF_NOT_SAMPLED >> leaf & 1);
}

struct leaf_desc {
	const char *key, *title, *column;
	int event; /* enum netcost_event, or -1 */
};

extern const struct leaf_desc leaf_desc[LEAF_COUNT];

/* The tree: parents and leaves from top to bottom. */
struct leaf_node {
	const char *key, *title;
	unsigned int depth, leaves; /* a set; a leaf has one */
	const char *brief;	    /* a title where there is little room; NULL: title */
};

#define LEAF_NODES 16
extern const struct leaf_node leaf_node[LEAF_NODES];

/* ---- rules -------------------------------------------------------------------------------- */

#define RULES_MAX_BYTES (1u << 20)
#define RULES_MAX_LINE 4096u
#define RULES_MAX_NAME 512u	 /* of a function: the kernel's limit */
#define RULES_MAX_KEY 40u	 /* of a category or a set */
#define RULES_MAX_TITLE 40u	 /* so that it fits its column */
#define RULES_MAX_CATEGORIES 200 /* the leaves among them */
#define RULES_MAX_FUNCTIONS 8192u
#define RULES_MAX_DEPTH 6 /* of categories below each other */
#define RULES_MAX_SETS 64

/* The first LEAF_COUNT categories are the leaves, by number; the others stand in the order of the file. */
struct rules_category {
	const char *key, *title;
	unsigned int parent, leaf, depth; /* of a leaf: itself, itself, 0 */
	bool whole;	/* what runs inside it stays in it, except where another leaf begins */
	bool tracing;	/* likewise, and it is what probes do: not there while they are detached */
	bool undecided; /* its stacks do not say yet what kind of socket it is: socket_family.h */
	unsigned int line; /* 0: the file has nothing of that leaf */
};

struct rules_function {
	const char *name, *caller;  /* caller: NULL: whoever calls it */
	bool prefix, caller_prefix; /* any function that begins so */
	unsigned int category, line;
};

struct rules {
	struct rules_category category[RULES_MAX_CATEGORIES];
	unsigned int ncategories;
	struct rules_function *function; /* sets are copied to where they are used */
	size_t nfunctions;
	char *text;	  /* what all names point into */
	const char *file; /* NULL: none, the default ones */
};

/* What is wrong with a file, and where. Line 0: with the whole file. */
struct rules_error {
	unsigned int line;
	char what[300];
};

/* -EINVAL: err says why. -ENOMEM. */
int rules_parse(struct rules **rules, const char *text, size_t len, struct rules_error *err);
void rules_free(struct rules *r); /* takes NULL */

/* Does the category lie below the other one, or is it that one? */
bool rules_is_below(const struct rules *r, unsigned int category, unsigned int top);

/* The rules that are compiled in. */
const char *rules_default(size_t *len);

/* The text of a file, of the default rules where file is NULL; to be freed. NULL: the error was reported. */
char *rules_read(const char *file, size_t *len);
/* The rules of it, which must outlive them by name. NULL: the error was reported. */
struct rules *rules_load(const char *file);

/* ---- classes of stacks ----------------------------------------------------------------- */

/*
 * Stacks of one kind. A class is the category that a stack belongs to, and all those that it
 * passed on the way there since it came into its leaf: what is inclusive time. There are few of them however
 * many stacks there are, so samples can be counted by class.
 */

/*
 * Which category a stack belongs to, by the functions in it: the innermost one. A step a function, from the outermost one on; so
 * stacks that begin alike share the work.
 */
struct classifier;

/* NULL: no memory. The rules must outlive it. */
struct classifier *classifier_new(const struct rules *rules);
void classifier_free(struct classifier *c); /* takes NULL */
const struct rules *classifier_rules(const struct classifier *c);

/* What a function may mark, found once for each: for classify_step(). 0: nothing, whoever calls it. */
#define CLASSIFY_NOTHING 0
uint16_t classifier_mark(const struct classifier *c, const char *function);

/*
 * The category of a stack that was in `outer` up to a function with that mark, which `caller` calls (NULL:
 * nobody, it is the outermost). It begins in LEAF_OTHER_KERNEL.
 */
unsigned int classify_step(const struct classifier *c, unsigned int outer, uint16_t mark,
			   const char *caller);

/* Does it mark that very category, when `caller` calls it? */
bool classifier_marks(const struct classifier *c, uint16_t mark, unsigned int category,
		      const char *caller);

/* Sets function[i] of those functions of the rules that are that name: what a kernel has of them. */
void classifier_note(const struct classifier *c, uint16_t mark, bool *function);

/* ---- classes ------------------------------------------------------------------------------ */

#define STACK_CLASSES_MAX 1024
#define STACK_CLASSES_SLOTS (4 * STACK_CLASSES_MAX)
#define STACK_CLASSES_WORDS ((RULES_MAX_CATEGORIES + 63) / 64)

struct stack_class {
	uint64_t in[STACK_CLASSES_WORDS]; /* the categories that it is in, as a set */
	unsigned int category;		  /* the innermost one */
};

/* The two kinds of the recorder's own programs: of those in a class of probes (netcost/probes.h) a run's cost is known. */
enum own_kind {
	OWN_PROBES,
	OWN_OTHERS, /* in no class */
	OWN_KINDS,
};

/* What a sample there says about its task's sockets. */
enum socket_family {
	SOCKET_NONE, /* nothing */
	SOCKET_NETWORK,
	SOCKET_LOCAL,
	SOCKET_UNDECIDED, /* that it is in a call on one, but not of which kind */
};

struct stack_classes {
	const struct classifier *classifier;
	unsigned int undecided[LEAF_COUNT]; /* the category of a leaf that is; 0: none */
	bool any_undecided;
	/*
	 * First one for each category, with only the categories around it; so a leaf's class has the
	 * leaf's number.
	 */
	struct stack_class at[STACK_CLASSES_MAX];
	uint8_t family[STACK_CLASSES_MAX]; /* enum socket_family */
	unsigned int n;
	/* Of stacks below own programs: own[kind][class] is that of stacks that began in a class. 0: there is none yet. */
	uint16_t own[OWN_KINDS][STACK_CLASSES_MAX];
	uint16_t from[STACK_CLASSES_MAX];    /* … and where those began; in others: itself */
	uint8_t own_kind[STACK_CLASSES_MAX]; /* enum own_kind, where that is another class */
	bool full; /* there were more: of some stacks only the category and what it lies in is known */
	uint16_t slot[STACK_CLASSES_SLOTS];
};

/* NULL: no memory. The classifier must outlive it. */
struct stack_classes *stack_classes_new(const struct classifier *c);

/* As classify_step(), from class to class. */
unsigned int stack_classes_step(struct stack_classes *c, unsigned int outer, uint16_t mark,
				const char *caller);

/* The class of a stack below a program of the recorder's own, which began in that class. If there are too many, in its leaf. */
unsigned int stack_classes_own(struct stack_classes *c, unsigned int class, enum own_kind kind);
/* The class as times are measured: where an own program ran. Of other stacks, theirs. */
static inline unsigned int stack_classes_measured(const struct stack_classes *c, unsigned int class)
{
	return c->from[class];
}
unsigned int stack_classes_leaf(const struct stack_classes *c, unsigned int class);

bool stack_class_is_in(const struct stack_class *class, unsigned int category);

#endif
