/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stage_hooks.h: the functions of the kernel whose calls are stages of the RX softirq, for --exact=full on
 * the rungs fentry and kprobe, and the tracepoints that tell of stages: what is made of the tables STAGE_HOOKS and
 * STAGE_TRACEPOINTS in bpf/wire.h.
 */
#ifndef NETCOST_STAGE_HOOKS_H
#define NETCOST_STAGE_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/wire.h"

#define STAGE_HOOK_FUNCTIONS 2

struct stage_hook_desc {
	uint8_t stage; /* enum netcost_part */
	uint8_t how;   /* enum netcost_stage_how */
	const char *module;
	const char *function[STAGE_HOOK_FUNCTIONS];
};

extern const struct stage_hook_desc stage_hook_descs[STAGE_HOOK_COUNT];

/* May this row's calls be that stage? */
bool stage_hook_serves(unsigned int row, enum netcost_part stage);

struct stage_tracepoint {
	const char *name; /* and that of the program */
	uint8_t stage;
	bool begins; /* it fires where something begins; otherwise where it ends */
};

extern const struct stage_tracepoint stage_tracepoints[];
extern const size_t stage_ntracepoints;

#endif
