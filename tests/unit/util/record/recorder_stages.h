/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_stages.h: stages of the RX softirq in that machine: calls of functions inside each other, or pairs of
 * tracepoints, in softirqs and where tasks run with softirqs disabled; most of these poll devices.
 */
#ifndef NETCOST_TESTS_RECORDER_STAGES_H
#define NETCOST_TESTS_RECORDER_STAGES_H

#include "recorder_model.h"

void call_stage_begin(struct vcpu *c, struct stage_frame f);
void call_stage_end(struct vcpu *c, struct stage_frame f);
/* All have returned by then. */
void stages_over(struct vcpu *c);
/* They go deep now and then. */
void random_stage_step(struct vcpu *c);

#endif
