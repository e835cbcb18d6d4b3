#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# judge_latency.sh OUT VERSION: what guest/test_latency.sh recorded: all that was sent is there; what netem reordered waited
# in the socket for as long as netem delayed the missing data.
. tests/lib.sh
out=$1 version=$2

latency() {
	"$PYTHON" tests/host/latency.py "$@"
}

for trace in "$out"/latency-*.nct; do
	[ -e "$trace" ] || continue
	expect "$version:$(basename "$trace" .nct)-verifies" "$REPORT" verify -q "$trace"
	"$REPORT" latency --format=json "$trace" >"${trace%.nct}.json"
done

[ -e "$out/latency-sent.nct" ] || exit
# The time of the last packet may not be known yet.
for hook in ip-start udp-start udp-socket-enqueued udp-socket-read; do
	expect "$version:latency-$hook-packets" latency packets "$out/latency-sent.json" $hook 299
	expect "$version:latency-$hook-known" latency known "$out/latency-sent.json" $hook
done
expect "$version:latency-udp-send-packets" latency packets "$out/latency-sent.json" udp-send 300
expect "$version:latency-udp-send-known" latency known "$out/latency-sent.json" udp-send
expect "$version:latency-memory-some" latency some "$out/latency-memory-40.json" tcp-send-memory 5
# The wait ends when data in flight is acknowledged, which netem delays by 10 or 40 ms. Waits
# overlap, so they do not match a bucket exactly.
expect "$version:latency-memory-10" latency between "$out/latency-memory-10.json" tcp-send-memory 5000 12000
expect "$version:latency-memory-40" latency between "$out/latency-memory-40.json" tcp-send-memory 36000 44000
for hook in tcp-small-queue udp-send-memory; do
	expect "$version:latency-slow-$hook-some" latency some "$out/latency-slow-2.json" $hook 20
	expect "$version:latency-slow-$hook" latency slower "$out/latency-slow-8.json" "$out/latency-slow-2.json" $hook 2
done
for hook in udp-socket-enqueued udp-socket-read; do
	expect "$version:latency-only-$hook" latency filtered "$out/latency-only.json" $hook 300 600
done
for by in interface cgroup process; do
	"$REPORT" latency --by=$by --format=json "$out/latency-by-$by.nct" >"$out/by-$by.json"
	expect "$version:latency-by-$by-sums" latency sums "$out/latency-by-$by.json" "$out/by-$by.json"
done
expect "$version:latency-by-interface" latency whose "$out/by-interface.json" udp-socket-enqueued 300 lo
expect "$version:latency-by-process" latency whose "$out/by-process.json" udp-socket-read 300 udp
expect "$version:latency-reordered" latency some "$out/latency-reordered.json" tcp-socket-read-blocked 20
# Their wait also depends on when the reader gets a CPU of this host, so only the soak judges it.
[ "${NETCOST_TIER:-soak}" = all ] || expect "$version:latency-reordered-waits" latency between "$out/latency-reordered.json" tcp-socket-read-blocked 19000 21000
# a segment that is retransmitted after its timeout is late, too
expect "$version:latency-reordered-longest" latency most "$out/latency-reordered.json" tcp-socket-read-blocked 1000000
