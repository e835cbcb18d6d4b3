/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_machine.h: what happens in that machine: chance, which makes the recorders' calls and interrupts
 * them, and what they ask for (bpf_shim.h).
 */
#ifndef NETCOST_TESTS_RECORDER_MACHINE_H
#define NETCOST_TESTS_RECORDER_MACHINE_H

#include "recorder_calls.h"

void boot(const struct plan *plan);
/* Stops at the first run that fails: the seed is all that is needed to see it again. */
void run_seeds(struct plan plan, uint64_t seeds);

#endif
