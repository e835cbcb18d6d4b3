#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_latency.sh OUT VERSION: what guest/test_latency.sh recorded: what was spun delays the hooks behind that, and not the
# one before; what netem reordered waited in the socket for as long as netem held back what was missing.
. tests/lib.sh
. tests/vm/amount.sh
out=$1 version=$2

latency() {
	"$PYTHON" tests/host/latency.py "$@"
}

for trace in "$out"/latency-*.nct; do
	[ -e "$trace" ] || continue
	expect "$version:$(basename "$trace" .nct)-verifies" "$REPORT" verify -q "$trace"
	"$REPORT" latency --format=json "$trace" >"${trace%.nct}.json"
done

# spun WAY TIMES HOOK...
spun() {
	way=$1 times=$2
	shift 2
	for us in $times; do
		before=$out/latency-$way-0.json after=$out/latency-$way-$us.json
		amount "$version:latency-$way-$us-before" latency stayed "$before" "$after" receive
		for hook; do
			# Of the last one it may not be known yet.
			expect "$version:latency-$way-$us-$hook-packets" latency packets "$after" "$hook" 298
			amount "$version:latency-$way-$us-$hook-known" latency known "$after" "$hook"
			amount "$version:latency-$way-$us-$hook" latency moved "$before" "$after" "$hook" "$us"
		done
	done
}

[ -e "$out/latency-spin-0.json" ] || exit
# By functions, where tracepoints are missing. Through a tunnel, or a bridge's port, the first ones see packets twice.
spun spin "500 2000" ip-start udp-start udp-socket-enqueued udp-socket-read
spun vxlan 500 udp-socket-enqueued udp-socket-read
spun bridge 500 udp-start udp-socket-enqueued udp-socket-read
expect "$version:latency-udp-send-packets" latency packets "$out/latency-spin-0.json" udp-send 300
amount "$version:latency-udp-send-known" latency known "$out/latency-spin-0.json" udp-send
amount "$version:latency-memory-some" latency some "$out/latency-memory-40.json" tcp-send-memory 5
amount "$version:latency-memory" latency moved "$out/latency-memory-10.json" "$out/latency-memory-40.json" tcp-send-memory 30000
for hook in tcp-small-queue udp-send-memory; do
	amount "$version:latency-slow-$hook-some" latency some "$out/latency-slow-2.json" $hook 20
	amount "$version:latency-slow-$hook" latency slower "$out/latency-slow-8.json" "$out/latency-slow-2.json" $hook 2
done
for hook in udp-socket-enqueued udp-socket-read; do
	amount "$version:latency-only-$hook" latency filtered "$out/latency-only.json" $hook 300 600
done
for by in interface cgroup process; do
	"$REPORT" latency --by=$by --format=json "$out/latency-by-$by.nct" >"$out/by-$by.json"
	expect "$version:latency-by-$by-sums" latency sums "$out/latency-by-$by.json" "$out/by-$by.json"
done
amount "$version:latency-by-interface" latency whose "$out/by-interface.json" udp-socket-enqueued 300 lo
amount "$version:latency-by-process" latency whose "$out/by-process.json" udp-socket-read 300 udp
amount "$version:latency-reordered" latency some "$out/latency-reordered.json" tcp-socket-read-blocked 20
amount "$version:latency-reordered-waits" latency most "$out/latency-reordered.json" tcp-socket-read-blocked 1000000
