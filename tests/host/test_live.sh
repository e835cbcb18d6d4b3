#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks netcost-record --live: the screen during a recording, how the screen and the recording end, and that the trace
# is complete in each case.
. tests/lib.sh
need_recorder

if "$REPORT" live /dev/null 2>&1 | grep -q 'built without ncursesw'; then
	skip live "needs ncursesw"
	exit 0
fi
for name in quit_ends_both interrupt_ends_both term_ends_both screen_is_killed recorder_is_killed ends_by_itself command rotated refused \
	progress; do
	expect "live-$name" "$PYTHON" tests/host/live.py "$RECORD" "$REPORT" "$tmp" "$name"
done
