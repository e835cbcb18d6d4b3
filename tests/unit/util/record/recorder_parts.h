/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_parts.h: parts of the RX softirq in that machine: calls of functions inside each other, or pairs of
 * tracepoints, in softirqs and where tasks run with softirqs disabled; most of these poll devices.
 */
#ifndef NETCOST_TESTS_RECORDER_PARTS_H
#define NETCOST_TESTS_RECORDER_PARTS_H

#include "recorder_model.h"

void call_part_begin(struct vcpu *c, struct part_frame f);
void call_part_end(struct vcpu *c, struct part_frame f);
/* All have returned by then. */
void parts_over(struct vcpu *c);
/* They go deep now and then. */
void random_part_step(struct vcpu *c);

#endif
