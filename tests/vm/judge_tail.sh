#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_tail.sh OUT VERSION: what guest/test_tail.sh recorded: what was done to the slowest packets is what is named first.
. tests/lib.sh

for trace in "$1"/tail-*.nct; do
	[ -e "$trace" ] || continue
	name=$(basename "$trace" .nct)
	expect "$2:$name-verifies" "$REPORT" verify -q "$trace"
	expect "$2:$name-sums" "$PYTHON" tests/host/tail.py sums "$trace"
done
[ -e "$1/tail-spun.nct" ] || exit
out=$1 judged=$2

# first NAME HOOK US WHAT...: judges the packets that waited at HOOK for at least US
first() {
	trace=$1 hook=$2 us=$3
	shift 3
	expect "$judged:tail-$trace-first" "$PYTHON" tests/host/tail.py first "$out/tail-$trace.nct" "$hook" "$us" 8 "$@"
}

first spun udp-socket-enqueued 5000 softirq 3
first masked udp-socket-read 20000 interrupts-off
first hog udp-socket-read 10000 task 1 waits
first late udp-socket-read 20000 reader-late
first busy udp-socket-read 20000 reader-ran
for trace in hog busy; do
	"$REPORT" latency --tail "$out/tail-$trace.nct" >"$out/tail-$trace.txt"
	expect "$judged:tail-$trace-functions" grep -Eq 'of [0-9]+ samples: [0-9]+ in \[user\]' "$out/tail-$trace.txt"
done
