/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_machine.h: the events of the simulated machine: a random generator calls the recorders and interrupts them,
 * and answers their callbacks (bpf_shim.h).
 */
#ifndef NETCOST_TESTS_RECORDER_MACHINE_H
#define NETCOST_TESTS_RECORDER_MACHINE_H

#include "recorder_calls.h"

void boot(const struct plan *plan);
/* Stops at the first run that fails: its seed reproduces it. */
void run_seeds(struct plan plan, uint64_t seeds);

#endif
