#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_tail.sh OUT VERSION: what guest/test_tail.sh recorded: what was done to the slowest packets is what is named first.
. tests/lib.sh
. tests/vm/amount.sh

for trace in "$1"/tail-*.nct; do
	[ -e "$trace" ] || continue
	name=$(basename "$trace" .nct)
	expect "$2:$name-verifies" "$REPORT" verify -q "$trace"
	expect "$2:$name-sums" "$PYTHON" tests/host/tail.py sums "$trace"
done
[ -e "$1/tail-spun.nct" ] || exit
amount "$2:tail-spun-first" "$PYTHON" tests/host/tail.py first "$1/tail-spun.nct" udp-socket-enqueued 5000 8 softirq 3
amount "$2:tail-masked-first" "$PYTHON" tests/host/tail.py first "$1/tail-masked.nct" udp-socket-read 20000 8 interrupts-off
