#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Ten seconds of a load, by process: what the rows have is what the kernel reports, also of 2000 processes a second.
. tests/lib.sh
need_recorder
need_command zstd

by_process() {
	"$PYTHON" tests/host/processes.py "$@"
}

for load in spin network storm; do
	"$RECORD" -q -F 0 --budget=none --processes --exact=entry -i 500 -o "$tmp/t.nct" -- \
		"$PYTHON" tests/host/processes.py load $load 10 >"$tmp/used"
	expect processes-$load-sums by_process sums "$tmp/t.nct"
	expect processes-$load-as-the-kernel-says by_process used "$tmp/t.nct" "$tmp/used"
done
judge processes-storm-rate "this host has no 2000 new processes a second" by_process rate "$tmp/used"
