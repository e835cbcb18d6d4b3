#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_counts.sh OUT VERSION: every call was counted, where it belongs, on every rung, also without times
# (guest/test_counts.sh).
. tests/lib.sh

for times in "$1"/*.times; do
	[ -e "$times" ] || continue
	name=$(basename "$times" .times)
	rung=${name#calls-}
	"$PYTHON" tests/host/calls.py judge-times "${times%.times}.nct" "$times" "$rung" "$2:${name%"$rung"}" || lib_failed=1
done
