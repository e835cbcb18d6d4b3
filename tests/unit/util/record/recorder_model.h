/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_model.h: the CPUs and tasks of a simulated machine, with a model that adds up each nanosecond as it passes,
 * and compares it with the counters of bpf/recorder.h.
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
#define DEPTH 4 /* nested calls of hooks */
#define STACK 0xffffc90000004000ull
#define BOOT_NS 280000000000000000ull /* almost nine years of uptime */

/*
 * The kind of code that runs on a CPU. Softirqs can interrupt operations; hard interrupts can interrupt everything
 * except context switches and hard interrupts.
 */
enum level { LEVEL_NONE, LEVEL_OP, LEVEL_STAGE, LEVEL_SWITCH, LEVEL_SOFTIRQ, LEVEL_HARDIRQ };

/* In the order of attach_all(). */
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

/* An operation, as reported to the recorders. */
struct vop {
	unsigned int what;   /* 0: none */
	struct vframe owner; /* the call that began it */
	bool left;	     /* that has returned without the recorders seeing it */
};

struct vtask {
	struct task_struct t; /* first member: the recorders identify a task by it */
	struct netcost_parked place;
	bool stored; /* it has a slot in `parked` */
	bool on_cpu;
	struct vframe frame[DEPTH]; /* the innermost last */
	unsigned int depth;

	/* as reported to the recorders: the current operation, and the one around busy polling */
	struct vop now, outer;
};

struct counts {
	uint64_t ns[NETCOST_EV_COUNT], calls[NETCOST_EV_COUNT], failed[NETCOST_EV_COUNT],
		bytes[NETCOST_EV_COUNT];
	uint64_t untracked, sends_inside, sends_outside, recvs_inside, recvs_outside;
	uint64_t offline_ns;
};

/* A CPU that goes offline: below its stopper thread, away, and in its idle task before the first switch. */
enum phase { HERE, STOPPER, AWAY, BACK };

struct vcpu {
	struct netcost_cpu state; /* the recorders' */
	struct exact_past past;	  /* the reader's */
	struct vtask idle, stopper, *current;
	enum phase phase;
	bool went; /* a reading reported that it is offline */
	uint64_t pending; /* time since it left HERE, or since the last reading after that, still unattributed */
	bool in_softirq;
	unsigned int softirq;	  /* the running one, as reported to the recorders; 0: none */
	bool in_hardirq, hardirq; /* a task is running; the same as reported to the recorders */

	bool no_softirqs; /* the task runs with softirqs disabled, as one that polls a device does */
	struct stages_calls calling; /* the functions that are stages and have not returned */

	struct counts model;
	struct stages_model stages;
	bool known;	/* a context switch was seen */
	uint64_t began; /* time from which the sum of all times counts */
	uint64_t slack; /* passed inside recorders since the last comparison */
	int64_t off[NETCOST_EV_COUNT +
		    1]; /* recorded less modelled time at the last comparison; offline */
	struct exact_reading last;
	struct netcost_process row[ROWS];
};

/* Parameters of a run. */
struct plan {
	uint64_t seed;
	unsigned int steps;
	unsigned int
		interrupts; /* maximum number of softirqs inside a recorder's call; the clock advances in them */
	unsigned int hardirqs; /* maximum inside a recorder's call; 0: no hard interrupts */
	bool functions;	       /* operations are nested calls of hooks; otherwise system calls */
	bool misses;	       /* occasionally the begin or end of a call is not seen */
	bool no_witness;       /* sendmmsg has the number of messages that its inner calls return */
	bool no_memory;	       /* occasionally no storage in `parked` is available */
	bool stages;  /* stages of the RX softirq: functions, or tracepoints without `functions` */
	bool hotplug; /* CPUs go offline and come back */
	bool late;    /* the programs are attached one by one under load */
};

/* A call of a recorder. */
struct call {
	struct vcpu *c;
	enum level level;
	unsigned int interrupts_left, hardirqs_left;
	bool refused; /* memory */
};

struct machine {
	struct plan plan;
	uint64_t rnd, now;
	struct vcpu cpu[CPUS];
	struct vtask task[TASKS];
	enum attached attached;
	struct call call;    /* the innermost */
	unsigned int nested; /* interrupts inside recorders: one at a time */
	int pids;
	uint64_t inner_readings, interrupted, hard_interrupted;
	uint64_t slept_polling; /* inside operations */
	char wrong[200];	/* the first thing that was */
};

extern struct machine m;

/* 0 .. n - 1 */
uint32_t below(uint32_t n);
bool one_in(uint32_t n);
/* Only the first error is kept, in m.wrong. */
__attribute__((format(printf, 2, 3))) void wrong(const struct vcpu *c, const char *fmt, ...);
/* Calls a recorder; the interrupted call continues when it returns. */
struct call enter(struct vcpu *c, enum level level);

/* ---- the model --------------------------------------------------------------------------- */

unsigned int base_event(const struct vtask *t);
/* Everything that a NAPI thread does after it was seen to start. */
bool model_is_receiving(const struct vcpu *c);
/* The event that stages are parts of. */
bool model_in_rx(const struct vcpu *c);
/* Time passes on all CPUs, and is charged to the innermost state of each. */
void pass(uint64_t ns);
void model_message(struct vcpu *c, bool local, int ret, unsigned int event);
void model_op_begin(struct vtask *t, unsigned int what, struct vframe owner);
/* Its end was not seen, nor that of the operation that contains it. */
void model_op_drop(struct vcpu *c);
bool calls(unsigned int outer, unsigned int inner);
/* False: as far as can be known, it is a part of its task's operation. */
bool model_may_begin(struct vcpu *c, struct vframe f);
void model_op_end(struct vcpu *c, long ret);
bool same_frame(struct vframe a, struct vframe b);
/* Whether it is in any operation with a frame above it, as far as can be known. */
void model_busy_begin(struct vcpu *c, struct vframe f, bool refused);
void model_busy_end(struct vcpu *c, struct vframe f);
void model_hook_end(struct vcpu *c, struct vframe f, long ret);
void model_switch(struct vcpu *c, struct vtask *next);

/* ---- readings ---------------------------------------------------------------------------- */

/* The reader's view in the middle of a call, if the sequence counters are valid. */
void read_inside(struct vcpu *c);
/* Outside of calls: since the last comparison, no event differs by more than the time spent inside them. */
void compare(struct vcpu *c);

#endif
