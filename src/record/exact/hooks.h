/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.h: the functions of the kernel's socket layer whose calls are socket operations, for the rungs
 * fentry and kprobe: what is made of the table HOOKS in bpf/wire.h.
 */
#ifndef NETCOST_HOOKS_H
#define NETCOST_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/wire.h"

#define HOOK_FUNCTIONS 3
#define HOOK_NAME 64

struct hook_desc {
	uint8_t what;	 /* enum netcost_what */
	uint16_t inside; /* see struct netcost_hook */
	/* In order: where the first one is not to be had, or is inlined, the next one may do. */
	struct {
		const char *name;
		uint8_t where; /* enum netcost_where */
	} function[HOOK_FUNCTIONS];
};

extern const struct hook_desc hook_descs[HOOK_COUNT];

/* The functions of a row that this host has. */
struct hook_choice {
	unsigned int n, used; /* used == n: none is left */
	struct {
		char name[HOOK_NAME];
		uint8_t where;
	} function[HOOK_FUNCTIONS];
};

/* Finds the function's name here; false: it is not to be had. */
typedef bool hook_lookup(void *ctx, const char *function, char name[HOOK_NAME]);

void hook_choose(struct hook_choice *c, enum hook row, hook_lookup *lookup, void *ctx);
/* SOCK_SEND, SOCK_RECV or RX_BUSY_POLL. */
enum netcost_event hook_event(enum hook row);
/* It is one of a socket, whichever family that has. */
bool hook_is_operation(enum hook row);
/* What it returns are bytes of a sendmmsg's or recvmmsg's messages, which may call it. */
bool hook_is_message(enum hook row);
/* What is in use; NULL: nothing. */
const char *hook_function(const struct hook_choice *c);
/* What the programs are told. */
struct netcost_hook hook_config(const struct hook_choice *c, enum hook row);

#endif
