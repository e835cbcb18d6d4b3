/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_stages_model.h: the stages of the RX softirq on one CPU of the simulated machine, with each nanosecond added
 * up as it passes, and compared with the recorders' counters.
 */
#ifndef NETCOST_TESTS_RECORDER_STAGES_MODEL_H
#define NETCOST_TESTS_RECORDER_STAGES_MODEL_H

#include <linux/types.h> /* the wire structs' __u64 */

#include "bpf/wire.h"
#include "record/exact/exact.h"

#define CALLING 20 /* deeper than the recorders follow */

/* A function call, or the time between a pair of tracepoints. */
struct stage_frame {
	uint64_t hook, stage, sp;
};

/* The true state. */
struct stages_calls {
	struct stage_frame frame[CALLING];
	unsigned int depth;
};

/* The state as reported to the recorders. */
struct stages_model {
	struct stage_frame stack[NETCOST_STAGE_DEPTH];
	unsigned int depth;
	bool over; /* busy polling ended, and with it everything on the stack */
	uint64_t ns[NETCOST_PART_COUNT], total_ns[NETCOST_PART_COUNT], calls[NETCOST_PART_COUNT];
	uint64_t missed, polls_outside;
	uint64_t polling_ns, loose_ns; /* since the last poll; outside of all stages */
	uint64_t slack; /* passed inside recorders since then, and in the last call before */
	int64_t off[2][NETCOST_PART_COUNT];
};

void stages_model_pass(struct stages_model *p, uint64_t ns);
/* A softirq or a task's turn begins or ends. */
void stages_model_edge(struct stages_model *p);
void stages_model_leave(struct stages_model *p);
void stages_model_begin(struct stages_model *p, struct stage_frame f);
void stages_model_end(struct stages_model *p, uint64_t hook, uint64_t sp);
/* A tracepoint reports the end of a NAPI poll. */
void stages_model_polled(struct stages_model *p);

/* ---- readings ---------------------------------------------------------------------------- */

/* Holds for every reading: no time decreases, and the stages are no more than the whole. Returns NULL if it holds. */
const char *stages_wrong(const struct exact_reading *last, const struct exact_reading *r);
/* Outside of calls: equal to the events, up to the time spent inside recorders. Returns NULL if they agree. */
const char *stages_model_differs(struct stages_model *p, bool polls, const struct exact_reading *r,
				 uint64_t slack);

#endif
