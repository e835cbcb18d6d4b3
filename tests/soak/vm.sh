#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# In a virtual machine with two CPUs: delays of a known length by each method, also while a sender is preempted or moved, the
# parts of the RX softirq, hard interrupts against ftrace, and calls against its function_graph. In two with one CPU: by how much
# packets wait longer for a delay of a known length, all percentiles.
export NETCOST_VM_TESTS="calibrated hardirq parts_spin witness waits"
exec sh tests/vm/run.sh 6.12-soak 6.1-one 6.12-one
