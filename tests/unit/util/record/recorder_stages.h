/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_stages.h: stages of the RX softirq in the simulated machine. Stages are nested function calls or pairs of
 * tracepoints. They run in softirqs, and in tasks that run with softirqs disabled; most of these tasks poll devices.
 */
#ifndef NETCOST_TESTS_RECORDER_STAGES_H
#define NETCOST_TESTS_RECORDER_STAGES_H

#include "recorder_model.h"

void call_stage_begin(struct vcpu *c, struct stage_frame f);
void call_stage_end(struct vcpu *c, struct stage_frame f);
/* Makes all calls of stages return. */
void stages_over(struct vcpu *c);
/* Calls a stage or makes one return. Stages occasionally nest deeply. */
void random_stage_step(struct vcpu *c);

#endif
