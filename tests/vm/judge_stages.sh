#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_stages.sh OUT VERSION: what guest/test_stages.sh recorded: each packet came through all stages, those of functions, too,
# in an order that can be; and steps sum to whole ways.
. tests/lib.sh

stages() {
	"$PYTHON" tests/host/stages.py "$@"
}

trace=$1/stages.nct report=$1/stages.json
[ -e "$trace" ] || exit
expect "$2:stages-verifies" "$REPORT" verify -q "$trace"
"$REPORT" stages --format=json "$trace" >"$report"
expect "$2:stages-told" stages told "$report"
expect "$2:stages-functions" stages lacks "$report" ip route
expect "$2:stages-order" stages order "$trace"
expect "$2:stages-sums" stages sums "$report"
for stage in driver entry receive ip; do
	expect "$2:stages-$stage" stages came "$report" $stage 295 # of the last ones the begin or the end may be missing
done
! stages lacks "$report" socket >/dev/null || expect "$2:stages-read" stages came "$report" read 290
