/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.h: two tables of attach points. One has the programs and their tracepoints. The other, made
 * from the tables in bpf/wire.h, has the kernel functions whose calls are counted with the methods
 * fentry and kprobe: socket operations and, with --exact=full, stages of the RX softirq.
 */
#ifndef NETCOST_HOOKS_H
#define NETCOST_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/wire.h"
#include "record/kernel/features.h"

#define HOOK_FUNCTIONS 3
#define HOOK_NAME FEATURES_NAME

/* Rows of both tables: HOOKS, by enum hook, then STAGE_HOOKS. Sets of rows are bit masks. */
#define HOOK_ROWS (HOOK_COUNT + STAGE_HOOK_COUNT)
_Static_assert(HOOK_ROWS <= 64, "a bit of a set for each");

struct hook_desc {
	uint8_t what;			 /* enum netcost_what; 0: a stage */
	uint16_t inside;		 /* see struct netcost_hook */
	struct netcost_stage_hook stage; /* if it is a stage */
	const char *module;		 /* the module that has its functions; NULL: built in */
	/* In order of preference: the next one is used if the first is missing or inlined. */
	struct {
		const char *name;
		uint8_t where; /* enum netcost_where */
		uint8_t flags; /* see struct netcost_hook */
	} function[HOOK_FUNCTIONS];
};

extern const struct hook_desc hook_descs[HOOK_ROWS];

/* The functions of a row that exist on this host. */
struct hook_choice {
	unsigned int n, used; /* used == n: none is left */
	struct {
		char name[HOOK_NAME];
		uint8_t where, flags;
	} function[HOOK_FUNCTIONS];
};

/* Finds the function's name on this host; false: it does not exist. */
typedef bool hook_lookup(void *ctx, const char *function, const char *module, char name[HOOK_NAME]);

void hook_choose(struct hook_choice *c, unsigned int row, hook_lookup *lookup, void *ctx);
/* Selects the next function of the row, or none. */
void hook_skip(struct hook_choice *c);
/* The selected function; NULL: none. */
const char *hook_function(const struct hook_choice *c);

/* The row's index in its own table. */
unsigned int hook_id(unsigned int row);
/* The program for the begin or end of a row. Returns name. */
const char *hook_row_program(unsigned int row, enum rung rung, bool begin, char name[HOOK_NAME]);

/* ---- socket operations -------------------------------------------------------------------- */

/* SOCK_SEND, SOCK_RECV or RX_BUSY_POLL. */
enum netcost_event hook_event(enum hook row);
/* Returns whether it is a socket operation, of any family. */
bool hook_is_operation(enum hook row);
/* Returns whether its result is bytes of a message of sendmmsg or recvmmsg, which call it. */
bool hook_is_message(enum hook row);
/* The hook's configuration for the programs. */
struct netcost_hook hook_config(const struct hook_choice *c, enum hook row);

/* ---- stages of the RX softirq ------------------------------------------------------------- */

/* Returns whether this row's calls can be that stage. */
bool hook_serves_stage(unsigned int row, enum netcost_part stage);

/* ---- programs ----------------------------------------------------------------------------- */

/* Purposes of programs. */
enum hook_use {
	USE_SWITCHES,
	USE_SOFTIRQS,
	USE_HARDIRQS,
	USE_SYSCALLS, /* socket operations, timed by tracepoints of all system calls */
	/* socket operations, counted by message and not timed; or the witness of other programs */
	USE_MESSAGES,
	/* socket operations, timed by functions; fentry has a pair of programs for each hook instead */
	USE_KPROBES,
	USE_POLLS, /* NAPI polls: their packets, and the end of the stage driver_poll */
	USE_STAGES,
	USE_STAGE_KPROBES,
	USE_PAGE_FENTRY,
	USE_PAGE_KPROBE,
	/* Receivers (--owners). Of the programs for one use, all that share the best available rank are chosen. */
	USE_OWNERS_NEED,  /* required */
	USE_OWNERS_MORE,  /* optional */
	USE_OWNERS_MARK,  /* which socket a packet reached */
	USE_OWNERS_OWNER, /* which process receives from the socket */
	USES,
};

#define HOOK_USE(use) (1u << USE_##use)

struct hook_program {
	const char *name; /* in bpf/netcost.bpf.c */
	/* Its attach point: one of them is set, or neither if functions are found at run time. */
	const char *tracepoint, *function;
	uint8_t use; /* enum hook_use */
	/*
	 * Ends are attached before begins: an end without a begin is ignored, but a begin whose end
	 * is missed would never stop counting. Receiver programs and then function probes are
	 * attached between HOOK_BETWEEN and HOOK_LAST.
	 */
	enum { HOOK_FIRST, HOOK_BETWEEN, HOOK_LAST } turn;
	enum { WITH_ANY, WITH_CASTS, WITHOUT_CASTS } casts; /* bpf_rdonly_cast() is used */
	uint8_t part;	   /* for USE_POLLS and USE_STAGES: the stage that begins or ends there */
	unsigned int rank; /* for receivers; 0: the best */
};

#define HOOK_PROGRAMS_MOST 64 /* a bit of a set for each */
extern const struct hook_program hook_programs[];
extern const unsigned int hook_nprograms;

static inline bool hook_is_of_owners(const struct hook_program *p)
{
	return p->use >= USE_OWNERS_NEED;
}

#endif
