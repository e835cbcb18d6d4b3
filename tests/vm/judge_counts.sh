#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_counts.sh OUT VERSION: every call was counted, where it belongs, on every rung (guest/test_counts.sh).
. tests/lib.sh

for times in "$1"/*.times; do
	[ -e "$times" ] || continue
	"$PYTHON" tests/host/calls.py judge-times "${times%.times}.nct" "$times" "$(basename "$times" .times)" "$2:" ||
		lib_failed=1
done
