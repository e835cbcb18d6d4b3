#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# netcost-record --live: the screen beside a recording, what ends which of the two, and that the trace is sound whatever ends first.
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
