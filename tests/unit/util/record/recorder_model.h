/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_model.h: CPUs and tasks of a simulated machine. A model adds up each nanosecond as it passes, and compares
 * the sums with the counters of bpf/recorder.h.
 */
#ifndef NETCOST_TESTS_RECORDER_MODEL_H
#define NETCOST_TESTS_RECORDER_MODEL_H

#include "bpf_shim.h"

#include "record/exact/exact.h"
#include "record/exact/hooks.h"

#include "record_util.h"
#include "recorder_stages_model.h"

#define CPUS 3
#define TASKS 10
#define ROWS 16
#define DEPTH 4 /* maximum number of nested calls of hooks */
#define STACK 0xffffc90000004000ull
#define BOOT_NS 280000000000000000ull /* almost nine years of uptime */

/*
 * Kinds of code that run on a CPU. Softirqs can interrupt operations. Hard interrupts can interrupt everything except
 * context switches and hard interrupts.
 */
enum level { LEVEL_NONE, LEVEL_OP, LEVEL_STAGE, LEVEL_SWITCH, LEVEL_SOFTIRQ, LEVEL_HARDIRQ };

/* Last attached program, in the order of attach_all(). */
enum attached {
	NOTHING,
	SWITCH,
	SOFTIRQ_EXIT,
	SOFTIRQ_ENTRY,
	HARDIRQ_EXIT,
	HARDIRQ_ENTRY,
	OP_END,
	OP_BEGIN
};

/* A call of a hook that has not returned. */
struct vframe {
	unsigned int hook;
	uint64_t sp;
};

/* An operation that was reported to the recorders. */
struct vop {
	unsigned int what;   /* 0 if there is no operation */
	struct vframe owner; /* call that began the operation */
	bool left;	     /* true if that call returned and the recorders did not see it */
};

struct vtask {
	/* first member, because the recorders identify a task by its address */
	struct task_struct t;
	struct netcost_parked place;
	bool stored; /* true if the task has storage in `parked` */
	bool on_cpu;
	struct vframe frame[DEPTH]; /* calls that have not returned, the innermost last */
	unsigned int depth;

	/* operations as reported to the recorders: the current one, and the one that contains busy polling */
	struct vop now, outer;
};

struct counts {
	uint64_t ns[NETCOST_EV_COUNT], calls[NETCOST_EV_COUNT], failed[NETCOST_EV_COUNT],
		bytes[NETCOST_EV_COUNT];
	uint64_t untracked, sends_inside, sends_outside, recvs_inside, recvs_outside;
	uint64_t offline_ns;
};

/*
 * Phases of a CPU that goes offline: not offline; in its stopper thread; offline; back online in its idle task, before
 * the first context switch.
 */
enum phase { HERE, STOPPER, AWAY, BACK };

struct vcpu {
	struct netcost_cpu state; /* state of the recorders */
	struct exact_past past;	  /* state of the reader */
	struct vtask idle, stopper, *current;
	enum phase phase;
	bool went; /* true if a reading reported that the CPU is offline */
	/* time since the phase HERE, or since a later reading that charged such time, ns */
	uint64_t pending;
	bool in_softirq;
	unsigned int softirq; /* softirq that runs, as reported to the recorders; 0 if none */
	/* true if an interrupt handler runs; true if that was reported to the recorders */
	bool in_hardirq, hardirq;

	/* true if the task runs with softirqs disabled, like one that polls a device */
	bool no_softirqs;
	struct stages_calls calling; /* calls of stages that have not returned */

	struct counts model;
	struct stages_model stages;
	bool known;	/* true if the recorders have seen a context switch */
	uint64_t began; /* time since which the events sum to the elapsed time, ns */
	uint64_t slack; /* time spent inside recorders since the last comparison, ns */
	/* recorded minus modelled time at the last comparison, ns: of each event, and last the offline time */
	int64_t off[NETCOST_EV_COUNT + 1];
	struct exact_reading last;
	struct netcost_process row[ROWS];
};

