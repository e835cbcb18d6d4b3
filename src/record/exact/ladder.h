/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ladder.h: the attach ladder. For each event it chooses the best method of counting (enum rung) that this host allows.
 *
 * A table in ladder.c lists the methods for each event, best first, and the uses of programs that each method needs.
 * hooks.h lists the programs and their attach points. record/kernel/features.h tests whether the host supports a method
 * at all.
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
#define LADDER_HOOKS HOOK_ROWS /* maximum number of hooks of one event or stage */

/* The choice for one event. */
struct ladder_choice {
	enum rung rung;
	bool timed;    /* false: calls are counted, but not timed */
	uint32_t uses; /* bit mask of HOOK_USE */
	/* reason why each better method is not used; empty if the method was not tried */
	char refused[RUNG_COUNT][LADDER_WHY];
};

/* All choices. A copy of this struct shares the pointers. */
struct ladder {
	struct btf_names *names; /* valid from ladder_choose() to ladder_close(); may be NULL */

	/* reason why each method is excluded; empty if the method is allowed */
	char left_out[RUNG_COUNT][LADDER_WHY];

	struct ladder_choice event[NETCOST_EV_COUNT];
	enum rung sockets; /* method of all socket operations, which share their programs */
	/* chosen functions, for the methods fentry and kprobe */
	struct hook_choice hook[HOOK_ROWS];
	bool casts;   /* the programs use bpf_rdonly_cast(), which the kernel has */
	bool witness; /* the tracepoints sock:sock_send_length and sock_recv_length exist */
	char witness_why[LADDER_WHY];

	/* socket operations are counted but not timed, by programs that slow down no other system call */
	bool calls;
	bool refused; /* the kernel refuses all programs of functions (EPERM) */
	bool best; /* ladder_choose() sets `calls` if timing would slow down other system calls */

	bool windows;	/* the programs will be detached from time to time */
	bool forced;	/* NETCOST_RUNG forces a method */
	bool processes; /* count by process, with the next three fields */
	enum cgroup_hierarchy cgroups;
	unsigned int cgroup_place; /* result of cgroup_hierarchy_of_tasks() */
	uint64_t memory_limit;	   /* for the sizes of maps; memory_limit.h */
	const struct pmu *pmu;	   /* NULL: no hardware counters */
	struct ladder_pages {
		enum rung rung;
		char function[HOOK_NAME];
		char why[2 * LADDER_WHY + 24]; /* reason why no method is usable */
	} pages;			       /* choice for page cache hits */
	/* receivers are observed in 1 of owners_every softirqs; 0: --owners is off or not possible */
	unsigned long owners_every;
	/* chosen receiver programs, one bit for each element of hook_programs */
	uint64_t owners;
	/* reason why receivers are not observed, or why no better method is used */
	char owners_why[LADDER_WHY];

	bool full;  /* also time the stages of the RX softirq */
	bool polls; /* count the packets of NAPI polls */
	/* method of all stages; a stage for which that method has no hooks is on RUNG_SAMPLES */
	enum rung stages;
	char stages_why[2 * LADDER_WHY + 24]; /* reasons why better methods are not used */
};

/*
 * Zeroes *l, then excludes the methods that NETCOST_RUNG forbids. Returns -EINVAL, with one line in why, if
 * NETCOST_RUNG names an unknown method.
 */
int ladder_limit(struct ladder *l, char *why, size_t whysize);

/*
 * Fills in the rest of *l for this host. To test the host, it loads tiny programs and attaches them briefly to a
 * function of the kernel's own tests. Returns 0. If nothing can be counted exactly, returns -errno with one line in
 * why, and every event is on RUNG_SAMPLES.
 */
int ladder_choose(struct ladder *l, char *why, size_t whysize);
void ladder_close(struct ladder *l); /* frees the names; the choices remain valid */

/*
 * Makes another choice after the self-test showed that the chosen probes miss calls of some hooks (bit n: hook n).
 * Selects other functions for these hooks. If no function is left, selects the next method, with `why` as the reason.
 * Returns false if no method is left.
 */
bool ladder_step(struct ladder *l, uint32_t blind, const char *why);

/* Selects the next functions of these rows (bit mask), if any, after the kernel refused the current functions. */
void ladder_skip(struct ladder *l, uint64_t rows);

/*
 * ladder_program() returns the next chosen program of hook_programs[], starting at *i, or NULL after the last one.
 * ladder_program() skips the pairs of programs of hooks. ladder_wants() returns true if the program of the given name
 * is chosen.
 */
const struct hook_program *ladder_program(const struct ladder *l, unsigned int *i);
bool ladder_wants(const struct ladder *l, const char *program);
/* Returns the method that counts an event. Returns RUNG_SAMPLES if the method has no attach point for it. */
enum rung ladder_rung(const struct ladder *l, enum netcost_event event);
/* Returns true if the time of an event is exact, and not just the number of its calls. */
bool ladder_times(const struct ladder *l, enum netcost_event event);
/* Returns the value of --exact that corresponds to the choices. */
const char *ladder_mode(const struct ladder *l);
/* Returns true if the program that counts polls is the witness for kprobes on driver polls. */
bool ladder_polls_are_witness(const struct ladder *l);
/*
 * Returns true if the cost of the program that counts polls belongs to the class "softirq". If not, the cost belongs to
 * "stage", or the program is not attached.
 */
bool ladder_polls_in_softirq(const struct ladder *l);
/* Returns true if the packets that NAPI polls during the event are counted. */
bool ladder_counts_packets(const struct ladder *l, enum netcost_event event);
/* Returns true if hard interrupts of network devices are timed. */
bool ladder_counts_hardirqs(const struct ladder *l);
/*
 * Stops timing hard interrupts after the kernel refused the programs. Returns false if hard interrupts were not timed
 * anyway.
 */
bool ladder_leave_hardirqs(struct ladder *l, const char *why);
/*
 * Stops counting page cache hits after the kernel refused the program. Returns false if they were not counted anyway.
 */
bool ladder_leave_pages(struct ladder *l, const char *why);
/* Lists the attach points of an event's programs. Returns the number of attach points. */
size_t ladder_hooks(const struct ladder *l, enum netcost_event event,
		    const char *name[LADDER_HOOKS]);

/*
 * ladder_owners_via() returns how the programs identify the socket of a packet. ladder_owners_why() returns the
 * weakness of that method, or why receivers are not observed, or "".
 */
const char *ladder_owners_via(const struct ladder *l);
const char *ladder_owners_why(const struct ladder *l);

/* Return the method and list the attach points of a stage of the RX softirq. */
enum rung ladder_stage_rung(const struct ladder *l, enum netcost_part stage);
size_t ladder_stage_hooks(const struct ladder *l, enum netcost_part stage,
			  const char *name[LADDER_HOOKS]);

#endif
