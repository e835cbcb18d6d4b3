/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * part_hooks.h: the functions of the kernel whose calls are parts of the RX softirq, for --exact=full on
 * the rungs fentry and kprobe. One table in part_hooks.c: a row a hook. A part may have several; one
 * inside another of the same part counts once.
 */
#ifndef NETCOST_PART_HOOKS_H
#define NETCOST_PART_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h> /* the wire structs' __u64 */

#include "bpf/wire.h"

#define PART_HOOK_FUNCTIONS 2
#define PART_TRACEPOINTS 4

/* The order is that of the programs part_fentry_0, part_fentry_1 … in bpf/netcost.bpf.c. */
struct part_hook_desc {
	uint8_t part;				   /* enum netcost_part */
	uint32_t more;				   /* further parts (bits) that `how` may find */
	uint8_t how;				   /* enum netcost_part_how */
	const char *function[PART_HOOK_FUNCTIONS]; /* in order: the first that there is */
	const char *module; /* where it is built as one; it has to be loaded by then */
};

extern const struct part_hook_desc part_hook_descs[NETCOST_PART_HOOKS];

/* May this row's calls be that part? */
bool part_hook_serves(unsigned int row, enum netcost_part part);

/*
 * What tells of a part on the rung "tracepoint", where only some have any: they are programs' names, too.
 * NULL-terminated. Those of netif_receive_skb() would not do for the receive core: the backlog and GRO
 * reach it without them.
 */
extern const char *const part_tracepoints[NETCOST_PART_COUNT][PART_TRACEPOINTS + 1];
/* Does it fire where something begins? Else where it ends. */
bool part_tracepoint_begins(const char *tracepoint);

#endif
