/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_stages_model.h: a model of the stages of the RX softirq on one CPU of the simulated machine. It adds up each
 * nanosecond as it passes, and compares the sums with the recorders' counters.
 */
#ifndef NETCOST_TESTS_RECORDER_STAGES_MODEL_H
#define NETCOST_TESTS_RECORDER_STAGES_MODEL_H

#include <linux/types.h> /* __u64 for the structs of bpf/wire.h */

#include "bpf/wire.h"
#include "record/exact/exact.h"

#define CALLING 20 /* more nested stages than the recorders follow */

/* A stage: a function call, or the time between a pair of tracepoints. */
struct stage_frame {
	uint64_t hook, stage, sp;
};

/* The stages that really run. */
struct stages_calls {
	struct stage_frame frame[CALLING];
	unsigned int depth;
};

/* The stages as reported to the recorders, and the sums of the model. */
struct stages_model {
	struct stage_frame stack[NETCOST_STAGE_DEPTH];
	unsigned int depth;
	bool over; /* true if busy polling ended, and with it all stages on the stack */
	uint64_t ns[NETCOST_PART_COUNT], total_ns[NETCOST_PART_COUNT], calls[NETCOST_PART_COUNT];
	uint64_t missed, polls_outside;
	/* time since the last poll ended; the part of it outside of all stages, ns */
	uint64_t polling_ns, loose_ns;
	/* time spent inside recorders since the last poll ended and in the call before, ns */
	uint64_t slack;
	int64_t off[2][NETCOST_PART_COUNT];
};

void stages_model_pass(struct stages_model *p, uint64_t ns);
/* Ends all stages, because a softirq or the turn of a task begins or ends. */
void stages_model_edge(struct stages_model *p);
void stages_model_leave(struct stages_model *p);
void stages_model_begin(struct stages_model *p, struct stage_frame f);
void stages_model_end(struct stages_model *p, uint64_t hook, uint64_t sp);
/* Ends a NAPI poll, as a tracepoint reports it. */
void stages_model_polled(struct stages_model *p);

/* ---- readings ---------------------------------------------------------------------------- */

/*
 * Checks what holds for every reading: no time decreases, and the stages take at most the whole time. Returns NULL if
 * this holds, and otherwise an error.
 */
const char *stages_wrong(const struct exact_reading *last, const struct exact_reading *r);
/*
 * Compares a reading with the model outside of calls. They may differ by the time spent inside recorders. Returns NULL
 * if they agree, and otherwise an error.
 */
const char *stages_model_differs(struct stages_model *p, bool polls, const struct exact_reading *r,
				 uint64_t slack);

#endif
