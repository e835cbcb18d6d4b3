/* SPDX-License-Identifier: BSD-2-Clause */
/* recorder_calls.h: functions that call a recorder and update the model in the same way. */
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
/* Begins a system call or function. `what` is 0 if the call does not concern a socket. */
void call_op_begin(struct vcpu *c, unsigned int what, struct vframe f);
void call_busy_begin(struct vcpu *c, struct vframe f);
void call_busy_end(struct vcpu *c, struct vframe f);
void call_op_end(struct vcpu *c, long ret, struct vframe f);
/* Makes a softirq call a hook's function. Such a call is not an operation, whatever its stack is. */
void call_in_softirq(struct vcpu *c);
void call_message(struct vcpu *c, unsigned short family, int ret, int flags, unsigned int event);

#endif