/* Parameters of a run. */
struct plan {
	uint64_t seed;
	unsigned int steps;
	/* maximum number of softirqs inside a recorder's call; if it is not 0, the clock advances in recorders */
	unsigned int interrupts;
	/* maximum number of hard interrupts inside a recorder's call; 0 means that there are none anywhere */
	unsigned int hardirqs;
	/* operations are nested calls of hooks, and otherwise system calls */
	bool functions;
	bool misses; /* occasionally the begin or end of a call is not seen */
	/* the number of messages of sendmmsg is what its inner calls return */
	bool no_witness;
	bool no_memory; /* occasionally no storage in `parked` is available */
	/* stages of the RX softirq run: as functions, or as tracepoints without `functions` */
	bool stages;
	bool hotplug; /* CPUs go offline and come back */
	bool late;    /* the programs are attached one by one under load */
};

/* A call of a recorder. */
struct call {
	struct vcpu *c;
	enum level level;
	unsigned int interrupts_left, hardirqs_left;
	bool refused; /* true if the recorder got no storage */
};

struct machine {
	struct plan plan;
	uint64_t rnd, now;
	struct vcpu cpu[CPUS];
	struct vtask task[TASKS];
	enum attached attached;
	struct call call;    /* innermost call of a recorder */
	unsigned int nested; /* number of softirqs that interrupt a recorder, at most 1 */
	int pids;
	uint64_t inner_readings, interrupted, hard_interrupted;
	/* number of context switches during busy polling inside an operation */
	uint64_t slept_polling;
	char wrong[200]; /* first error */
};

extern struct machine m;

/* Returns a random number from 0 to n - 1. */
uint32_t below(uint32_t n);
bool one_in(uint32_t n);
/* Stores an error in m.wrong, unless m.wrong has an earlier error. */
__attribute__((format(printf, 2, 3))) void wrong(const struct vcpu *c, const char *fmt, ...);
/*
 * Notes that a recorder is called. Returns the interrupted call, which the caller restores in m.call when the recorder
 * returns.
 */
struct call enter(struct vcpu *c, enum level level);

/* ---- the model --------------------------------------------------------------------------- */

unsigned int base_event(const struct vtask *t);
/*
 * Returns whether the CPU runs a NAPI thread, of which everything after its first context switch counts as receiving.
 */
bool model_is_receiving(const struct vcpu *c);
/* Returns whether the CPU does receive work, of which the stages are parts. */
bool model_in_rx(const struct vcpu *c);
/* Advances the time on all CPUs, and charges it to the innermost state of each. */
void pass(uint64_t ns);
void model_message(struct vcpu *c, bool local, int ret, unsigned int event);
void model_op_begin(struct vtask *t, unsigned int what, struct vframe owner);
/* Drops the current operation and the one that contains it, because the recorders missed their ends. */
void model_op_drop(struct vcpu *c);
bool calls(unsigned int outer, unsigned int inner);
/*
 * Returns whether a new operation may begin. False means that the call seems to be a part of the task's current
 * operation.
 */
bool model_may_begin(struct vcpu *c, struct vframe f);
void model_op_end(struct vcpu *c, long ret);
bool same_frame(struct vframe a, struct vframe b);
/*
 * Begins busy polling in frame f. It belongs to the task's operation if that operation's frame is above f. `refused`
 * means that the recorder got no storage.
 */
void model_busy_begin(struct vcpu *c, struct vframe f, bool refused);
void model_busy_end(struct vcpu *c, struct vframe f);
void model_hook_end(struct vcpu *c, struct vframe f, long ret);
void model_switch(struct vcpu *c, struct vtask *next);

/* ---- readings ---------------------------------------------------------------------------- */

/* Checks what a reader sees in the middle of a call, if the sequence counters are valid. */
void read_inside(struct vcpu *c);
/*
 * Compares the counters with the model outside of calls. Since the last comparison, no event may have moved away from
 * the model by more than the time spent inside recorders.
 */
void compare(struct vcpu *c);

#endif
