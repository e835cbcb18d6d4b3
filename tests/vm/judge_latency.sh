#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_latency.sh OUT VERSION: what guest/test_latency.sh recorded: what was spun delays the hooks behind that, and not the
# one before; what netem reordered waited in the socket for as long as netem held back what was missing.
. tests/lib.sh
. tests/vm/amount.sh

latency() {
	"$PYTHON" tests/host/latency.py "$@"
}

for trace in "$1"/latency-*.nct; do
	[ -e "$trace" ] || continue
	expect "$2:$(basename "$trace" .nct)-verifies" "$REPORT" verify -q "$trace"
	"$REPORT" latency --format=json "$trace" >"${trace%.nct}.json"
done
before=$1/latency-spin-0.json
[ -e "$before" ] || exit
hooks="ip-start udp-start udp-socket-enqueued udp-socket-read" # by functions, where tracepoints are missing
for us in 500 2000; do
	after=$1/latency-spin-$us.json
	amount "$2:latency-spin-$us-before" latency stayed "$before" "$after" receive
	for hook in $hooks; do
		expect "$2:latency-spin-$us-$hook-packets" latency packets "$after" "$hook" 298 # of the last one it may not be known yet
		amount "$2:latency-spin-$us-$hook-known" latency known "$after" "$hook"
		amount "$2:latency-spin-$us-$hook" latency moved "$before" "$after" "$hook" "$us"
	done
done
for by in interface cgroup process; do
	"$REPORT" latency --by=$by --format=json "$1/latency-by-$by.nct" >"$1/by-$by.json"
	expect "$2:latency-by-$by-sums" latency sums "$1/latency-by-$by.json" "$1/by-$by.json"
done
amount "$2:latency-by-interface" latency whose "$1/by-interface.json" udp-socket-enqueued 300 lo
amount "$2:latency-by-process" latency whose "$1/by-process.json" udp-socket-read 300 udp
amount "$2:latency-reordered" latency some "$1/latency-reordered.json" tcp-socket-read-blocked 20
amount "$2:latency-reordered-waits" latency most "$1/latency-reordered.json" tcp-socket-read-blocked 1000000
