/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder_machine.h: random events of the simulated machine. They call the recorders, interrupt them, and answer their
 * callbacks (bpf_shim.h).
 */
#ifndef NETCOST_TESTS_RECORDER_MACHINE_H
#define NETCOST_TESTS_RECORDER_MACHINE_H

#include "recorder_calls.h"

void boot(const struct plan *plan);
/* Runs the plan with seeds from 1 to `seeds`. Stops at the first run that fails, whose seed reproduces the failure. */
void run_seeds(struct plan plan, uint64_t seeds);

#endif
