/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * part_hooks.h: the functions of the kernel whose calls are parts of the RX softirq, for --exact=full on
 * the rungs fentry and kprobe, and the tracepoints that tell of parts: what is made of the tables PART_HOOKS and
 * PART_TRACEPOINTS in bpf/wire.h.
 */
#ifndef NETCOST_PART_HOOKS_H
#define NETCOST_PART_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/wire.h"

#define PART_HOOK_FUNCTIONS 2

struct part_hook_desc {
	uint8_t part; /* enum netcost_part */
	uint8_t how;  /* enum netcost_part_how */
	const char *module;
	const char *function[PART_HOOK_FUNCTIONS];
};

extern const struct part_hook_desc part_hook_descs[PART_HOOK_COUNT];

/* May this row's calls be that part? */
bool part_hook_serves(unsigned int row, enum netcost_part part);

struct part_tracepoint {
	const char *name; /* and that of the program */
	uint8_t part;
	bool begins; /* it fires where something begins; otherwise where it ends */
};

extern const struct part_tracepoint part_tracepoints[];
extern const size_t part_ntracepoints;

#endif
