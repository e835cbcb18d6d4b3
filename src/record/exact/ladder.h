/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ladder.h: the attach ladder: for each event the best way to count it that this host allows.
 *
 * A table in ladder.c says in which ways each event can be counted, best first: on which rung, and by programs for what.
 * The programs and what they are attached to are in hooks.h. Whether the host has a rung at all is tested in
 * record/kernel/features.h.
 */
#ifndef NETCOST_LADDER_H
#define NETCOST_LADDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/events.h>

#include "hooks.h"
#include "record/kernel/cgroup_hierarchy.h"
#include "record/kernel/features.h"

struct btf_names;
struct pmu;

#define LADDER_WHY FEATURES_WHY
#define LADDER_HOOKS HOOK_ROWS /* of one event or stage, at most */

/* What was chosen for one event. */
struct ladder_choice {
	enum rung rung;
	bool timed;    /* otherwise calls are counted, but their time is not */
	uint32_t uses; /* of programs (HOOK_USE) */
	char refused[RUNG_COUNT][LADDER_WHY]; /* why each better rung is not used; empty: not tried */
};

/* A copy shares what it points to. */
struct ladder {
	struct btf_names *names; /* from ladder_choose() to ladder_close(); or NULL */

	char left_out[RUNG_COUNT][LADDER_WHY]; /* why each is not to be used; empty: it may be */

	struct ladder_choice event[NETCOST_EV_COUNT];
	enum rung sockets; /* that of the socket operations, which share their programs */
	struct hook_choice hook[HOOK_ROWS]; /* on the rungs fentry and kprobe */
	bool casts;			    /* use bpf_rdonly_cast(): the kernel has it */
	bool witness; /* sock:sock_send_length and sock_recv_length are there */
	char witness_why[LADDER_WHY];

	bool calls; /* of socket operations only calls, by what slows down no other system call */
	bool best;  /* `calls` where their times would slow down others; otherwise not */

	bool windows;	/* what is attached is to be detached now and then */
	bool forced;	/* by NETCOST_RUNG */
	bool processes; /* by process, too; and then: */
	enum cgroup_hierarchy cgroups;
	unsigned int cgroup_place; /* cgroup_hierarchy_of_tasks() */
	const struct pmu *pmu;	   /* hardware counters; NULL: none */
	struct ladder_pages {
		enum rung rung;
		char function[HOOK_NAME];
		char why[2 * LADDER_WHY + 24]; /* why on no rung */
	} pages;			       /* hits of the page cache */
	/* who receives, in one softirq in so many; 0: not asked for, or not possible */
	unsigned long owners_every;
	uint64_t owners;	     /* by which programs: bits, as hook_programs has them */
	char owners_why[LADDER_WHY]; /* why not, or not better */

	bool full;	  /* the stages of the RX softirq, too */
	bool polls;	  /* the packets of NAPI's polls */
	enum rung stages; /* of all of them; a stage that has no hooks there is on RUNG_SAMPLES */
	char stages_why[2 * LADDER_WHY + 24]; /* what the better rungs lack */
};

/* Zeroes *l, except what NETCOST_RUNG leaves out. -EINVAL: there is no such rung, with one line in why. */
int ladder_limit(struct ladder *l, char *why, size_t whysize);

/*
 * Fills the rest of *l for this host. Loads tiny programs to find out, and attaches them for a
 * moment to a function of the kernel's own tests. 0, or -errno with one line in why if nothing
 * exact can be counted at all (then every event is on RUNG_SAMPLES).
 */
int ladder_choose(struct ladder *l, char *why, size_t whysize);
void ladder_close(struct ladder *l); /* what was chosen remains */

/*
 * What was chosen turned out not to see the calls of some hooks (bit n: hook n): takes other
 * functions for them; with none left, the next rung, with `why` as the reason. False: there is nothing left.
 */
bool ladder_step(struct ladder *l, uint32_t blind, const char *why);

/* The functions of these rows (bits) are refused: takes the next ones, or none if none are left. */
void ladder_skip(struct ladder *l, uint64_t rows);

/*
 * Returns the next chosen program of hook_programs[], from *i on; NULL: there are no more. The pairs of programs of hooks are
 * not among them. ladder_wants(): whether one of that name is chosen.
 */
const struct hook_program *ladder_program(const struct ladder *l, unsigned int *i);
bool ladder_wants(const struct ladder *l, const char *program);
/* Where an event is counted; RUNG_SAMPLES if there is nothing to attach to. */
enum rung ladder_rung(const struct ladder *l, enum netcost_event event);
/* Is the time of an event exact, and not only the number of its calls? */
bool ladder_times(const struct ladder *l, enum netcost_event event);
/* What --exact would have to be for what was chosen. */
const char *ladder_mode(const struct ladder *l);
/* Does the program that counts polls witness what kprobes see of driver polls? */
bool ladder_polls_are_witness(const struct ladder *l);
/* Does its cost belong to the class "softirq"? Otherwise to "stage", or it is not attached. */
bool ladder_polls_in_softirq(const struct ladder *l);
/* Are the packets of the polls in that event counted? */
bool ladder_counts_packets(const struct ladder *l, enum netcost_event event);
/* Are hard interrupts of network devices timed? */
bool ladder_counts_hardirqs(const struct ladder *l);
/* Their programs are refused: they are not timed. False: they were not to be anyway. */
bool ladder_leave_hardirqs(struct ladder *l, const char *why);
/* Likewise hits of the page cache. */
bool ladder_leave_pages(struct ladder *l, const char *why);
/* What an event's programs attach to; returns how many. */
size_t ladder_hooks(const struct ladder *l, enum netcost_event event,
		    const char *name[LADDER_HOOKS]);

/* By what it is known which socket a packet came to, and what is weak about that, or why it cannot be known: or "". */
const char *ladder_owners_via(const struct ladder *l);
const char *ladder_owners_why(const struct ladder *l);

/* Likewise for a stage of the RX softirq. */
enum rung ladder_stage_rung(const struct ladder *l, enum netcost_part stage);
size_t ladder_stage_hooks(const struct ladder *l, enum netcost_part stage,
			  const char *name[LADDER_HOOKS]);

#endif
