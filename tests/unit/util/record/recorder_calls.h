/* SPDX-License-Identifier: BSD-2-Clause */
/* recorder_calls.h: the recorders' calls, each with its model. */
#ifndef NETCOST_TESTS_RECORDER_CALLS_H
#define NETCOST_TESTS_RECORDER_CALLS_H

#include "recorder_model.h"
#include "recorder_stages.h"

void call_hardirq_begin(struct vcpu *c, unsigned int irq);
void call_hardirq_end(struct vcpu *c, unsigned int irq);
void call_in_hardirq(struct vcpu *c, unsigned int irq);
void call_softirq_begin(struct vcpu *c, unsigned int event);
void call_softirq_end(struct vcpu *c, unsigned int event);
void call_switch(struct vcpu *c, struct vtask *next);
/* The recorders' part of the begin of a system call or function; `what`: 0 if it concerns no socket. */
void call_op_begin(struct vcpu *c, unsigned int what, struct vframe f);
void call_busy_begin(struct vcpu *c, struct vframe f);
void call_busy_end(struct vcpu *c, struct vframe f);
void call_op_end(struct vcpu *c, long ret, struct vframe f);
/* A call by a softirq is not an operation, whatever its stack. */
void call_in_softirq(struct vcpu *c);
void call_message(struct vcpu *c, unsigned short family, int ret, int flags, unsigned int event);

#endif
