/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.h: declares two tables of attach points. One table lists the programs and their tracepoints. The other table is
 * made from the tables in bpf/wire.h. It lists the kernel functions whose calls are counted with the methods fentry and
 * kprobe: socket operations and, with --exact=full, stages of the RX softirq.
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

/*
 * Number of rows of both tables in bpf/wire.h. HOOKS come first, in the order of enum hook, then STAGE_HOOKS. Sets of
 * rows are bit masks.
 */
#define HOOK_ROWS (HOOK_COUNT + STAGE_HOOK_COUNT)
_Static_assert(HOOK_ROWS <= 64, "a bit mask has a bit for each");

struct hook_desc {
	uint8_t what;			 /* enum netcost_what; 0: a stage */
	uint16_t inside;		 /* see struct netcost_hook */
	struct netcost_stage_hook stage; /* set if the row is a stage */
	/* the kernel module with the row's functions; NULL: they are built in */
	const char *module;
	/* Functions in order of preference. The next function is used if the first one is missing or inlined. */
	struct {
		const char *name;
		uint8_t where; /* enum netcost_where */
		uint8_t flags; /* see struct netcost_hook */
	} function[HOOK_FUNCTIONS];
};

extern const struct hook_desc hook_descs[HOOK_ROWS];

/* The functions of a row that exist on this host. */
struct hook_choice {
	/* number of functions, and index of the selected one; equal if none is left */
	unsigned int n, used;
	struct {
		char name[HOOK_NAME];
		uint8_t where, flags;
	} function[HOOK_FUNCTIONS];
};

/* Finds the function's name on this host. Returns false if the function does not exist. */
typedef bool hook_lookup(void *ctx, const char *function, const char *module, char name[HOOK_NAME]);

void hook_choose(struct hook_choice *c, unsigned int row, hook_lookup *lookup, void *ctx);
/* Selects the next function of the row, or no function if none is left. */
void hook_skip(struct hook_choice *c);
/* Returns the selected function. Returns NULL if no function is selected. */
const char *hook_function(const struct hook_choice *c);

/* Returns the row's index in its own table. */
unsigned int hook_id(unsigned int row);
/* Writes the name of the program for the start or end of a row. Returns name. */
const char *hook_row_program(unsigned int row, enum rung rung, bool begin, char name[HOOK_NAME]);

/* ---- socket operations -------------------------------------------------------------------- */

/* Returns SOCK_SEND, SOCK_RECV or RX_BUSY_POLL. */
enum netcost_event hook_event(enum hook row);
/* Returns true if the hook is a socket operation, of any address family. */
bool hook_is_operation(enum hook row);
/*
 * Returns true if sendmmsg or recvmmsg calls the hooked function for each message, and the function returns the bytes
 * of the message.
 */
bool hook_is_message(enum hook row);
/* Returns the hook's configuration for the BPF programs. */
struct netcost_hook hook_config(const struct hook_choice *c, enum hook row);

/* ---- stages of the RX softirq ------------------------------------------------------------- */

/* Returns true if calls of this row can be the given stage. */
bool hook_serves_stage(unsigned int row, enum netcost_part stage);

/* ---- programs ----------------------------------------------------------------------------- */

/* Purposes of programs. */
enum hook_use {
	USE_SWITCHES,
	USE_SOFTIRQS,
	USE_HARDIRQS,
	USE_SYSCALLS, /* socket operations, timed by tracepoints of all system calls */
	/* socket operations, counted by message and not timed; or the witness for other programs */
	USE_MESSAGES,
	/* socket operations, timed by functions; fentry has a pair of programs for each hook instead */
	USE_KPROBES,
	USE_POLLS, /* packets of NAPI polls, and the end of the stage driver_poll */
	USE_STAGES,
	USE_STAGE_KPROBES,
	USE_PAGE_FENTRY,
	USE_PAGE_KPROBE,
	/* Receivers (--owners). For each use, all programs of the best available rank are chosen. */
	USE_OWNERS_NEED,  /* required programs */
	USE_OWNERS_MORE,  /* optional programs */
	USE_OWNERS_MARK,  /* shows which socket a packet reached */
	USE_OWNERS_OWNER, /* shows which process receives from the socket */
	USES,
};

#define HOOK_USE(use) (1u << USE_##use)

struct hook_program {
	const char *name; /* name of the program in bpf/netcost.bpf.c */
	/* The attach point: at most one of the two is set. If both are NULL, the functions are chosen at run time. */
	const char *tracepoint, *function;
	uint8_t use; /* enum hook_use */
	/*
	 * When the program is attached. Programs for ends are attached before programs for starts. An end without a
	 * start is ignored, but after a start without an end the counting would never stop. Receiver programs and then
	 * function probes are attached between HOOK_BETWEEN and HOOK_LAST.
	 */
	enum { HOOK_FIRST, HOOK_BETWEEN, HOOK_LAST } turn;
	/* whether the program uses bpf_rdonly_cast() */
	enum { WITH_ANY, WITH_CASTS, WITHOUT_CASTS } casts;
	/* for USE_POLLS and USE_STAGES: the stage that begins or ends at the attach point */
	uint8_t part;
	unsigned int rank; /* rank of a receiver program; 0 is the best */
};

/* maximum number of programs, because a set of programs has a bit for each program */
#define HOOK_PROGRAMS_MOST 64
extern const struct hook_program hook_programs[];
extern const unsigned int hook_nprograms;

static inline bool hook_is_of_owners(const struct hook_program *p)
{
	return p->use >= USE_OWNERS_NEED;
}

#endif
