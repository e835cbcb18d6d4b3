#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_windows.sh OUT VERSION: what guest/test_windows.sh recorded in windows fits together, on every rung.
. tests/lib.sh

for trace in "$1"/windows-*.nct; do
	[ -e "$trace" ] || continue # that machine does not do it
	expect "$2:$(basename "$trace" .nct)-fits" "$PYTHON" tests/host/windows.py "$trace" 1
done
