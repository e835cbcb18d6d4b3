/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ladder.h: the attach ladder: for each event the best way to count it that this host allows.
 *
 * Two tables in ladder.c: the rungs, best first, each with a test of whether the host has it at all; and
 * the probes: which programs count which event on which rung, and what they need. Adding a rung to an
 * event is adding a row there and programs to bpf/.
 */
#ifndef NETCOST_LADDER_H
#define NETCOST_LADDER_H

#include <stdbool.h>
#include <stddef.h>

#include <netcost/events.h>

enum rung {
	RUNG_FENTRY,
	RUNG_KPROBE,
	RUNG_TRACEPOINT,
	RUNG_SAMPLES, /* nothing exact: the samples have to do */
	RUNG_COUNT,
};

#define LADDER_WHY 160
#define LADDER_PROGRAMS 4

/* What was chosen for one event. */
struct ladder_choice {
	enum rung rung;
	const char *const *programs;	      /* names in bpf/netcost.bpf.c, NULL-terminated */
	const char *const *hooks;	      /* what they attach to, NULL-terminated */
	char refused[RUNG_COUNT][LADDER_WHY]; /* why not each better rung; empty: not tried */
};

struct ladder {
	struct ladder_choice event[NETCOST_EV_COUNT];
	bool witness; /* sock:sock_send_length and sock_recv_length are there */
	char witness_why[LADDER_WHY];
};

const char *rung_name(enum rung r);

/*
 * Fills *l for this host. Loads tiny programs to find out, and attaches them for a moment to a function
 * of the kernel's own tests. 0, or -errno with one line in why if nothing exact can be counted at all
 * (then every event is on RUNG_SAMPLES).
 */
int ladder_choose(struct ladder *l, char *why, size_t whysize);
/* Is a program part of what was chosen? */
bool ladder_wants(const struct ladder *l, const char *program);

#endif
