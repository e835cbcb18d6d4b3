/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_model.h: the CPUs and tasks of a small machine, with a model that adds up each nanosecond
 * where it passes, and its comparison with what the recorders of bpf/recorder.h left.
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
#define DEPTH 4 /* calls of hooks inside each other */
#define STACK 0xffffc90000004000ull
#define BOOT_NS 280000000000000000ull /* almost nine years of uptime */

/*
 * Whose code runs on a CPU. Softirqs can interrupt operations; hard interrupts all but switches and themselves. Nothing
 * interrupts those.
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
	bool left;	     /* that has returned, and they did not see it */
};

struct vtask {
	struct task_struct t; /* first: the recorders know a task by it */
	struct netcost_parked place;
	bool stored; /* it has a place in `parked` */
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

/* Of a CPU that goes offline: below its stopper thread, away, and in its idle task with no switch yet. */
enum phase { HERE, STOPPER, AWAY, BACK };

struct vcpu {
	struct netcost_cpu state; /* the recorders' */
	struct exact_past past;	  /* the reader's */
	struct vtask idle, stopper, *current;
	enum phase phase;
	bool went; /* a reading was passed that it is offline */
	uint64_t pending; /* time since it left HERE, or since the last reading after that, still unattributed */
	bool in_softirq;
	unsigned int softirq;	  /* the running one, as reported to the recorders; 0: none */
	bool in_hardirq, hardirq; /* one runs; the same as reported to the recorders */

	bool no_softirqs; /* the task runs with them disabled, as one that polls a device does */
	struct stages_calls calling; /* the functions that are stages and have not returned */

	struct counts model;
	struct stages_model stages;
	bool known;	/* a switch was seen */
	uint64_t began; /* what the sum of all times counts from */
	uint64_t slack; /* passed inside recorders since the last comparison */
	int64_t off[NETCOST_EV_COUNT +
		    1]; /* recorded less modelled time at the last comparison; offline */
	struct exact_reading last;
	struct netcost_process row[ROWS];
};

/* What a run is like. */
struct plan {
	uint64_t seed;
	unsigned int steps;
	unsigned int
		interrupts; /* softirqs inside a recorder's call, at most; the clock goes on there */
	unsigned int hardirqs; /* maximum inside a recorder's call; 0: no hard interrupts */
	bool functions;	 /* operations are calls of hooks, inside each other; else system calls */
	bool misses;	 /* now and then the begin or end of a call is not seen */
	bool no_witness; /* the messages inside sendmmsg are what its inner calls return */
	bool no_memory;	 /* occasionally no storage in `parked` is available */
	bool stages; /* stages of the RX softirq: of functions, or of tracepoints without `functions` */
	bool hotplug; /* CPUs go offline and come back */
	bool late;    /* the programs are attached one by one, while all is going on */
};

/* A recorder's call. */
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
/* The first one is kept, in m.wrong. */
__attribute__((format(printf, 2, 3))) void wrong(const struct vcpu *c, const char *fmt, ...);
/* A recorder is called; what was called before, which goes on when it returns. */
struct call enter(struct vcpu *c, enum level level);

/* ---- the model --------------------------------------------------------------------------- */

unsigned int base_event(const struct vtask *t);
/* All that a NAPI thread does; once it was seen to come. */
bool model_is_receiving(const struct vcpu *c);
/* What stages are stages of. */
bool model_in_rx(const struct vcpu *c);
/* Time passes on all CPUs, and belongs to what is innermost there. */
void pass(uint64_t ns);
void model_message(struct vcpu *c, bool local, int ret, unsigned int event);
void model_op_begin(struct vtask *t, unsigned int what, struct vframe owner);
/* Its end was not seen, nor that of what it stands in. */
void model_op_drop(struct vcpu *c);
bool calls(unsigned int outer, unsigned int inner);
/* False: it is a part of the operation that its task is in, as far as can be known. */
bool model_may_begin(struct vcpu *c, struct vframe f);
void model_op_end(struct vcpu *c, long ret);
bool same_frame(struct vframe a, struct vframe b);
/* In any operation whose frame is above it, as far as can be known. */
void model_busy_begin(struct vcpu *c, struct vframe f, bool refused);
void model_busy_end(struct vcpu *c, struct vframe f);
void model_hook_end(struct vcpu *c, struct vframe f, long ret);
void model_switch(struct vcpu *c, struct vtask *next);

/* ---- readings ---------------------------------------------------------------------------- */

/* The reader's view in the middle of a call, where the sequence counters say that it is good. */
void read_inside(struct vcpu *c);
/* Outside of calls: since the last time, no event went off by more than passed inside of them. */
void compare(struct vcpu *c);

#endif
