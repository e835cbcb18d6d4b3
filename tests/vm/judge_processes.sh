#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_processes.sh OUT VERSION: what guest/test_processes.sh recorded by process sums to the CPUs' counters, on every rung.
# Rows and counters are not read at one moment, which is longer in a machine that is kept waiting.
. tests/lib.sh
. tests/vm/amount.sh

for trace in "$1"/processes-*.nct; do
	amount "$2:$(basename "$trace" .nct)-sums" "$PYTHON" tests/host/processes.py sums "$trace"
done
