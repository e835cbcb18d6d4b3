/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.h: the functions of the kernel's socket layer whose calls are socket operations, for the rungs
 * fentry and kprobe. One table in hooks.c: a row a hook. Another way into the stack is another row.
 */
#ifndef NETCOST_HOOKS_H
#define NETCOST_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h> /* the wire structs' __u64 */

#include "bpf/wire.h"

#define HOOK_FUNCTIONS 3
#define HOOK_NAME 64

/* The order is that of the programs fentry_0, fentry_1 … in bpf/netcost.bpf.c. */
enum hook {
	HOOK_WRITE,
	HOOK_SENDTO,
	HOOK_SENDMSG,
	HOOK_SENDMMSG,
	HOOK_SPLICE_TO,
	HOOK_KERNEL_SEND,
	HOOK_KERNEL_SENDPAGE,
	HOOK_READ,
	HOOK_RECVFROM,
	HOOK_RECVMSG,
	HOOK_RECVMMSG,
	HOOK_SPLICE_FROM,
	HOOK_KERNEL_RECV,
	HOOK_BUSY_POLL,
	HOOK_COUNT,
};

struct hook_desc {
	uint8_t what;	 /* event, and NETCOST_MARK_MSGS */
	bool messages;	 /* see struct netcost_hook */
	uint32_t inside; /* likewise */
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
/* What is in use; NULL: nothing. */
const char *hook_function(const struct hook_choice *c);
/* What the programs are told. */
struct netcost_hook hook_config(const struct hook_choice *c, enum hook row);

#endif
