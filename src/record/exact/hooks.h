/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.h: the functions of the kernel whose calls are counted on the rungs fentry and kprobe: socket operations,
 * and with --exact=full stages of the RX softirq. What is made of the tables in bpf/wire.h.
 */
#ifndef NETCOST_HOOKS_H
#define NETCOST_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/wire.h"

#define HOOK_FUNCTIONS 3
#define HOOK_NAME 64

/* Rows of both tables: HOOKS, by enum hook, then STAGE_HOOKS. Sets of them are bits. */
#define HOOK_ROWS (HOOK_COUNT + STAGE_HOOK_COUNT)
_Static_assert(HOOK_ROWS <= 64, "a bit of a set for each");

struct hook_desc {
	uint8_t what;			 /* enum netcost_what; 0: it is a stage */
	uint16_t inside;		 /* see struct netcost_hook */
	struct netcost_stage_hook stage; /* of a stage */
	const char *module;		 /* that its functions may be in; NULL: they are built in */
	/* In order: where the first one is missing, or is inlined, the next one may do. */
	struct {
		const char *name;
		uint8_t where; /* enum netcost_where */
		uint8_t flags; /* see struct netcost_hook */
	} function[HOOK_FUNCTIONS];
};

extern const struct hook_desc hook_descs[HOOK_ROWS];

/* The functions of a row that this host has. */
struct hook_choice {
	unsigned int n, used; /* used == n: none is left */
	struct {
		char name[HOOK_NAME];
		uint8_t where, flags;
	} function[HOOK_FUNCTIONS];
};

/* Finds the function's name on this host; false: it is not there. */
typedef bool hook_lookup(void *ctx, const char *function, const char *module, char name[HOOK_NAME]);

void hook_choose(struct hook_choice *c, unsigned int row, hook_lookup *lookup, void *ctx);
/* The next function of the row, or none. */
void hook_skip(struct hook_choice *c);
/* What is in use; NULL: nothing. */
const char *hook_function(const struct hook_choice *c);

/* Its row in its own table; and what the names of the programs for that table begin with. */
unsigned int hook_id(unsigned int row);
const char *hook_prefix(unsigned int row);

/* ---- socket operations -------------------------------------------------------------------- */

/* SOCK_SEND, SOCK_RECV or RX_BUSY_POLL. */
enum netcost_event hook_event(enum hook row);
/* It is one of a socket, whichever family that has. */
bool hook_is_operation(enum hook row);
/* What it returns are bytes of a sendmmsg's or recvmmsg's messages, which may call it. */
bool hook_is_message(enum hook row);
/* As the programs get it. */
struct netcost_hook hook_config(const struct hook_choice *c, enum hook row);

/* ---- stages of the RX softirq ------------------------------------------------------------- */

/* May this row's calls be that stage? */
bool hook_serves_stage(unsigned int row, enum netcost_part stage);

struct stage_tracepoint {
	const char *name; /* and that of the program */
	uint8_t stage;	  /* that begins or ends there */
};

extern const struct stage_tracepoint stage_tracepoints[];
extern const size_t stage_ntracepoints;

#endif
