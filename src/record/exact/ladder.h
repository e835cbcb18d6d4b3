/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ladder.h: the attach ladder. For each event it chooses the best method of counting (enum rung) that this host allows.
 *
 * A table in ladder.c lists the methods for each event, best first, and the uses of programs that each needs. hooks.h
 * has the programs and their attach points. record/kernel/features.h tests whether the host supports a method at all.
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
#define LADDER_HOOKS HOOK_ROWS /* maximum for one event or stage */

/* The choice for one event. */
struct ladder_choice {
	enum rung rung;
	bool timed;    /* false: calls are counted, but not timed */
	uint32_t uses; /* bit mask of HOOK_USE */
	/* why each better method is not used; empty: not tried */
	char refused[RUNG_COUNT][LADDER_WHY];
};

/* A copy shares the pointers. */
struct ladder {
	struct btf_names *names; /* valid from ladder_choose() to ladder_close(); or NULL */

	/* why each method is excluded; empty: it is allowed */
	char left_out[RUNG_COUNT][LADDER_WHY];

	struct ladder_choice event[NETCOST_EV_COUNT];
	enum rung sockets; /* method of all socket operations, which share their programs */
	struct hook_choice hook[HOOK_ROWS]; /* for the methods fentry and kprobe */
	bool casts;			    /* use bpf_rdonly_cast(), which the kernel has */
	bool witness;			    /* sock:sock_send_length and sock_recv_length exist */
	char witness_why[LADDER_WHY];

	/* socket operations are only counted, by programs that slow down no other system call */
	bool calls;
	bool best; /* sets `calls` if timing would slow down other system calls */

	bool windows;	/* the programs will be detached from time to time */
	bool forced;	/* by NETCOST_RUNG */
	bool processes; /* count by process, with the next three fields */
	enum cgroup_hierarchy cgroups;
	unsigned int cgroup_place; /* cgroup_hierarchy_of_tasks() */
	const struct pmu *pmu;	   /* NULL: none */
	struct ladder_pages {
		enum rung rung;
		char function[HOOK_NAME];
		char why[2 * LADDER_WHY + 24]; /* why no method is usable */
	} pages;			       /* page cache hits */
	/* receivers are observed in one of this many softirqs; 0: off, or not possible */
	unsigned long owners_every;
	uint64_t owners;	     /* their programs: bits in the order of hook_programs */
	char owners_why[LADDER_WHY]; /* why not, or why not by a better method */

	bool full;	  /* time the stages of the RX softirq, too */
	bool polls;	  /* count the packets of NAPI polls */
	enum rung stages; /* method of all stages; a stage without hooks there is on RUNG_SAMPLES */
	char stages_why[2 * LADDER_WHY + 24]; /* what the better methods lack */
};

/* Zeroes *l, except the methods that NETCOST_RUNG excludes. -EINVAL, with one line in why: there is no such method. */
int ladder_limit(struct ladder *l, char *why, size_t whysize);

/*
 * Fills in the rest of *l for this host. To find out, it loads tiny programs and attaches them
 * briefly to a function of the kernel's own tests. Returns 0, or -errno with one line in why if
 * nothing can be counted exactly (then every event is on RUNG_SAMPLES).
 */
int ladder_choose(struct ladder *l, char *why, size_t whysize);
void ladder_close(struct ladder *l); /* the choices remain valid */

/*
 * The chosen probes do not see the calls of some hooks (bit n: hook n): selects other functions for them, or, if none
 * are left, the next method, with `why` as the reason. Returns false if nothing is left.
 */
bool ladder_step(struct ladder *l, uint32_t blind, const char *why);

/* The functions of these rows (bit mask) were refused: selects the next ones, if any. */
void ladder_skip(struct ladder *l, uint64_t rows);

/*
 * Returns the next chosen program of hook_programs[], starting at *i; NULL: no more. The pairs of programs of hooks are
 * not included. ladder_wants() returns whether the program of that name is chosen.
 */
const struct hook_program *ladder_program(const struct ladder *l, unsigned int *i);
bool ladder_wants(const struct ladder *l, const char *program);
/* The method that counts an event; RUNG_SAMPLES if there is nothing to attach to. */
enum rung ladder_rung(const struct ladder *l, enum netcost_event event);
/* Returns whether the time of an event is exact, and not only the number of its calls. */
bool ladder_times(const struct ladder *l, enum netcost_event event);
/* The value of --exact that corresponds to the choices. */
const char *ladder_mode(const struct ladder *l);
/* Returns whether the program that counts polls is the witness for kprobes on driver polls. */
bool ladder_polls_are_witness(const struct ladder *l);
/*
 * Returns whether that program's cost belongs to the class "softirq". Otherwise it belongs to
 * "stage", or the program is not attached.
 */
bool ladder_polls_in_softirq(const struct ladder *l);
/* Returns whether the packets of polls in that event are counted. */
bool ladder_counts_packets(const struct ladder *l, enum netcost_event event);
/* Returns whether hard interrupts of network devices are timed. */
bool ladder_counts_hardirqs(const struct ladder *l);
/* Their programs were refused: stop timing hard interrupts. Returns false if they were not timed anyway. */
bool ladder_leave_hardirqs(struct ladder *l, const char *why);
/* Their program was refused: stop counting page cache hits. Returns false if they were not counted anyway. */
bool ladder_leave_pages(struct ladder *l, const char *why);
/* The attach points of an event's programs; returns their number. */
size_t ladder_hooks(const struct ladder *l, enum netcost_event event,
		    const char *name[LADDER_HOOKS]);

/* How the socket of a packet is identified; and the weakness of that method, or why it is unavailable, or "". */
const char *ladder_owners_via(const struct ladder *l);
const char *ladder_owners_why(const struct ladder *l);

/* The method and the attach points of a stage of the RX softirq. */
enum rung ladder_stage_rung(const struct ladder *l, enum netcost_part stage);
size_t ladder_stage_hooks(const struct ladder *l, enum netcost_part stage,
			  const char *name[LADDER_HOOKS]);

#endif
